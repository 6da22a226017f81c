"""JSON from outside, read strictly."""

import json
from typing import Any, NoReturn

from reportgen.errors import RunError


def read_json(data: bytes, place: str) -> Any:
    """JSON values, strictly: no key twice in one object, no number that is not finite.

    Raises:
        RunError: The data is not such JSON.
    """
    try:
        return json.loads(data, object_pairs_hook=_require_single, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{place} is not JSON: {error}", "Give a run folder or a report.json.") from None


def _require_single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a finite number")
