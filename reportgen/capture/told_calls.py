"""Calls of tools that the messages of a model tell of, each once, however often later messages repeat it."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from reportgen.capture.chat import ChatMessage, ToolUse, last_question, read_messages
from reportgen.capture.spans import Span


@dataclass(slots=True)
class ToldCall:
    """A call and when it was written; `ids` are all that it has, since a repetition may give it another."""

    call: ToolUse
    sign: str
    at: datetime | None
    ids: set[str]


@dataclass(slots=True)
class Told:
    """The calls in the order in which they were first told, by what they say, by their ids; and what came back."""

    calls: list[ToldCall] = field(default_factory=list)
    alike: dict[str, list[ToldCall]] = field(default_factory=dict)
    named: dict[tuple[str, str], ToldCall] = field(default_factory=dict)
    returned: dict[str, Any] = field(default_factory=dict)

    def result_of(self, call: ToldCall) -> Any:
        """What came back; None where no message tells."""
        return next((self.returned[id] for id in sorted(call.ids) if id in self.returned), None)  # noqa: A001

    @property
    def ids(self) -> set[str]:
        """The ids of all calls."""
        return {name for call in self.calls for name in call.ids}


def gather_told(spans: Sequence[Span]) -> Told:
    """The calls in the messages of the models and agents of a turn, after the user's question in each."""
    told = Told()
    for span in spans:
        if span.kind not in ("llm", "agent"):
            continue
        before = read_messages(span.messages_in if span.messages_in is not None else span.input) or ()
        after = read_messages(span.messages_out if span.messages_out is not None else span.output) or ()
        place = last_question(before)
        asked = "" if place is None else before[place].text
        count: Counter[str] = Counter()
        for call in _calls(before[0 if place is None else place + 1 :]):
            _add(told, ToldCall(call, _sign(asked, call), span.start, _ids(call)), count, is_new=False)
        for call in _calls(after):
            _add(told, ToldCall(call, _sign(asked, call), span.end, _ids(call)), count, is_new=bool(call.id))
        told.returned.update(
            (item.id, item.value) for message in (*before, *after) for item in message.returns if item.id
        )
    return told


def _add(told: Told, item: ToldCall, count: Counter[str], *, is_new: bool) -> None:
    """Adds a call unless it is there: by one of its ids, or else, if it may be a repetition, by what it says."""
    count[item.sign] += 1
    alike = told.alike.setdefault(item.sign, [])
    same = next((known for name in item.ids if (known := told.named.get((item.sign, name)))), None)
    if same is None and not is_new and count[item.sign] <= len(alike):
        same = alike[count[item.sign] - 1]
    if same is not None:
        same.ids |= item.ids
    else:
        alike.append(item)
        told.calls.append(item)
    told.named.update(((item.sign, name), same or item) for name in item.ids)


def _calls(messages: Sequence[ChatMessage]) -> Iterator[ToolUse]:
    return (call for message in messages for call in message.calls)


def _sign(asked: str, call: ToolUse) -> str:
    arguments = call.arguments
    if isinstance(arguments, dict | list):
        arguments = json.dumps(arguments, sort_keys=True, default=str)
    return json.dumps([asked, call.name, str(arguments).replace(" ", "")])


def _ids(call: ToolUse) -> set[str]:
    return {call.id} if call.id else set()
