"""Labels: what people said of turns, to measure how far the judge agrees with them; and how those turns were drawn."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from reportgen.model.derivation import Count, Digest
from reportgen.model.run import Source
from reportgen.model.turn import Name
from reportgen.model.verdict import Category, Number
from reportgen.record import Exact, Moment, Record

LABELS_FORMAT: Final = "reportgen/labels/1"
SAMPLE_FORMAT: Final = "reportgen/calibration-sample/1"
COMMENT_AT_MOST: Final = 20_000
"""Letters of a comment."""

Comment = Annotated[str, Field(min_length=1, max_length=COMMENT_AT_MOST)]
Positive = Annotated[int, Field(ge=1)]


class Label(Record):
    """What one labeller said of one turn.

    `scores` holds a number for each dimension that the labeller gave one for, and None for each that the labeller said
    does not apply; a dimension that is absent was not given. A label may be a comment alone. `content` is the digest of
    question, trajectory and answer of the turn, the same as in its row of the analysis; None where these were erased.
    """

    turn: Name
    labeller: Name
    dated: date
    scores: dict[Name, Number | None] = {}
    band: Category | None = None
    comment: Comment | None = None
    content: Digest | None = None

    @model_validator(mode="after")
    def _check_given(self) -> Self:
        if not self.scores and self.band is None and self.comment is None:
            raise ValueError("give a score, a band or a comment")
        return self


class LeftOut(Record):
    """What of an imported file became no label, or no part of one; all of it is counted, nothing else is left out.

    `empty` are rows with neither a score, a band nor a comment, `unknown_turns` rows on turns that the run has not.
    `unknown_dimensions` are filled-in values of a column, or key, that is no dimension of the rubric, by its name.
    `off_scale` are values that the scale does not have, by dimension; `band` stands for the overall band.
    """

    empty: Count = 0
    unknown_turns: Count = 0
    unknown_dimensions: dict[str, Positive] = {}
    off_scale: dict[str, Positive] = {}


class LabelImport(Record):
    """One file of labels, as it was imported: the labels, where they came from, and what was left out.

    Labels stand in the order of the file. `superseded` counts the labels that no longer stand because of it: of the
    same labeller on the same turn, in this file or an earlier one. They are kept.
    """

    format: Literal["reportgen/labels/1"] = LABELS_FORMAT
    seal: Digest
    rubric: Digest
    source: Source
    imported_at: Moment
    program: str
    labels: Annotated[tuple[Label, ...], Field(min_length=1)]
    left_out: LeftOut = LeftOut()
    superseded: Count = 0


class SampledStratum(Record):
    """A stratum of a calibration sample: `drawn` of the `population` scored turns of the run in it were drawn.

    `cells` are the values of the labels, in the order of the sample's `labels`, of which it was made; there are several
    where small ones were merged, and None is a turn without that label. `spread` is the standard deviation of the
    judge's scores in it, 0 to 100; None for a single turn.
    """

    band: Category
    cells: Annotated[tuple[tuple[str | None, ...], ...], Field(min_length=1)]
    population: Positive
    drawn: Count
    spread: Annotated[float, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _check_counts(self) -> Self:
        if self.drawn > self.population:
            raise ValueError(f"{self.drawn} drawn of {self.population} are too many")
        return self


class SampledTurn(Record):
    """A drawn turn: the place of its stratum in the sample, from 0, and how likely it was to be drawn, above 0 to 1."""

    turn: Name
    stratum: Count
    probability: Exact


class CalibrationSample(Record):
    """Turns of a run that people are asked to label, drawn by strata: the band of the judge's score, and labels.

    Within a stratum those come first whose SHA-256 of seed and id is lowest. `wanted` is how many turns were asked for.
    In no stratum are turns without a score, `unscored`, and others whose texts were erased, `erased`. The latest sample
    of a run is the one in use.
    """

    format: Literal["reportgen/calibration-sample/1"] = SAMPLE_FORMAT
    seal: Digest
    rubric: Digest
    drawn_at: Moment
    program: str
    wanted: Positive
    seed: str
    labels: tuple[Name, ...] = ()
    strata: Annotated[tuple[SampledStratum, ...], Field(min_length=1)]
    turns: Annotated[tuple[SampledTurn, ...], Field(min_length=1)]
    unscored: Count = 0
    erased: Count = 0

    @model_validator(mode="after")
    def _check_strata(self) -> Self:
        counts = [0] * len(self.strata)
        for turn in self.turns:
            if turn.stratum >= len(counts):
                raise ValueError(f"turn {turn.turn} is of stratum {turn.stratum}, and there are {len(counts)}")
            counts[turn.stratum] += 1
        for number, (stratum, count) in enumerate(zip(self.strata, counts, strict=True)):
            if stratum.drawn != count:
                raise ValueError(f"strata.{number}: {stratum.drawn} drawn, but {count} turns are named")
        return self


def standing_labels(imports: Iterable[LabelImport]) -> tuple[Label, ...]:
    """The labels that stand: of each labeller on each turn the latest, ordered by turn and labeller.

    Args:
        imports: All imports of a run, oldest first.
    """
    latest = {(label.turn, label.labeller): label for item in imports for label in item.labels}
    return tuple(latest[key] for key in sorted(latest))
