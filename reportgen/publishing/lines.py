"""A turn as one line of a list: what is shown of it, and what it can be found by."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from reportgen.analysis.strata import MAX_STRATA, NO_LABEL
from reportgen.publishing.browser.retracing import describe_turn
from reportgen.publishing.metric_lines import build_metric_lines, name_corner
from reportgen.publishing.printing import print_score
from reportgen.publishing.report import Report, TurnEntry
from reportgen.publishing.text import clean, shorten

_ID_SHOWN = 60
_QUESTION_SHOWN = 160
_VALUE_SHOWN = 80


@dataclass(frozen=True, slots=True)
class TurnLine:
    """One turn in a list.

    `question` is None where texts are not shown. `labels` holds its value of each label that turns can be found by,
    `used` its subscore in each dimension, `caps` the ids of those that hold; `retrace` is what its score can be
    recomputed from. Without a composite, `metrics` are its values as printed, and `corner` is the one that it lies in.
    """

    number: str
    href: str
    id: str
    question: str | None
    score: str | None
    exact: Fraction | None
    band: str | None
    unscored: str | None
    caps: tuple[str, ...]
    first_weak: str | None
    labels: tuple[str, ...]
    used: tuple[Fraction | None, ...]
    retrace: dict[str, Any]
    metrics: tuple[str, ...] = ()
    corner: str | None = None


def build_lines(entries: Iterable[TurnEntry], report: Report) -> Iterator[TurnLine]:
    """A line for each turn."""
    for entry in entries:
        yield build_line(entry, report, report.href(entry.turn.id))


def build_line(entry: TurnEntry, report: Report, href: str) -> TurnLine:
    """The line of one turn, which stands at `href`."""
    score, rubric = entry.score, report.run.rubric
    return TurnLine(
        number=str(entry.number),
        href=href,
        id=str(shorten(entry.turn.id, _ID_SHOWN)),
        question=str(shorten(entry.turn.question, _QUESTION_SHOWN)) if report.has_texts else None,
        score=None if score.score is None else print_score(score.score, rubric),
        exact=score.score,
        band=score.band,
        unscored=score.unscored,
        caps=tuple(cap.id for cap in score.caps),
        first_weak=rubric.dimension(entry.first_weak).name if entry.first_weak else None,
        labels=tuple(str(shorten(entry.turn.labels.get(label, NO_LABEL), _VALUE_SHOWN)) for label in report.labels),
        used=tuple(item.used for item in score.subscores),
        retrace=describe_turn(entry, rubric),
        metrics=tuple(line.value for line in build_metric_lines(score, rubric)),
        corner=name_corner(score, rubric),
    )


def name_order(report: Report) -> str:
    """In which order the turns stand."""
    return "in the order of the capture" if report.has_texts else "in an order that tells nothing"


def describe_line(line: TurnLine) -> dict[str, Any]:
    """The line as data: what the page searches, sorts and filters by, and recomputes."""
    return {
        **line.retrace,
        "id": line.id,
        "href": line.href,
        "question": line.question,
        "unscored": line.unscored,
        "firstWeak": line.first_weak,
        "labels": list(line.labels),
        **({"metrics": list(line.metrics), "corner": line.corner} if line.metrics else {}),
    }


def describe_labels(report: Report, lines: Iterable[TurnLine]) -> list[dict[str, Any]]:
    """The labels that turns can be found by, each with its values, most turns first; of very many the most frequent."""
    labels = report.labels
    counts: list[Counter[str]] = [Counter() for _ in labels]
    for line in lines:
        for count, value in zip(counts, line.labels, strict=True):
            count[value] += 1
    return [
        {"name": clean(label), "values": [value for value, _ in count.most_common(MAX_STRATA)]}
        for label, count in zip(labels, counts, strict=True)
    ]
