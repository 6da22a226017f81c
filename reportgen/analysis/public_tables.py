"""Results by label for the public: no group of fewer than five turns, and none that follows by subtraction.

The tables are over the scored turns. Values with fewer than five of them share a line. A line shows its bands only
where none of them holds one to four turns, and never is one line alone without its bands, since they would follow from
the whole run and the other lines.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from reportgen.analysis.against_rest import AgainstRest
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.strata import MAX_STRATA, NO_LABEL, Breakdown, Stratum, build_strata
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate
from reportgen.scoring.rounding import print_number, score_edges

FEWEST = 5
OTHERS = "(other values)"
"""The line of the values that have none of their own; how many there are is not said, since it can tell their sizes."""
NO_BANDS = "some band of this line, or of one beside it, holds one to four turns"

_Groups = dict[str, list[TurnRow]]


def build_public_breakdowns(rows: Sequence[TurnRow], labels: Sequence[str], rubric: Rubric) -> tuple[Breakdown, ...]:
    """A breakdown for each of these labels that divides the scored turns into groups of five or more.

    A label is left out where a group of one to four turns would follow from its groups and those of a label before it:
    where groups of the one that lie wholly within a group of the other leave so few of it over.
    """
    scored = [row for row in rows if row.score.score is not None]
    kept: dict[str, _Groups] = {}
    for label in labels:
        groups = _divide(scored, label)
        if len(groups) > 1 and not any(_tells_few(groups, others) for others in kept.values()):
            kept[label] = groups
    return tuple(Breakdown(label, tuple(_build_strata(groups, rubric))) for label, groups in kept.items())


def is_small(count: int) -> bool:
    """Whether so many turns are too few to be shown as a group; none at all are not."""
    return 0 < count < FEWEST


def _divide(rows: Sequence[TurnRow], label: str) -> _Groups:
    """The turns by value of the label, most turns first, the last line for those that are too few."""
    groups: _Groups = defaultdict(list)
    for row in rows:
        groups[row.labels.get(label, NO_LABEL)].append(row)
    order = sorted(groups, key=lambda value: (-len(groups[value]), value))
    shown = [value for value in order[: MAX_STRATA - 1] if not is_small(len(groups[value]))]
    rest = [value for value in order if value not in set(shown)]
    while rest and shown and sum(len(groups[value]) for value in rest) < FEWEST:
        rest.append(shown.pop())
    found = {value: groups[value] for value in shown}
    return {**found, OTHERS: [row for value in rest for row in groups[value]]} if rest else found


def _tells_few(one: Mapping[str, Sequence[TurnRow]], other: Mapping[str, Sequence[TurnRow]]) -> bool:
    """Whether a group of either division, without those of the other that lie wholly within it, is too small."""
    first, second = ([{row.id for row in group} for group in groups.values()] for groups in (one, other))
    return any(
        is_small(len(group) - sum(len(part) for part in parts if part <= group))
        for groups, parts in ((first, second), (second, first))
        for group in groups
    )


def _build_strata(groups: _Groups, rubric: Rubric) -> Iterable[Stratum]:
    bands = [band.id for band in rubric.bands]
    tallies = [_count_bands(group, bands) for group in groups.values()]
    hidden = choose_hidden(tallies)
    for place, line in enumerate(build_strata(groups, bands)):
        yield replace(
            line,
            mean=_round_estimate(line.mean, rubric),
            median=Estimate(n=line.scored, undefined="a median is the score of some turn"),
            rest=_round_rest(line.rest),
            bands=None if place in hidden else line.bands,
            best=Estimate(n=line.scored, undefined=NO_BANDS) if place in hidden else _round_share(line.best),
        )


def _count_bands(rows: Sequence[TurnRow], bands: Iterable[str]) -> dict[str, int]:
    return {band: sum(row.score.band == band for row in rows) for band in bands}


def choose_hidden(tallies: Sequence[Mapping[str, int]]) -> set[int]:
    """The lines, by place, whose bands are not shown; the lines have five turns or more each.

    >>> sorted(choose_hidden([{"good": 50, "poor": 3}, {"good": 40, "poor": 9}, {"good": 30, "poor": 0}]))
    [0, 1]
    """
    hidden = {place for place, tally in enumerate(tallies) if any(map(is_small, tally.values()))}
    order = sorted(range(len(tallies)), key=lambda place: (sum(tallies[place].values()), place))
    while 0 < len(hidden) < len(tallies) and not _covers(tallies, hidden):
        left = [place for place in order if place not in hidden]
        hidden.add(next((place for place in left if _covers(tallies, hidden | {place})), left[0]))
    return hidden


def _covers(tallies: Sequence[Mapping[str, int]], hidden: set[int]) -> bool:
    """Whether no line follows from the whole run and the others, and all hidden ones together are not too few either.

    Of two lines or more with five turns each none follows: any turn could stand in the other line, for one of another
    band. Where the whole run has one to four turns of a band, that figure is known in any case.
    """
    if len(hidden) < 2:
        return False
    return not any(
        is_small(sum(tallies[place][band] for place in hidden)) and not is_small(sum(tally[band] for tally in tallies))
        for band in tallies[0]
    )


def _round_estimate(estimate: Estimate, rubric: Rubric | None = None) -> Estimate:
    """A figure as it is printed: an exact one could show by its fraction which of the scores it is made of."""
    edges = score_edges(rubric) if rubric else ()
    value = None if estimate.value is None else Fraction(print_number(estimate.value, edges=edges))
    low, high = _round(estimate.low, 1), _round(estimate.high, 1)
    return Estimate(value=value, low=low, high=high, n=estimate.n, undefined=_say(estimate))


def _round_share(share: Estimate) -> Estimate:
    return share.model_copy(
        update={"low": _round(share.low, 3), "high": _round(share.high, 3), "clusters": None, "by": None, "df": None}
        | {"undefined": _say(share)}
    )


def _round_rest(rest: AgainstRest) -> AgainstRest:
    """The difference from the rest as it is printed; more decimals of its p could show whose scores it is made of."""
    return replace(rest, difference=_round_estimate(rest.difference), p_value=_round(rest.p_value, 3))


def _say(estimate: Estimate) -> str | None:
    """Why there is no interval, without telling that all turns of a group are of one client."""
    return None if estimate.undefined is None else "its turns depend on one another"


def _round(value: float | None, decimals: int) -> float | None:
    return None if value is None else round(value, decimals)
