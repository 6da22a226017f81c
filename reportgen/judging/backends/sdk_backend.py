"""What the judges by an official SDK have alike: a client that is entered once, and replies without any secret."""

from abc import ABC, abstractmethod
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Final, Self

from reportgen.judging.contract import BackendReply, Stop
from reportgen.judging.redaction import Redactor, redact_all, redact_reply
from reportgen.model.verdict import Judge

CONNECT_TIMEOUT: Final = 30.0
"""The 5 seconds of the SDKs are too few when many connections open at once on a busy machine."""


class SdkBackend(ABC):
    """One client for one run, and one event loop."""

    def __init__(self, judge: Judge, timeout: float) -> None:
        self._judge, self._timeout = judge, timeout
        self._exit = AsyncExitStack()
        self._redact = Redactor()

    @property
    def judge(self) -> Judge:
        """Who will answer."""
        return self._judge

    async def __aenter__(self) -> Self:
        """Finds the key, and tries what the model can do.

        Raises:
            JudgeError: The SDK is not installed, there is no key, or no such model.
        """
        try:
            await self._enter()
            await self._preflight()
        except BaseException:
            await self._exit.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._exit.aclose()

    @abstractmethod
    async def _enter(self) -> None:
        """Opens the client within `_exit`, and knows its secrets from then on."""

    @abstractmethod
    async def _preflight(self) -> None:
        """Tries what the model can do; only what no request could pass stops the run."""

    def _build_reply(
        self, answer: dict[str, Any], text: str, stop: Stop, note: str | None, sent: tuple[str | None, int | None]
    ) -> BackendReply:
        """The reply in an answer; `sent` is the id of its request and the status, None where it came in a batch."""
        usage, model = (redact_all(answer.get(name), self._redact) for name in ("usage", "model"))
        return BackendReply(
            text=redact_reply(text, self._redact),
            stop=stop,
            note=redact_all(note, self._redact),
            model=model if isinstance(model, str) else None,
            request_id=sent[0],
            status=sent[1],
            usage=usage if isinstance(usage, dict) else None,
        )
