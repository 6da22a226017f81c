"""Sending a batch: the intent first, so that one whose creation is not answered can be found again."""

from collections.abc import Sequence

from reportgen.errors import JudgeError
from reportgen.judging.batch_contract import BatchItem
from reportgen.judging.batch_desk import Desk, ids_digest, wait_after, within_time
from reportgen.judging.batch_recovery import find_lost
from reportgen.judging.contract import Retryable, Unanswerable
from reportgen.model.batch import SentBatch

_SERVER_ERROR = 500
_OVERLOADED = 529


async def send_batch(desk: Desk, items: Sequence[BatchItem]) -> SentBatch:
    """Sends a batch and notes its id; after trouble on the line it is sent again only if it did not arrive.

    Raises:
        JudgeError: It is rejected, or cannot be sent for too long.
        RunError: The journal cannot be written.
        ValueError: Two requests have one custom id.
    """
    ids = [item.custom_id for item in items]
    if len(set(ids)) < len(ids):
        raise ValueError("two requests of a batch have one custom id")
    began, tries = desk.around.monotonic(), 0
    while True:
        sent = desk.log.intend(len(ids), ids_digest(ids), desk.around.now())
        try:
            info = await within_time(desk, desk.backend.create(items))
        except Retryable as trouble:
            found = await _look_after(desk, sent, trouble)
            if found is not None:
                return found
            tries += 1
            wait = wait_after(desk, trouble, tries)
            if desk.around.monotonic() - began + wait > desk.policy.patience:
                raise JudgeError(
                    f"A batch could not be sent in {tries} attempts; the last time: {trouble.reason}",
                    "Go on later with --resume.",
                ) from None
            desk.tell(f"a batch could not be sent: {trouble.reason}; trying again in {wait:.0f} s")
            await desk.around.sleep(wait)
        except Unanswerable as trouble:
            desk.log.void(sent, trouble.reason, desk.around.now())
            raise JudgeError(f"The batch was rejected: {trouble.reason}", "Judge without --batch.") from None
        except JudgeError as error:
            desk.log.void(sent, error.what, desk.around.now())
            raise
        else:
            return desk.log.created(sent, info.id, desk.around.now())


async def _look_after(desk: Desk, sent: SentBatch, trouble: Retryable) -> SentBatch | None:
    """The batch, if it was created all the same; an answer that says that it was not is believed."""
    status = trouble.status
    if status is None or (status >= _SERVER_ERROR and status != _OVERLOADED):
        return await find_lost(desk, sent)
    desk.log.void(sent, trouble.reason, desk.around.now())
    return None
