"""Printed numbers: half up, and never an edge that was not reached."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.rubrics import load_rubric
from reportgen.scoring.rounding import print_number, score_edges

EDGES = (0, 25, 50, 75, 100)


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("0.05", "0.1"),
        ("0.25", "0.3"),
        ("0.35", "0.4"),
        ("99.96", "99.9"),
        ("100", "100.0"),
        ("74.96", "74.9"),
        ("75", "75.0"),
        ("75.04", "75.1"),
        ("49.99999", "49.9"),
        ("0.0001", "0.1"),
        ("0", "0.0"),
        ("68.75", "68.8"),
        ("-0.25", "-0.3"),
    ],
)
def test_known_values_print_as_the_design_says(value, printed):
    assert print_number(Fraction(value), edges=EDGES) == printed


@given(st.fractions(0, 100, max_denominator=1000))
def test_a_printed_score_shows_an_edge_only_if_it_was_reached(value):
    printed = Fraction(print_number(value, edges=EDGES))
    assert printed not in EDGES or printed == value
    assert abs(printed - value) < Fraction(11, 100)


@given(st.fractions(0, 100, max_denominator=1000))
def test_a_printed_score_lies_in_the_band_of_the_exact_one(value):
    printed = Fraction(print_number(value, edges=EDGES))
    assert [printed >= edge for edge in EDGES] == [value >= edge for edge in EDGES]


def test_the_edges_of_a_rubric_are_its_limits_bands_and_ceilings():
    assert score_edges(load_rubric("sql-agent-1")) == {0, 25, 50, 75, 100}


def test_whole_numbers_can_be_printed_too():
    assert print_number(Fraction(25, 2), decimals=0) == "13"
