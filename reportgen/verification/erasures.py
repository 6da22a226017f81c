"""Is what is said to be erased gone, and is the run otherwise the one that it was before?"""

from collections.abc import Iterator
from typing import Any

from reportgen.archive.digests import seal_of
from reportgen.archive.records import Records
from reportgen.archive.store import SCORES
from reportgen.assembly import VerdictGroups
from reportgen.model.derivation import Erasure
from reportgen.redaction.blanking import ERASED, blank_verdict, erase_turn
from reportgen.verification.differences import Difference, differ


def check_erasures(records: Records) -> Iterator[Difference]:
    """Each erased turn has no texts, and the seal from before follows from the digests from before.

    So neither summary nor manifest nor rubric was changed along with the texts, nor, of scored turns, any score.
    """
    if records.run.manifest.erasures is None:
        return
    yield from _check_texts(records)
    yield from _check_seals(records)


def _check_texts(records: Records) -> Iterator[Difference]:
    erased, groups = dict(records.run.manifest.erased), VerdictGroups(records.verdicts())
    for turn in records.turns():
        verdicts = groups.take(turn.id)
        if (erasure := erased.pop(turn.id, None)) is None:
            continue
        place = f"turn {turn.id}, which is erased"
        yield from differ(f"turns.jsonl, {place}", turn.to_data(), erase_turn(turn, erasure.labels).to_data())
        for verdict in verdicts:
            yield from differ(f"verdicts.jsonl, {place}", verdict.to_data(), blank_verdict(verdict, ERASED).to_data())
    for turn_id in erased:
        yield Difference("run.json: manifest.erasures", f"an erased turn {turn_id}", "no turn of that id")


def _check_seals(records: Records) -> Iterator[Difference]:
    """Goes back from the run as it is to what it was before each erasure, the latest first."""
    content, unscored = dict(records.content), {score.turn for score in records.scores() if score.score is None}
    erasures = list(records.run.manifest.erasures or ())
    while erasures and (erasure := erasures.pop()).seal is not None:
        place = f"run.json: manifest.erasures[{len(erasures)}]"
        if (stated := (erasure.files or {}).get(SCORES)) != content["files"][SCORES] and not _explains(
            erasure, unscored
        ):
            yield from differ(f"{place}: scores.jsonl, which stays", stated, content["files"][SCORES])
        content = _go_back(content, erasure)
        yield from differ(f"{place}.seal", erasure.seal, seal_of(content))


def _explains(erasure: Erasure, unscored: set[str]) -> bool:
    """Whether scores may have another digest: the reason why there is none can be a text."""
    return any(turn in unscored for turn in erasure.turns)


def _go_back(content: dict[str, Any], erasure: Erasure) -> dict[str, Any]:
    """The content of `run.json` before its latest erasure."""
    manifest = dict(content["manifest"])
    before = manifest.pop("erasures")[:-1]
    if before:
        manifest["erasures"] = before
    return {**content, "files": erasure.files, "manifest": manifest}
