"""The figure check on the page: what is said of each figure, and of the check itself."""

import html
import re

import pytest

from reportgen.analysis.figure_check.checking import DERIVED, FOUND, WAYS, find_figures
from reportgen.model.turn import Answer, Passage, Retrieval, ToolCall
from reportgen.publishing.browser.html import render_html
from reportgen.publishing.figures import RESULTS, build_figure_table
from reportgen.publishing.figures import WAYS as WORDS
from tests.analysis.figure_check import makers
from tests.publishing.conftest import make_report, make_statement, make_turn, make_verdict


def lines_of(text, rows, **changes):
    table = build_figure_table(
        find_figures(makers.make_turn(text, makers.make_statement(rows, ("n", "of")), **changes))
    )
    return [(line.figures, line.result, line.how) for line in table.lines]


def read(cases, section="figures"):
    """The text of a section, without its marks."""
    page = "".join(render_html(make_report(cases), ["cover", section]))
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page.partition("</nav>")[2])).split())


def case(number, text, **changes):
    turn = make_turn(number, answer=Answer(text=text), **changes)
    return turn, make_verdict(turn)


def test_each_way_and_each_result_has_its_words():
    assert list(WORDS) == list(WAYS)
    assert set(RESULTS) == {"found", "derived", "not-found", "in-question", "unchecked"}


def test_figures_of_one_column_share_a_line_and_each_row_is_named_once():
    assert lines_of("17, 18, 17.0 and 5", [(17, 3), (18, 5)]) == [
        ("17 · 18 · 17.0", "found", "event 1, column n, rows 1, 2: equal"),
        ("5", "found", "event 1, column of, row 2: equal"),
    ]


def test_what_was_not_found_stands_first_and_the_exact_value_beside_a_rounded_one():
    assert lines_of("91.3 %, 40 and 3", [(91.28, 3), (18, 5)]) == [
        ("40", "not found", "in no captured row or passage"),
        ("91.3 %", "found", "event 1, column n, row 1 (91.28): rounded"),
        ("3", "found", "event 1, column of, row 1: equal"),
    ]


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("35 in all", "sum of event 1, column n: 35"),
        ("17.5 each", "mean of event 1, column n: 17.5"),
        ("15 more", "event 1, column n: difference of rows 1 and 2: 15"),
        ("28.6 %", "event 1, column n: row 1 as a share of the sum: ≈ 0.285714"),
        ("250 %", "event 1, column n: row 2 divided by row 1: 2.5"),
        ("150 %", "event 1, column n: row 2 against row 1, change: 1.5"),
        ("2 rows", "number of rows that event 1 returned"),
    ],
)
def test_a_derived_figure_says_how_it_follows(text, how):
    assert [line[1:] for line in lines_of(text, [(10, None), (25, None)])] == [("derived", how)]


def test_rows_that_were_not_captured_are_said_where_a_figure_was_not_found():
    def note(text, **changes):
        return build_figure_table(find_figures(makers.make_turn(text, makers.make_statement([(1,)], **changes)))).note

    assert note("77", row_count=2) == "1 row was not captured; what was not found may stand there."
    assert "Not all that came back was captured, or its extent is unknown" in note("77", row_count=None)
    assert note("1", row_count=2) is None
    assert note("77") is None


def test_the_section_counts_links_and_states_its_error_rate():
    cases = [case(1, "Northern 12, Eastern 7.5, others 31.")]
    other = make_statement(rows=(("Northern", 31), ("Western", 8.5)))
    cases.append(case(2, "It was 31, then 39.5.", trajectory=(other,), conversation="elsewhere"))
    text = read(cases)
    assert "2 of 2 answers hold 5 figures" in text
    assert "not found neither; that alone is no error 1 20.0" in text
    assert "There 20.0 % of its figures would have been found or derived" in text
    assert "In this run none is." in text


def test_a_way_that_is_switched_off_is_said_to_be():
    rows = tuple((f"line {place}", 1000 + 3 * place + place * place % 7) for place in range(30))
    cases = [
        case(
            number,
            "It rose by 41, 52 and 63.",
            trajectory=(make_statement(rows=rows, row_count=30),),
            conversation=None,
        )
        for number in range(1, 4)
    ]
    text = read(cases)
    assert (
        "Switched off in this run, since more than 5 % of the figures meet by chance: difference within a column."
        in text
    )
    assert "difference within a column derived off 100.0 %" in text


def test_a_run_of_one_turn_says_that_the_rate_cannot_be_told():
    assert "It cannot be told here: no answer could be held against another turn's rows." in read([case(1, "12")])


def test_a_run_without_figures_says_so():
    assert "The answers of this run hold no figures." in read([case(1, "Northern was late most often.")])
    assert "hold no figures: no answer was captured" in read([])


def test_a_turn_without_statements_says_that_nothing_could_be_checked():
    searched = (ToolCall(name="search", status="ok", output="12 lines"),)
    cases = [case(1, "12 lines", trajectory=searched)]
    assert (
        "In 1 answer figures could not be checked, as the turn has neither a SQL statement nor a retrieved passage"
        in read(cases)
    )
    assert (
        "not checked the turn has neither a SQL statement nor a retrieved passage, so there is nothing to look in"
        in read(cases, "turns")
    )


def test_a_turn_shows_what_became_of_its_figures():
    text = read([case(1, "**Northern** was late 12 times, Eastern 8.5 times.")], "turns")
    assert "Figures in the answer" in text
    assert "8.5 times ✗ not found" in text
    assert "12 times ✓ found event 1, column delay, row 1: equal" in text


def test_the_summary_says_it_in_a_sentence():
    text = read([case(1, "12 and 8.5 and 3")], "summary")
    assert (
        "Of 3 figures in the answers, a program found 1 in the captured rows, derived 0 from them, and did not find 2."
        in text
    )
    assert "figures in the answers" not in read([case(1, "none")], "summary")


def test_ways_are_found_or_derived_in_words_too():
    assert {WORDS[way] for way in FOUND}.isdisjoint({WORDS[way] for way in DERIVED})


def test_a_thousand_figures_are_cut_on_the_page_and_counted():
    table = build_figure_table(
        find_figures(makers.make_turn(" ".join(f"{n}.5;" for n in range(1100)), makers.make_statement([(1,)])))
    )
    assert "and 940 more, in the report’s data" in table.lines[0].figures
    assert table.note.startswith("Only the first 1,000 different figures were checked.")


def test_the_ways_that_are_listed_are_those_that_apply_to_what_the_run_fetched():
    retrieved = (Retrieval(status="ok", passages=(Passage(text="We have 12 lamps."),)),)
    of_passages = case(1, "12 lamps, 4711 others", trajectory=retrieved, conversation=None)
    of_rows = case(2, "12 and 8.5 and 3", conversation=None)
    runs = [of_passages], [of_rows], [of_passages, of_rows]
    alone, rows, both = (read(cases).partition("is how many of the figures")[0] for cases in runs)
    assert "within the text of a passage found" in alone
    assert "a captured passage says the figure" in alone
    for words in ("derived", "cell", "column", "number of rows"):
        assert words not in alone
    assert "within the text of a cell found" in rows
    assert "cell or passage" not in rows
    assert all(words in both for words in WORDS.values())
    said = read([of_passages], "summary")
    assert "a program found 1 in the captured passages and did not find 1." in said


def test_a_run_of_passages_says_why_its_figures_could_not_be_checked():
    texts = tuple(Passage(text=f"We have {place} lamps.") for place in range(2, 20))
    found = (Retrieval(status="ok", passages=texts),)
    cases = [case(number, "12 lamps, 4711 others", trajectory=found, conversation=None) for number in range(1, 4)]
    assert (
        "6 figures in the answers could not be checked: their turns have no rows, and looking in the texts of passages "
        "is switched off in this run" in read(cases, "summary")
    )
    section = read(cases)
    assert "the turn has retrieved passages only, and looking in texts is switched off in this run" in section
    assert "Turns with figures that were not found" not in section
    assert "12 · 4711 not checked the turn has retrieved passages only" in read(cases, "turns")
