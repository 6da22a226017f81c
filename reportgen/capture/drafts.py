"""What importers do alike when they make a turn: its id, its time, and the refusal of one that does not fit."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from pydantic import ValidationError

from reportgen.capture.flaws import describe_invalid
from reportgen.capture.importers import ImportOptions, ImportReport
from reportgen.capture.moments import read_moment
from reportgen.errors import CaptureError
from reportgen.model.turn import Turn

NO_TIME = "the capture carries no time; captured_at is assumed"
NO_ZONE = "the time in the capture has no zone; it is taken as of UTC"
GIVE_TIME = "Give a time with its zone by --captured-at; the turns are then marked as assumed."
_LONGEST = 200
_MOST_NAMES = 60


def require_zone(options: ImportOptions) -> None:
    """Sees to it that the time for turns that carry none has its zone.

    Raises:
        CaptureError: It has none.
    """
    if options.captured_at is not None and options.captured_at.tzinfo is None:
        raise CaptureError("the time for turns that carry none has no time zone", "Write it with Z or +02:00.")


def read_time(
    given: Any, place: str, options: ImportOptions, report: ImportReport, fix: str = GIVE_TIME
) -> tuple[datetime, tuple[str, ...]]:
    """The time of a turn, and what is to be noted of it; with a note it counts as assumed. `fix` is for where none is.

    Raises:
        CaptureError: It cannot be read, or there is none and the options give none.
    """
    found = read_moment(given, place)
    if found is not None:
        if found[1]:
            return found[0], ()
        report.changed["turns whose time has no zone, taken as of UTC and marked as assumed"] += 1
        return found[0], (NO_ZONE,)
    if options.captured_at is None:
        what = f"{place}: there is no time at which the question was asked"
        raise CaptureError(what, fix)
    report.changed["turns with an assumed time"] += 1
    return options.captured_at, (NO_TIME,)


def choose_id(base: str, taken: set[str], report: ImportReport) -> str:
    """The id, shortened where it is too long, and with a number where it stood before."""
    base = fit_name(base) or "turn"
    if base in taken:
        report.changed["ids that stood before, made unique by a number"] += 1
    number, chosen = 1, base
    while chosen in taken:
        number += 1
        chosen = f"{base[:180]}-{number}"
    taken.add(chosen)
    return chosen


def fit_name(text: str | None) -> str | None:
    """A name that a turn may have: of a longer one the beginning and a digest; None for an empty one.

    >>> fit_name("a" * 300)[-20:]
    'aaaaaaa-9835fa6bf4e2'
    """
    if not text or len(text) <= _LONGEST:
        return text or None
    return f"{text[:180]}-{sha256(text.encode(errors='replace')).hexdigest()[:12]}"


def build_turn(place: str, fields: Mapping[str, Any]) -> Turn:
    """The turn with these fields.

    Raises:
        CaptureError: They do not fit.
    """
    try:
        return Turn(**fields)
    except ValidationError as error:
        where, problem = error.errors()[0]["loc"], describe_invalid(error, {}).problem
        what = f"{place}: the turn cannot be taken: its {where[0] if where else 'content'} {problem}"
        raise CaptureError(what, "Correct the file, or leave this record out.") from None


def count_left(what: str, name: str, report: ImportReport) -> None:
    """Counts a field that is left; of very many names the last ones share a line."""
    line = f"{what}: {name[:60]}"
    report.left[line if line in report.left or len(report.left) < _MOST_NAMES else f"{what}: others"] += 1


def refuse_empty(path: object, report: ImportReport, fix: str = "") -> CaptureError:
    """The error for a file in which no turn was found, with what was found instead, and what to do if that is known."""
    left = "; ".join(f"{count} {what}" for what, count in report.left.most_common(3))
    return CaptureError(
        f"{path} holds no turns{f' (left: {left})' if left else ''}",
        fix or "Check that --from names its format, and that it was exported with questions and answers.",
    )
