"""What is sent to an endpoint that speaks OpenAI's chat protocol."""

from typing import Any

from reportgen.judging.prompts import JudgeRequest
from reportgen.model.verdict import Judge

_TRIAL_TOKENS = 16


def build_params(request: JudgeRequest, judge: Judge, max_tokens: int) -> dict[str, Any]:
    """The body of a chat completion; temperature, seed and tools are not sent at all."""
    schema = {"name": "verdict", "strict": True, "schema": build_strict(request.schema)}
    messages = [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}]
    form = {"type": "json_schema", "json_schema": schema}
    return _with_effort(
        {
            "model": judge.model,
            "messages": messages,
            "response_format": form,
            "max_completion_tokens": max_tokens,
        },
        judge,
    )


def build_trial(judge: Judge) -> dict[str, Any]:
    """The body of a tiny request, which shows whether the model answers and takes an effort."""
    messages = [{"role": "user", "content": "Say yes."}]
    return _with_effort({"model": judge.model, "messages": messages, "max_completion_tokens": _TRIAL_TOKENS}, judge)


def _with_effort(params: dict[str, Any], judge: Judge) -> dict[str, Any]:
    return params if judge.effort is None else {**params, "reasoning_effort": judge.effort}


def build_strict(schema: dict[str, Any]) -> dict[str, Any]:
    """The same schema in OpenAI's strict subset, in which an enumeration must name the types of its values.

    >>> build_strict({"enum": [0, 1, None]})
    {'enum': [0, 1, None], 'type': ['integer', 'null']}
    """
    strict = dict(schema)
    if "enum" in schema:
        types = sorted({_TYPES[type(value)] for value in schema["enum"]})
        if "number" in types and "integer" in types:
            types.remove("integer")
        strict["type"] = types[0] if len(types) == 1 else types
    if "properties" in schema:
        strict["properties"] = {name: build_strict(part) for name, part in schema["properties"].items()}
    if "items" in schema:
        strict["items"] = build_strict(schema["items"])
    return strict


_TYPES = {str: "string", int: "integer", float: "number", type(None): "null"}
"""The types of JSON for the values that an enumeration of ours may hold."""
