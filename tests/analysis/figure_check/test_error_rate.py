"""The figure check's own error rate, on runs small enough to count by hand."""

import gc
from fractions import Fraction

import pytest

from reportgen.analysis.figure_check.checking import WAYS, find_figures
from reportgen.analysis.figure_check.error_rate import measure_figures
from reportgen.analysis.figure_check.mentions import Mention
from reportgen.analysis.figure_check.pairing import PAIRINGS
from reportgen.analysis.intervals import share_interval
from reportgen.model.turn import Passage, Retrieval, ToolCall
from tests.analysis.figure_check.makers import make_statement, make_turn


def measure(*turns):
    return measure_figures(lambda: iter(turns))


def use_of(check, way):
    return next(use for use in check.ways if use.way == way)


ONE = make_turn("11 and 12 and 90 in all", make_statement([(11,), (12,)]), id="one")
TWO = make_turn("11 and 30", make_statement([(30,), (12,)]), id="two")


def test_two_turns_are_held_against_each_others_rows():
    check = measure(ONE, TWO)
    assert (check.answers, check.with_figures, check.figures, check.found, check.derived, check.not_found) == (
        *(2, 2, 5),
        *(3, 0, 2),
    )
    # 12 of the first answer is in the second's rows, 11 of the second answer in the first's; 11, 90 and 30 are not.
    assert check.chance.value == Fraction(2, 5)
    assert (check.chance.n, check.chance.clusters, check.pairs) == (5, 2, 2)
    assert use_of(check, "equal").chance.value == Fraction(2, 5)
    assert check.turns == ("one", "two")


def test_the_interval_takes_answers_as_independent():
    check = measure(ONE, TWO)
    expected = share_interval([False, True, False, True, False], [0, 0, 0, 1, 1])
    assert (check.chance.low, check.chance.high) == (round(expected.low, 6), round(expected.high, 6))


@pytest.mark.parametrize("turns", [[], [ONE], [ONE, make_turn("none", make_statement([], ("n",)), id="y")]])
def test_without_another_turns_rows_the_rate_cannot_be_told(turns):
    check = measure(*turns)
    assert check.chance.undefined == "no answer could be held against another turn's rows"
    assert [use.chance.n for use in check.ways] == [0] * len(WAYS)
    assert check.off == frozenset()


def test_turns_of_one_conversation_are_not_held_against_each_other():
    turns = [turn.model_copy(update={"conversation": "c"}) for turn in (ONE, TWO)]
    assert measure(*turns).pairs == 0
    assert measure(*turns).chance.undefined == "no answer could be held against another turn's rows"


@pytest.mark.parametrize("count", [2, 3, PAIRINGS, PAIRINGS + 1, PAIRINGS + 2, 3 * PAIRINGS])
def test_each_answer_meets_as_many_other_turns_as_there_are_up_to_the_bound(count):
    turns = [make_turn(f"{500 + n}", make_statement([(500 + n,)]), id=f"t{n}") for n in range(count)]
    check = measure(*turns)
    assert check.pairs == count * min(count - 1, PAIRINGS)
    assert check.chance.value == 0


def test_no_answer_is_held_against_its_own_rows():
    turns = [make_turn("77", make_statement([(77,)]), id="own"), make_turn("5", make_statement([(6,)]), id="other")]
    assert use_of(measure(*turns), "equal").chance.value == 0


def noisy(number):
    """A turn whose rows' differences hit almost any number below a hundred, and an answer of such numbers."""
    rows = [(1000 + 10000 * number + 3 * place + place * place % 7,) for place in range(30)]
    return make_turn("It rose by 41, 52 and 63.", make_statement(rows), id=f"n{number}")


def test_a_derivation_that_meets_too_many_figures_by_chance_is_switched_off():
    check = measure(*map(noisy, range(6)))
    use = use_of(check, "difference")
    assert use.off
    assert use.chance.value > Fraction(5, 100)
    assert use.figures == 0
    assert check.off == {"difference"}
    assert (check.derived, check.not_found) == (0, 18)
    assert check.chance.value == 0
    assert {figure.status for figure in find_figures(noisy(1)).figures} == {"derived"}
    assert {figure.status for figure in find_figures(noisy(1), check.off).figures} == {"not-found"}


def test_equality_is_never_switched_off():
    turns = [make_turn("7", make_statement([(7,)]), id=f"t{number}") for number in range(4)]
    check = measure(*turns)
    assert use_of(check, "equal").chance.value == 1
    assert check.off == frozenset()
    assert check.found == 4


def test_the_counts_are_those_of_the_single_turns():
    turns = [
        ONE,
        make_turn("14 July: 12 %", make_statement([(0.12,)]), id="q", question="14 July?"),
        make_turn("5 and 6", id="rag", trajectory=(ToolCall(name="search", status="ok"),)),
        make_turn("91 rows", make_statement([(1,)], row_count=91), id="cut"),
        make_turn("93", make_statement([(1,)], row_count=83), id="lost"),
    ]
    check = measure(*turns)
    single = [figure for turn in turns for figure in find_figures(turn, check.off).figures]
    statuses = [figure.status for figure in single]
    assert check.figures == len(single)
    for name, count in [
        ("found", check.found),
        ("derived", check.derived),
        ("not-found", check.not_found),
        ("in-question", check.in_question),
        ("unchecked", check.unchecked_figures),
    ]:
        assert statuses.count(name) == count, name
    assert check.unchecked == 1
    assert check.with_unseen == 1
    assert check.turns == ("one", "lost")
    for use in check.ways:
        assert use.figures == sum(figure.way == use.way for figure in single)
    assert [use.way for use in check.ways] == list(WAYS)


def test_of_a_long_run_only_the_figures_of_the_last_answers_are_held():
    held = []

    def turns():
        for number in range(4 * PAIRINGS):
            if number % PAIRINGS == 2:
                held.append(sum(isinstance(item, Mention) for item in gc.get_objects()))
            yield make_turn(" ".join(f"{place}.5;" for place in range(5)), make_statement([(7,)]), id=f"t{number}")

    measure_figures(turns)
    once_full = held[1]
    assert once_full > 0
    assert max(held) <= once_full


def passages_only(number):
    """A turn whose passages hold every small number, and an answer with one that they hold and one that they do not."""
    texts = (f"We have {place} lamps in {1000 + number} boxes." for place in range(2, 20))
    found = Retrieval(status="ok", passages=tuple(Passage(text=text) for text in texts))
    return make_turn("12 lamps and 4711 others of 5", found, id=f"p{number}", question="Are there 5?")


def test_figures_of_turns_with_passages_alone_are_not_checked_once_their_texts_are_not_looked_in():
    turns = [*map(passages_only, range(4)), make_turn("88", make_statement([(7,)]), id="rows")]
    check = measure(*turns)
    assert "text" in check.off
    assert (check.found, check.derived, check.not_found, check.in_question) == (0, 0, 1, 4)
    assert (check.unchecked, check.unchecked_figures, check.figures, check.turns) == (4, 8, 13, ("rows",))
    one = find_figures(turns[0], check.off)
    assert (one.is_unread, [figure.status for figure in one.figures]) == (
        True,
        ["unchecked", "unchecked", "in-question"],
    )
    assert [figure.status for figure in find_figures(turns[0]).figures] == ["found", "not-found", "in-question"]
