"""May the scores of two runs be compared? Only where they were made with the same instrument."""

from collections.abc import Iterator
from dataclasses import dataclass

from reportgen.model.instrument import Instrument


@dataclass(frozen=True, slots=True)
class Break:
    """A key in which two instruments differ, with the value that it has in each, as text."""

    key: str
    before: str
    after: str


def find_breaks(before: Instrument, after: Instrument) -> tuple[Break, ...]:
    """Each key in which two instruments differ; empty where scores made with them may be compared.

    A judge's note is no part of the instrument, since it says who answered and not how; that of a recorded judge is, as
    its model names the recording.
    """
    pairs = zip(_keys(before), _keys(after), strict=True)
    return tuple(Break(key, one, other) for (key, one), (_, other) in pairs if one != other)


def _keys(instrument: Instrument) -> Iterator[tuple[str, str]]:
    judge = instrument.judge
    yield "rubric", instrument.rubric
    yield "rubric digest", instrument.rubric_digest
    yield "prompts", ", ".join(f"{call} {digest}" for call, digest in sorted(instrument.prompts.items()))
    yield "judge", judge.name
    yield "effort", judge.effort or "none"
    yield "judge parameters", ", ".join(f"{name} {value}" for name, value in sorted(judge.parameters.items())) or "none"
    yield "evidence", ", ".join(f"{name} {value}" for name, value in sorted(instrument.evidence.to_data().items()))
    yield "readings a turn", str(instrument.samples)
    yield "rescored", "yes" if instrument.rescored else "no"
