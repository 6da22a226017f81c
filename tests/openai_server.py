"""A judge on loopback that speaks OpenAI's chat protocol to the real SDK; it answers by the script of the other one."""

import json

from tests.judge_script import FAULTS, Answer, judge, message
from tests.judge_server import JudgeServer

KEY = "sk-loopback-openai-0123456789"
STOPS = {"max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "stop"}
CODES = {402: "billing_not_active", 404: "model_not_found"}
UNSUPPORTED = {"minimum", "maximum", "minLength", "maxLength", "oneOf", "default"}


class OpenAIServer(JudgeServer):
    """The server, in a thread; `with OpenAIServer() as server` gives `server.url`, to which `/v1` is added.

    Args:
        efforts: The efforts that the model takes; none for a model that knows no such setting.
        replies: Answers to be given as they are, in order, before any other.
    """

    def __init__(self, efforts=("low", "medium", "high"), **more):
        super().__init__(**{"key": KEY} | more)
        self.efforts = efforts
        self.trials = 0
        self.replies = []

    async def _answer(self, method, path, headers, body):
        if headers.get("authorization") != f"Bearer {self.key}":
            return error(401, f"Incorrect API key provided: {headers.get('authorization')}", code="invalid_api_key")
        if (method, path) != ("POST", "/v1/chat/completions"):
            return error(404, f"no such path: {path}")
        return self._complete(json.loads(body))

    def _complete(self, body):
        problem = find_problem(body) or self._find_effort_problem(body)
        if problem:
            return problem
        if "unknown" in body["model"]:
            return error(404, f"The model {body['model']} does not exist", code="model_not_found")
        if "response_format" not in body:
            self.trials += 1
            return Answer(200, completion(body, "yes", "length", prompt=9, cached=0))
        self.messages += 1
        self.bodies.append(body)
        if self.replies:
            return self.replies.pop(0)
        asked = as_messages(body)
        fault = self.next_fault(asked)
        answer = FAULTS[fault](asked, {}) if fault else Answer(200, message(asked, json.dumps(judge(asked))))
        return self._translate(body, answer, asked)

    def _find_effort_problem(self, body):
        effort = body.get("reasoning_effort")
        if effort is None or effort in self.efforts:
            return None
        code = "unsupported_value" if self.efforts else "unsupported_parameter"
        return error(400, f"'reasoning_effort' does not support {effort}", code=code, param="reasoning_effort")

    def _translate(self, body, answer, asked):
        """The same answer in the other protocol."""
        if not isinstance(answer.body, dict) or not answer.body:
            return answer
        if answer.body["type"] == "error":
            spent = "details" in answer.body["error"]
            code = "insufficient_quota" if spent else CODES.get(answer.status)
            return error(answer.status, answer.body["error"]["message"], code=code, headers=answer.headers)
        cached = self.cache_usage(asked)
        text = "".join(block.get("text", "") for block in answer.body["content"])
        whole = answer.body["usage"]["input_tokens"] + sum(cached.values())
        said = completion(
            body,
            text,
            STOPS.get(answer.body["stop_reason"], "stop"),
            prompt=whole,
            cached=cached["cache_read_input_tokens"],
            refusal="I cannot judge that." if answer.body["stop_reason"] == "refusal" else None,
        )
        return Answer(answer.status, said, {"x-request-id": f"req_{self.messages}"})


def as_messages(body):
    """A chat request in the form that the script of the other judge reads."""
    system, user = body["messages"]
    schema = body["response_format"]["json_schema"]["schema"]
    return {
        "model": body["model"],
        "system": system["content"],
        "messages": [user],
        "output_config": {"format": {"schema": schema}},
    }


def completion(body, text, finish, *, prompt, cached, refusal=None):
    """A chat completion as the API sends it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": f"{body['model']}-2026-09-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": None if refusal else text, "refusal": refusal},
                "finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": 200,
            "total_tokens": prompt + 200,
            "prompt_tokens_details": {"cached_tokens": cached},
            "completion_tokens_details": {"reasoning_tokens": 120},
        },
    }


def error(status, text, code=None, param=None, headers=None):
    kind = "invalid_request_error"
    body = {"error": {"message": text, "type": kind, "param": param, "code": code}}
    return Answer(status, body, {"x-request-id": "req_e"} | (headers or {}))


def find_problem(body):
    """The answer to a request that the API would not take, or None."""
    for name in ("temperature", "seed", "top_p", "max_tokens", "tools"):
        if name in body:
            return error(400, f"{name}: not accepted", param=name)
    form = body.get("response_format")
    if form is None:
        return None
    if form["type"] != "json_schema" or form["json_schema"]["strict"] is not True or not form["json_schema"]["name"]:
        return error(400, "response_format: a strict JSON schema with a name is needed", param="response_format")
    problem = find_schema_problem(form["json_schema"]["schema"])
    return error(400, f"Invalid schema for response_format: {problem}", param="response_format") if problem else None


def find_schema_problem(schema):
    """What strict structured outputs do not take in a schema, or None."""
    if "type" not in schema:
        return "schema must have a 'type' key"
    if UNSUPPORTED & set(schema):
        return f"{sorted(UNSUPPORTED & set(schema))} are not permitted"
    if schema["type"] == "object":
        if schema.get("additionalProperties") is not False:
            return "'additionalProperties' is required to be false"
        if sorted(schema["properties"]) != sorted(schema["required"]):
            return "'required' must name every property"
    parts = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    return next((problem for part in parts if (problem := find_schema_problem(part))), None)
