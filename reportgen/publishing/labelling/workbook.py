"""The labelling workbook: who labels, the turns with a column for each dimension, and the rubric's words."""

from collections.abc import Sequence
from datetime import UTC
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Final

from reportgen.analysis.label_rows import (
    ABOUT_SHEET,
    BAND,
    EVIDENCE,
    LABELS_SHEET,
    NOT_APPLICABLE,
    PREFIX,
    SHEET_FORMAT,
)
from reportgen.model.turn import Turn
from reportgen.publishing.exports.workbook import fit_cell
from reportgen.publishing.labelling.form import (
    Choice,
    LabellingForm,
    ShownTurn,
    build_choices,
    list_values,
    show_turns,
)
from reportgen.publishing.labelling.plain import write_answer, write_trajectory

_WIDTHS: Final = (18, 40, 80, 60)
_MOST_LISTED = 255
"""So many letters may the choices of a cell have, and the text beside it."""
_TITLE = 32


def write_labelling_workbook(form: LabellingForm, file: BinaryIO) -> None:
    """Writes the workbook.

    Raises:
        OSError: A file, or one of those on the way in the system's temporary folder, cannot be written.
    """
    from xlsxwriter import Workbook
    from xlsxwriter.exceptions import FileCreateError

    with TemporaryDirectory() as folder:
        options = {"tmpdir": folder, "strings_to_formulas": False, "strings_to_urls": False}
        book = Workbook(file, options)
        made = form.drawn_at.astimezone(UTC).replace(tzinfo=None, microsecond=0)
        book.set_properties({"title": f"Labels of {form.run.manifest.run_id}", "created": made})
        formats = _make_formats(book)
        _fill_about(book.add_worksheet(ABOUT_SHEET), form, formats)
        _fill_labels(book.add_worksheet(LABELS_SHEET), form, formats)
        _fill_rubric(book.add_worksheet("rubric"), form, formats)
        try:
            book.close()
        except FileCreateError as error:
            raise error.args[0] from None


def _make_formats(book: Any) -> dict[str, Any]:
    wrapped = {"text_wrap": True, "valign": "top"}
    # Excel takes what bears the prefix of a quote for text, also once somebody has edited the cell.
    return {
        "text": book.add_format({"quote_prefix": True, **wrapped}),
        "head": book.add_format({"bold": True, **wrapped}),
        "field": book.add_format({"bg_color": "#FFF8DC", "border": 1, **wrapped}),
    }


def _fill_about(sheet: Any, form: LabellingForm, formats: dict[str, Any]) -> None:
    run = form.run
    facts = {
        "format": SHEET_FORMAT,
        "run": run.manifest.run_id,
        "seal": run.seal,
        "rubric": run.rubric.digest,
        "labeller": form.labeller,
        "date": "",
    }
    sheet.set_column(0, 0, 14)
    sheet.set_column(1, 1, 90)
    for row, (name, value) in enumerate(facts.items()):
        sheet.write_string(row, 0, name, formats["head"])
        kind = "field" if name in ("labeller", "date") else "text"
        sheet.write_string(row, 1, fit_cell(value), formats[kind])
    for row, line in enumerate(_say_how(form), start=len(facts) + 1):
        sheet.write_string(row, 1, line, formats["text"])


def _say_how(form: LabellingForm) -> tuple[str, ...]:
    values = list_values(form.run.rubric)
    scores = (
        f"On the sheet labels give each turn a score for each dimension, from {values[0]} to {values[-1]} in steps of "
        f"{values[1]}. Write {NOT_APPLICABLE} where a dimension does not apply, "
        "if the sheet rubric lets it. Leave empty what you cannot tell."
    )
    return (
        "Fill in your labeller id and the date (such as 2026-08-01) above.",
        scores,
        "The band is your word for the turn as a whole. What the judge said is not shown, so that it cannot sway you.",
        "Rows may be sorted; they are known by the id of their turn, which must stay as it is.",
    )


def _fill_labels(sheet: Any, form: LabellingForm, formats: dict[str, Any]) -> None:
    choices = build_choices(form.run.rubric)
    fields = [*(f"{PREFIX}{choice.id}" for choice in choices), BAND, "comment"]
    for place, name in enumerate(["turn", *EVIDENCE, *fields]):
        sheet.write_string(0, place, name, formats["head"])
    for place, width in enumerate(_WIDTHS):
        sheet.set_column(place, place, width)
    sheet.set_column(len(_WIDTHS), len(_WIDTHS) + len(fields) - 2, 14)
    sheet.set_column(len(_WIDTHS) + len(fields) - 1, len(_WIDTHS) + len(fields) - 1, 40)
    sheet.freeze_panes(1, 1)
    for row, (turn, shown) in enumerate(zip(form.turns, show_turns(form), strict=True), start=1):
        for place, text in enumerate(_write_evidence(turn, shown)):
            sheet.write_string(row, place, fit_cell(text), formats["text"])
        for place in range(len(_WIDTHS), len(_WIDTHS) + len(fields)):
            sheet.write_blank(row, place, None, formats["field"])
    _offer_values(sheet, form, choices)


def _write_evidence(turn: Turn, shown: ShownTurn) -> tuple[str, ...]:
    question = f"{shown.question}\n({shown.question_source})"
    return turn.id, question, write_trajectory(shown), write_answer(turn.answer, shown.no_answer)


def _offer_values(sheet: Any, form: LabellingForm, choices: Sequence[Choice]) -> None:
    """What may stand in a field, with the rubric's words beside it; a list that is too long is not offered."""
    last, values = len(form.turns), list_values(form.run.rubric)
    for place, choice in enumerate(choices, start=len(_WIDTHS)):
        offered = [*values, *([NOT_APPLICABLE] if choice.may_not_apply else [])]
        said = {"input_title": choice.name[:_TITLE], "input_message": choice.asks[:_MOST_LISTED]}
        sheet.data_validation(1, place, last, place, {**_list_or_any(offered), **said})
    bands = [band.id for band in form.run.rubric.bands]
    place = len(_WIDTHS) + len(choices)
    sheet.data_validation(1, place, last, place, _list_or_any(bands))


def _list_or_any(offered: Sequence[str]) -> dict[str, Any]:
    fits = len(",".join(offered)) <= _MOST_LISTED
    return {"validate": "list", "source": list(offered)} if fits else {"validate": "any"}


def _fill_rubric(sheet: Any, form: LabellingForm, formats: dict[str, Any]) -> None:
    rows = [("dimension", "value", "meaning")]
    for choice in build_choices(form.run.rubric):
        rows.append((choice.name, "", choice.asks))
        rows += [(choice.name, value, meaning) for value, meaning in choice.levels]
        applies = f"where it does not apply: {NOT_APPLICABLE}" if choice.may_not_apply else "always applies"
        rows.append((choice.name, "", applies))
    rows += [("band", band.id, band.means) for band in form.run.rubric.bands]
    sheet.set_column(0, 0, 28)
    sheet.set_column(2, 2, 110)
    sheet.freeze_panes(1, 0)
    for number, row in enumerate(rows):
        for place, text in enumerate(row):
            sheet.write_string(number, place, fit_cell(text), formats["text" if number else "head"])
