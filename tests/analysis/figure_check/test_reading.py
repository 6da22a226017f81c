"""Which figures a text has, and what each may mean."""

import time
from fractions import Fraction

import pytest

from reportgen.analysis.figure_check.reading import read_figures


def texts(text):
    return [figure.text for figure in read_figures(text)]


def values(text):
    return [figure.readings[0].value for figure in read_figures(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("52,103 passengers", 52103),
        ("1,234,567.89", Fraction(123456789, 100)),
        ("1.234.567,89", Fraction(123456789, 100)),
        ("1 234 567", 1234567),
        ("1\u202f234\u202f567,5", Fraction(12345675, 10)),
        ("1'234'567", 1234567),
        ("12,34,567", 1234567),
        ("12,5", Fraction(25, 2)),
        ("0.125", Fraction(1, 8)),
        ("0,125", Fraction(1, 8)),
        ("1.5e6", 1500000),
        ("(-1.2)", Fraction(-6, 5)),
        ("fell by \u22122.1 points", Fraction(-21, 10)),
        ("**33,235**", 33235),
        ("_42_", 42),
        ("\u0661\u0662\u0663", 123),
        ("\uff13\uff15 complaints", 35),
        ("Nine sailings", 9),
        ("twenty-one", 21),
    ],
)
def test_a_number_is_read_in_each_convention(text, value):
    assert values(text) == [value]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("12 %", "percent"),
        ("0.6 percentage points", "percent"),
        ("12 per cent", "percent"),
        ("€1.07", "money"),
        ("US$ 5", "money"),
        ("5 EUR", "money"),
        ("-€5", "money"),
        ("3 dollars", "money"),
        ("2026-07-14", "date"),
        ("14.07.2026", "date"),
        ("14 July", "date"),
        ("July 14th, 2026", "date"),
        ("June 2026", "date"),
        ("18:00", "time"),
        ("6 pm", "time"),
        ("45min", "number"),
        ("3.5x", "number"),
    ],
)
def test_each_kind_is_told_apart(text, kind):
    (figure,) = read_figures(text)
    assert figure.kind == kind
    assert figure.text == text


@pytest.mark.parametrize(
    ("text", "scaled"),
    [
        ("12k", [12000]),
        ("€4.2m", [4200000]),
        ("$3.1 bn", [3100000000]),
        ("1.5 million", [1500000]),
        ("12 %", [Fraction(12, 100)]),
        ("8.3 tonnes", [8300]),
        ("0.25", [25]),
        ("7", []),
    ],
)
def test_a_unit_is_applied_beside_the_number_as_printed(text, scaled):
    (figure,) = read_figures(text)
    assert [reading.value for reading in figure.of_form("scaled")] == scaled


def test_times_may_count_or_compare():
    (figure,) = read_figures("12 times")
    assert figure.whole
    assert figure.factor
    (figure,) = read_figures("12x")
    assert not figure.whole


def test_a_lone_comma_may_part_thousands_or_decimals():
    (figure,) = read_figures("1,234")
    assert [reading.value for reading in figure.as_printed()] == [1234, Fraction(1234, 1000)]


@pytest.mark.parametrize("word", ["about", "Roughly", "nearly", "~", "around **", "more than"])
def test_zeros_may_be_rounded_places_only_where_the_answer_says_about(word):
    (figure,) = read_figures(f"{word} 76,300")
    assert [reading.step for reading in figure.of_form("coarse")] == [100]
    (plain,) = read_figures("exactly 76,300")
    assert plain.of_form("coarse") == ()


def test_about_reaches_over_both_ends_of_a_range():
    low, high = read_figures("between 1,300 and 1,700")
    assert low.of_form("coarse")
    assert high.of_form("coarse")


def test_a_percent_sign_holds_for_both_ends_of_a_range():
    assert [figure.kind for figure in read_figures("50 to 60 %")] == ["percent", "percent"]


@pytest.mark.parametrize(
    "text",
    [
        "SKU-104",
        "GPT-4",
        "CO2",
        "v1.2",
        "version 3.1",
        "1.2.3",
        "10.0.0.1",
        "104-A",
        "foo_12",
        "abc123",
        "007",
        "job #12",
        "1st and 29th",
        "1e999999",
        "550e8400-e29b-41d4-a716-446655440000",
        "+1-202-555-0100",
        "https://example.org/7?x=8",
        "`SELECT 7`",
        "```sql\nSELECT 5 FROM x\n```",
        "```\nSELECT 5 FROM x\n```",
        "24/7",
        "one of them",
        "&#39;",
        "9" * 41,
    ],
)
def test_what_is_no_figure_is_not_read(text):
    assert texts(text) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("1. Tern: 19 jobs\n2) Skrake: 11 jobs", ["19", "11"]),
        ("## 3. Results for 12 routes", ["12"]),
        ("### 2.1 Cost: 5 EUR", ["5 EUR"]),
        ("**1. Fuel** 30", ["30"]),
        ("> 4. quoted 31", ["31"]),
        ("- 16 planned\n- -2 changed", ["16", "-2"]),
        ("Step 2: 14 rows", ["14"]),
        ("| # | n |\n|---|---|\n| 1 | 17 |\n| 2 | 18 |", ["17", "18"]),
        ("| year | n |\n|---|---|\n| 7 | 17 |", ["7", "17"]),
        ("`42` and `12.5 %`", ["42", "12.5 %"]),
        ("```\n| a | 77 |\n```", ["77"]),
    ],
)
def test_numbering_and_code_are_left_out_but_values_stay(text, left):
    assert texts(text) == left


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("from 1 to 3 May", [(None, 5, 1), (None, 5, 3)]),
        ("then 10 and 17 July 2026", [(2026, 7, 10), (2026, 7, 17)]),
        ("July 4\u20136", [(None, 7, 4), (None, 7, 6)]),
        ("the 4th of July", [(None, 7, 4)]),
        ("2026-07-14T10:30:00Z", [(2026, 7, 14)]),
        ("14/07/2026", [(2026, 7, 14)]),
        ("in 2026", [(2026, None, None)]),
        ("2026-06", [(2026, 6, None)]),
    ],
)
def test_dates_are_read_in_several_forms(text, dates):
    assert [figure.dates[0] for figure in read_figures(text) if figure.dates] == dates


def test_a_date_of_numbers_may_have_day_and_month_in_either_order():
    (figure,) = read_figures("07/04/2026")
    assert set(figure.dates) == {(2026, 7, 4), (2026, 4, 7)}


def test_a_modal_verb_is_no_month():
    assert texts("you 5 may go") == ["5"]


HOSTILE = {
    "digits": "1" * 100_000,
    "groups": "1,23," * 20_000,
    "spaced groups": "1 234 " * 17_000,
    "dots": "1.234." * 17_000,
    "days": "1, " * 33_000,
    "dashes": "1-" * 50_000,
    "ticks": "`" * 100_000,
    "open fence": "```" + "a" * 100_000,
    "fences": "```a\n" * 20_000,
    "underscores": "_1" * 50_000,
    "hyphens": "a-" * 50_000,
    "quotes": "'1" * 50_000,
    "colons": "1:" * 50_000,
    "pipes": "| 1 " * 25_000,
    "spaces": " " * 100_000 + "1",
    "lines": "\n" * 100_000,
    "signs": "-" * 100_000,
    "marks": "> " * 50_000,
    "words": "two " * 25_000,
    "odd digits": "\u0e51" * 100_000,
    "surrogates": "\ud835 1 " * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_takes_more_than_linear_time(name):
    """Twice the text takes about twice the time; quadratic time would take four times and far longer than this."""
    begin = time.process_time()
    for _ in read_figures(HOSTILE[name]):
        pass
    assert time.process_time() - begin < 20
