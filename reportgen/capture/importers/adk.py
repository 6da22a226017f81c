"""Google ADK event streams -> turns.

A message of the user begins a turn; it ends before the next one, or with the stream. How a turn comes about:

*Trajectory*: the calls of tools, in order, each with its result. Calls of `sql_tools` become SQL statements
if one of their arguments is the text (`sql`, `query` or `statement`, or the only text among them), calls of
`schema_tools` look-ups, calls of `drop_tools` are left with their results, all others are tool calls; so
are questions to a simulated user. A call without a result in the stream counts as cancelled.

*Answer*: the assistant's last text after its last call of any tool, unless it is only a harness's notice,
such as "Task completed.". For a judge, a notice is no answer: it says how the run ended, not what the
assistant told the user, and to judge it would blame the assistant for words of others. Such a turn has no
captured answer, and the reason quotes the notice. Texts before the last call are commentary and are left.
`final_response`, where a sample has one, is a cross-check; it becomes the answer only if the stream holds
none and it is no text of before.

*Question*: the user's message, out of a harness's wrapper if it has one (see `harness.unwrap_question`). A
follow-up question that reached the assistant in the result of a dropped tool is quoted in the turn's notes:
it is the user's question, and later statements cannot be understood without it, but where it belongs is not
marked.

*Time*: the stream's own timestamp; without one the option's, marked as assumed. *Labels*: `database`, and the
option's. Nothing else of a sample reaches the turn, in particular no outcome of a benchmark.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reportgen.capture.adk_answers import read_answer
from reportgen.capture.adk_calls import Call, build_event, match_calls
from reportgen.capture.adk_events import Message, Part
from reportgen.capture.adk_stream import Run, read_runs
from reportgen.capture.drafts import build_turn
from reportgen.capture.harness import find_follow_up, unwrap_question
from reportgen.capture.importers import ImportOptions, ImportReport
from reportgen.capture.tool_results import read_outcome
from reportgen.errors import CaptureError
from reportgen.model.turn import Agent, Turn

_ASSUMED = "the capture carries no time; captured_at is assumed"


@dataclass(frozen=True, slots=True)
class _Draft:
    """The messages of one turn, the first of them the user's, and where they stand in their run."""

    id: str
    run: Run
    messages: tuple[Message, ...]
    is_first: bool
    is_last: bool

    @property
    def place(self) -> str:
        return self.messages[0].place

    @property
    def parts(self) -> list[Part]:
        return [part for message in self.messages for part in message.parts]


def read_turns(path: Path, options: ImportOptions, report: ImportReport) -> Iterator[Turn]:
    """The turns of an ADK event stream, in the order of the stream; ids are made unique by a number.

    Raises:
        CaptureError: The file is no such stream, events come before any message of a user, or there is no
            time.
    """
    if options.captured_at is not None and options.captured_at.tzinfo is None:
        raise CaptureError("the time for turns that carry none has no time zone", "Write it with Z or +02:00.")
    ids: set[str] = set()
    tools: set[str] = set()
    for run in read_runs(path):
        _count_unused(run, report)
        for number, (messages, is_last) in enumerate(_mark_last(_split_turns(run, report)), start=1):
            draft = _Draft(
                _choose_id(run, path, number, ids),
                run,
                tuple(messages),
                is_first=number == 1,
                is_last=is_last,
            )
            tools.update(part.name for part in draft.parts if part.kind == "call")
            yield _build_turn(draft, options, report)
    if not ids:
        raise CaptureError(f"{path} holds no turns", "Give a stream with at least one message of a user.")
    for name in (options.sql_tools | options.drop_tools) - tools:
        report.unused.add(name)


def _split_turns(run: Run, report: ImportReport) -> Iterator[list[Message]]:
    turn: list[Message] = []
    for message in run.messages:
        if message.partial:
            report.left["pieces of a message that the stream repeats whole"] += 1
        elif message.is_question:
            if turn:
                yield turn
            turn = [message]
        elif turn:
            turn.append(message)
        elif message.parts:
            what = f"{message.place}: the assistant's events begin before any message of a user"
            raise CaptureError(what, "A turn needs its question; capture the session, which holds the user's messages.")
    if turn:
        yield turn


def _mark_last(turns: Iterable[list[Message]]) -> Iterator[tuple[list[Message], bool]]:
    waiting: list[Message] | None = None
    for turn in turns:
        if waiting is not None:
            yield waiting, False
        waiting = turn
    if waiting is not None:
        yield waiting, True


def _choose_id(run: Run, path: Path, number: int, taken: set[str]) -> str:
    base = run.name or path.stem
    chosen = base if run.name and number == 1 else f"{base}-{number}"
    while chosen in taken:
        number += 1
        chosen = f"{base}-{number}"
    taken.add(chosen)
    return chosen


def _count_unused(run: Run, report: ImportReport) -> None:
    if run.unused:
        report.left[f"fields of samples that are no part of a turn ({', '.join(run.unused)})"] += len(run.unused)


def _build_turn(draft: _Draft, options: ImportOptions, report: ImportReport) -> Turn:
    report.taken["turns"] += 1
    calls = match_calls(draft.messages, report)
    events = [build_event(call, options, report) for call in calls]
    question, question_notes = _read_question(draft, report)
    answer, answer_notes = read_answer(draft.messages[1:], draft.run.final_response if draft.is_last else None, report)
    moment, time_notes = _read_time(draft, options, report)
    notes = (*question_notes, *time_notes, *_quote_follow_ups(calls, options, report), *answer_notes)
    _count_other_parts(draft, report)
    fields = {
        "id": draft.id,
        "conversation": draft.run.name if not (draft.is_first and draft.is_last) else None,
        "captured_at": moment,
        "captured_at_assumed": bool(time_notes),
        "question": question,
        "labels": _build_labels(draft.run, options),
        "trajectory": tuple(event for event in events if event is not None),
        "answer": answer,
        "agent": _read_agent(draft),
        "notes": (*notes, *_list_errors(draft, report)),
    }
    return build_turn(f"{draft.place}, turn {draft.id[:80]}", fields)


def _read_question(draft: _Draft, report: ImportReport) -> tuple[str, tuple[str, ...]]:
    message = "\n".join(part.text for part in draft.messages[0].parts if part.kind == "text")
    unwrapped = unwrap_question(message)
    if not unwrapped.cut:
        return message, ()
    report.changed["questions taken out of a test harness's wrapper"] += 1
    report.left["pieces of a test harness's text around questions"] += len(unwrapped.cut)
    return unwrapped.question, (f"text of the test harness around the question was cut: {', '.join(unwrapped.cut)}",)


def _read_time(draft: _Draft, options: ImportOptions, report: ImportReport) -> tuple[datetime, tuple[str, ...]]:
    moment = next((message.moment for message in draft.messages if message.moment is not None), None)
    if moment is not None:
        return moment, ()
    if options.captured_at is None:
        what = f"{draft.place}: the events of turn {draft.id} carry no timestamp"
        raise CaptureError(what, "Give a time with its zone by --captured-at; the turns are then marked as assumed.")
    report.changed["turns with an assumed time"] += 1
    return options.captured_at, (_ASSUMED,)


def _quote_follow_ups(calls: list[Call], options: ImportOptions, report: ImportReport) -> list[str]:
    notes = []
    for call in calls:
        if call.name in options.drop_tools and call.result is not None:
            follow_up = find_follow_up(str(read_outcome(call.result.value, is_sql=False).output))
            if follow_up is not None:
                report.changed["follow-up questions quoted in the notes of a turn (from results that were left)"] += 1
                notes.append(f"in the course of the turn the assistant was asked a follow-up question: {follow_up}")
    return notes


def _build_labels(run: Run, options: ImportOptions) -> dict[str, str]:
    return {**({"database": run.database} if run.database else {}), **options.labels}


def _read_agent(draft: _Draft) -> Agent:
    authors = [message.author for message in draft.messages if message.author is not None]
    model = next((message.model for message in draft.messages if message.model), draft.run.model)
    return Agent(name=authors[0] if authors else "unknown", version=model)


def _list_errors(draft: _Draft, report: ImportReport) -> list[str]:
    errors = [message.error for message in draft.messages if message.error]
    if errors:
        report.changed["errors of the model, told in the notes of a turn"] += len(errors)
    return [f"the stream reports an error of the model: {error[:300]}" for error in errors]


def _count_other_parts(draft: _Draft, report: ImportReport) -> None:
    for part in draft.parts:
        if part.kind == "thought":
            report.left["thoughts of the assistant"] += 1
        elif part.kind == "other":
            report.left[f"parts of the kind {part.name}"] += 1
