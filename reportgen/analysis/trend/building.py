"""The trend of a run: over its days, and beside earlier runs."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.analysis.rows import TurnRow
from reportgen.analysis.trend.days import Days, build_days
from reportgen.analysis.trend.runs import Headline, RunPoint, build_runs
from reportgen.model.revision import EarlierRun


@dataclass(frozen=True, slots=True)
class Trend:
    """A run over its days, and beside earlier runs; without any `runs` is empty, else it ends with the run itself."""

    days: Days
    runs: tuple[RunPoint, ...]


def build_trend(
    rows: Sequence[TurnRow], earlier: Sequence[EarlierRun], this: Headline, zone: str | None = None
) -> Trend:
    """The trend of a run.

    Args:
        rows: Its turns.
        earlier: Earlier runs, oldest first.
        this: The headline of the run itself.
        zone: The time zone of its days, None for UTC.
    """
    return Trend(build_days(rows, zone), build_runs(earlier, this) if earlier else ())
