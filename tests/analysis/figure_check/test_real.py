"""The figure check on a real capture, which is not part of the repository."""

import json
from decimal import Decimal

import pytest

from reportgen.analysis.figure_check.checking import find_figures
from reportgen.analysis.figure_check.error_rate import TOO_OFTEN, measure_figures
from reportgen.capture.importers import ImportReport, load_importer
from reportgen.model.turn import Answer
from tests.adk_capture import OPTIONS

pytestmark = pytest.mark.real_data


@pytest.fixture(scope="module")
def turns(adk_capture):
    return list(load_importer("adk").read_turns(adk_capture, OPTIONS, ImportReport()))


@pytest.fixture(scope="module")
def talking(adk_capture, turns):
    """The turns, each with all that the assistant said between its calls in the place of the answer it never gave."""
    samples = json.loads(adk_capture.read_text(encoding="utf-8"))["samples"]
    said = [
        "\n\n".join(
            part["text"]
            for event in sample["adk_events"][1:]
            for part in event["content"]["parts"]
            if part["type"] == "text"
        )
        for sample in samples
    ]
    return [turn.model_copy(update={"answer": Answer(text=text)}) for turn, text in zip(turns, said, strict=True)]


def cells(turn):
    return [
        cell
        for statement in turn.statements
        for row in statement.rows or ()
        for cell in row
        if isinstance(cell, int | float) and not isinstance(cell, bool)
    ]


def test_the_one_answer_has_no_figure_about_rows(turns):
    assert [figure for turn in turns for figure in find_figures(turn).figures] == []


def test_every_cell_said_in_words_is_found_in_its_own_rows(turns):
    for turn in turns:
        lines = [f"- the value is {Decimal(repr(cell)):,.2f}" for cell in cells(turn)]
        told = turn.model_copy(update={"answer": Answer(text="\n".join(lines)), "question": "?"})
        figures = find_figures(told).figures
        assert figures or not lines
        assert [figure for figure in figures if figure.status != "found"] == []


def test_what_the_assistant_reports_of_its_results_is_found(talking):
    turn = next(turn for turn in talking if turn.id == "cross_db_2")
    status = {figure.text: figure.status for figure in find_figures(turn).figures}
    assert [status[text] for text in ("498", "49.80%", "262", "26.20%", "240", "24.00%")] == ["found"] * 6
    assert status["1000"] == "derived"


def test_the_error_rate_of_this_capture_is_told(talking):
    check = measure_figures(lambda: iter(talking))
    assert check.figures > 30
    assert check.found + check.derived + check.not_found + check.in_question == check.figures
    assert check.pairs == 63
    assert check.chance.low < check.chance.value < check.chance.high
    assert all(use.off == (use.way != "equal" and use.chance.value > TOO_OFTEN) for use in check.ways)
