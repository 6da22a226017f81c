"""The question and the answer in the inputs and outputs that programs record."""

from collections.abc import Mapping
from typing import Any

from reportgen.capture.chat import ChatMessage, last_question, read_messages
from reportgen.capture.json_values import unwrap_json

QUESTIONS = ("question", "user_input", "query", "user_query", "input", "prompt", "task", "text")
ANSWERS = (
    *("answer", "response", "output", "actual_output", "generated_answer", "final_answer", "completion"),
    *("output_text", "prediction", "result", "text", "content", "message"),
)
_DEPTH = 4


def find_question(value: Any, depth: int = _DEPTH) -> str | None:
    """What the user asks in an input: the last message of the user, or the field that holds a question.

    None where that cannot be told.
    """
    value = unwrap_json(value)
    if isinstance(value, str):
        return value if value.strip() else None
    if depth == 0:
        return None
    messages = read_messages(value)
    if messages is not None:
        place = last_question(messages)
        return None if place is None else messages[place].text
    if isinstance(value, list):
        return find_question(value[0], depth - 1) if len(value) == 1 else None
    return _question_field(value, depth) if isinstance(value, dict) else None


def _question_field(value: Mapping[str, Any], depth: int) -> str | None:
    for name in QUESTIONS:
        if isinstance(value.get(name), str) and value[name].strip():
            return find_question(value[name], depth - 1)
    nested = (value.get(name) for name in ("input", "inputs", "args", "kwargs"))
    found = (find_question(item, depth - 1) for item in nested if isinstance(item, dict | list) and item)
    return next((question for question in found if question), None)


def find_answer(value: Any, depth: int = _DEPTH) -> str | None:
    """The text of the answer in an output; None where there is none, as in one that only calls a tool."""
    value = unwrap_json(value)
    if isinstance(value, str):
        return value
    if depth == 0:
        return None
    if isinstance(value, dict) and isinstance(value.get("choices"), list):
        value = value["choices"]
    messages = read_messages(value)
    if messages is not None:
        said = [message for message in messages if message.role == "assistant"]
        return said[-1].text if said and _says(said[-1]) else None
    if isinstance(value, list):
        return find_answer(value[-1], depth - 1) if len(value) == 1 and isinstance(value[0], dict | list) else None
    return _answer_field(value, depth) if isinstance(value, dict) else None


def _says(message: ChatMessage) -> bool:
    """Whether a message holds a text; an empty one beside a call is none."""
    return message.has_text and bool(message.text or not message.calls)


def only_calls(value: Any) -> bool:
    """Whether an output is that of a model which only calls tools."""
    value = unwrap_json(value)
    messages = read_messages(value["choices"] if isinstance(value, dict) and value.get("choices") else value)
    if messages is None:
        return isinstance(value, list) and any(isinstance(item, dict) and "toolName" in item for item in value)
    return any(message.calls for message in messages) and not any(_says(message) for message in messages[-1:])


def _answer_field(value: Mapping[str, Any], depth: int) -> str | None:
    for name in ANSWERS:
        if isinstance(value.get(name), str):
            return str(value[name])
    if isinstance(value.get("parts"), list):
        return find_answer({"role": "assistant", **value}, depth - 1)
    nested = (
        value.get(name) for name in ("content", "message", "output", "outputs", "response", "result", "generations")
    )
    found = (find_answer(item, depth - 1) for item in nested if isinstance(item, dict | list) and item)
    return next((answer for answer in found if answer is not None), None)
