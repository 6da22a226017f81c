"""A batch of judge requests: what is journalled of it while its run is unfinished."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import Field

from reportgen.model.verdict import Verdict
from reportgen.record import Moment, Record

FORMAT: Final = "reportgen/batch/1"

Step = Literal["intent", "created", "taken", "void"]


class BatchLine(Record):
    """One step of a batch.

    `number` counts the batches of the run from 1. An `intent` is written before the batch is sent, with the `count` of
    its requests and `ids`, the SHA-256 over their sorted custom ids; `created` names the `batch` as the provider does;
    `taken` says that all its results are among the verdicts; `void`, with the `reason`, that none will come of it.
    """

    format: Literal["reportgen/batch/1"] = FORMAT
    number: Annotated[int, Field(ge=1)]
    step: Step
    at: Moment
    count: Annotated[int, Field(ge=1)] | None = None
    ids: str | None = None
    batch: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SentBatch:
    """A batch that was sent or was about to be; `batch` is None while the provider's id of it is not known."""

    number: int
    count: int
    ids: str
    at: datetime
    batch: str | None = None


def open_batches(lines: Iterable[BatchLine]) -> tuple[SentBatch, ...]:
    """The batches whose results are still to come, oldest first."""
    found: dict[int, SentBatch] = {}
    for line in lines:
        match line.step:
            case "intent":
                found[line.number] = SentBatch(line.number, line.count or 0, line.ids or "", line.at)
            case "created" if line.number in found:
                sent = found[line.number]
                found[line.number] = SentBatch(sent.number, sent.count, sent.ids, sent.at, line.batch)
            case "taken" | "void":
                found.pop(line.number, None)
    return tuple(found.values())


def count_batches(verdicts: Iterable[Verdict]) -> int | None:
    """How many batches the attempts on the way to these verdicts went in; None if each went by itself."""
    return len({attempt.batch for verdict in verdicts for attempt in verdict.attempts if attempt.batch}) or None
