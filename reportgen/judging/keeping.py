"""Keeping verdicts while others are judged: one sync to disk for all that wait for it."""

import asyncio
from collections.abc import Callable, Sequence

from reportgen.model.verdict import Verdict

Sync = Callable[[], None]
"""Returns once all that was written is safe on disk. It is called in a thread, one call at a time."""
Keep = Callable[[Sequence[Verdict]], Sync]
"""Writes verdicts, which takes no time to speak of, and returns what makes them safe."""


class Keeper:
    """Writes verdicts at once and syncs them in a thread; those written during one sync share the next."""

    def __init__(self, keep: Keep) -> None:
        self.failure: BaseException | None = None
        self._keep = keep
        self._waiting: list[asyncio.Future[None]] = []
        self._syncing: asyncio.Task[None] | None = None

    async def keep(self, verdicts: Sequence[Verdict]) -> None:
        """Returns once the verdicts are safe.

        Raises:
            Exception: What writing or syncing raised, now or before: nothing is kept after a failure.
        """
        if self.failure is not None:
            raise self.failure
        try:
            sync = self._keep(verdicts)
        except Exception as failure:
            self.failure = failure
            raise
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(done)
        if self._syncing is None or self._syncing.done():
            self._syncing = asyncio.create_task(self._sync(sync))
        await done

    async def close(self) -> None:
        """Waits until everything that was written is safe or has failed."""
        if self._syncing is not None:
            await self._syncing

    async def _sync(self, sync: Sync) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            if self.failure is None:
                synced = asyncio.get_running_loop().run_in_executor(None, sync)
                await asyncio.wait([synced])
                self.failure = self.failure or synced.exception()
            for done in batch:
                _resolve(done, self.failure)
                # Each slot sends its next request before the next slot wakes.
                await asyncio.sleep(0)


def _resolve(done: "asyncio.Future[None]", failure: BaseException | None) -> None:
    """Tells who waits; nobody does where the waiting task was cancelled."""
    if done.done():
        return
    if failure is None:
        done.set_result(None)
    else:
        done.set_exception(failure)
