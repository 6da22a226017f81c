"""One connection to the server: dropped where nothing is asked over it."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

PATIENCE = 10
"""Seconds; a connection over which no request was under way at two looks in a row, this far apart, is dropped."""


class Connection(H11Protocol):
    """As uvicorn's own, but that one waits without end for a request that never comes in whole.

    Idle connections count against the most that there may be at once, so that without this a few idle ones, which need
    no token, would shut out everybody.
    """

    _look: asyncio.TimerHandle | None = None
    _waited_after: tuple[RequestResponseCycle | None] | None = None
    """The last request, None before the first, where the connection waited for the next one; None where it did not."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The connection is there; a request is due."""
        super().connection_made(transport)
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def _look_later(self) -> None:
        waiting = self.cycle is None or self.cycle.response_complete
        self._waited_after = (self.cycle,) if waiting else None
        self._look = self.loop.call_later(PATIENCE, self._drop_if_idle)

    def _drop_if_idle(self) -> None:
        """Closes the connection where it waited for a request at the last look, and none has come since."""
        if self._waited_after == (self.cycle,):
            self.transport.abort()
        else:
            self._look_later()

    def _unsupported_upgrade_warning(self) -> None:
        """Says nothing: a request for another protocol is answered in this one, and no library is missing."""
