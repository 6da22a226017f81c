"""Means and shares of turns as estimates: value, interval, and what the interval rests on."""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

from reportgen.analysis.intervals import Interval, difference_interval, mean_interval, share_interval
from reportgen.analysis.rows import TurnRow
from reportgen.model.run import Estimate

MIN_CLIENTS = 5
"""From this many clients on, clients are taken as a sample; fewer are fixed, and conversations are the units."""

_DECIMALS = 6


def estimate_mean(rows: Sequence[TurnRow]) -> Estimate:
    """The mean score of the scored turns, 0 to 100, with its 95 % interval."""
    scores = [row.score.score for row in rows if row.score.score is not None]
    scored = [row for row in rows if row.score.score is not None]
    if not scores:
        return Estimate(n=0, undefined="no turn was scored" if rows else "no turns")
    by, clusters = choose_clusters(scored)
    interval = mean_interval([float(score) for score in scores], clusters)
    value = sum(scores, Fraction(0)) / len(scores)
    return _estimate(value, len(scores), interval, by, f"one {by} gives no interval")


def estimate_share(rows: Sequence[TurnRow], hit: Callable[[TurnRow], bool]) -> Estimate:
    """The share of turns that hit, 0 to 1, with its 95 % interval."""
    if not rows:
        return Estimate(n=0, undefined="no turn was scored")
    by, clusters = choose_clusters(rows)
    hits = [hit(row) for row in rows]
    return _estimate(
        Fraction(sum(hits), len(hits)), len(hits), share_interval(hits, clusters), by, f"one {by} gives no interval"
    )


def estimate_difference(rows: Sequence[TurnRow], differences: Sequence[Fraction]) -> Estimate:
    """The mean of paired differences of scores, in points, with its 95 % interval.

    Args:
        rows: The turns that were compared.
        differences: For each of them the one score minus the other.
    """
    if not rows:
        return Estimate(n=0, undefined="no turn has both scores")
    by, clusters = choose_clusters(rows)
    interval = difference_interval([float(value) for value in differences], clusters)
    equal = len(rows) > 1 and len(set(differences)) == 1
    why_none = f"all {len(rows)} differences are equal" if equal else f"one {by} gives no interval"
    return _estimate(sum(differences, Fraction(0)) / len(rows), len(rows), interval, by, why_none)


def choose_clusters(rows: Sequence[TurnRow]) -> tuple[str, list[Hashable]]:
    """What to take as independent: clients from five on, else conversations, else turns."""
    clients = [row.labels.get("client") for row in rows]
    if None not in clients and len(set(clients)) >= MIN_CLIENTS:
        return "client", list(clients)
    if any(row.conversation for row in rows):
        by = "conversation" if all(row.conversation for row in rows) else "conversation or single turn"
        return by, [
            (row.labels.get("client"), row.conversation) if row.conversation else ("turn", row.id) for row in rows
        ]
    return "turn", [row.id for row in rows]


def _estimate(value: Fraction, n: int, interval: Interval | None, by: str, why_none: str) -> Estimate:
    if interval is None:
        return Estimate(value=value, n=n, by=by, undefined=why_none)
    return Estimate(
        value=value,
        low=round(interval.low, _DECIMALS),
        high=round(interval.high, _DECIMALS),
        n=n,
        clusters=interval.clusters,
        by=by,
        df=round(interval.df, _DECIMALS),
    )
