"""Keeping verdicts while others are judged: one writer, and one sync to disk for all that wait for it."""

import asyncio
from collections.abc import Callable, Sequence

from reportgen.model.verdict import Verdict

Keep = Callable[[Sequence[Verdict]], None]
"""Stores verdicts and returns once all are safe on disk. It is called in a thread, one call at a time."""


class Keeper:
    """Hands verdicts to `keep` in a thread; those that arrive during one call go together into the next."""

    def __init__(self, keep: Keep) -> None:
        self.failure: BaseException | None = None
        self._keep = keep
        self._waiting: list[tuple[Sequence[Verdict], asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def keep(self, verdicts: Sequence[Verdict]) -> None:
        """Returns once the verdicts are safe.

        Raises:
            Exception: What `keep` raised, now or before: nothing is kept after a failure.
        """
        if self.failure is not None:
            raise self.failure
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((verdicts, done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        await done

    async def close(self) -> None:
        """Waits until everything that was handed over is safe or has failed."""
        if self._writer is not None:
            await self._writer

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            if self.failure is None:
                await self._write_batch([verdict for verdicts, _ in batch for verdict in verdicts])
            for _, done in batch:
                _resolve(done, self.failure)
                # Each slot sends its next request before the next slot wakes.
                await asyncio.sleep(0)

    async def _write_batch(self, verdicts: list[Verdict]) -> None:
        kept = asyncio.get_running_loop().run_in_executor(None, self._keep, verdicts)
        await asyncio.wait([kept])
        self.failure = kept.exception()


def _resolve(done: "asyncio.Future[None]", failure: BaseException | None) -> None:
    """Tells who waits; nobody does where the waiting task was cancelled."""
    if done.done():
        return
    if failure is None:
        done.set_result(None)
    else:
        done.set_exception(failure)
