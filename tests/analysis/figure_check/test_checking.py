"""What becomes of figures: known values, properties, and rows that mean harm."""

import math
import time
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.analysis.figure_check import mentions
from reportgen.analysis.figure_check.checking import DERIVED, FOUND, WAYS, find_figures
from reportgen.analysis.figure_check.derivations import PAIR_CELLS, SHARE_CELLS
from reportgen.analysis.figure_check.direct import rounds_to
from reportgen.analysis.figure_check.facts import CELLS
from reportgen.analysis.figure_check.mentions import FIGURES, READ
from reportgen.model.turn import Answer, GuardrailBlock, Passage, Retrieval, ToolCall
from tests.analysis.figure_check.makers import make_statement, make_turn

SALES = make_statement(
    [
        ("north", 20, 0.125, "2026-06-01", 1_203_400),
        ("south", 30, 0.5, "2026-06-15", 814_625),
        ("west", 50, 0.375, None, 7),
    ],
    ("area", "sold", "part", "day", "weight"),
)


def check(text, *statements, off=(), **changes):
    return find_figures(make_turn(text, *(statements or (SALES,)), **changes), off).figures


def only(text, *statements, **changes):
    (figure,) = check(text, *statements, **changes)
    return figure


@pytest.mark.parametrize(
    ("answer", "way"),
    [
        ("20 sold", "equal"),
        ("20.0 sold", "equal"),
        ("on 15 June", "equal"),
        ("on 2026-06-01", "equal"),
        ("in June 2026", "equal"),
        ("0.13 of it", "rounded"),
        ("0.12 of it", "rounded"),
        ("12.5 %", "scaled"),
        ("12 %", "scaled"),
        ("13 %", "scaled"),
        ("1.2m", "scaled"),
        ("1,203k", "scaled"),
        ("814.6 tonnes", "scaled"),
        ("814.6", "thousands"),
        ("about 1,203,000", "about"),
        ("three rows", "row-count"),
        ("100 sold", "sum"),
        ("33.3 on average", "mean"),
        ("33 on average", "mean"),
        ("150 % more", "ratio"),
        ("2.5 times", "ratio"),
        ("67 % of it", "ratio"),
        ("a tenth is 0.05", None),
        ("21 sold", None),
        ("14 %", None),
        ("in July 2026", None),
        ("at 10:30", None),
    ],
)
def test_a_figure_is_met_in_the_first_way_that_fits(answer, way):
    figure = only(answer)
    assert figure.way == way
    assert figure.status == ("not-found" if way is None else "found" if way in FOUND else "derived")


def test_a_share_of_the_sum_is_derived():
    figure = only("37.1 % of the weight", make_statement([(26,), (44,)]))
    assert (figure.way, figure.value, figure.formula) == ("share", Fraction(26, 70), "share")
    assert [(place.row, place.column) for place in figure.places] == [(1, 1), (None, 1)]


def test_a_difference_names_both_rows():
    figure = only("1,970 more", make_statement([(2185,), (4155,)], ("passengers",)))
    assert (figure.status, figure.way, figure.value) == ("derived", "difference", 1970)
    assert [(place.event, place.row, place.name) for place in figure.places] == [
        (1, 1, "passengers"),
        (1, 2, "passengers"),
    ]


def test_a_change_in_percent_is_told_from_a_ratio():
    rows = make_statement([(2185,), (4155,)])
    assert (only("+90 %", rows).formula, only("190 %", rows).formula) == ("change", "ratio")
    assert only("\u221247 %", rows).formula == "change"
    assert only("-90 %", rows).status == "not-found"


def test_what_was_found_names_event_row_and_column():
    lookup = ToolCall(name="help", status="ok")
    turn = make_turn("30 sold", trajectory=(lookup, GuardrailBlock(rule="r"), SALES))
    (figure,) = find_figures(turn).figures
    (place,) = figure.places
    assert (place.event, place.row, place.column, place.name) == (3, 2, 2, "sold")


def test_a_sign_that_is_printed_must_hold():
    rows = make_statement([(-1.2,)])
    assert [only(text, rows).status for text in ("-1.2", "1.2", "+1.2")] == ["found", "found", "not-found"]


def test_half_up_and_half_to_even_are_both_rounding():
    rows = make_statement([(2.5,), (0.125,)])
    assert [only(text, rows).status for text in ("0.12", "0.13", "0.14")] == ["found", "found", "not-found"]


def test_a_word_or_a_single_digit_is_no_rounding_unless_the_answer_says_about():
    assert only("two of them", make_statement([(-2.1,)])).status == "not-found"
    assert only("two of them", make_statement([(2.0,)])).status == "found"
    assert only("2 of them", make_statement([(1.8,)])).status == "not-found"
    assert only("about 2 days", make_statement([(1.8,)])).way == "rounded"
    assert only("2 %", make_statement([(1.8,)])).way == "rounded"
    assert only("9 of them", make_statement([(17.6,), (0.4,), (8.0,)])).status == "not-found"
    assert only("9 of them", make_statement([(17,), (-8,)])).way == "sum"


@pytest.mark.parametrize(
    ("answer", "cells", "met"),
    [
        ("more than 2,000", [1970], False),
        ("more than 2,000", [2037], True),
        ("more than 2,000", [2137], False),
        ("over \u22122,000 or less", [-2037], True),
        ("nearly 2,000", [1970], True),
        ("nearly 2,000", [2037], False),
        ("less than 2,000", [2000], True),
        ("about 2,000", [1970], True),
        ("about 2,000", [2037], True),
        ("2,000", [2037], False),
        ("more than 2,000", [*(1900 + n / 10 for n in range(999)), 2001], True),
    ],
)
def test_a_bound_is_met_on_its_own_side_only(answer, cells, met):
    figure = only(answer, make_statement([(cell,) for cell in cells], row_count=5_000))
    assert figure.status == ("found" if met else "not-found")


def test_a_percentage_is_no_difference_of_counts():
    assert only("18 %", make_statement([(118,), (100,)])).status == "derived"
    assert only("18 %", make_statement([(518,), (500,)])).status == "not-found"


def test_numbers_as_text_and_within_text_are_met():
    rows = make_statement([("1234.50", "hose of 12 mm", "45.3%", "NaN", "inf", "1e999999")])
    ways = {figure.text: figure.way for figure in check("1,234.5 and 12 and 45.3 %", rows)}
    assert ways == {"1,234.5": "equal", "12": "text", "45.3 %": "text"}


def test_true_is_not_one():
    assert only("1 of them", make_statement([(True,)] * 2)).status == "not-found"


def test_a_time_of_day_is_met_in_a_moment():
    rows = make_statement([("2026-07-14 18:05:00",), ("07:45:00",)])
    assert [figure.status for figure in check("at 18:05, 6:05 pm, 7:45 and 9:00", rows)] == [
        "found",
        "found",
        "not-found",
    ]


def test_figures_of_the_question_are_set_apart_however_they_are_written():
    figures = check("14 July 2026: 20 sold, 50 sold", question="How was 2026-07-14? Over 20.0?")
    assert [figure.status for figure in figures] == ["in-question", "in-question", "found"]


def test_a_repeated_figure_counts_once():
    figure = only("20, then 20")
    assert (figure.text, figure.times) == ("20", 2)


def test_a_turn_without_statements_cannot_be_checked():
    assert only("20 sold", trajectory=(ToolCall(name="search", status="ok", output="20"),)).status == "unchecked"


def test_figures_after_statements_that_all_failed_are_not_found():
    failed = make_statement([], status="error", columns=None, rows=None, row_count=None, error="no such table")
    assert only("61.4 %", failed).status == "not-found"


def test_a_number_that_only_the_sql_has_is_said_to_stand_there():
    figure = only("late by more than 10 minutes", make_statement([(3,)], text="SELECT n FROM t WHERE delay > 10"))
    assert (figure.status, figure.statement) == ("not-found", 1)


def test_what_the_sql_states_is_taken_as_given_unless_a_cell_a_sum_or_the_count_of_rows_is_it():
    rows = make_statement(
        [(0.71,), (5.2,), (4.1,)], text="SELECT r FROM t WHERE r > 0.7 AND v < 10 AND w < 4.1 LIMIT 3"
    )
    result = {figure.text: (figure.status, figure.statement) for figure in check("0.7, 4.1, 3, 10.01", rows)}
    assert result == {
        "0.7": ("not-found", 1),
        "4.1": ("found", None),
        "3": ("derived", None),
        "10.01": ("derived", None),
    }


def test_no_sum_mean_or_share_is_claimed_where_a_row_is_missing():
    cut = make_statement([(26,), (44,)], row_count=3)
    unsure = make_statement([(26,), (44,)], row_count=None)
    for rows in (cut, unsure):
        for answer in ("70 in all", "35 on average", "37.1 %"):
            assert only(answer, rows).status == "not-found"
    assert only("3 rows", cut).way == "row-count"
    assert only("2 rows", unsure).status == "not-found"


def test_rows_that_were_not_captured_are_counted():
    assert find_figures(make_turn("7", make_statement([(1,)], row_count=41))).unseen == 40
    assert find_figures(make_turn("7", make_statement([(1,)], row_count=None))).is_unsure
    hidden = make_statement([], ("n",), rows=None, row_count=12)
    assert find_figures(make_turn("7", hidden)).unseen == 12


def test_pairs_and_shares_are_formed_in_short_columns_only():
    rows = make_statement([(1000 + 7 * number**2,) for number in range(PAIR_CELLS)])
    difference = str(7 * (PAIR_CELLS - 1) ** 2)
    assert only(difference, rows).way == "difference"
    assert only(difference, make_statement([*rows.rows, (9,)])).status == "not-found"
    many = make_statement([(1,)] * (SHARE_CELLS - 1) + [(SHARE_CELLS + 1,)])
    assert only("50.25 %", many).way == "share"
    assert only("50.0 %", make_statement([(1,)] * SHARE_CELLS + [(SHARE_CELLS,)])).status == "not-found"


@pytest.mark.parametrize("way", WAYS)
def test_a_way_that_is_off_is_not_taken(way):
    answer = "20, 0.13, 12.5 %, 814.6, about 1,203,000, three, 100, 33.3, 150 %, 30.0 %, 45 cells"
    ways = {figure.way for figure in check(answer, off={way})}
    assert way not in ways


def test_an_answer_that_was_not_captured_has_no_figures():
    assert check("", answer=Answer(not_captured="nobody kept it")) == ()


def test_all_ways_are_either_found_or_derived():
    assert set(WAYS) == set(FOUND) | set(DERIVED)
    assert not set(FOUND) & set(DERIVED)


NUMBERS = st.one_of(
    st.integers(-(10**15), 10**15),
    st.floats(-1e12, 1e12, allow_nan=False).filter(lambda value: value == 0 or abs(value) > 1e-6),
)


@given(NUMBERS, st.integers(0, 6), st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN]), st.sampled_from(["", ","]))
@settings(max_examples=300, deadline=None)
def test_every_cell_printed_at_some_precision_is_found(value, places, rounding, mark):
    exact = Decimal(repr(value))
    printed = exact.quantize(Decimal(1).scaleb(-places), rounding=rounding)
    text = f"{printed:{mark}.{places}f}"
    figures = check(f"It is about {text} in all.", make_statement([(3, 5), (value, "x")]))
    assert all(figure.status in ("found", "derived") for figure in figures), (text, figures)


@given(NUMBERS, st.integers(0, 4))
@settings(max_examples=200, deadline=None)
def test_a_figure_further_off_than_rounding_allows_is_not_found(value, places):
    step = Fraction(1, 10**places)
    printed = (math.floor(Fraction(repr(value)) / step) + 3) * step
    text = f"{float(printed):.{places}f}"
    figures = check(f"It is {text}.", make_statement([(value,)], row_count=10**18))
    if Fraction(text) == printed:
        assert [figure.status for figure in figures] in (["not-found"], []) or figures[0].way == "scaled"


@given(st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=40))
@settings(deadline=None)
def test_every_sum_and_mean_of_a_column_is_derived_or_already_a_cell(cells):
    mean = Fraction(sum(cells), len(cells))
    text = f"{Decimal(mean.numerator) / Decimal(mean.denominator):.3f}"
    figures = check(f"{sum(cells)}; {text}", make_statement([(cell,) for cell in cells]))
    assert all(figure.status in ("found", "derived") for figure in figures)


@given(st.fractions(-1000, 1000), st.integers(0, 3))
def test_rounding_agrees_with_decimal(value, places):
    step = Fraction(1, 10**places)
    scaled = value / step
    for rounding in (ROUND_HALF_UP, ROUND_HALF_EVEN):
        if 1000 % scaled.denominator == 0:
            decimal = (Decimal(scaled.numerator) / Decimal(scaled.denominator)).quantize(Decimal(1), rounding=rounding)
            assert rounds_to(value, int(decimal) * step, step)


@given(
    st.text(max_size=300),
    st.lists(st.lists(st.one_of(st.text(max_size=20), NUMBERS, st.none()), min_size=2, max_size=2), max_size=4),
)
@settings(deadline=None)
def test_no_text_and_no_rows_break_the_check(text, rows):
    turn = make_turn(text, make_statement(rows, ("a", "b"), text=text), question=text[::-1])
    assert find_figures(turn) == find_figures(turn)


LARGE = {
    "floats": lambda row, column: (row * 60 + column) * 0.37,
    "texts of numbers": lambda row, column: f"{(row * 60 + column) * 0.37:.3f}",
    "moments": lambda row, column: f"2026-{row % 12 + 1:02d}-{column % 28 + 1:02d} 10:00:00",
    "words with numbers": lambda row, column: f"item {row} of {column}",
    "huge": lambda row, column: (10**299, 1e300, 1e-300, "9" * 90, "1e99", "NaN")[column % 6],
    "at the edge of rounding": lambda row, column: "0.5" + "0" * 20 + str(row),
}


@pytest.mark.parametrize(("name", "rows"), [("floats", 5_000), *((name, 1_000) for name in LARGE)])
def test_thousands_of_rows_of_sixty_columns_and_a_thousand_figures_take_seconds(name, rows):
    answer = " ".join(f"{number * 1.37:.2f};" for number in range(FIGURES + 50))
    cells = [[LARGE[name](row, column) for column in range(60)] for row in range(rows)]
    turn = make_turn(f"{answer} about 5,000 1e999999 {'7' * 100_000}", make_statement(cells))
    begin = time.process_time()
    found = find_figures(turn)
    assert time.process_time() - begin < 30
    assert len(found.figures) == FIGURES
    assert found.is_cut


@pytest.mark.parametrize("text", ["5 ", "1 111", "1, "])
def test_of_a_figure_that_is_printed_without_end_so_many_are_read_and_it_is_said(text):
    found = find_figures(make_turn(text * 150_000, make_statement([(5,)]), question=text * 20_000))
    assert found.is_cut
    assert sum(figure.times for figure in found.figures) == READ


def test_of_all_statements_together_so_many_figures_are_read(monkeypatch):
    monkeypatch.setattr(mentions, "READ", 3)
    first, second = (make_statement([(1,)], text=text) for text in ("SELECT 11, 12", "SELECT 13, 14"))
    found = find_figures(make_turn("11, 13 and 14", first, second))
    assert [figure.statement for figure in found.figures] == [1, 2, None]


def test_cells_beyond_the_bound_count_as_not_captured():
    rows = make_statement([(None,) * 1000] * (CELLS // 1000 + 3))
    assert find_figures(make_turn("7", rows)).unseen == 3


def retrieve(*texts, **changes):
    return Retrieval(**{"status": "ok", "passages": tuple(Passage(text=text) for text in texts), **changes})


@pytest.mark.parametrize(
    ("text", "status", "place"),
    [
        ("We have 12 lamps.", "found", (1, 2, None)),
        ("They came on 3 May 2024.", "found", (1, 1, None)),
        ("It opens at 9:30.", "found", (1, 1, None)),
        ("There are 4711 of them.", "found", (1, 3, None)),
        ("There are 99 of them.", "not-found", None),
    ],
)
def test_figures_are_found_in_the_texts_of_passages(text, status, place):
    passages = retrieve("Since 3 May 2024 it opens at 9:30.", "There are 12 lamps.", "x " * 4_000 + "In all, 4711.")
    figure = only(text, passages)
    assert figure.status == status
    assert [(item.event, item.row, item.column) for item in figure.places] == ([place] if place else [])


def test_passages_that_were_not_captured_are_said_to_be_unknown_and_a_failed_search_holds_nothing():
    turn = make_turn("12", retrieve("x", None))
    assert (find_figures(turn).figures[0].status, find_figures(turn).is_unsure) == ("not-found", True)
    assert only("12", retrieve(passages=None)).status == "unchecked"
    assert only("12", retrieve("12", status="error"), SALES).status == "not-found"


def test_endless_passages_are_read_up_to_the_bound():
    found = find_figures(
        make_turn("77", *(retrieve("17 lamps, " * 30_000 + f"{number}") for number in range(100, 110)))
    )
    assert (found.figures[0].status, found.is_unsure) == ("not-found", True)
