"""The standing of a revision: whether it is the current one, or what has become of it since."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from pydantic import Field

from reportgen.model.derivation import Digest
from reportgen.model.revision import Number, Reason, Revision
from reportgen.record import Moment, Record

FORMAT: Final = "reportgen/withdrawal/1"


class Successor(Record):
    """The report of another run that takes the place of a report."""

    run: str
    seal: Digest
    revision: Number


class Withdrawal(Record):
    """Says that revisions of a report no longer stand, and why.

    `successor` is what takes their place, where a report of another run corrects them.
    """

    format: Literal["reportgen/withdrawal/1"] = FORMAT
    seal: Digest
    revisions: Annotated[tuple[Number, ...], Field(min_length=1)]
    at: Moment
    program: str
    reason: Reason
    successor: Successor | None = None


class Standing(Record):
    """What has become of a revision that is not the current one.

    `at` is when. `revision` is the one that takes its place, of the same run or of `run`; None if nothing does.
    `changed` and `reason` are from the correction or the withdrawal; None where there is neither.
    """

    state: Literal["superseded", "withdrawn"]
    at: Moment
    revision: Number | None = None
    run: str | None = None
    changed: Reason | None = None
    reason: Reason | None = None


def find_standing(revision: Revision, known: Sequence[Revision], withdrawals: Sequence[Withdrawal]) -> Standing | None:
    """The standing of a revision; None where it is the current one.

    Args:
        revision: One of `known`.
        known: All revisions of the report, oldest first.
        withdrawals: All withdrawals of revisions of the report, oldest first.
    """
    for withdrawal in withdrawals:
        if revision.number in withdrawal.revisions:
            return _from_withdrawal(withdrawal)
    latest = known[-1]
    if revision.number == latest.number:
        return None
    correction = latest.correction if latest.correction and latest.correction.run is None else None
    told = correction is not None and correction.supersedes >= revision.number
    return Standing(
        state="superseded",
        at=latest.generated_at,
        revision=latest.number,
        changed=correction.changed if correction and told else None,
        reason=correction.reason if correction and told else None,
    )


def _from_withdrawal(withdrawal: Withdrawal) -> Standing:
    successor = withdrawal.successor
    return Standing(
        state="superseded" if successor else "withdrawn",
        at=withdrawal.at,
        revision=successor.revision if successor else None,
        run=successor.run if successor else None,
        reason=withdrawal.reason,
    )
