"""Two finished runs -> the one as a baseline, and what comparing them says."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from reportgen.analysis.calibration.results import gate_of
from reportgen.analysis.comparability import find_breaks
from reportgen.analysis.comparison.comparing import Comparison, compare_runs
from reportgen.analysis.comparison.sides import Side, build_turn, name_agents
from reportgen.analysis.retrieving import list_knobs
from reportgen.analysis.rows import find_span
from reportgen.archive.annexes import read_annex
from reportgen.archive.records import Records
from reportgen.assembly import name_agent
from reportgen.errors import NotComparableError, RunError
from reportgen.model.audience import Audience, audience_of
from reportgen.model.calibration import Calibration, GateState
from reportgen.model.instrument import instrument_of
from reportgen.model.revision import Baseline, BaselineTurn
from reportgen.model.run import Manifest
from reportgen.model.turn import Turn
from reportgen.publishing.explanations import join_explanations
from reportgen.record import text_digest


@dataclass(frozen=True, slots=True)
class Compared:
    """A run against a baseline; `explanations` are the judge's in this run, of the turns that moved most."""

    baseline: Baseline
    comparison: Comparison
    explanations: dict[str, str]


def compare_records(before: Records, after: Records, *, anyway: bool = False) -> Compared:
    """Holds a finished run against another.

    Args:
        before: The baseline.
        after: The run itself.
        anyway: Whether to go on where the instruments differ.

    Raises:
        NotComparableError: The instruments differ.
        RunError: The runs are one, or hold the turns of different clients.
    """
    _require_two(before, after)
    if not anyway:
        _require_same_instrument(before.run.manifest, after.run.manifest)
    baseline = build_baseline(before, after)
    comparison = compare_runs(baseline, _read_side(after), after.run.rubric)
    moved = comparison.moved
    turns = tuple(_explain(baseline.turns, read_explanations(before, moved)))
    baseline = baseline.model_copy(update={"turns": turns})
    return Compared(baseline, comparison, read_explanations(after, moved))


def build_baseline(before: Records, after: Records) -> Baseline:
    """A run as far as another needs it to be compared with it, without explanations."""
    asked = {turn.id: text_digest(turn.question) for turn in after.turns()}
    times, turns, agents = [], [], []
    for turn, item in _read_turns(before):
        other = asked.get(turn.id)
        differs = other is not None and other != text_digest(turn.question)
        turns.append(item.model_copy(update={"asked_otherwise": True}) if differs else item)
        times.append(turn.captured_at)
        agents.append(name_agent(turn))
    manifest, (first, last) = before.run.manifest, find_span(times)
    return Baseline(
        run=manifest.run_id,
        seal=before.run.seal,
        instrument=instrument_of(manifest),
        first=first,
        last=last,
        agents=name_agents(agents),
        sampled=any(turn.drawn for turn in before.turns()),
        gate=find_gate(before),
        turns=tuple(turns),
    )


def find_gate(records: Records) -> GateState | None:
    """How the agreement of a run's judge with people stands by its newest calibration; None without one.

    Raises:
        RunError: The annexes are damaged, or of another run.
    """
    if records.revision is not None:
        newest = records.revision.calibration
    else:
        known = read_annex(Calibration, records.folder, *records.run.seals) if records.folder else []
        newest = known[-1] if known else None
    return gate_of(newest, records.run.rubric)[0] if newest else None


def read_explanations(records: Records, turns: Collection[str]) -> dict[str, str]:
    """What the judge wrote on some turns."""
    asked = (verdict for verdict in records.verdicts() if verdict.turn in turns) if turns else ()
    groups = groupby(asked, key=lambda verdict: verdict.turn)
    said = {turn: join_explanations(verdicts, records.run.rubric) for turn, verdicts in groups}
    return {turn: words for turn, words in said.items() if words is not None}


def _read_side(records: Records) -> Side:
    pairs = list(_read_turns(records))
    agents, sampled = name_agents(name_agent(turn) for turn, _ in pairs), any(turn.drawn for turn, _ in pairs)
    return Side(
        instrument_of(records.run.manifest), agents, tuple(item for _, item in pairs), sampled, find_gate(records)
    )


def _read_turns(records: Records) -> Iterator[tuple[Turn, BaselineTurn]]:
    for turn, score in zip(records.turns(), records.scores(), strict=True):
        yield turn, build_turn(turn.id, turn.labels, turn.conversation_or_bundle, score, list_knobs(turn))


def _explain(turns: Iterable[BaselineTurn], explanations: dict[str, str]) -> Iterator[BaselineTurn]:
    for turn in turns:
        words = explanations.get(turn.id)
        yield turn if words is None else turn.model_copy(update={"explanation": words})


def _require_two(before: Records, after: Records) -> None:
    if before.run.seal == after.run.seal:
        raise RunError(f"{after.run.manifest.run_id} would be compared with itself", "Name two runs.")
    readers = [audience_of(records.run.manifest) for records in (before, after)]
    if readers[0] != readers[1]:
        raise RunError(
            f"{before.run.manifest.run_id} holds turns of {_say(readers[0])}, {after.run.manifest.run_id} those of "
            f"{_say(readers[1])}",
            "Compare whole runs with one another, and runs for one client with other runs for that client.",
        )


def _say(readers: Audience) -> str:
    return {"internal": "all clients", "public": "all clients, for the public"}.get(readers.kind, str(readers))


def _require_same_instrument(before: Manifest, after: Manifest) -> None:
    breaks = find_breaks(instrument_of(before), instrument_of(after))
    if breaks:
        keys = "\n".join(f"  {item.key}: {item.before} in {before.run_id}, {item.after} here" for item in breaks)
        raise NotComparableError(
            f"{after.run_id} may not be compared with {before.run_id}, since they were made with different "
            f"instruments:\n{keys}",
            "Judge or rescore one of them so that they agree, or give --anyway, by which nothing is claimed.",
        )
