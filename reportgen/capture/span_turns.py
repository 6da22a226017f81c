"""Traces -> turns: one a trace, or one a root where a trace has several that a user may have called.

*Question*: what the root was given, or else the first step that was given a question: the last message of the user.
What was said before it is quoted in the notes. A trace without any is left and counted. *Answer*: what the root gave,
or else the last model that wrote anything. Where that is only a call of a tool, or nothing was recorded, the answer is
not captured, and the reason says so. *Trajectory*: retrievals, rerankings, calls of tools, look-ups and SQL, in the
order in which they began. *Time*: the start of the root. *Latency*: of the root; for retrieval and generation, the
time in which at least one such span was running. Spans of other kinds and verdicts of other programs are left and
counted; settings, prompts and token counts are not taken.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from reportgen.capture.chat import last_question, quote_history, read_messages
from reportgen.capture.drafts import build_turn, choose_id, fit_name, read_time
from reportgen.capture.importers import ImportOptions, ImportReport
from reportgen.capture.json_values import unwrap_json
from reportgen.capture.span_events import read_events
from reportgen.capture.spans import ENTRANCES, Span, cover_ms, order_spans, split_roots
from reportgen.capture.spoken import find_answer, find_question, only_calls
from reportgen.model.turn import Agent, Answer, Latency, Turn

NO_ANSWER = "the trace holds no answer"
ONLY_CALLS = "the trace ends with a call of a tool and holds no text of an answer"
NO_STEPS = "turns without a step: no span of theirs is told to be a retrieval, a call of a tool or SQL"
AS_JSON = "the question is the input of the trace as JSON, since no field of it could be told to be the question"
NO_TEXT = "the question has parts that are no text, such as images, which are not taken"
_STEPS = ("retriever", "reranker", "tool", "database")
_UNTOLD = ("chain", "other", "tool")
"""Kinds that a step of any sort is given by programs that do not know what it does."""
_MOST_UNREAD = 5


class TurnMaker:
    """Makes turns from traces, with ids that stand once in a file."""

    def __init__(self, path: Path, options: ImportOptions, report: ImportReport) -> None:
        self._path = path
        self._options = options
        self._report = report
        self._ids: set[str] = set()
        self._tools: set[str] = set()
        self._others: Counter[str] = Counter()

    @property
    def made(self) -> int:
        """How many turns were made."""
        return len(self._ids)

    def make(self, spans: Sequence[Span], root: Span | None = None) -> Iterator[Turn]:
        """The turns of one trace; with a root, which stands for the trace itself, it is one."""
        self._tools.update(span.tool or span.name for span in spans)
        self._name_retrievers(spans)
        groups = split_roots(spans) if root is None else [[root, *spans]]
        for number, group in enumerate(groups, start=1):
            root, ordered = group[0], order_spans(group)
            self._others.update(span.name for span in group[1:] if span.kind in _UNTOLD and span.name)
            asked = _find_question(root, ordered)
            if asked is None:
                self._report.left["traces without a question"] += 1
                self._report.left["spans of traces without a question"] += sum(not span.is_trace for span in group)
                continue
            name = root.trace or root.id or f"{self._path.stem}-{self.made + 1}"
            yield self._build(root, ordered, asked, name if number == 1 else f"{name}-{number}")

    def finish(self) -> None:
        """Tells the report of names in the options that no trace has, and of steps that may have been missed."""
        options = self._options
        self._report.unused.update((options.sql_tools | options.drop_tools | options.retrievers) - self._tools)
        if self._report.left[NO_STEPS] == self.made:
            self._report.unread = tuple(name for name, _ in self._others.most_common(_MOST_UNREAD))

    def _name_retrievers(self, spans: Sequence[Span]) -> None:
        """Makes retrievals of the steps that the options name."""
        for span in spans:
            if span.kind in _UNTOLD and (span.tool or span.name) in self._options.retrievers:
                span.kind = "retriever"

    def _build(self, root: Span, spans: list[Span], asked: tuple[str, tuple[str, ...]], name: str) -> Turn:
        report = self._report
        question, notes = asked
        begun = root.start or next((span.start for span in spans if span.start is not None), None)
        moment, time_notes = read_time(begun.isoformat() if begun else None, root.place, self._options, report)
        events = read_events(spans, self._options, report)
        if not events:
            report.left[NO_STEPS] += 1
        answer = _find_answer(root, spans)
        errors = _list_errors(spans)
        notes = (*notes, *_note_others(root, question, report))
        _count(spans, answer, notes, errors, report)
        return build_turn(
            root.place,
            {
                "id": choose_id(name, self._ids, report),
                "conversation": fit_name(_first(spans, "conversation")),
                "captured_at": moment,
                "captured_at_assumed": bool(time_notes),
                "question": question,
                "labels": {**_gather_labels(spans), **self._options.labels},
                "trajectory": events,
                "answer": answer,
                "agent": _find_agent(root, spans),
                "model": fit_name(_find_model(spans)),
                "latency": _find_latency(root, spans),
                "notes": (*time_notes, *notes, *errors),
            },
        )


def _find_question(root: Span, spans: Sequence[Span]) -> tuple[str, tuple[str, ...]] | None:
    """The question and what is to be noted of it."""
    asked = [root, *(span for span in spans if span is not root and span.kind in (*ENTRANCES, "llm"))]
    for span in asked:
        if span.kind not in (*ENTRANCES, "llm"):
            continue
        for given in (span.messages_in, span.input):
            question = None if given is None else find_question(given)
            if question:
                return question, _quote(spans, question)
    if root.kind in ENTRANCES and root.input not in (None, "", {}, []):
        return json.dumps(root.input, ensure_ascii=False, default=str), (AS_JSON,)
    return None


def _note_others(root: Span, question: str, report: ImportReport) -> tuple[str, ...]:
    """That the root was given more than a text, where it was."""
    value = unwrap_json(root.messages_in if root.messages_in is not None else root.input)
    if isinstance(value, dict) and len(value) > 1:
        report.left["inputs of traces that have further fields beside the question"] += 1
    messages = read_messages(value) or ()
    others = sum(message.others for message in messages if message.text == question)
    if not others:
        return ()
    report.left["parts of questions that are no text, such as images"] += others
    return (NO_TEXT,)


def _quote(spans: Sequence[Span], question: str) -> tuple[str, ...]:
    """What was said before the question, as the first model that was given it was told."""
    for span in spans:
        messages = read_messages(span.messages_in if span.messages_in is not None else span.input) or ()
        place = last_question(messages)
        if place is not None and messages[place].text.strip() == question.strip():
            history = quote_history(messages[:place])
            if history is not None:
                return (history,)
    return ()


def _find_answer(root: Span, spans: Sequence[Span]) -> Answer:
    for given in (root.messages_out, root.output) if root.kind == "llm" else (root.output, root.messages_out):
        text = None if given is None else find_answer(given)
        if text is not None:
            return Answer(text=text)
    written = [span for span in reversed(spans) if span.kind == "llm" and _written(span) is not None]
    if written:
        last = max(written, key=lambda span: (span.end is not None, span.end and span.end.timestamp()))
        text = find_answer(_written(last))
        if text is not None:
            return Answer(text=text)
        if only_calls(_written(last)):
            return Answer(not_captured=ONLY_CALLS)
    outer = [span for span in spans if span.kind in ENTRANCES and find_answer(_output(span)) is not None]
    if outer:
        return Answer(text=find_answer(_output(max(outer, key=lambda span: (span.end is not None, span.end)))))
    if root.kind in ENTRANCES and isinstance(root.output, dict | list) and root.output:
        return Answer(text=json.dumps(root.output, ensure_ascii=False, default=str))
    error = next((span.error for span in (root, *reversed(spans)) if span.error), None)
    return Answer(not_captured=NO_ANSWER if error is None else f"{NO_ANSWER}, but an error: {error[:300]}")


def _written(span: Span) -> Any:
    return span.messages_out if span.messages_out is not None else span.output


def _output(span: Span) -> Any:
    return span.output if span.output is not None else span.messages_out


def _find_agent(root: Span, spans: Sequence[Span]) -> Agent:
    """The outermost agent, by the name that it has for the program or else by that of its span; or else the service."""
    agents = [span for span in (root, *spans) if span.kind == "agent" or span.agent]
    name = (agents[0].agent or agents[0].name) if agents else _first(spans, "service")
    return Agent(name=fit_name(name) or "unknown", version=_first([root, *spans], "version"))


def _find_model(spans: Sequence[Span]) -> str | None:
    named = [span.model for span in spans if span.kind == "llm" and span.model]
    return named[-1] if named else next((span.model for span in spans if span.model and span.kind == "agent"), None)


def _find_latency(root: Span, spans: Sequence[Span]) -> Latency | None:
    found = {
        "total_ms": root.duration_ms,
        "retrieval_ms": cover_ms(span for span in spans if span.kind in ("retriever", "reranker")),
        "generation_ms": cover_ms(span for span in spans if span.kind == "llm"),
    }
    known = {name: value for name, value in found.items() if value is not None}
    return Latency(**known) if known else None


def _gather_labels(spans: Sequence[Span]) -> dict[str, str]:
    labels: dict[str, str] = {}
    for span in spans:
        for name, value in span.labels.items():
            labels.setdefault(name, value)
    return labels


def _list_errors(spans: Sequence[Span]) -> list[str]:
    """Errors of spans that become no event, which have no other place."""
    failed = [span for span in spans if span.error is not None and span.kind not in _STEPS]
    return [
        f"the trace tells of an error in {span.name[:80] or span.kind}: {(span.error or '')[:300]}" for span in failed
    ]


def _first(spans: Sequence[Span], name: str) -> str | None:
    return next((value for span in spans if (value := getattr(span, name))), None)


def _count(
    spans: Sequence[Span], answer: Answer, notes: Sequence[str], errors: Sequence[str], report: ImportReport
) -> None:
    report.taken["turns"] += 1
    if answer.text is not None:
        report.taken["answers"] += 1
    else:
        report.left["turns whose trace holds no text of an answer"] += 1
    for span in spans:
        if span.kind == "llm":
            report.taken["calls of a model, read for question, answer, name and times"] += 1
        elif span.kind not in _STEPS and not span.is_trace:
            report.left[
                f"spans of the kind {span.kind}, of which question, answer, names and times at most are taken"
            ] += 1
        if span.others:
            report.left["scores, feedback and assessments by others"] += span.others
    report.changed["errors of spans, told in the notes of a turn"] += len(errors)
    report.changed["questions given as the JSON of the input"] += AS_JSON in notes
    report.changed["earlier messages of a conversation, quoted in the notes of a turn"] += bool(
        set(notes) - {AS_JSON, NO_TEXT}
    )
    for what in [name for name, count in report.changed.items() if not count]:
        del report.changed[what]
