"""The file that a labelling page saves."""

import json
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from reportgen.analysis.label_rows import NOT_APPLICABLE, SHEET_FORMAT, LabelFile, LabelRow
from reportgen.errors import LabelError
from reportgen.model.derivation import Digest
from reportgen.model.turn import Name
from reportgen.model.verdict import Number
from reportgen.reading import find_problem
from reportgen.record import Record

_FAMILY = SHEET_FORMAT.rpartition("/")[0]


class SavedLabel(Record):
    """What was filled in for one turn. A score of null says that the dimension does not apply."""

    turn: Annotated[str, Field(min_length=1)]
    date: str | None = None
    scores: dict[str, Number | None] = Field(default_factory=dict)
    band: str | None = None
    comment: str | None = None


class SavedPage(Record):
    """What a labelling page saves: of which run it is, who filled it in, the day of the saving, and the labels."""

    format: Literal["reportgen/label-sheet/1"]
    run: str
    seal: Digest
    rubric: Digest
    labeller: Name
    date: str
    labels: tuple[SavedLabel, ...]


def read_saved_page(data: bytes, place: str) -> LabelFile:
    """The rows of such a file.

    Raises:
        LabelError: It is not one, or one of a newer format.
    """
    try:
        page = SavedPage.model_validate_json(data)
    except ValidationError as error:
        raise LabelError(f"{place}: {_explain(data, error)}", "Give the file as the labelling page saved it.") from None
    rows = tuple(_build_row(page, label, f"{place}, label {number}") for number, label in enumerate(page.labels, 1))
    return LabelFile(rows, page.seal, page.rubric)


def _explain(data: bytes, error: ValidationError) -> str:
    try:
        form = json.loads(data).get("format")
    except (ValueError, AttributeError, RecursionError):
        return f"it is not JSON of the format {SHEET_FORMAT}"
    if isinstance(form, str) and form != SHEET_FORMAT and form.startswith(f"{_FAMILY}/"):
        return f"{form[:60]} is newer than this program, which knows {SHEET_FORMAT}"
    return find_problem(error)


def _build_row(page: SavedPage, label: SavedLabel, place: str) -> LabelRow:
    values = {name: NOT_APPLICABLE if value is None else str(value) for name, value in label.scores.items()}
    comment = (label.comment or "").strip() or None
    return LabelRow(place, label.turn, page.labeller, label.date or page.date, values, label.band, comment)
