"""Records of question, retrieved passages and answer, as JSON Lines or JSON, under the names in common use.

One record is one turn. *Question*: the field of that name, or the last message of the user in a list of messages; what
was said before is quoted in the turn's notes, since a follow-up question cannot be understood without it. *Passages*:
one retrieval, in the order of the list; there is none where the record has no such field or null in it, and an empty
one where the list is empty. *Answer*: its text; a record without one says so. *Time*: of the record, or of the
message; without one the option's, marked as assumed. *Labels*: collection, engine, strategy and other knobs. Fields
that are no part of a turn, such as reference answers, are left and counted by name.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reportgen.capture.chat import last_question, quote_history, read_messages
from reportgen.capture.drafts import (
    GIVE_TIME,
    build_turn,
    choose_id,
    count_left,
    fit_name,
    read_time,
    refuse_empty,
    require_zone,
)
from reportgen.capture.importers import ImportOptions, ImportReport
from reportgen.capture.json_values import read_values
from reportgen.capture.passages import read_passages
from reportgen.capture.record_fields import (
    AGENT,
    ANSWER,
    CONTEXTS,
    CONVERSATION,
    IDS,
    LABELS,
    MODEL,
    QUESTION,
    SEARCH,
    TIMES,
    Fields,
)
from reportgen.capture.spoken import find_answer, find_question
from reportgen.errors import CaptureError
from reportgen.model.turn import Agent, Answer, Latency, Retrieval, Turn

NO_ANSWER = "the record holds no answer"
_NAME_TIME = (
    "Where a field holds it, rename that to captured_at, or to another of the names in importers.md. Where none does: "
    + GIVE_TIME[0].lower()
    + GIVE_TIME[1:]
)
_MOST_NAMED = 12
_WRAPPERS = ("results", "data", "samples", "examples", "items", "records", "rows", "test_cases", "testCases", "turns")


def read_turns(path: Path, options: ImportOptions, report: ImportReport) -> Iterator[Turn]:
    """The turns of the records, in their order.

    Raises:
        CaptureError: The file cannot be read, a record is no object or does not fit, or no record holds a question.
    """
    require_zone(options)
    ids: set[str] = set()
    unasked: list[str] = []
    for place, record in _read_records(path, report):
        fields = Fields(record)
        asked = _read_question(fields)
        if asked is None:
            report.left["records without a question"] += 1
            unasked = unasked or fields.left()
            continue
        turn = _build(asked, fields, f"{path.stem}-{len(ids) + 1}", ids, (place, options, report))
        for name in fields.left():
            count_left("fields that are no part of a turn", name, report)
        yield turn
    if not ids:
        raise refuse_empty(path, report, _name_fields(unasked))


def _name_fields(names: Sequence[str]) -> str:
    """What to do where no record has a question by a name that is known."""
    had = ", ".join(name[:60] for name in names[:_MOST_NAMED])
    known = f"Rename the fields of the question ({', '.join(QUESTION)}), the answer, the passages and the time"
    return f"{known} as importers.md lists them; the first record has {had}." if had else ""


def _read_records(path: Path, report: ImportReport) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for place, value in read_values(path, lambda what: report.changed.update([what])):
        for where, item in _unwrap(place, value, report):
            if not isinstance(item, dict):
                raise CaptureError(f"{where}: is no record, which must be an object", "Give one record a line.")
            yield where, _unwrap_metric(item, report)


def _unwrap(place: str, value: Any, report: ImportReport) -> Iterator[tuple[str, Any]]:
    """The records in an object that holds a list of them; else the record itself."""
    if not isinstance(value, dict) or any(name in value for name in QUESTION):
        yield place, value
        return
    wrapped = [name for name in _WRAPPERS if isinstance(value.get(name), list)]
    names = wrapped[:1] or [name for name in value if _holds_metrics(value[name])]
    for name in names:
        yield from ((f"{place}, {name}[{number}]", item) for number, item in enumerate(value[name]))
    if not names:
        yield place, value
        return
    for name in value.keys() - set(names):
        count_left("fields beside the records", name, report)


def _holds_metrics(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and "metric_input" in item for item in value)
    )


def _unwrap_metric(item: Mapping[str, Any], report: ImportReport) -> Mapping[str, Any]:
    """The input of a metric, where the record is one of a metric's; what the metric said is left."""
    inner = item.get("metric_input")
    if not isinstance(inner, dict):
        return item
    for name in item.keys() - {"metric_input"}:
        count_left("verdicts and annotations of others", name, report)
    return inner


def _read_question(fields: Fields) -> tuple[str, tuple[str, ...], Any] | None:
    """The question, notes on what was said before it, and the time of the message."""
    given = fields.take(QUESTION)
    messages = None if isinstance(given, str) else read_messages(given)
    place = last_question(messages) if messages else None
    if messages is None or place is None:
        question = find_question(given)
        return None if question is None else (question, (), None)
    history = quote_history(messages[:place])
    raw = messages[place].raw
    inner = raw.get("metadata") if isinstance(raw.get("metadata"), dict) else {}
    moment = Fields({**(inner or {}), **raw}).take(TIMES)
    return messages[place].text, (history,) if history else (), moment


def _build(
    asked: tuple[str, tuple[str, ...], Any],
    fields: Fields,
    name: str,
    ids: set[str],
    source: tuple[str, ImportOptions, ImportReport],
) -> Turn:
    place, options, report = source
    question, history, said_at = asked
    given = fields.take(TIMES)
    moment, time_notes = read_time(said_at if given is None else given, place, options, report, _NAME_TIME)
    latency = fields.take_latencies()
    retrieval = _read_retrieval(fields, latency, report)
    answer, answer_notes = _read_answer(fields, report)
    if history:
        report.changed["earlier messages of a conversation, quoted in the notes of a turn"] += 1
    model = fit_name(fields.take_text(MODEL))
    report.taken["turns"] += 1
    return build_turn(
        place,
        {
            "id": choose_id(fields.take_text(IDS) or name, ids, report),
            "conversation": fit_name(fields.take_text(CONVERSATION)),
            "captured_at": moment,
            "captured_at_assumed": bool(time_notes),
            "question": question,
            "labels": {**_read_labels(fields), **options.labels},
            "trajectory": () if retrieval is None else (retrieval,),
            "answer": answer,
            "agent": Agent(name=fit_name(fields.take_text(AGENT)) or model or "unknown"),
            "model": model,
            "latency": Latency(**latency) if latency else None,
            "notes": (*time_notes, *history, *answer_notes),
        },
    )


def _read_retrieval(fields: Fields, latency: Mapping[str, float], report: ImportReport) -> Retrieval | None:
    is_given, value = fields.take_given(CONTEXTS)
    passages = read_passages(value, report.left) if is_given and value != "" else None
    if passages is None:
        report.left["records without retrieved passages, which become turns without a retrieval"] += 1
        return None
    report.taken["retrievals"] += 1
    report.taken["passages"] += len(passages)
    top_k = fields.take_text(("top_k", "k"))
    return Retrieval(
        query=fields.take_text(SEARCH),
        strategy=fields.take_text(("strategy", "retrieval_strategy")),
        engine=fields.take_text(("engine", "retrieval_engine")),
        top_k=int(top_k) if top_k is not None and top_k.isascii() and top_k.isdecimal() and len(top_k) < 10 else None,
        status="ok",
        duration_ms=latency.get("retrieval_ms"),
        passages=passages,
    )


def _read_answer(fields: Fields, report: ImportReport) -> tuple[Answer, tuple[str, ...]]:
    is_given, value = fields.take_given(ANSWER)
    text = find_answer(value) if is_given else None
    error = fields.take_text(("error", "error_message"))
    notes = () if error is None else (f"the record tells of an error: {error[:300]}",)
    if text is not None:
        report.taken["answers"] += 1
        return Answer(text=text), notes
    report.left["turns without an answer in the record"] += 1
    return Answer(not_captured=NO_ANSWER if error is None else f"{NO_ANSWER}, but an error: {error[:300]}"), notes


def _read_labels(fields: Fields) -> dict[str, str]:
    given = fields.take(("labels",))
    found = {name: value for field, name in LABELS.items() if (value := fields.take_text((field,))) is not None}
    if not isinstance(given, dict):
        return found
    own = {fit_name(name) or "label": value if isinstance(value, str) else str(value) for name, value in given.items()}
    return {**found, **own}
