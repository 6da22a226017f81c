"""What came back from a call of a tool: how it ended, its error, its content without a harness's notes."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reportgen.capture.flaws import Flaw, decode_json
from reportgen.capture.harness import cut_notes
from reportgen.capture.result_tables import looks_like_table
from reportgen.model.turn import Status

NO_RESULT = "the capture holds no result of this call; it is taken as cancelled"
NOTE_CUT = "a note of the test harness at the end of the result was cut"
OUTPUT_CUT = "the output was cut off in the capture"

_CUT_MARK = "...<truncated>"
_HALF_WRAPPER = re.compile(r'\A\{"(?:result|output)": ?"')
_SQL_ERROR = re.compile(r"\s*(?:\w{1,40}[. ]){0,3}\w{0,40}errors?\b[^\n|:]{0,60}[:.]", re.IGNORECASE)
_TOOL_ERROR = re.compile(r"\s*error:", re.IGNORECASE)
_BARE_TIMEOUT = re.compile(
    r"\s*(?:the )?(?:sql|statement|query|execution)\b[^\n|]{0,40}\btimed[ -]out\b", re.IGNORECASE
)
_TIMEOUT = re.compile(
    r"\btimed[ -]out\b|\bTimeoutError\b|\bdeadline[ _]exceeded\b|\btimeout (?:expired|exceeded|after|of)\b"
    r"|\b(?:statement|query|execution|lock|read|connection) timeout\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended.

    Attributes:
        status: ok, error, timeout, or cancelled where no result was captured.
        content: What came back, a text or JSON; None after an error or without a result.
        error: The error as the tool told it; None where it ended well.
        notes: What was cut on the way in.
        harness_notes: How many notes of a test harness were cut.
    """

    status: Status
    content: Any = None
    error: str | None = None
    notes: tuple[str, ...] = ()
    harness_notes: int = 0

    @property
    def output(self) -> str | None:
        """The content as text; None where there is none."""
        if self.content is None or isinstance(self.content, str):
            return self.content
        return json.dumps(self.content, ensure_ascii=False)


def read_outcome(response: object, *, is_sql: bool) -> Outcome:
    """How a call ended, from the response that the stream holds for it.

    An object with `error`, `error_message` or `error_details`, or with the status ERROR, is an error. So is
    a text that begins "Error:", and for SQL one whose first words name an error ("SQL Error: ...",
    "psycopg2.errors.UndefinedTable: ..."). An error that speaks of a time limit is a timeout.
    """
    content = _unwrap(response)
    count = 0
    if isinstance(content, str):
        content, count = cut_notes(content)
    notes = (NOTE_CUT,) if count else ()
    error = _find_error(content, is_sql=is_sql)
    if error is not None:
        status: Status = "timeout" if _TIMEOUT.search(error) else "error"
        return Outcome(status, error=error.strip(), notes=notes, harness_notes=count)
    if not is_sql and isinstance(content, str) and content.endswith(_CUT_MARK):
        notes = (*notes, OUTPUT_CUT)
    return Outcome("ok", content, notes=notes, harness_notes=count)


def _unwrap(response: object) -> Any:
    """ADK puts what a tool returns into {"result": ...}, and captures hold that as text, even cut off."""
    if isinstance(response, str) and response.lstrip().startswith("{"):
        try:
            decoded = decode_json(response.encode(errors="replace"))
        except Flaw:
            return _read_half(response)
        return _unwrap(decoded) if isinstance(decoded, dict) else response
    if isinstance(response, Mapping) and len(response) == 1 and response.keys() <= {"result", "output"}:
        return next(iter(response.values()))
    return response


def _read_half(response: str) -> str:
    match = _HALF_WRAPPER.match(response)
    if match is None or not response.endswith(_CUT_MARK):
        return response
    body = response[match.end() : -len(_CUT_MARK)]
    # The cut may have gone through an escape, of six characters at most.
    for shortened in (body[: len(body) - count] for count in range(7)):
        try:
            text: str = json.loads(f'"{shortened}"', strict=False)
        except ValueError:
            continue
        return text.encode(errors="ignore").decode() + _CUT_MARK
    return response


def _find_error(content: object, *, is_sql: bool) -> str | None:
    if isinstance(content, Mapping):
        return _find_error_field(content)
    if not isinstance(content, str):
        return None
    if _TOOL_ERROR.match(content):
        return content
    names_error = (
        is_sql and not looks_like_table(content) and (_SQL_ERROR.match(content) or _BARE_TIMEOUT.match(content))
    )
    return content if names_error else None


def _find_error_field(content: Mapping[str, Any]) -> str | None:
    for name in ("error", "error_message", "error_details"):
        if content.get(name):
            told = content[name]
            return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
    if str(content.get("status", "")).upper() == "ERROR":
        return json.dumps(content, ensure_ascii=False)
    return None
