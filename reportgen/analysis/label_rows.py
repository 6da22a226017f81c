"""What stands in a file of labels -> labels: every value on the scale of the rubric, or counted as left out."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from reportgen.errors import LabelError
from reportgen.model.label import COMMENT_AT_MOST, Label, LeftOut
from reportgen.model.rubric import Dimension, Rubric
from reportgen.model.verdict import Category, Number

NOT_APPLICABLE: Final = "N/A"
"""What a labeller writes where a dimension does not apply to a turn, in whatever case."""
PREFIX: Final = "score."
"""May stand before the id of a dimension in the head of a column."""
BAND: Final = "band"
SHEET_FORMAT: Final = "reportgen/label-sheet/1"
"""The format of what a labelling page saves, which a workbook names too."""
ABOUT_SHEET: Final = "about"
LABELS_SHEET: Final = "labels"
"""The sheets of a workbook: of which run the labels are and whose, and the labels."""
EVIDENCE: Final = ("Question", "What the assistant did", "Answer")
"""The columns of a workbook that show the evidence; nothing is read from them."""


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A row of a file of labels, as text; what is empty is None, and empty values are left out.

    `place` is where it stands, such as `line 3`. `values` are by the name of the column.
    """

    place: str
    turn: str | None
    labeller: str | None = None
    dated: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    band: str | None = None
    comment: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said of the turn."""
        return not (self.values or self.band or self.comment)


@dataclass(frozen=True, slots=True)
class LabelFile:
    """What stands in a file of labels; seal and rubric digest are None where it does not say of which run it is."""

    rows: tuple[LabelRow, ...]
    seal: str | None = None
    rubric: str | None = None


@dataclass(frozen=True, slots=True)
class LabelTerms:
    """By what rows are read.

    `find_turn` gives the id of a turn of the run by what stands in a file, None where there is none; `contents` has the
    digest of the content of each turn whose text is there. `labeller` and `dated` hold where a row does not say.
    `not_applicable` are further words for it. With `drops` values off the scale are left out, else they are refused.
    """

    rubric: Rubric
    find_turn: Callable[[str], str | None]
    contents: Mapping[str, str]
    labeller: str | None = None
    dated: date | None = None
    not_applicable: Collection[str] = ()
    drops: bool = False


@dataclass(slots=True)
class _Tally:
    """What was left out so far."""

    empty: int = 0
    unknown_turns: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    off_scale: Counter[str] = field(default_factory=Counter)

    def close(self) -> LeftOut:
        return LeftOut(
            empty=self.empty,
            unknown_turns=self.unknown_turns,
            unknown_dimensions=dict(sorted(self.unknown.items())),
            off_scale=dict(sorted(self.off_scale.items())),
        )


def build_labels(rows: Iterable[LabelRow], terms: LabelTerms) -> tuple[tuple[Label, ...], LeftOut]:
    """The labels that the rows hold, in their order, and what was left out.

    Raises:
        LabelError: A value is off the scale, and such are not to be dropped; a row names no labeller or no day; or a
            comment is too long.
    """
    tally, labels = _Tally(), []
    for row in rows:
        if row.is_empty:
            tally.empty += 1
        elif (turn := terms.find_turn(row.turn or "")) is None:
            tally.unknown_turns += 1
        elif (label := _build_label(row, turn, terms, tally)) is not None:
            labels.append(label)
    return tuple(labels), tally.close()


def _build_label(row: LabelRow, turn: str, terms: LabelTerms, tally: _Tally) -> Label | None:
    """The label of a row; None where nothing of it is left."""
    scores = _read_scores(row, terms, tally)
    band = _read_band(row, terms, tally) if row.band else None
    if not scores and band is None and row.comment is None:
        return None
    return Label(
        turn=turn,
        labeller=_read_labeller(row, terms),
        dated=_read_day(row, terms),
        scores=scores,
        band=band,
        comment=_check_comment(row),
        content=terms.contents.get(turn),
    )


def _read_scores(row: LabelRow, terms: LabelTerms, tally: _Tally) -> dict[str, Number | None]:
    scores: dict[str, Number | None] = {}
    dimensions = {dimension.id: dimension for dimension in terms.rubric.dimensions}
    for name, text in row.values.items():
        dimension = dimensions.get(name.removeprefix(PREFIX))
        if dimension is None:
            tally.unknown[name[:200]] += 1
            continue
        value = read_value(text, dimension, terms.rubric, terms.not_applicable)
        if isinstance(value, str):
            _refuse_or_count(row, f"{dimension.id} is {text[:50]!r}, and {value}", terms, tally, dimension.id)
        else:
            scores[dimension.id] = value
    return scores


def read_value(text: str, dimension: Dimension, rubric: Rubric, words: Collection[str] = ()) -> Number | str | None:
    """What a labeller gave a dimension: a value of the scale, None for not applicable, else what is wrong, in words.

    Args:
        text: What stands there.
        dimension: What it is about. Only one that the rubric lets be not applicable may be that.
        rubric: Says which values there are.
        words: Further words for not applicable.
    """
    if text.casefold() in {NOT_APPLICABLE.casefold(), *(word.casefold() for word in words)}:
        return None if dimension.not_applicable_when else "by the rubric that dimension always applies"
    scale = rubric.scale.values
    try:
        number = float(text)
    except ValueError:
        number = None
    found = next((value for value in scale if value == number), None)
    return f"the scale goes from 0 to {scale[-1]:g} by {scale[1]:g}" if found is None else found


def _read_band(row: LabelRow, terms: LabelTerms, tally: _Tally) -> Category | None:
    bands = [item.id for item in terms.rubric.bands]
    found = next((band for band in bands if band == (row.band or "").casefold()), None)
    if found is None:
        what = f"the band is {(row.band or '')[:50]!r}, and the rubric has {', '.join(bands)}"
        _refuse_or_count(row, what, terms, tally, BAND)
    return found


def _refuse_or_count(row: LabelRow, what: str, terms: LabelTerms, tally: _Tally, name: str) -> None:
    if not terms.drops:
        raise LabelError(
            f"{row.place}: {what}", "Correct it, or leave such values out, and count them, by --drop-off-scale."
        )
    tally.off_scale[name] += 1


def _read_labeller(row: LabelRow, terms: LabelTerms) -> str:
    labeller = row.labeller or terms.labeller
    if labeller is None or len(labeller) > 200:
        what = "there is no labeller" if labeller is None else "the name of the labeller has more than 200 characters"
        raise LabelError(f"{row.place}: {what}", "Put one into the file, or give --labeller ID.")
    if not labeller.isprintable():
        what = f"the name of the labeller holds what cannot be seen: {labeller[:50]!r}"
        raise LabelError(f"{row.place}: {what}", "Give a name on one line, of letters that can be seen.")
    return labeller


def _read_day(row: LabelRow, terms: LabelTerms) -> date:
    if row.dated is None:
        if terms.dated is None:
            raise LabelError(f"{row.place}: there is no date", "Put one into the file, or give --date YYYY-MM-DD.")
        return terms.dated
    try:
        return date.fromisoformat(row.dated[:10])
    except ValueError:
        what = f"{row.dated[:50]!r} is not a day such as 2026-08-01"
        raise LabelError(f"{row.place}: {what}", "Correct the date in the file.") from None


def _check_comment(row: LabelRow) -> str | None:
    if row.comment is not None and len(row.comment) > COMMENT_AT_MOST:
        raise LabelError(f"{row.place}: the comment has more than {COMMENT_AT_MOST:,} characters", "Shorten it.")
    return row.comment
