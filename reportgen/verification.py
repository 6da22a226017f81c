"""Does what was published follow from the run? Everything is recomputed, without a judge."""

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, zip_longest

from reportgen.analysis.drawing import draw_repeated
from reportgen.analysis.figure_check.checking import find_figures
from reportgen.analysis.findings import build_findings
from reportgen.analysis.probes import latest_probes
from reportgen.analysis.rows import TurnRow
from reportgen.archive.digests import seal_of
from reportgen.archive.records import Records
from reportgen.archive.store import SCORES
from reportgen.assembly import VerdictGroups, build_entry
from reportgen.errors import RunError
from reportgen.judging.canaries import build_canaries, check_canary
from reportgen.judging.probes import build_order_request, build_pair
from reportgen.judging.prompts import JudgePrompt, build_prompt, build_request, build_system
from reportgen.model.batch import count_batches
from reportgen.model.canary import Canary
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge, Verdict
from reportgen.publishing.data import figures_data, findings_data
from reportgen.record import text_digest
from reportgen.scoring.composite import score_turn
from reportgen.scoring.readings import is_same, split_by_judge

_ABSENT = "nothing"

_Prompts = tuple[Judge, dict[str, JudgePrompt]]
"""A judge, and what it was asked for each judge call."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where what is stated is not what follows; only a place where something cannot be read at all."""

    place: str
    stated: str | None = None
    found: str | None = None

    def __str__(self) -> str:
        if self.found is None:
            return f"{self.place}"
        return f"{self.place}: states {self.stated}, but {self.found} follows"


def check_records(records: Records, seal: str | None = None) -> Iterator[Difference]:
    """Every difference between what the run or the report states and what follows from its turns and verdicts.

    The most telling come first: scores, then figures, then digests, then the seal.

    Args:
        records: The run.
        seal: A seal that was kept elsewhere, to be held against the run's own.
    """
    rows: list[TurnRow] = []
    yield from _guard(records.place, lambda: _check_turns(records, rows))
    yield from _differ("run.json: manifest.capture.turns", records.run.manifest.capture.turns, len(rows))
    yield from _guard(records.place, lambda: _check_figures(records, rows))
    yield from _guard(records.place, lambda: _check_canaries(records))
    yield from _check_manifest(records)
    yield from _guard(records.place, lambda: _check_batches(records))
    yield from _guard(records.place, lambda: _check_files(records))
    yield from _check_seal(records, seal)


def _guard(place: str, check: Callable[[], Iterator[Difference]]) -> Iterator[Difference]:
    """The differences that a check finds; a record that cannot be read is one."""
    try:
        yield from check()
    except RunError as error:
        yield Difference(error.what.removeprefix(f"{place}: "))


def _check_turns(records: Records, rows: list[TurnRow]) -> Iterator[Difference]:
    """Turn by turn: verdicts on the evidence that they name, and the score; gathers the rows for the figures."""
    groups = VerdictGroups(records.verdicts())
    rubric, limits = records.run.rubric, records.run.manifest.evidence
    repeated = draw_repeated(records.run.manifest, records.turns())
    prompts = _build_prompts(records)
    lines = zip_longest(records.turns(), records.scores(), records.lines(SCORES))
    for number, (turn, score, line) in enumerate(lines, start=1):
        if turn is None or score is None:
            yield Difference(f"scores.jsonl:{number}", _name(score), f"a score for {_name(turn)}")
            return
        verdicts = groups.take(turn.id)
        for verdict in verdicts:
            yield from _check_verdict(f"verdicts.jsonl, turn {turn.id}", turn, verdict, prompts, records)
        yield from _check_samples(turn, verdicts, records, is_repeated=turn.id in repeated)
        yield from _check_score(number, turn, verdicts, line, records)
        rows.append(build_entry(number, turn, verdicts, score, rubric, limits).row)
        yield from _check_pairs(turn, score, records, prompts)
    if (left := groups.rest()) is not None:
        yield Difference("verdicts.jsonl", f"a verdict on {left}", "a verdict on a turn of the run, in its order")


def _name(record: Turn | Score | None) -> str:
    if record is None:
        return _ABSENT
    return record.turn if isinstance(record, Score) else record.id


def _build_prompts(records: Records) -> list[_Prompts]:
    """Each judge of the run with its prompts by judge call; of a panel there are several."""
    rubric, manifest = records.run.rubric, records.run.manifest
    judges = [member.judge for member in manifest.panel] if manifest.panel else [manifest.judge]
    return [(judge, {call.id: build_prompt(rubric, call, judge) for call in rubric.calls}) for judge in judges]


def _check_verdict(
    place: str, turn: Turn, verdict: Verdict, judges: list[_Prompts], records: Records
) -> Iterator[Difference]:
    manifest = records.run.manifest
    judge, prompts = next((pair for pair in judges if is_same(pair[0], verdict.judge)), judges[0])
    yield from _differ(f"{place}: judge", verdict.judge.to_data(), judge.to_data())
    if verdict.call not in prompts:
        yield Difference(f"{place}: call", verdict.call, "a judge call of the rubric")
        return
    limits = manifest.evidence
    request = build_request(turn, prompts[verdict.call], limits, verdict.sample)
    yield from _differ(f"{place}: evidence", verdict.evidence, request.evidence)
    if not manifest.is_rescored:
        yield from _differ(f"{place}: rubric", verdict.rubric, manifest.rubric_digest)
        yield from _differ(f"{place}: key", verdict.key, request.key)


def _check_samples(
    turn: Turn, verdicts: tuple[Verdict, ...], records: Records, *, is_repeated: bool
) -> Iterator[Difference]:
    """Each judge call has the samples that the manifest says; how often a panel's judges asked, theirs say."""
    manifest = records.run.manifest
    if manifest.panel:
        judges = [judge.to_data() for judge, _ in split_by_judge(verdicts)]
        members = [member.judge.to_data() for member in manifest.panel]
        yield from _differ(f"verdicts.jsonl, turn {turn.id}: judges", judges, members)
        return
    expected = list(range(1, manifest.repeats.samples + 1)) if manifest.repeats and is_repeated else [1]
    for call in records.run.rubric.calls:
        samples = [verdict.sample for verdict in verdicts if verdict.call == call.id]
        yield from _differ(f"verdicts.jsonl, turn {turn.id}: samples of {call.id}", samples, expected)


def _check_canaries(records: Records) -> Iterator[Difference]:
    """The canaries: those that follow from the seed, verdicts on their evidence, and whether they were passed."""
    prompts = _build_prompts(records)
    yield from _check_made(records)
    for canary in records.run.canaries or ():
        place = f"run.json: canary {canary.turn.id}"
        for verdict in canary.verdicts:
            yield from _check_verdict(place, canary.turn, verdict, prompts, records)
        expected = check_canary(canary, canary.verdicts, records.run.rubric, records.run.manifest.judge.name)
        yield from _differ(place, canary.to_data(), expected.to_data())


def _check_made(records: Records) -> Iterator[Difference]:
    """The canaries are those that the seed and the turns give; none is left out and none expects something else."""
    run = records.run
    if run.canaries is None or run.manifest.panel or run.manifest.seed is None:
        return
    made = build_canaries(run.manifest.seed, records.turns(), run.manifest.capture.turns)
    stated, expected = ([_identity(canary) for canary in canaries] for canaries in (run.canaries, made))
    yield from _differ("run.json: canaries", stated, expected)


def _identity(canary: Canary) -> dict[str, object]:
    """What a canary is and expects, without what the judge said of it."""
    return {"kind": canary.kind, "turn": canary.turn.to_data(), "expects": canary.expects.to_data()}


def _check_score(
    number: int, turn: Turn, verdicts: tuple[Verdict, ...], line: bytes, records: Records
) -> Iterator[Difference]:
    expected = score_turn(turn, verdicts, records.run.rubric, records.run.manifest.judge.name)
    yield from _differ(f"scores.jsonl:{number}, turn {turn.id}", json.loads(line), expected.to_data())


def _check_figures(records: Records, rows: list[TurnRow]) -> Iterator[Difference]:
    run = records.run
    # Only a report states what became of the figures in its answers; it takes the longest of all.
    turns = records.turns if records.is_report else _no_turns
    findings = build_findings(rows, run.rubric, run.manifest, records.paid(), run.canaries, records.probes, turns)
    yield from _differ("run.json: summary", records.content["summary"], findings.summary.to_data())
    for probe, result in zip(latest_probes(records.probes), findings.probes, strict=True):
        place = f"annexes, {probe.kind} probe"
        yield from _differ(f"{place}: seal", probe.seal, run.seal)
        yield from _differ(f"{place}: estimate", probe.estimate.to_data(), result.estimate.to_data())
        yield from _differ(f"{place}: flips", probe.flips, result.flips)
    if records.is_report:
        yield from _differ("findings", records.findings, findings_data(findings))
        yield from _check_figure_lines(records, findings.figures.off)
        yield from _check_generation(records)


def _no_turns() -> Iterator[Turn]:
    return iter(())


def _check_figure_lines(records: Records, off: Collection[str]) -> Iterator[Difference]:
    """The figures of each answer, and what became of each of them."""
    turns = records.run.manifest.capture.turns
    yield from _differ("figures: how many turns", len(records.figures), turns)
    for stated, turn in zip(records.figures, records.turns(), strict=False):
        yield from _differ(f"figures, turn {turn.id}", stated, figures_data(find_figures(turn, off)))


def _check_generation(records: Records) -> Iterator[Difference]:
    """A report cannot have been generated before its run was finished; more cannot be known of its time."""
    finished = records.run.manifest.finished_at
    try:
        generated = datetime.fromisoformat(records.generated_at)
        is_later = finished is not None and generated >= finished.replace(microsecond=0)
    except (TypeError, ValueError):
        is_later = False
    if not is_later:
        yield Difference("generated_at", _shorten(records.generated_at), f"a time not before {finished}")


def _check_pairs(turn: Turn, score: Score, records: Records, judges: list[_Prompts]) -> Iterator[Difference]:
    """The pairs of the order probe on that turn: verdicts on the reordered evidence, and both scores."""
    run = records.run
    for pair in (pair for probe in latest_probes(records.probes) for pair in probe.pairs if pair.turn == turn.id):
        place = f"annexes, order probe, turn {turn.id}"
        if score.score is None:
            yield Difference(place, "a score before", "none")
            continue
        prompts = judges[0][1]
        for verdict in pair.verdicts:
            prompt = prompts.get(verdict.call)
            key = build_order_request(turn, prompt, run.manifest.evidence).key if prompt else _ABSENT
            yield from _differ(f"{place}: key", verdict.key, key)
        expected = build_pair(turn, score, pair.verdicts, run.rubric)
        yield from _differ(place, pair.to_data(), expected.to_data())


def _check_manifest(records: Records) -> Iterator[Difference]:
    manifest, rubric = records.run.manifest, records.run.rubric
    yield from _differ("run.json: manifest.rubric_digest", manifest.rubric_digest, rubric.digest)
    yield from _differ("run.json: manifest.rubric", manifest.rubric, rubric.id)
    yield from _differ("run.json: manifest.rubric_version", manifest.rubric_version, rubric.version)
    yield from _differ("run.json: manifest.prompts", manifest.prompts, _prompt_digests(records))
    if not manifest.is_rescored:
        sent = {call.id: build_system(rubric, call) for call in rubric.calls}
        yield from _differ("run.json: system_prompts", records.run.system_prompts, sent)
    if manifest.finished_at is None or manifest.finished_at < manifest.started_at:
        yield Difference("run.json: manifest.finished_at", str(manifest.finished_at), "a time after it was started")


def _check_batches(records: Records) -> Iterator[Difference]:
    manifest = records.run.manifest
    if not manifest.is_rescored or manifest.batches is not None:
        yield from _differ("run.json: manifest.batches", manifest.batches, count_batches(_all_verdicts(records)))


def _all_verdicts(records: Records) -> Iterator[Verdict]:
    return chain(records.verdicts(), *(canary.verdicts for canary in records.run.canaries or ()))


def _prompt_digests(records: Records) -> dict[str, str]:
    return {call: text_digest(text) for call, text in records.run.system_prompts.items()}


def _check_files(records: Records) -> Iterator[Difference]:
    for name, stated in records.run.files.items():
        yield from _differ(f"{name}: SHA-256", stated, records.digest(name))


def _check_seal(records: Records, seal: str | None) -> Iterator[Difference]:
    yield from _differ("run.json: seal", records.run.seal, seal_of(records.content))
    if seal is not None:
        yield from _differ("the seal that was kept", seal, records.run.seal)


def _differ(place: str, stated: object, found: object) -> Iterator[Difference]:
    """Where two plain values differ, down to the single field."""
    if isinstance(stated, dict) and isinstance(found, dict):
        for key in sorted(set(stated) | set(found)):
            yield from _differ(f"{place}.{key}", stated.get(key, _ABSENT), found.get(key, _ABSENT))
    elif isinstance(stated, list) and isinstance(found, list):
        for number, pair in enumerate(zip_longest(stated, found, fillvalue=_ABSENT)):
            yield from _differ(f"{place}[{number}]", *pair)
    elif stated != found or type(stated) is not type(found):
        yield Difference(place, _shorten(stated), _shorten(found))


def _shorten(value: object) -> str:
    text = str(value)
    return text if len(text) <= 100 else f"{text[:100]}…"
