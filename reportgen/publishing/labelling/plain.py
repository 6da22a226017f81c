"""The evidence of a turn as plain text, for the cells of a workbook."""

from collections.abc import Iterator

from reportgen.model.turn import Answer
from reportgen.publishing.labelling.form import ShownTurn
from reportgen.publishing.passages import PassageList
from reportgen.publishing.snapshots import Snapshot
from reportgen.publishing.trajectory import EventText


def write_trajectory(turn: ShownTurn) -> str:
    """What the assistant did, event by event."""
    blocks = ["\n".join(_write_event(event)) for event in turn.trajectory.events]
    if turn.trajectory.left_out:
        blocks.append(turn.trajectory.left_out)
    return "\n\n".join(blocks) or "Nothing: the trajectory is empty."


def _write_event(event: EventText) -> Iterator[str]:
    facts = "".join(f", {fact}" for fact in event.facts)
    yield f"{event.number}. {event.title} [{event.status}]{facts}"
    for part in (event.code, event.output):
        if part:
            yield str(part)
    if event.error:
        yield f"Error: {event.error}"
    if event.snapshot:
        yield from _write_snapshot(event.snapshot)
    if event.passages:
        yield from _write_passages(event.passages)
    yield from event.notes


def _write_passages(passages: PassageList) -> Iterator[str]:
    for passage in passages.passages:
        yield ", ".join((passage.title, *passage.facts))
        yield "The capture holds no text of this passage." if passage.text is None else str(passage.text)
    yield passages.account


def _write_snapshot(snapshot: Snapshot) -> Iterator[str]:
    yield " | ".join(snapshot.columns)
    for row in snapshot.rows:
        yield " | ".join(cell.text for cell in row.cells)
    yield snapshot.account


def write_answer(answer: Answer | None, no_answer: str | None) -> str:
    """The answer as it was given, or why there is none."""
    return no_answer or (answer.text if answer and answer.text else "")
