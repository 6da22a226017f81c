"""Drawn turns: without chance, spread over the strata, and kept when the draw grows."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from reportgen.analysis.drawing import draw_turns

STRATA = st.lists(st.integers(0, 4), min_size=1, max_size=60)


@given(STRATA, st.integers(1, 60), st.text(max_size=5))
def test_a_larger_draw_keeps_the_smaller_one_and_order_does_not_matter(strata, wanted, seed):
    turns = [(f"t{number}", stratum) for number, stratum in enumerate(strata)]
    drawn = draw_turns(seed, turns, wanted)
    assert len(drawn) == min(wanted, len(turns))
    assert drawn <= draw_turns(seed, turns, wanted + 1)
    assert drawn == draw_turns(seed, turns[::-1], wanted)


@given(STRATA)
def test_each_stratum_gets_a_turn_before_any_gets_a_second(strata):
    turns = [(f"t{number}", stratum) for number, stratum in enumerate(strata)]
    drawn = draw_turns("s", turns, len(set(strata)))
    assert len({stratum for turn, stratum in turns if turn in drawn}) == len(set(strata))


def test_beyond_the_first_each_stratum_gets_its_share():
    turns = [(f"a{number}", "a") for number in range(60)] + [(f"b{number}", "b") for number in range(30)]
    drawn = draw_turns("s", turns, 30)
    assert Counter(turn[0] for turn in drawn) == {"a": 20, "b": 10}


def test_another_seed_draws_other_turns():
    turns = [(str(number), None) for number in range(100)]
    assert draw_turns("a", turns, 10) != draw_turns("b", turns, 10)
