"""Finding a batch again whose creation was not answered, so that nothing is sent and paid for twice."""

from collections.abc import Set
from contextlib import aclosing
from datetime import timedelta

from reportgen.judging.batch_contract import BatchInfo
from reportgen.judging.batch_desk import Desk, ids_digest, next_look, persist
from reportgen.model.batch import SentBatch

_SKEW = timedelta(minutes=5)
"""By so much the provider's clock may be behind ours."""


async def find_lost(desk: Desk, sent: SentBatch) -> SentBatch | None:
    """The batch that came of an intent, noted in the journal; None, noted as well, where none came of it.

    The list of the account's batches is searched for one that is not older than the intent and has as many requests.
    Whose it is, only its results tell: so its end is awaited, and it is taken only if their custom ids are ours. A
    batch may show up late, so the list is read again until the intent is old enough.

    Raises:
        JudgeError: The provider does not answer.
        RunError: The journal cannot be written.
    """
    strangers: set[str] = set()
    waited, look = 0.0, None
    desk.tell(f"looking for a batch of {sent.count} requests whose creation was not answered")
    while True:
        found = await _candidates(desk, sent, strangers)
        for info in found:
            if info.status != "ended":
                continue
            if await _is_ours(desk, sent, info):
                return desk.log.created(sent, info.id, desk.around.now())
            strangers.add(info.id)
        age = max((desk.around.now() - sent.at).total_seconds(), waited)
        if age >= desk.policy.appear and all(info.id in strangers for info in found):
            desk.log.void(sent, "it was not created", desk.around.now())
            return None
        look = next_look(desk.policy, look)
        await desk.around.sleep(look)
        waited += look


async def _candidates(desk: Desk, sent: SentBatch, strangers: Set[str]) -> list[BatchInfo]:
    """Batches that may be the one."""
    known = desk.log.known | strangers

    async def search() -> list[BatchInfo]:
        found = []
        async with aclosing(desk.backend.newest()) as newest:
            async for info in newest:
                if info.created_at < sent.at - _SKEW:
                    break
                if info.count == sent.count and info.id not in known:
                    found.append(info)
        return found

    return await persist(desk, search, "The list of batches")


async def _is_ours(desk: Desk, sent: SentBatch, info: BatchInfo) -> bool:
    async def read_ids() -> set[str]:
        async with aclosing(desk.backend.results(info.id)) as results:
            return {result.custom_id async for result in results}

    return info.has_results and ids_digest(await persist(desk, read_ids, f"The batch {info.id}")) == sent.ids
