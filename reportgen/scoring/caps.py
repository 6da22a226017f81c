"""Hard facts about a turn, and the caps that they trigger. Statuses only, never quality."""

from collections.abc import Callable
from unicodedata import category

from reportgen.model.rubric import Cap, Rubric
from reportgen.model.turn import Event, Retrieval, SchemaLookup, ToolCall, Turn

_EXECUTED = ("ok", "error", "timeout")
_FAILED = ("error", "timeout")


def all_sql_failed(turn: Turn) -> bool:
    """At least one statement was executed and none ended ok; blocked and cancelled ones were not executed."""
    statuses = [statement.status for statement in turn.statements if statement.status in _EXECUTED]
    return bool(statuses) and "ok" not in statuses


def ended_in_error(turn: Turn) -> bool:
    """The last event is an error or a timeout, and no answer was captured or it is empty."""
    if not turn.trajectory or (has_answer(turn) and not empty_answer(turn)):
        return False
    return getattr(turn.trajectory[-1], "status", None) in _FAILED


def empty_answer(turn: Turn) -> bool:
    """An answer was captured and holds nothing but white space, punctuation and invisible characters."""
    return has_answer(turn) and all(category(letter)[0] in "PZC" for letter in _text(turn))


def nothing_done(turn: Turn) -> bool:
    """No SQL, no other tool output, no retrieved passage, no guardrail block and no answer text."""
    return all(_is_idle(event) for event in turn.trajectory) and not _text(turn).strip()


def answer_not_captured(turn: Turn) -> bool:
    """The text of the answer never reached the capture."""
    return not has_answer(turn)


def has_answer(turn: Turn) -> bool:
    """Whether the text of an answer was captured, be it empty."""
    return turn.answer is not None and turn.answer.text is not None


def _text(turn: Turn) -> str:
    return (turn.answer.text or "") if turn.answer else ""


def _is_idle(event: Event) -> bool:
    """Whether an event is a call that gave no output, or a retrieval without passages; SQL and blocks count as work."""
    if isinstance(event, Retrieval):
        return not event.passages
    return isinstance(event, ToolCall | SchemaLookup) and not (event.output or "").strip()


FACTS: dict[str, Callable[[Turn], bool]] = {
    "all-sql-failed": all_sql_failed,
    "ended-in-error": ended_in_error,
    "empty-answer": empty_answer,
    "nothing-done": nothing_done,
    "answer-not-captured": answer_not_captured,
}
"""The closed vocabulary of facts that a rubric may name."""


def triggered_caps(turn: Turn, rubric: Rubric) -> tuple[Cap, ...]:
    """The rubric's caps whose fact holds for the turn, in the rubric's order."""
    return tuple(cap for cap in rubric.caps if FACTS[cap.when](turn))
