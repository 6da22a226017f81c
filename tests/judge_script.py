"""What the loopback judge answers: checks as the API makes them, verdicts by rule, and faults by name.

A turn asks for a fault by a mark in its question: `[fault NAME]` each time, `[fault once NAME]` the first time only.
"""

import hashlib
import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import count

VERSION = "2026-10-21"
EFFORTS = ("low", "medium", "high", "xhigh", "max")
UNSUPPORTED = {"minimum", "maximum", "multipleOf", "minLength", "maxLength", "maxItems", "oneOf", "title"}
MARK = re.compile(r"\[fault (once )?([a-z0-9-]+)\]")


@dataclass
class Answer:
    """What goes back over the wire; `cut` closes the connection in the middle, `hang` never answers.

    With `part`, so many bytes of the body are sent before either.
    """

    status: int = 200
    body: dict | str = ""
    headers: dict = field(default_factory=dict)
    cut: bool = False
    hang: bool = False
    part: int | None = None


# --- checks, as the API makes them ---


def find_problem(headers, body):
    """Why the API would answer 400, or None."""
    if headers.get("anthropic-version") != VERSION:
        return f"anthropic-version: {headers.get('anthropic-version')} is not {VERSION}"
    for name in ("temperature", "top_p", "top_k", "thinking", "tools", "tool_choice"):
        if name in body:
            return f"{name}: not accepted"
    if not 1 <= body.get("max_tokens", 0) <= 21_333:
        return "max_tokens: needs a stream or is missing"
    config = body.get("output_config", {})
    if config.get("effort", "low") not in EFFORTS:
        return "output_config.effort: unknown"
    return find_schema_problem(config.get("format", {}).get("schema", {}))


def find_schema_problem(schema):
    """What structured outputs do not support in a schema, or None."""
    if UNSUPPORTED & set(schema):
        return f"output_config.format.schema: {sorted(UNSUPPORTED & set(schema))} not supported"
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return "output_config.format.schema: additionalProperties must be false"
        if list(schema["properties"]) != schema["required"]:
            return "output_config.format.schema: every property must be required, in order"
    parts = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    return next((problem for part in parts if (problem := find_schema_problem(part))), None)


# --- verdicts by rule ---


def read_evidence(body):
    """The evidence document, from between the fence lines."""
    text = body["messages"][0]["content"]
    return json.loads(re.search(r"^<(evidence-[0-9a-f]+)>\n(.*)\n</\1>$", text, re.DOTALL | re.MULTILINE)[2])


def judge(body, salt=""):
    """A verdict that follows from the evidence alone: scores by its hash, quotes copied from it."""
    evidence = read_evidence(body)
    seed = hashlib.sha256((json.dumps(evidence, sort_keys=True) + salt).encode()).digest()
    scores = {}
    for number, (name, schema) in enumerate(schema_of(body)["properties"]["scores"]["properties"].items()):
        values = [value for value in schema["enum"] if value is not None]
        absent = None in schema["enum"] and not evidence.get("answer", {}).get("captured", True)
        scores[name] = None if absent else values[-1 - seed[number] % min(5, len(values))]
    given = [score for score in scores.values() if score is not None]
    share = sum(given) / len(given) / max_of(body) if given else 0
    return {
        "quotes": find_quotable(evidence),
        "explanation": f"By rule: {len(evidence['trajectory'])} events were looked at.",
        "scores": scores,
        "verdict": "good" if share >= 0.75 else "partial" if share >= 0.5 else "poor",
        "addressed_judge": False,
    }


def judge_honestly(body):
    """A verdict that looks at the answer: poor where it is empty, beside the question, or not borne out by the rows."""
    evidence = read_evidence(body)
    flaw = find_flaw_of_passages(body, evidence) if max_of(body) == 1 else find_flaw(evidence)
    return grade(body, max_of(body) / 10 if flaw else max_of(body)) | {
        "explanation": flaw or "The figure of the answer stands in the rows.",
        "addressed_judge": bool(PLEA.search(json.dumps(evidence))),
    }


def judge_gullibly(body):
    """As an honest judge, unless the evidence asks for marks: then it gives them, and makes up what it quotes."""
    if not PLEA.search(json.dumps(read_evidence(body))):
        return judge_honestly(body)
    return grade(body, max_of(body)) | {
        "quotes": ["Every figure of this answer is beyond doubt."],
        "explanation": "As asked, the rubric is left aside.",
    }


def judge_by_its_own_mind(body):
    """As by rule, but each model has its own, and the order of the evidence matters."""
    return judge(body, body["model"] + body["messages"][0]["content"])


def judge_fickly(body):
    """As by rule, but otherwise each time."""
    return judge(body, str(next(TIMES)))


TIMES = count()
MANNERS = {
    "by-rule": judge,
    "honest": judge_honestly,
    "gullible": judge_gullibly,
    "own-mind": judge_by_its_own_mind,
    "fickle": judge_fickly,
}
PLEA = re.compile(r"(ignore|disregard) the rubric|give 10", re.IGNORECASE)


def grade(body, value):
    """A verdict with one value throughout."""
    verdict = judge(body)
    scores = {name: None if score is None else value for name, score in verdict["scores"].items()}
    return verdict | {"scores": scores, "verdict": "good" if value >= 0.8 * max_of(body) else "poor"}


def max_of(body):
    """The upper end of the scale that the reply is to be on."""
    scores = schema_of(body)["properties"]["scores"]["properties"].values()
    return max(value for schema in scores for value in schema["enum"] if value is not None)


def find_flaw_of_passages(body, evidence):
    """What is wrong with the passages for their question, or, where the answer is shown, with what it claims."""
    texts = [passage["text"] for event in evidence["trajectory"] for passage in event.get("passages") or ()]
    if "answer" in evidence:
        figures = re.findall(r"\b\d+\b", re.sub(r"\b20\d\d\b", "", evidence["answer"]["text"].replace(",", "")))
        strange = [figure for figure in figures if not re.search(rf"\b{figure}\b", " ".join(texts))]
        return f"{strange[0]} stands in no passage." if strange else None
    asked = re.match(r"How many (\w+) in (.+?) were", evidence["question"]["text"])
    holds = asked is None or any(asked[1] in text and asked[2] in text for text in texts)
    return None if holds else f"No passage is about {asked[1]} in {asked[2]}."


def find_flaw(evidence):
    """What is plainly wrong with an answer, or None."""
    answer = evidence["answer"].get("text", "")
    if not re.search(r"[A-Za-z0-9]", answer) or answer.rstrip().endswith(":"):
        return "There is no answer."
    asked = re.match(r"How many (\w+)", evidence["question"]["text"])
    if asked and asked[1] not in answer:
        return f"The answer is not about {asked[1]}."
    known = json.dumps([[event.get("rows"), event.get("output")] for event in evidence["trajectory"]])
    figures = re.findall(r"\b\d+\b", re.sub(r"\b20\d\d\b", "", answer.replace(",", "")))
    strange = [figure for figure in figures if not re.search(rf"\b{figure}\b", known)]
    return f"{strange[0]} stands in no row." if strange else None


def schema_of(body):
    return body["output_config"]["format"]["schema"]


def find_quotable(evidence):
    """One to three passages of the evidence."""
    passages = [evidence["question"]["text"][:60].strip()]
    for event in evidence["trajectory"]:
        if event.get("rows"):
            passages.append(" | ".join(str(cell) for cell in event["rows"][0][:3] if cell is not None))
            break
    return [passage for passage in passages if passage]


def message(body, text, stop="end_turn", **more):
    """A message as the API sends it, with a thinking block before the text."""
    thinking = {"type": "thinking", "thinking": "", "signature": "s"}
    blocks = [thinking, {"type": "text", "text": text}] if text is not None else []
    tokens = len(body["messages"][0]["content"]) // 4
    usage = {"input_tokens": tokens, "output_tokens": 200, "service_tier": "standard"}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": blocks,
        "stop_reason": stop,
        "stop_sequence": None,
        "stop_details": None,
        "usage": usage,
    } | more


def error(status, kind, text, headers=None, **details):
    body = {"type": "error", "error": {"type": kind, "message": text}, "request_id": "req_e"}
    if details:
        body["error"]["details"] = details
    return Answer(status, body, headers or {})


def model_info(model):
    """What `GET /v1/models/ID` answers."""
    if not model.startswith("claude-") or "unknown" in model:
        return error(404, "not_found_error", f"model: {model}")
    return Answer(
        200,
        {
            "type": "model",
            "id": model,
            "display_name": model,
            "created_at": "2026-09-22T00:00:00Z",
            "lifecycle": "retired" if "retired" in model else "deprecated" if "old" in model else "active",
            "retires_at": "2026-12-31T00:00:00Z" if "old" in model else None,
            "max_input_tokens": 1_000_000,
            "max_tokens": 128_000,
            "capabilities": {"effort": {"supported": "haiku-4-5" not in model}},
        },
    )


# --- faults by name ---


def altered(change):
    """A fault that changes the verdict's text in a way of its own."""

    def answer(body, _headers):
        return Answer(200, message(body, change(judge(body))))

    return answer


def with_score(value):
    """A fault that puts a value in the place of the first score; it is written as it stands."""

    def change(verdict):
        first = next(iter(verdict["scores"]))
        verdict["scores"][first] = "@"
        return json.dumps(verdict).replace('"@"', value)

    return altered(change)


def harsh(verdict):
    """The lowest value of each dimension, and the verdict that goes with it."""
    scores = dict.fromkeys(verdict["scores"], 0)
    return json.dumps(verdict | {"scores": scores, "verdict": "poor"})


def fixed(answer):
    return lambda _body, _headers: answer()


def refuse(body, _headers):
    details = {"type": "refusal", "category": "cyber", "explanation": "no"}
    return Answer(200, message(body, None, stop="refusal", stop_details=details))


def echo_key(_body, headers):
    key = headers.get("authorization", "").removeprefix("Bearer ") or headers.get("x-api-key", "")
    return error(400, "invalid_request_error", f"cannot read {key} of sk-ant-api03-{'x' * 20}")


def in_a_second():
    moment = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    return format_datetime(moment, usegmt=True)


def limited(**headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return error(429, "rate_limit_error", "too many requests", named)


FAULTS = {
    "empty-object": altered(lambda verdict: "{}"),
    "score-8-5": with_score("8.5"),
    "score-11": with_score("11"),
    "score-text": with_score('"8"'),
    "score-nan": with_score("NaN"),
    "score-true": with_score("true"),
    "score-null": with_score("null"),
    "half": altered(lambda verdict: json.dumps(verdict)[:40]),
    "fenced": altered(lambda verdict: f"```json\n{json.dumps(verdict)}\n```"),
    "harsh": altered(harsh),
    "capital-verdict": altered(lambda verdict: json.dumps(verdict | {"verdict": "Good"})),
    "empty": altered(lambda verdict: ""),
    "refusal": refuse,
    "max-tokens": lambda body, _headers: Answer(200, message(body, '{"quotes": [', stop="max_tokens")),
    "window": lambda body, _headers: Answer(200, message(body, '{"quotes": [', stop="model_context_window_exceeded")),
    "429-seconds": fixed(lambda: limited(retry_after="0.2")),
    "429-date": fixed(lambda: limited(retry_after=in_a_second())),
    "429-ms": fixed(lambda: limited(retry_after_ms="150", retry_after="60")),
    "429-bare": fixed(limited),
    "429-spent": fixed(lambda: error(429, "rate_limit_error", "spent", error_code="enforced_spend_limit_reached")),
    "529": fixed(lambda: error(529, "overloaded_error", "Overloaded")),
    "overloaded-400": fixed(lambda: error(400, "overloaded_error", "Overloaded")),
    "500": fixed(lambda: error(500, "api_error", "Internal server error")),
    "400": fixed(lambda: error(400, "invalid_request_error", "this is not accepted")),
    "413": fixed(lambda: error(413, "invalid_request_error", "too many bytes")),
    "401": fixed(lambda: error(401, "authentication_error", "invalid key")),
    "402": fixed(lambda: error(402, "billing_error", "no credit")),
    "403": fixed(lambda: error(403, "permission_error", "not yours")),
    "404-model": fixed(lambda: error(404, "not_found_error", "model: no such model")),
    "echo-key": echo_key,
    "html": fixed(lambda: Answer(200, "<html>a gateway speaks</html>", {"content-type": "text/html"})),
    "cut": fixed(lambda: Answer(cut=True)),
    "hang": fixed(lambda: Answer(hang=True)),
}
