"""How often turns were read, and how far the readings of one judge differ."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.analysis.rows import TurnRow
from reportgen.model.run import Manifest
from reportgen.model.score import Score


@dataclass(frozen=True, slots=True)
class ReadingCheck:
    """Turns by how they were read.

    `samples` is how often the judge was asked about each of the `repeated` turns, None where it was asked once about
    each. Of them `compared` have at least two usable readings, and in `differing` of these some subscore differs.
    `failures` counts single readings that failed, by outcome; `by_panel` turns were read by several judges.
    """

    once: int
    samples: int | None
    repeated: int
    compared: int
    differing: int
    failures: dict[str, int]
    by_panel: int


def build_reading_check(rows: Sequence[TurnRow], manifest: Manifest) -> ReadingCheck:
    """How the turns of a run were read."""
    read = [(row.score, row.score.readings) for row in rows]
    repeated = [(score, readings) for score, readings in read if readings and readings.by == "samples"]
    compared = [score for score, readings in repeated if readings.usable > 1 and score.subscores]
    failures: Counter[str] = Counter()
    for _, readings in read:
        failures.update(readings.failures if readings else {})
    return ReadingCheck(
        once=sum(readings is None for _, readings in read),
        samples=manifest.repeats.samples if manifest.repeats else None,
        repeated=len(repeated),
        compared=len(compared),
        differing=sum(_differs(score) for score in compared),
        failures=dict(sorted(failures.items())),
        by_panel=sum(readings is not None and readings.by == "judges" for _, readings in read),
    )


def _differs(score: Score) -> bool:
    return any(len(set(item.samples or ())) > 1 for item in score.subscores if item.used is not None)
