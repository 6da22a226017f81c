"""Reading captured turns in our own format, `reportgen/turn/1`: JSON Lines, one turn a line, as a stream."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from reportgen.capture.flaws import Flaw, decode_json, describe_invalid
from reportgen.capture.lines import read_lines
from reportgen.capture.segments import segment_ids
from reportgen.errors import CaptureError
from reportgen.model.turn import FORMAT, Turn

_NAME_LIMIT = 200


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that was set aside.

    Attributes:
        file: The file as it was named.
        line: Its number in the file, counted from 1.
        field: The place within the line, such as `trajectory[2].rows[0][3]`; empty where it is the whole
            line.
        problem: What is wrong, in words that follow the place.
        raw: The line as it stands in the file, without its line end.
    """

    file: str
    line: int
    field: str
    problem: str
    raw: bytes

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}"
        return f"{place}: {self.field} {self.problem}" if self.field else f"{place}: the line {self.problem}"


def read_turns(path: Path, on_bad: Callable[[BadLine], None] | None = None) -> Iterator[Turn]:
    """The turns of a file, one after the other; blank lines are passed over.

    Memory grows only by a digest of 16 bytes an id, to find an id that stands twice. Bundles come as they
    are; the ids that their parts will get are held against all other ids.

    Args:
        path: A file of JSON Lines in UTF-8, plain or under gzip, or of Parquet.
        on_bad: Is given each bad line, and reading goes on. Without it the first bad line ends the reading.

    Raises:
        CaptureError: The file cannot be opened, a line is bad, or no turn could be read.
    """
    places: dict[bytes, int] = {}
    taken = bad = 0
    for number, raw in read_lines(path):
        try:
            turn = read_turn(raw)
            _claim_ids(turn, number, places)
        except Flaw as flaw:
            bad += 1
            report_bad(BadLine(str(path), number, flaw.field, flaw.problem, raw), on_bad)
        else:
            taken += 1
            yield turn
    if not taken:
        raise _no_turns(path, bad)


def save_bad_lines(path: Path, lines: Iterable[BadLine]) -> int:
    r"""Write the lines that were set aside as JSON Lines, each with its place and problem; return how many.

    `raw` is the line's text; bytes that are not UTF-8 stand in it as `\xff`.
    """
    count = 0
    with path.open("wb") as file:
        for line in lines:
            entry = {
                "file": line.file,
                "line": line.line,
                "field": line.field,
                "problem": line.problem,
                "raw": line.raw.decode(errors="backslashreplace"),
            }
            # A field's name may hold half a character, which UTF-8 cannot write.
            file.write(json.dumps(entry, ensure_ascii=False).encode(errors="backslashreplace") + b"\n")
            count += 1
    return count


def read_turn(raw: bytes) -> Turn:
    """The turn on a line.

    Raises:
        Flaw: The line holds none.
    """
    data = decode_json(raw)
    if not isinstance(data, dict):
        raise Flaw("", "is not a JSON object")
    _require_known_format(data)
    _require_written_time(data)
    try:
        return Turn.model_validate_json(raw)
    except ValidationError as error:
        raise describe_invalid(error, data) from None


def read_single_turn(raw: bytes) -> Turn:
    """The turn on a line that stands alone, with the ids held against one another that its parts would get.

    Raises:
        Flaw: The line holds none, or its ids cannot be.
    """
    turn = read_turn(raw)
    _claim_ids(turn, 1, {})
    return turn


def _require_known_format(data: dict[str, Any]) -> None:
    given = data.get("format", FORMAT)
    if given == FORMAT:
        return
    if isinstance(given, str) and re.fullmatch(r"reportgen/turn/[1-9][0-9]{0,8}", given):
        raise Flaw("format", f'is "{given}": this program is older than the file and reads "{FORMAT}"')
    raise Flaw("format", f'must be "{FORMAT}"')


def _require_written_time(data: dict[str, Any]) -> None:
    # Pydantic takes bare digits for seconds since 1970, which would be a guess at the unit and the zone.
    given = data.get("captured_at")
    if isinstance(given, str) and re.fullmatch(r"\s*[-+]?[0-9.]+\s*", given):
        raise Flaw("captured_at", f'is not a date and time such as 2026-03-29T09:30:00Z, but "{given[:60]}"')


def _claim_ids(turn: Turn, number: int, places: dict[bytes, int]) -> None:
    names = (turn.id, *segment_ids(turn))
    digests = [blake2b(name.encode(), digest_size=16).digest() for name in names]
    for name, digest in zip(names, digests, strict=True):
        if digest in places:
            raise Flaw("id", _describe_collision(turn, name, places[digest]))
        if len(name) > _NAME_LIMIT:
            raise Flaw("id", f"leaves no room for the number of a segment: at most {_NAME_LIMIT} characters")
    places.update(dict.fromkeys(digests, number))


def _describe_collision(turn: Turn, id: str, first: int) -> str:
    if id != turn.id:
        return f'"{turn.id}" gives a segment the id "{id}", which the turn on line {first} has'
    return f'"{id}" stands twice; it stood first on line {first} (as a turn, or as a segment of one)'


def report_bad(bad: BadLine, on_bad: Callable[[BadLine], None] | None) -> None:
    """Tells whoever gathers bad lines of one.

    Raises:
        CaptureError: Nobody does.
    """
    if on_bad is None:
        raise CaptureError(
            str(bad),
            f"Each line must hold one turn ({FORMAT}); `reportgen convert` makes them of other captures. "
            "Correct it, or set bad lines aside with --skip-bad.",
        )
    on_bad(bad)


def _no_turns(path: Path, bad: int) -> CaptureError:
    if bad:
        what = f"{path} holds no turns that can be read: all {bad} lines with text in them are bad"
        return CaptureError(what, f"Check that it is a file of turns ({FORMAT}); `reportgen convert` makes one.")
    return CaptureError(f"{path} holds no turns", "Give a file with at least one turn, or capture some first.")
