"""A rubric: dimensions, judge calls, caps, bands, scale and prompts, changed together or not at all."""

from functools import cached_property
from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from reportgen.record import Record, digest

FORMAT: Final = "reportgen/rubric/1"

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Text = Annotated[str, Field(min_length=1, max_length=2_000)]
Title = Annotated[str, Field(min_length=1, max_length=200)]
Percent = Annotated[int, Field(ge=0, le=100)]
Weight = Annotated[int, Field(ge=1, le=100)]
Corner = Literal["both_high", "second_low", "first_low", "both_low"]
Part = Literal["question", "agent", "trajectory", "answer"]


class Scale(Record):
    """The values that a subscore may take: from 0 to `maximum` in `steps` equal steps."""

    maximum: Annotated[int, Field(ge=1, le=1_000_000)]
    steps: Annotated[int, Field(ge=1, le=100)]

    @property
    def values(self) -> tuple[int | float, ...]:
        """All values, ascending; whole numbers as integers.

        >>> Scale(maximum=10, steps=5).values
        (0, 2, 4, 6, 8, 10)
        """
        quotients = (step * self.maximum / self.steps for step in range(self.steps + 1))
        return tuple(int(value) if value == int(value) else value for value in quotients)


class Dimension(Record):
    """One axis of quality. `weight` is in percent; `levels` say what some values of the scale mean.

    `not_applicable_when` names the fact that takes the dimension out of a turn, so that the weights of the others
    renormalise; without it the dimension applies to every turn.
    """

    id: Slug
    name: Title
    weight: Weight
    why: Text
    asks: Text
    levels: dict[str, Text]
    not_applicable_when: Slug | None = None


class JudgeCall(Record):
    """One prompt and the reply it must give: which dimensions it scores and which parts of the turn it sees."""

    id: Slug
    prompt: Title
    sees: tuple[Part, ...]
    scores: tuple[Slug, ...]


class Cap(Record):
    """A ceiling on the score that a hard fact in the trajectory triggers."""

    id: Slug
    when: Slug
    ceiling: Percent
    sentence: Text


class Band(Record):
    """A named range of scores, from `at_least` up to the next band."""

    id: Literal["good", "partial", "poor"]
    at_least: Percent
    means: Text


class Cell(Record):
    """One corner of the quadrants: what it is called, what it means, and what to do about it."""

    name: Title
    means: Text
    do: Text


class Quadrants(Record):
    """Two dimensions held against one another, so that a turn falls into one of four corners.

    A subscore is high from `at_least` on, on the rubric's scale. The cells are named by where `first` and `second` lie.
    """

    first: Slug
    second: Slug
    at_least: Annotated[float, Field(gt=0)]
    both_high: Cell
    first_low: Cell
    second_low: Cell
    both_low: Cell

    def cell(self, corner: Corner) -> Cell:
        """The cell of that corner."""
        return {
            "both_high": self.both_high,
            "second_low": self.second_low,
            "first_low": self.first_low,
            "both_low": self.both_low,
        }[corner]


class Rubric(Record):
    """A rubric in full, with the texts of its prompts by file name.

    Where `composite` is false, each dimension is a metric of its own: a turn has no score as a whole, a judge call that
    fails leaves its own metrics without a value and no other, and the bands name the ranges of each metric.
    """

    format: Literal["reportgen/rubric/1"] = FORMAT
    id: Slug
    version: Annotated[int, Field(ge=1)]
    title: Title
    scale: Scale
    dimensions: Annotated[tuple[Dimension, ...], Field(min_length=1)]
    calls: Annotated[tuple[JudgeCall, ...], Field(min_length=1)]
    caps: tuple[Cap, ...] = ()
    bands: Annotated[tuple[Band, ...], Field(min_length=1)]
    composite: bool | None = None
    """None says yes, so that rubrics from before there was a choice keep their digest."""
    quadrants: Quadrants | None = None
    prompts: dict[str, Annotated[str, Field(min_length=1)]]

    @model_validator(mode="after")
    def _check_whole(self) -> Self:
        for problem in self._problems():
            raise ValueError(problem)
        return self

    def _problems(self) -> list[str]:
        """What is wrong with the rubric as a whole, each with its place."""
        checks = (_weight_problems, _call_problems, _band_problems, _twins, _whole_problems)
        return [problem for check in checks for problem in check(self)]

    @property
    def has_composite(self) -> bool:
        """Whether a turn has a score as a whole."""
        return self.composite is not False

    @property
    def worst_by(self) -> str | None:
        """The metric whose lowest values make the worst turns: the second of the quadrants, else the last dimension.

        None where a composite stands for all of them.
        """
        if self.has_composite:
            return None
        return self.quadrants.second if self.quadrants else self.dimensions[-1].id

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the rubric and its prompts together."""
        return digest(self.to_data())

    def dimension(self, dimension_id: str) -> Dimension:
        """The dimension of that id."""
        return next(item for item in self.dimensions if item.id == dimension_id)


def _weight_problems(rubric: Rubric) -> list[str]:
    total = sum(dimension.weight for dimension in rubric.dimensions)
    problems = [] if total == 100 else [f"dimensions: the weights sum to {total}, not to 100"]
    allowed = {str(value) for value in rubric.scale.values}
    return problems + [
        f"dimensions.{dimension.id}.levels: {level} is not on the scale"
        for dimension in rubric.dimensions
        for level in dimension.levels
        if level not in allowed
    ]


def _call_problems(rubric: Rubric) -> list[str]:
    asked = [dimension for call in rubric.calls for dimension in call.scores]
    known = {dimension.id for dimension in rubric.dimensions}
    problems = [f"dimensions.{item}: no judge call asks for it" for item in sorted(known - set(asked))]
    problems += [f"calls: {item!r} is not a dimension" for item in sorted(set(asked) - known)]
    problems += [f"calls: {item!r} is asked for twice" for item in sorted({x for x in asked if asked.count(x) > 1})]
    missing = sorted({call.prompt for call in rubric.calls} - set(rubric.prompts))
    return problems + [f"calls: the prompt {item!r} is missing" for item in missing]


def _band_problems(rubric: Rubric) -> list[str]:
    edges = [band.at_least for band in rubric.bands]
    if edges[-1] != 0:
        return [f"bands.{rubric.bands[-1].id}: the lowest band begins at {edges[-1]}, not at 0"]
    for upper, lower in zip(rubric.bands, rubric.bands[1:], strict=False):
        if lower.at_least >= upper.at_least:
            before = f"{upper.id}, named before it, at {upper.at_least}; name the highest band first"
            return [f"bands.{lower.id}: unreachable, since it begins at {lower.at_least} and {before}"]
    return []


def _whole_problems(rubric: Rubric) -> list[str]:
    problems = [] if rubric.has_composite or not rubric.caps else ["caps: there is no composite that they could cap"]
    known = {dimension.id for dimension in rubric.dimensions}
    named = (rubric.quadrants.first, rubric.quadrants.second) if rubric.quadrants else ()
    if rubric.quadrants and rubric.quadrants.at_least > rubric.scale.maximum:
        problems.append(f"quadrants: no value reaches {rubric.quadrants.at_least}")
    return problems + [f"quadrants: {name!r} is not a dimension" for name in named if name not in known]


def _twins(rubric: Rubric) -> list[str]:
    families: dict[str, list[str]] = {
        "dimensions": [item.id for item in rubric.dimensions],
        "calls": [item.id for item in rubric.calls],
        "caps": [item.id for item in rubric.caps],
        "bands": [item.id for item in rubric.bands],
    }
    return [f"{name}: an id stands twice" for name, ids in families.items() if len(ids) != len(set(ids))]
