"""What an assistant did in a turn, event by event, ready for the page."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.model.run import EvidenceLimits
from reportgen.model.turn import (
    Event,
    GuardrailBlock,
    Retrieval,
    SchemaLookup,
    SqlStatement,
    ToolCall,
)
from reportgen.publishing.passages import PassageList, build_passages
from reportgen.publishing.printing import print_count, print_duration
from reportgen.publishing.snapshots import Snapshot, build_snapshot
from reportgen.publishing.text import Shown, shorten

_EVENTS_SHOWN = (200, 100)
"""How many events are shown at most: so many of the first and so many of the last."""

_SQL_SHOWN = 20_000
_OUTPUT_SHOWN = 4_000
_NAME_SHOWN = 120


@dataclass(frozen=True, slots=True)
class EventText:
    """One event of the trajectory as displayed; `cuts` say what of it was shortened for the judge."""

    number: str
    kind: str
    title: str
    status: str
    facts: tuple[str, ...]
    code: Shown | None
    error: Shown | None
    output: Shown | None
    snapshot: Snapshot | None
    notes: tuple[str, ...]
    cuts: tuple[str, ...]
    passages: PassageList | None = None


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The events that are shown; `left_out` says how many are not."""

    events: tuple[EventText, ...]
    left_out: str | None


def build_trajectory(events: Sequence[Event], limits: EvidenceLimits, cuts: Sequence[str]) -> Trajectory:
    """The events in order, each with what was cut of it for the judge.

    Args:
        events: As captured.
        limits: What the judge was shown at most.
        cuts: What was shortened for the judge, in words, each with its place.
    """
    head, tail = _EVENTS_SHOWN
    numbered = list(enumerate(events, start=1))
    if len(numbered) > head + tail:
        numbered = [*numbered[:head], *numbered[-tail:]]
        left_out = f"{head + tail} of {len(events):,} events shown: the first {head} and the last {tail}."
    else:
        left_out = None
    return Trajectory(
        tuple(_event(number, event, _seen(number, len(events), limits, cuts)) for number, event in numbered), left_out
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """How many rows and passages of an event the judge was shown at most, and what of it was shortened."""

    rows: int
    passages: int
    cuts: tuple[str, ...]


def _seen(number: int, count: int, limits: EvidenceLimits, cuts: Sequence[str]) -> _Seen:
    """What the judge saw of an event; nothing of the middle of a trajectory that is too long."""
    head = limits.events // 2
    if count > limits.events and head < number <= count - (limits.events - head):
        return _Seen(0, 0, ("this event was left out",))
    place = f"event {number}: "
    own = tuple(cut.removeprefix(place) for cut in cuts if cut.startswith(place))
    texts = tuple(str(shorten(cut, _OUTPUT_SHOWN)) for cut in own)
    return _Seen(_count_shown("rows", own, limits.rows), _count_shown("passages", own, limits.passages), texts)


def _count_shown(what: str, cuts: Sequence[str], limit: int) -> int:
    found = [re.match(rf"{what}: showing the first ([\d,]+) of ", cut) for cut in cuts]
    return min([int(match[1].replace(",", "")) for match in found if match] or [limit])


def _event(number: int, event: Event, seen: _Seen) -> EventText:
    match event:
        case SqlStatement():
            return _statement(str(number), event, seen)
        case ToolCall():
            return _tool_call(str(number), event, seen)
        case SchemaLookup():
            return _lookup(str(number), event, seen)
        case GuardrailBlock():
            return _block(str(number), event, seen)
        case Retrieval():
            return _retrieval(str(number), event, seen)


def _statement(number: str, event: SqlStatement, seen: _Seen) -> EventText:
    dialect = (f"dialect {shorten(event.dialect, _NAME_SHOWN)}",) if event.dialect else ()
    return EventText(
        *(number, "sql", "SQL statement", event.status, (print_duration(event.duration_ms), *dialect)),
        code=shorten(event.text, _SQL_SHOWN),
        error=_optional(event.error),
        output=None,
        snapshot=build_snapshot(event, seen.rows),
        notes=_notes(event.notes),
        cuts=seen.cuts,
    )


def _tool_call(number: str, event: ToolCall, seen: _Seen) -> EventText:
    arguments = json.dumps(event.arguments, ensure_ascii=False, indent=2) if event.arguments else None
    return EventText(
        *(number, "tool", f"Tool call: {shorten(event.name, _NAME_SHOWN)}", event.status),
        facts=(print_duration(event.duration_ms),),
        code=None if arguments is None else shorten(arguments, _OUTPUT_SHOWN),
        error=_optional(event.error),
        output=_optional(event.output),
        snapshot=None,
        notes=_notes(event.notes),
        cuts=seen.cuts,
    )


def _lookup(number: str, event: SchemaLookup, seen: _Seen) -> EventText:
    return EventText(
        *(number, "schema", f"Schema look-up: {shorten(event.target, _NAME_SHOWN)}", event.status),
        facts=(print_duration(event.duration_ms),),
        code=None,
        error=_optional(event.error),
        output=_optional(event.output),
        snapshot=None,
        notes=_notes(event.notes),
        cuts=seen.cuts,
    )


def _block(number: str, event: GuardrailBlock, seen: _Seen) -> EventText:
    title = f"Guardrail block: {shorten(event.rule, _NAME_SHOWN)}"
    output = _optional(event.message)
    return EventText(number, "guardrail", title, "blocked", (), None, None, output, None, (), seen.cuts)


def _retrieval(number: str, event: Retrieval, seen: _Seen) -> EventText:
    named = (("strategy", event.strategy), ("engine", event.engine))
    facts = tuple(f"{name} {shorten(text, _NAME_SHOWN)}" for name, text in named if text)
    top_k = () if event.top_k is None else (f"top-k {print_count(event.top_k)}",)
    return EventText(
        *(number, "retrieval", "Retrieval", event.status, (print_duration(event.duration_ms), *facts, *top_k)),
        code=_optional(event.query),
        error=_optional(event.error),
        output=None,
        snapshot=None,
        notes=_notes(event.notes),
        cuts=seen.cuts,
        passages=build_passages(event, seen.passages),
    )


def _optional(text: str | None) -> Shown | None:
    return shorten(text, _OUTPUT_SHOWN) if text else None


def _notes(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(shorten(note, _OUTPUT_SHOWN)) for note in notes)
