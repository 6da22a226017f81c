"""Lists of turns by what they have in common, for readers whose browser runs no script."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

from reportgen.analysis.quadrants import CORNERS
from reportgen.analysis.strata import MAX_STRATA
from reportgen.model.rubric import Rubric
from reportgen.publishing.lines import TurnLine
from reportgen.publishing.printing import print_count
from reportgen.publishing.report import Report
from reportgen.publishing.text import clean

LOWEST_SHOWN = 100
"""So many turns stand in a list of the lowest."""

_NO_SCORE = "no score"
_OTHERS = "other values"


@dataclass(frozen=True, slots=True)
class Group:
    """Turns with one thing in common; `key` is their list's file name without its ending."""

    name: str
    key: str
    count: str
    lines: tuple[TurnLine, ...]


@dataclass(frozen=True, slots=True)
class Facet:
    """One way of dividing the turns, or of ordering them."""

    title: str
    groups: tuple[Group, ...]


def build_facets(lines: Sequence[TurnLine], report: Report) -> tuple[Facet, ...]:
    """The turns by band, cap, first weak dimension and each label, and the lowest overall and in each dimension."""
    rubric = report.run.rubric
    dimensions = [item.name for item in rubric.dimensions]
    corners = [rubric.quadrants.cell(corner).name for corner in CORNERS] if rubric.quadrants else []
    facets = [
        *([_divide_by_band(lines, rubric)] if rubric.has_composite else []),
        _divide("Corner", lines, lambda line: _only(line.corner), corners),
        _divide("Cap that holds", lines, lambda line: line.caps, [cap.id for cap in rubric.caps]),
        *([] if corners and not rubric.has_composite else [_divide_by_weak(lines, dimensions)]),
        *(_divide_by_label(clean(label), place, lines) for place, label in enumerate(report.labels)),
        _find_lowest(lines, dimensions),
    ]
    return tuple(facet for facet in facets if facet.groups)


def _divide_by_band(lines: Sequence[TurnLine], rubric: Rubric) -> Facet:
    names = [*(band.id for band in rubric.bands), _NO_SCORE]
    return _divide("Band", lines, lambda line: (line.band or _NO_SCORE,), names)


def _divide_by_weak(lines: Sequence[TurnLine], dimensions: Sequence[str]) -> Facet:
    return _divide("First weak dimension", lines, lambda line: _only(line.first_weak), dimensions)


def _only(name: str | None) -> tuple[str, ...]:
    return () if name is None else (name,)


def _divide(
    title: str, lines: Sequence[TurnLine], names_of: Callable[[TurnLine], tuple[str, ...]], order: Sequence[str]
) -> Facet:
    groups: dict[str, list[TurnLine]] = {name: [] for name in order}
    for line in lines:
        for name in names_of(line):
            groups[name].append(line)
    return Facet(title, tuple(_group(title, name, found) for name, found in groups.items() if found))


def _divide_by_label(label: str, place: int, lines: Sequence[TurnLine]) -> Facet:
    """By the values of a label, most turns first; the rarest of very many share a list."""
    counts = Counter(line.labels[place] for line in lines)
    order = sorted(counts, key=lambda value: (-counts[value], value))
    shown = order if len(order) <= MAX_STRATA else order[: MAX_STRATA - 1]
    rest = [_OTHERS] if len(shown) < len(order) else []
    known = set(shown)
    return _divide(
        f"Label {label}",
        lines,
        lambda line: (line.labels[place] if line.labels[place] in known else _OTHERS,),
        [*shown, *rest],
    )


def _find_lowest(lines: Sequence[TurnLine], dimensions: Sequence[str]) -> Facet:
    ranked: list[tuple[str, list[Fraction | None]]] = [("Score", [line.exact for line in lines])]
    for place, name in enumerate(dimensions):
        ranked.append((name, [line.used[place] if line.used else None for line in lines]))
    groups = [_group("Lowest", name, _lowest(lines, values)) for name, values in ranked]
    return Facet(f"Lowest, at most {LOWEST_SHOWN} of each", tuple(group for group in groups if group.lines))


def _lowest(lines: Sequence[TurnLine], values: Sequence[Fraction | None]) -> list[TurnLine]:
    known = [(value, place) for place, value in enumerate(values) if value is not None]
    return [lines[place] for _, place in sorted(known)[:LOWEST_SHOWN]]


def _group(title: str, name: str, lines: Sequence[TurnLine]) -> Group:
    return Group(name, _key(title, name), print_count(len(lines)), tuple(lines))


def _key(title: str, name: str) -> str:
    """A file name that is readable, safe and the same in each report.

    >>> _key("Label region", "North/../West")
    'label-region-north-west-67e51e88f3dd9fe2'
    """
    slug = re.sub(r"[^a-z0-9]+", "-", f"{title} {name}".lower()).strip("-")[:60].strip("-")
    return f"{slug}-{sha256(f'{title}/{name}'.encode('utf-8', 'replace')).hexdigest()[:16]}"
