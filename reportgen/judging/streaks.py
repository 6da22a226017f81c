"""Failures that follow one another: many equal ones have one cause, which asking on would not cure."""

from reportgen.errors import JudgeError
from reportgen.judging.pacing import Policy
from reportgen.model.verdict import Verdict


class Streak:
    """Equal failures since the last answer, and the rejected verdicts among them that are not stored yet.

    A rejection such as HTTP 400 is final for its turn, unless the cause lies in what all requests share.
    Until that is known it is held back; it cost nothing, so nothing is lost by waiting.
    """

    def __init__(self, policy: Policy) -> None:
        self.held: list[Verdict] = []
        self._policy = policy
        self._reason: str | None = None
        self._length = 0

    def add(self, reason: str, held: Verdict | None = None, *, has_answered: bool) -> None:
        """Counts one more failure.

        Args:
            reason: What went wrong, in the same words if it is the same.
            held: The verdict to be held back, if it would be final.
            has_answered: Whether the judge has answered anything in this run, so that it does
                work in principle.

        Raises:
            JudgeError: It is one too many.
        """
        self._length = self._length + 1 if reason == self._reason else 1
        self._reason = reason
        if held is not None:
            self.held.append(held)
        limit = self._policy.long_streak if has_answered else self._policy.streak
        if self._length >= limit:
            raise JudgeError(
                f"The judge failed {self._length} times in a row in the same way: {reason}",
                "Remove the cause, then go on; what was judged so far is kept.",
            )

    def end(self) -> list[Verdict]:
        """Something else happened; returns the verdicts that are now known to be about their turns alone."""
        released, self.held = self.held, []
        self._reason, self._length = None, 0
        return released
