"""What stands in a file of labels, and what becomes of it."""

from datetime import date

import pytest

from reportgen.analysis.label_rows import LabelRow, LabelTerms, build_labels
from reportgen.errors import LabelError
from reportgen.rubrics import load_rubric

DAY = date(2026, 8, 1)


def read(*rows, **changes):
    fields = {"labeller": "anna", "dated": DAY} | changes
    terms = LabelTerms(load_rubric("sql-agent-1"), {"t-1": "t-1", "t-2": "t-2"}.get, {"t-1": "1" * 64}, **fields)
    return build_labels(rows, terms)


def row(turn="t-1", **fields):
    return LabelRow("row 2", turn, **fields)


def test_a_number_not_applicable_and_not_given_are_three_things():
    (label,), left_out = read(row(values={"sql-quality": "7", "score.answer-faithfulness": "n/a"}))
    assert label.scores == {"sql-quality": 7, "answer-faithfulness": None}
    assert (label.turn, label.labeller, label.dated, label.content) == ("t-1", "anna", DAY, "1" * 64)
    assert left_out.to_data() == {"empty": 0, "unknown_turns": 0, "unknown_dimensions": {}, "off_scale": {}}


@pytest.mark.parametrize("text", ["11", "-1", "7.5", "nan", "inf", "1e400", "7,5", "seven", "True", "=1+1"])
def test_a_value_off_the_scale_is_refused_by_its_place_or_dropped_and_counted(text):
    with pytest.raises(LabelError, match=r"row 2: sql-quality is .* the scale goes from 0 to 10 by 1"):
        read(row(values={"sql-quality": text}))
    labels, left_out = read(row(values={"sql-quality": text, "intent-understood": "3"}), drops=True)
    assert [label.scores for label in labels] == [{"intent-understood": 3}]
    assert left_out.off_scale == {"sql-quality": 1}


def test_a_dimension_that_always_applies_cannot_be_not_applicable():
    with pytest.raises(LabelError, match="by the rubric that dimension always applies"):
        read(row(values={"sql-quality": "N/A"}))
    labels, left_out = read(row(values={"sql-quality": "0"}), not_applicable=("0",), drops=True)
    assert (labels, left_out.off_scale) == ((), {"sql-quality": 1})


def test_bands_are_read_in_any_case_and_others_refused():
    assert read(row(band="Good"))[0][0].band == "good"
    with pytest.raises(LabelError, match="the band is 'fair', and the rubric has good, partial, poor"):
        read(row(band="fair"))
    assert read(row(band="fair"), drops=True)[1].off_scale == {"band": 1}


def test_what_is_empty_unknown_or_no_dimension_is_counted():
    rows = [row(), row("t-9", band="good"), row(None, band="good"), row("t-2", comment="why", values={"tone": "3"})]
    (label,), left_out = read(*rows)
    assert (label.turn, label.scores, label.comment, label.content) == ("t-2", {}, "why", None)
    assert (left_out.empty, left_out.unknown_turns, left_out.unknown_dimensions) == (1, 2, {"tone": 1})


def test_labeller_and_day_come_from_the_row_before_the_options_and_must_be_there():
    (label,), _ = read(row(band="good", labeller="ben", dated="2026-07-30T10:00"))
    assert (label.labeller, label.dated) == ("ben", date(2026, 7, 30))
    for missing, what in (({"labeller": None}, "no labeller"), ({"dated": None}, "no date")):
        with pytest.raises(LabelError, match=what):
            read(row(band="good"), **missing)
    with pytest.raises(LabelError, match=r"'31\.7\.' is not a day"):
        read(row(band="good", dated="31.7."))
