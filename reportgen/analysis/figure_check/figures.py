"""A figure: a number, percentage, sum of money, date or time as an answer prints it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

FigureKind = Literal["number", "percent", "money", "date", "time"]

DateKey = tuple[int | None, int | None, int | None]
"""Year, month and day; None where it is not said."""

TimeKey = tuple[int, int]
"""Hour and minute."""

Form = Literal["plain", "scaled", "thousands", "coarse"]
"""As printed; with its unit applied (k, m, %); as if it were printed in thousands or millions without saying so; with
zeros at its end taken as places that were rounded away, because the answer says "about" or gives a bound."""

Bound = Literal[-1, 0, 1]

ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a printed number: its value, and the step of its last printed place.

    `bound` is 1 where the answer says "more than" and -1 where it says "less than" or "nearly": what is meant lies up
    to a step above or below.
    """

    value: Fraction
    step: Fraction
    form: Form = "plain"
    bound: Bound = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as read; `dates` are the days, months or years that it may mean, `time` the time of day.

    `signed` says that a sign is printed, `bare` that the number has no unit, `small` that it is a single digit or a
    word that counts things, `exact` that it is no rounding, and `factor` that it may say how many times one is another.
    """

    text: str
    kind: FigureKind
    readings: tuple[Reading, ...] = ()
    dates: tuple[DateKey, ...] = ()
    time: TimeKey | None = None
    signed: bool = False
    bare: bool = False
    small: bool = False
    exact: bool = False
    factor: bool = False

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes two mentions the same figure: "about 1,200" and "1200" are."""
        first = (self.readings[0].value, self.readings[0].step) if self.readings else None
        units = tuple(one.value for one in self.of_form("scaled"))
        return self.kind, first, units, self.dates, self.time, self.signed

    @property
    def whole(self) -> bool:
        """Whether it is a plain whole number, which may count things."""
        return self.bare and not self.signed and self.readings[0].step == 1

    def as_printed(self) -> tuple[Reading, ...]:
        """The readings without any unit."""
        return self.of_form("plain")

    def of_form(self, *forms: Form) -> tuple[Reading, ...]:
        """The readings of these forms."""
        return tuple(one for one in self.readings if one.form in forms)
