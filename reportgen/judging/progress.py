"""Where a judging stands, and what it came to."""

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.model.verdict import Outcome


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the judging stands.

    `in_flight` requests are being answered, `waiting` ones will be sent again. `pause` is for how many more
    seconds a rate limit holds all of them, 0 if none; `trouble` is what just went wrong, if anything.
    """

    outcomes: Mapping[Outcome, int]
    in_flight: int
    waiting: int
    pause: float = 0.0
    trouble: str | None = None

    @property
    def kept(self) -> int:
        """How many verdicts are safe."""
        return sum(self.outcomes.values())

    @property
    def answered(self) -> int:
        """How many of them are final; those that were given up would be asked for again."""
        return self.kept - self.outcomes.get("gave_up", 0)


@dataclass(frozen=True, slots=True)
class JudgingTotals:
    """What a judging came to: verdicts by outcome, attempts, the most in flight at once, and its seconds."""

    outcomes: Mapping[Outcome, int]
    attempts: int
    peak: int
    seconds: float


NOTHING = JudgingTotals({}, 0, 0, 0.0)
