"""The family of judge backends: each is one module with `open_backend(model, effort, timeout)`, and one line here."""

from importlib import import_module

from reportgen.errors import JudgeError
from reportgen.judging.batch_contract import BatchBackend, OffersBatches
from reportgen.judging.contract import Backend
from reportgen.judging.pacing import TIMEOUT

BACKENDS = {
    "anthropic": "reportgen.judging.backends.anthropic",
    "openai": "reportgen.judging.backends.openai",
    "recorded": "reportgen.judging.backends.recorded",
}
"""Name to module; a module is imported only when it is asked for, since an SDK takes seconds to load."""


def open_backend(spec: str, effort: str | None = None, timeout: float = TIMEOUT) -> Backend:
    """The backend for `BACKEND:MODEL`, to be entered with `async with`.

    Args:
        spec: For instance `anthropic:claude-opus-5-5`, or `recorded:` and the path of a file of verdicts.
        effort: How much the model shall think, where it knows such a setting; None for the backend's default.
        timeout: How many seconds it may stay silent in one attempt.

    Raises:
        JudgeError: There is no such backend, the effort is unknown, or the backend cannot be made ready.
    """
    name, _, model = spec.partition(":")
    if name not in BACKENDS or not model:
        raise JudgeError(
            f"{spec!r} does not name a judge",
            f"Write BACKEND:MODEL, such as anthropic:claude-opus-5-5; backends: {', '.join(BACKENDS)}.",
        )
    backend: Backend = import_module(BACKENDS[name]).open_backend(model, effort, timeout)
    return backend


def open_batches(backend: Backend) -> BatchBackend:
    """The batches of a backend that is entered.

    Raises:
        JudgeError: It has none.
    """
    return require_batches(backend).batches()


def require_batches(backend: Backend) -> OffersBatches:
    """The backend, entered or not, as one that has batches.

    Raises:
        JudgeError: It has none.
    """
    if not isinstance(backend, OffersBatches):
        raise JudgeError(
            f"The judge {backend.judge.name} cannot be asked in batches",
            "Leave out --batch, or name a judge of the backend anthropic.",
        )
    return backend
