"""Do the scores follow from the turns and the verdicts?"""

import json
from collections.abc import Iterator
from itertools import zip_longest

from reportgen.analysis.drawing import draw_repeated
from reportgen.analysis.probes import latest_probes
from reportgen.analysis.rows import TurnRow
from reportgen.archive.records import Records
from reportgen.archive.store import SCORES
from reportgen.assembly import VerdictGroups, build_entry
from reportgen.judging.probes import build_order_request, build_pair
from reportgen.judging.prompts import JudgePrompts
from reportgen.model.run import WITHHELD
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.scoring.composite import score_turn
from reportgen.verification.differences import ABSENT, Difference, differ
from reportgen.verification.verdicts import build_prompts, check_samples, check_verdict


def check_turns(records: Records, rows: list[TurnRow]) -> Iterator[Difference]:
    """Turn by turn: verdicts on the evidence that they name, and the score; gathers the rows for the figures."""
    groups = VerdictGroups(records.verdicts())
    rubric, limits = records.run.rubric, records.run.manifest.evidence
    repeated, erased = _find_repeated(records), records.run.manifest.erased
    prompts = build_prompts(records)
    lines = zip_longest(records.turns(), records.scores(), records.lines(SCORES))
    for number, (turn, score, line) in enumerate(lines, start=1):
        if turn is None or score is None:
            yield Difference(f"scores.jsonl:{number}", _name(score), f"a score for {_name(turn)}")
            return
        verdicts = groups.take(turn.id)
        for verdict in verdicts:
            yield from check_verdict(f"verdicts.jsonl, turn {turn.id}", turn, verdict, prompts, records)
        yield from check_samples(turn, verdicts, records, is_repeated=turn.id in repeated)
        yield from _check_score(number, turn, verdicts, line, records)
        rows.append(build_entry(number, turn, verdicts, score, rubric, limits, erased).row)
        yield from _check_pairs(turn, score, records, prompts)
    if (left := groups.rest()) is not None:
        yield Difference("verdicts.jsonl", f"a verdict on {left}", "a verdict on a turn of the run, in its order")


def _find_repeated(records: Records) -> frozenset[str]:
    """The turns that were to be read several times.

    A derived run tells no seed, anchors are a part of what was drawn from, and turns are drawn by labels that may be
    erased; there they are those that were.
    """
    manifest = records.run.manifest
    is_whole = manifest.derived is None and not manifest.is_frozen
    if is_whole and not any(erasure.labels for erasure in manifest.erasures or ()):
        return draw_repeated(manifest, records.turns())
    return frozenset(verdict.turn for verdict in records.verdicts() if verdict.sample > 1)


def _name(record: Turn | Score | None) -> str:
    if record is None:
        return ABSENT
    return record.turn if isinstance(record, Score) else record.id


def _check_score(
    number: int, turn: Turn, verdicts: tuple[Verdict, ...], line: bytes, records: Records
) -> Iterator[Difference]:
    expected = score_turn(turn, verdicts, records.run.rubric, records.run.manifest.judge.name)
    yield from differ(f"scores.jsonl:{number}, turn {turn.id}", json.loads(line), expected.to_data())


def _check_pairs(turn: Turn, score: Score, records: Records, judges: list[JudgePrompts]) -> Iterator[Difference]:
    """The pairs of the order probe on that turn: verdicts on the reordered evidence, and both scores."""
    run = records.run
    for pair in (pair for probe in latest_probes(records.probes) for pair in probe.pairs if pair.turn == turn.id):
        place = f"annexes, order probe, turn {turn.id}"
        if score.unscored is not None:
            yield Difference(place, "a score before", "none")
            continue
        prompts = judges[0][1]
        for verdict in pair.verdicts:
            prompt = prompts.get(verdict.call)
            key = build_order_request(turn, prompt, run.manifest.evidence).key if prompt else ABSENT
            if verdict.key != WITHHELD or turn.id not in run.manifest.erased:
                yield from differ(f"{place}: key", verdict.key, key)
        expected = build_pair(turn, score, pair.verdicts, run.rubric)
        yield from differ(place, pair.to_data(), expected.to_data())
