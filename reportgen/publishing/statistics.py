"""The statistics of a run or a collection as JSON, by the names that dashboards ask for."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from reportgen.analysis.statistics import SCORE, Average, Query, Statistics
from reportgen.publishing.plain_json import round_number


def statistics_data(found: Statistics, zone: str, runs: Sequence[str]) -> dict[str, Any]:
    """The statistics as plain JSON values; names follow from the ids of the dimensions.

    Args:
        found: The statistics.
        zone: The time zone of the days.
        runs: The ids of the runs that they are over.
    """
    latencies = {f"{part}_latency_ms": average for part, average in found.latencies.items()}
    averages = {_key(name): average for name, average in found.averages.items()}
    return {
        "total_queries": found.total,
        "scored_queries": found.scored,
        **_averages(averages),
        **_averages(latencies),
        "trend": [
            {
                "date": day.day.isoformat(),
                **_averages({_key(name): average for name, average in day.averages.items()}),
                "count": day.count,
            }
            for day in found.days
        ],
        "worst_queries": [_query(query) for query in found.worst],
        "unscored_queries": [{**_query(query), "scorer_error": query.failure} for query in found.unscored],
        "counts": {name: average.n for name, average in (averages | latencies).items()},
        "undated_queries": found.undated,
        "timezone": zone,
        "runs": list(runs),
    }


def score_key(name: str) -> str:
    """Under which name a row has its value of that metric.

    >>> score_key("context-relevance"), score_key("score")
    ('context_relevance_score', 'score')
    """
    return SCORE if name == SCORE else f"{_key(name)}_score"


def print_time(moment: datetime) -> str:
    """A moment in UTC, in ISO 8601."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _key(name: str) -> str:
    return name.replace("-", "_")


def _averages(found: Mapping[str, Average]) -> dict[str, float | None]:
    return {f"avg_{name}": round_number(average.value) for name, average in found.items()}


def _query(query: Query) -> dict[str, Any]:
    total = query.latencies["total"]
    return {
        "id": query.id,
        "question": query.question,
        **{score_key(name): round_number(value) for name, value in query.values.items()},
        "total_latency_ms": round_number(total),
        "engine": query.engine,
        "created_at": print_time(query.created_at),
    }
