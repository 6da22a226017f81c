"""Results by label for the public: no group of one to four turns is shown or follows from what is shown."""

from datetime import UTC, datetime
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, milp

from reportgen.analysis.public_tables import OTHERS, build_public_breakdowns, choose_hidden, is_small
from reportgen.analysis.rows import TurnRow
from reportgen.model.score import Score
from reportgen.rubrics import load_rubric

RUBRIC = load_rubric("sql-agent-1")
BANDS = [band.id for band in RUBRIC.bands]
SCORES = {"good": 90, "partial": 60, "poor": 20, None: None}


def make_row(number, band, **labels):
    value = SCORES[band]
    score = Score(
        turn=f"t-{number}",
        judge="j",
        rubric="r",
        score=None if value is None else Fraction(value),
        band=band,
        unscored="refused" if band is None else None,
    )
    flags = dict.fromkeys(("time_assumed", "relayed", "looks_bundled", "split", "addressed_judge"), False)
    counts = dict.fromkeys(("statements", "beyond_sample", "unknown_count", "cuts", "quotes", "unsupported"), 0)
    return TurnRow(
        id=f"t-{number}",
        conversation=None,
        captured_at=datetime(2026, 7, 1, tzinfo=UTC),
        labels=labels,
        score=score,
        answered=True,
        **flags,
        **counts,
    )


TURNS = st.lists(
    st.tuples(
        st.sampled_from([*BANDS, "good", "good", None]), st.sampled_from("aaaaabbbcd"), st.sampled_from("xxxyyz")
    ),
    min_size=5,
    max_size=60,
)


def build(turns):
    rows = [make_row(number, band, one=one, two=two) for number, (band, one, two) in enumerate(turns)]
    return rows, build_public_breakdowns(rows, ["one", "two"], RUBRIC)


@given(TURNS)
def test_each_line_has_five_turns_or_more_and_none_of_its_bands_one_to_four(turns):
    rows, tables = build(turns)
    scored = sum(row.score.score is not None for row in rows)
    for table in tables:
        assert len(table.strata) > 1
        assert sum(line.turns for line in table.strata) == scored
        assert [line.turns for line in table.strata if line.turns < 5] == []
        shown = [count for line in table.strata for count in (line.bands or {}).values()]
        assert [count for count in shown if is_small(count)] == []


@given(TURNS)
def test_no_figure_of_a_line_has_more_decimals_than_are_printed(turns):
    for line in (line for table in build(turns)[1] for line in table.strata):
        assert line.mean.value in {None, round(line.mean.value or 0, 1)}
        assert line.rest.p_value in {None, round(line.rest.p_value or 0, 3)}


@given(TURNS)
def test_no_hidden_count_follows_from_all_that_is_known(turns):
    rows, tables = build(turns)
    for table in tables:
        hidden = [line for line in table.strata if line.bands is None]
        truth = [tally(line, table, rows) for line in hidden]
        for place, counts in enumerate(truth):
            for band, count in enumerate(counts):
                if is_small(count):
                    assert len(set(bounds(hidden, table, rows, place, band))) == 2


def tally(line, table, rows):
    known = {other.value for other in table.strata} - {OTHERS}
    group = [
        row
        for row in rows
        if (row.labels[table.label] == line.value or (line.value == OTHERS and row.labels[table.label] not in known))
    ]
    return [sum(row.score.band == band for row in group) for band in BANDS]


def bounds(hidden, table, rows, place, band):
    """The least and the most that a hidden count can be, by the totals of its line and those of the whole run."""
    width = len(BANDS)
    equations, sums = [], []
    for row, line in enumerate(hidden):
        equation = np.zeros((len(hidden), width))
        equation[row] = 1
        equations.append(equation.ravel())
        sums.append(line.turns)
    for column, name in enumerate(BANDS):
        equation = np.zeros((len(hidden), width))
        equation[:, column] = 1
        equations.append(equation.ravel())
        shown = sum(line.bands[name] for line in table.strata if line.bands)
        sums.append(sum(row.score.band == name for row in rows) - shown)
    aim = np.zeros((len(hidden), width))
    aim[place, band] = 1
    given_sums = LinearConstraint(np.array(equations), sums, sums)
    for sign in (1, -1):
        found = milp(sign * aim.ravel(), constraints=given_sums, integrality=np.ones(aim.size))
        yield round(found.x @ aim.ravel())


@given(TURNS)
def test_no_group_of_one_label_less_those_of_another_within_it_is_too_small(turns):
    rows, tables = build(turns)
    divided = [
        [
            {
                row.id
                for row in rows
                if row.score.score is not None
                and (
                    row.labels[table.label] == line.value
                    or (line.value == OTHERS and row.labels[table.label] not in {item.value for item in table.strata})
                )
            }
            for line in table.strata
        ]
        for table in tables
    ]
    for one, other in [(0, 1), (1, 0)] if len(divided) == 2 else []:
        for group in divided[one]:
            within = set().union(*(part for part in divided[other] if part <= group))
            assert not is_small(len(group - within))


def test_values_that_are_too_few_share_a_line_with_the_smallest_that_is_not():
    values = "a" * 9 + "b" * 6 + "c" * 3
    rows = [make_row(number, "good", one=value) for number, value in enumerate(values)]
    (table,) = build_public_breakdowns(rows, ["one"], RUBRIC)
    assert [(line.value, line.turns) for line in table.strata] == [("a", 9), (OTHERS, 9)]


def test_a_label_that_all_turns_share_or_too_few_do_not_has_no_table():
    rows = [make_row(number, "good", one="a" if number else "b", two="x") for number in range(12)]
    assert build_public_breakdowns(rows, ["one", "two"], RUBRIC) == ()


def test_a_mean_is_stated_as_it_is_printed():
    bands = ["good", "good", "poor"] * 2 + ["good", "partial"] * 3
    rows = [make_row(number, band, one="a" if number < 6 else "b") for number, band in enumerate(bands)]
    (table,) = build_public_breakdowns(rows, ["one"], RUBRIC)
    assert [str(line.mean.value) for line in table.strata] == ["667/10", "75"]
    assert {(line.mean.clusters, line.mean.df) for line in table.strata} == {(None, None)}


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12)), min_size=2, max_size=6))
def test_never_is_one_line_alone_hidden(counts):
    tallies = [dict(zip(BANDS, line, strict=True)) for line in counts if sum(line) >= 5]
    assert len(choose_hidden(tallies)) != 1 or len(tallies) == 1
