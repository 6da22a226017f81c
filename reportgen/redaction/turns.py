"""A turn and the verdicts on it -> the same without what is to be withheld, each value consistently in all places."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.redaction.dictionary import build_dictionary, write_forms
from reportgen.redaction.places import IDS, NAMES, VERDICTS, rewrite, texts_of
from reportgen.redaction.rules import COLUMN, LABEL, Rules, find_named
from reportgen.redaction.spans import FORGED, Span, mark_of, merge_spans, replace_spans

_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Redacted:
    """A turn and the verdicts on it without what is to be withheld.

    `learned` are the values that were withheld for where they stood, each with its kind.
    """

    turn: Turn
    verdicts: tuple[Verdict, ...]
    learned: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Struck:
    """A value that is withheld for where it stands, whatever it is."""

    kind: str
    value: Any


_Spans = Callable[[str], tuple[Span, ...]]


def redact_turn(
    turn: Turn, verdicts: Sequence[Verdict], rules: Rules, number: int = 1, known: Mapping[str, str] | None = None
) -> Redacted:
    """Withholds in a turn and in the verdicts on it what the rules say.

    A value that is withheld for where it stands, or that was found anywhere, is withheld wherever this turn or a
    verdict on it repeats it. No score changes: statuses stay, and no text becomes empty or ceases to be.

    Args:
        turn: The turn as it was captured.
        verdicts: Those on this turn.
        rules: What is to be withheld.
        number: Of the turn in its run; it makes an id unique of which something was withheld.
        known: What was learned from earlier turns of the conversation, which is withheld here too.
    """
    data = _strike(turn.to_data(), rules)
    said = [verdict.to_data() for verdict in verdicts]
    learned = _learn_values([data, *said], rules)
    spans = _learn_spans([("", data), *((VERDICTS, item) for item in said)], rules, {**(known or {}), **learned})
    return Redacted(
        Turn.from_data(_write(data, "", spans, number)),
        tuple(Verdict.from_data(_write(item, VERDICTS, spans, number)) for item in said),
        learned,
    )


def redact_data(data: Any, rules: Rules) -> Any:
    """JSON values that belong to no turn, without what the rules find in their texts."""
    return _write(data, "", lambda text: _find_spans(text, rules), 0)


def _strike(data: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """The turn with the values marked that are withheld for the column or label in which they stand."""
    labels = {name: _Struck(LABEL, text) if rules.is_label(name) else text for name, text in data["labels"].items()}
    return {**data, "labels": labels, "trajectory": [_strike_event(event, rules) for event in data["trajectory"]]}


def _strike_event(event: dict[str, Any], rules: Rules) -> dict[str, Any]:
    if event.get("rows") is not None:
        struck = [rules.is_column(name) for name in event["columns"]]
        if any(struck):
            return {**event, "rows": [_strike_row(row, struck) for row in event["rows"]]}
    if event.get("arguments"):
        return {**event, "arguments": _strike_arguments(event["arguments"], rules, within=False)}
    if event.get("passages"):
        return {**event, "passages": [_strike_passage(passage, rules) for passage in event["passages"]]}
    return event


def _strike_passage(passage: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """A passage; its texts are withheld where they stand in a field with the name of a column."""
    return {
        name: _strike_value(value) if isinstance(value, str) and rules.is_column(name) else value
        for name, value in passage.items()
    }


def _strike_row(row: list[Any], struck: list[bool]) -> list[Any]:
    return [_strike_value(cell) if is_struck else cell for cell, is_struck in zip(row, struck, strict=True)]


def _strike_arguments(value: Any, rules: Rules, *, within: bool) -> Any:
    """The arguments of a tool; what stands under the name of a column, at whatever depth, is marked."""
    if isinstance(value, dict):
        return {
            name: _strike_arguments(item, rules, within=within or rules.is_column(name)) for name, item in value.items()
        }
    if isinstance(value, list):
        return [_strike_arguments(item, rules, within=within) for item in value]
    return _strike_value(value) if within else value


def _strike_value(value: Any) -> Any:
    """A value as withheld; null and the empty text stay, since there is nothing to withhold."""
    return value if value is None or value == "" else _Struck(COLUMN, value)


def _learn_values(records: Iterable[dict[str, Any]], rules: Rules) -> dict[str, str]:
    """The values that are withheld for where they stand, as they may be written elsewhere; short ones are none."""
    struck = (item for record in records for item in _struck_in(record))
    return {form: item.kind for item in struck for form in write_forms(item.value) if len(form) >= rules.repeats_from}


def _learn_spans(records: Iterable[tuple[str, dict[str, Any]]], rules: Rules, values: Mapping[str, str]) -> _Spans:
    """What gives the spans to withhold in a text of these records: those found in it, and repeats of any of them."""
    found: dict[str, tuple[Span, ...]] = {}
    for place, record in records:
        for _, text in texts_of(record, place):
            if (form := _readable(text)) not in found:
                found[form] = _find_spans(form, rules)
    known = dict(values)
    for form, spans in found.items():
        known |= {form[span.start : span.end]: span.kind for span in spans if span.kind != FORGED}
    repeats = build_dictionary({text: kind for text, kind in known.items() if len(text) >= rules.repeats_from})
    return lambda text: merge_spans(
        text, [*(found[text] if text in found else _find_spans(text, rules)), *repeats(text)]
    )


def _struck_in(value: Any) -> Iterator[_Struck]:
    if isinstance(value, _Struck):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _struck_in(item)


def _find_spans(text: str, rules: Rules) -> tuple[Span, ...]:
    spans = [span for find in rules.finders for span in find(text)]
    return merge_spans(text, [*spans, *find_named(text, rules)])


def _write(data: Any, place: str, spans: _Spans, number: int) -> Any:
    """The record with marks in it; an id of which something was withheld ends with the number."""

    def change(where: str, value: Any) -> Any:
        if isinstance(value, _Struck):
            return mark_of(value.kind)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return _write_text(value, where, spans, number)
        found = spans(str(value))
        return mark_of(found[0].kind) if found else value

    return rewrite(data, place, change)


def _write_text(text: str, place: str, spans: _Spans, number: int) -> str:
    form = _readable(text)
    found = spans(form)
    if not found:
        return text
    written = replace_spans(form, found)
    if place in IDS:
        written = f"{written} {number}"
    if place in NAMES | IDS and len(written) > _LONGEST_NAME:
        return mark_of(found[0].kind) + (f" {number}" if place in IDS else "")
    return written


def _readable(text: str) -> str:
    """The text, or where it is JSON with letters hidden by escapes, the same JSON with the letters themselves."""
    if "\\u" in text and text.lstrip()[:1] in ("{", "[", '"'):
        with suppress(ValueError, RecursionError):
            return json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8", "replace").decode()
    return text
