"""A turn and the verdicts on it -> the same without any captured text, so that each score still follows."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from reportgen.model.run import WITHHELD
from reportgen.model.turn import (
    Agent,
    Answer,
    Event,
    GuardrailBlock,
    Passage,
    Retrieval,
    SchemaLookup,
    SqlStatement,
    ToolCall,
    Turn,
)
from reportgen.model.verdict import Attempt, Verdict
from reportgen.redaction.spans import mark_of, tells

TEXT = mark_of("text")
"""Stands for each text of a run for the public."""
ERASED = "[text erased]"
"""Stands for each text that was erased on request."""


def hide_text(text: str, mark: str) -> str:
    """The mark for a text that tells anything; else what caps tell apart: an empty text, or a mere full stop.

    >>> hide_text("17 ferries", TEXT), hide_text(" … ", TEXT), hide_text(" ", TEXT)
    ('[text withheld]', '.', '')
    """
    if tells(text):
        return mark
    return "." if text.strip() else ""


def blank_turn(turn: Turn, mark: str) -> Turn:
    """The turn without what anybody asked, was answered, sent or got back.

    Statuses, times, counts, labels and names of assistant and tools stay.
    """
    changed = {
        "question": hide_text(turn.question, mark),
        "trajectory": tuple(_blank_event(event, mark) for event in turn.trajectory),
        "answer": turn.answer and _blank_answer(turn.answer, mark),
        "notes": (),
    }
    return turn.model_copy(update=changed)


def erase_turn(turn: Turn, labels: Collection[str]) -> Turn:
    """The turn without its texts and without the values of these labels, as it stands in a run once it is erased."""
    return blank_turn(turn, ERASED).model_copy(update={"labels": erase_labels(turn.labels, labels)})


def erase_labels(found: Mapping[str, str], labels: Collection[str]) -> dict[str, str]:
    """A turn's labels without the values of these."""
    return {name: ERASED if name in labels else value for name, value in found.items()}


def bare_turn(turn: Turn, name: str, conversation: str | None, at: datetime) -> Turn:
    """The turn as a run for the public shows it: the statuses on which caps rest, under names that tell nothing."""
    blank = blank_turn(turn, TEXT)
    return Turn(
        id=name,
        conversation=conversation,
        captured_at=at,
        captured_at_assumed=True,
        question=blank.question,
        trajectory=tuple(_bare_event(event) for event in blank.trajectory),
        answer=blank.answer,
        agent=Agent(name=TEXT),
    )


def blank_verdict(verdict: Verdict, mark: str) -> Verdict:
    """The verdict with subscores and the judge's word, without any other word of the judge and without digests."""
    reply = verdict.reply and verdict.reply.model_copy(
        update={"quotes": (), "explanation": hide_text(verdict.reply.explanation, mark)}
    )
    changed = {
        "key": WITHHELD,
        "evidence": WITHHELD,
        "reason": _hide(verdict.reason, mark),
        "reply": reply,
        "text": None,
        "attempts": _blank_attempts(verdict.attempts, mark),
    }
    return verdict.model_copy(update=changed)


def bare_verdict(verdict: Verdict) -> Verdict:
    """The verdict as a run for the public shows it; when it was asked for would tell the order of the turns."""
    return blank_verdict(verdict, TEXT).model_copy(update={"attempts": ()})


def _blank_attempts(attempts: Sequence[Attempt], mark: str) -> tuple[Attempt, ...]:
    return tuple(attempt.model_copy(update={"reason": _hide(attempt.reason, mark)}) for attempt in attempts)


def _hide(text: str | None, mark: str) -> str | None:
    return None if text is None else hide_text(text, mark)


def _blank_answer(answer: Answer, mark: str) -> Answer:
    return Answer(not_captured=mark) if answer.text is None else Answer(text=hide_text(answer.text, mark))


def _blank_event(event: Event, mark: str) -> Event:
    changed: dict[str, Any]
    match event:
        case SqlStatement():
            changed = {"text": hide_text(event.text, mark), "columns": None, "rows": None}
        case ToolCall():
            changed = {"arguments": {}, "output": _hide(event.output, mark)}
        case SchemaLookup():
            changed = {"target": hide_text(event.target, mark), "output": _hide(event.output, mark)}
        case GuardrailBlock():
            return event.model_copy(update={"message": hide_text(event.message, mark)})
        case Retrieval():
            changed = {"query": _hide(event.query, mark), "passages": _blank_passages(event.passages, mark)}
    return event.model_copy(update={**changed, "error": _hide(event.error, mark), "notes": ()})


def _blank_passages(passages: Sequence[Passage] | None, mark: str) -> tuple[Passage, ...] | None:
    """As many passages, with the retriever's ranks and scores; on whether there are any a cap may rest."""
    if passages is None:
        return None
    return tuple(Passage(rank=item.rank, score=item.score, text=_hide(item.text, mark)) for item in passages)


def _bare_event(event: Event) -> Event:
    match event:
        case SqlStatement():
            return SqlStatement(text=TEXT, status=event.status)
        case ToolCall():
            return ToolCall(name=TEXT, status=event.status, output=event.output)
        case SchemaLookup():
            return SchemaLookup(target=TEXT, status=event.status, output=event.output)
        case GuardrailBlock():
            return GuardrailBlock(rule=TEXT)
        case Retrieval():
            passages = event.passages and (Passage(text=TEXT),)
            return Retrieval(status=event.status, passages=passages)
