"""Two runs side by side: which of their turns are compared, and whether one by one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.exact import total_of
from reportgen.analysis.retrieving import fill_facts, plain_name, spell_names
from reportgen.analysis.rows import TurnRow
from reportgen.model.calibration import GateState
from reportgen.model.instrument import Instrument, instrument_of
from reportgen.model.revision import BaselineTurn
from reportgen.model.run import Manifest
from reportgen.model.score import Score

Value = Callable[[BaselineTurn], Fraction | None]


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many turns both runs have in common, and how many only one of them has.

    Turns of one id that ask different questions are not common; `asked_otherwise` counts these ids.
    """

    common: int
    only_before: int
    only_after: int
    asked_otherwise: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """A run as far as a comparison needs it; the fields are those of `Baseline`."""

    instrument: Instrument
    agents: tuple[str, ...]
    turns: tuple[BaselineTurn, ...]
    sampled: bool = False
    gate: GateState | None = None


@dataclass(frozen=True, slots=True)
class Sides:
    """The compared turns of the baseline and of this run; where `paired`, both stand in one order, turn by turn."""

    paired: bool
    before: Sequence[BaselineTurn]
    after: Sequence[BaselineTurn]


def build_side(rows: Sequence[TurnRow], manifest: Manifest, gate: GateState | None = None) -> Side:
    """What a comparison needs of a run, and how its judge's agreement with people stands."""
    turns = [build_turn(row.id, row.labels, row.conversation, row.score, row.knobs) for row in rows]
    agents, sampled = name_agents(row.agent for row in rows), any(row.drawn for row in rows)
    return Side(instrument_of(manifest), agents, tuple(turns), sampled, gate)


def build_turn(
    name: str, labels: Mapping[str, str], conversation: str | None, score: Score, knobs: Mapping[str, str]
) -> BaselineTurn:
    """What a comparison needs of a turn."""
    subscores = {item.dimension: item.used for item in score.subscores}
    return BaselineTurn(
        id=name,
        labels=dict(labels),
        conversation=conversation,
        score=score.score,
        band=score.band,
        subscores=subscores,
        knobs=dict(knobs) or None,
    )


def name_agents(agents: Iterable[str]) -> tuple[str, ...]:
    """The assistants of a run as they call themselves, each once, in alphabetical order."""
    return tuple(sorted(set(agents)))


def lay_out(before: Sequence[BaselineTurn], after: Sequence[BaselineTurn]) -> tuple[Sides, Overlap]:
    """Joins two runs on the ids of their turns.

    Labels whose names differ in spelling alone are one label, called as this run calls it.

    They are compared turn by turn where at least half of the turns of the smaller run are in both, and then on these
    turns alone; otherwise as two periods, with all turns of each.
    """
    before, after = _spell_alike(before, after)
    known = {turn.id: turn for turn in before if not turn.asked_otherwise}
    pairs = [(known[turn.id], turn) for turn in after if turn.id in known]
    overlap = Overlap(
        common=len(pairs),
        only_before=len(before) - len(pairs),
        only_after=len(after) - len(pairs),
        asked_otherwise=sum(turn.asked_otherwise for turn in before),
    )
    if pairs and 2 * len(pairs) >= min(len(before), len(after)):
        return Sides(True, [one for one, _ in pairs], [other for _, other in pairs]), overlap
    return Sides(False, before, after), overlap


def _spell_alike(
    before: Sequence[BaselineTurn], after: Sequence[BaselineTurn]
) -> tuple[list[BaselineTurn], list[BaselineTurn]]:
    names = spell_names(turn.labels for turn in (*before, *after))

    def respell(turn: BaselineTurn) -> BaselineTurn:
        if all(names[plain_name(name)] == name for name in turn.labels):
            return turn
        labels = {names[name]: value for name, value in fill_facts({}, turn.labels).items()}
        return turn.model_copy(update={"labels": labels})

    return list(map(respell, before)), list(map(respell, after))


def keep_measured(sides: Sides, value: Value) -> Sides:
    """The turns that have the value; of pairs those that have it on both sides."""
    if not sides.paired:
        before, after = ([turn for turn in side if value(turn) is not None] for side in (sides.before, sides.after))
        return Sides(False, before, after)
    pairs = zip(sides.before, sides.after, strict=True)
    kept = [(one, other) for one, other in pairs if value(one) is not None and value(other) is not None]
    return Sides(True, [one for one, _ in kept], [other for _, other in kept])


def score_of(turn: BaselineTurn) -> Fraction | None:
    """The score of a turn; None where it has none."""
    return turn.score


def subscore_of(dimension: str) -> Value:
    """What gives the subscore of a dimension; None where the judge gave none, or the dimension does not apply."""
    return lambda turn: turn.subscores.get(dimension)


def mean_of(turns: Sequence[BaselineTurn], value: Value) -> Fraction | None:
    """The mean over the turns that have the value; None where none has it."""
    known = [found for turn in turns if (found := value(turn)) is not None]
    return total_of(known) / len(known) if known else None
