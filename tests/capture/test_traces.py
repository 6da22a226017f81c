"""Traces of OpenInference, OpenTelemetry GenAI, Langfuse and MLflow: one turn a trace, with all of its steps."""

import json
from datetime import UTC, datetime

import pytest

from reportgen.capture.importers import ImportOptions, ImportReport, load_importer
from reportgen.capture.span_turns import NO_STEPS
from reportgen.errors import CaptureError
from reportgen.model.turn import Answer, Latency, SqlStatement, ToolCall

NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)
BEGIN = 1_783_071_000_000_000_000
ASK = {"input.value": "How many lamps?"}


@pytest.fixture
def convert(tmp_path):
    def convert(*values, name="otel", lines=False, **options):
        path = tmp_path / "capture.json"
        text = (
            "\n".join(map(json.dumps, values)) if lines else json.dumps(values[0] if len(values) == 1 else list(values))
        )
        path.write_text(text, encoding="utf-8")
        report = ImportReport()
        chosen = ImportOptions(**{"captured_at": NOON, **options})
        return list(load_importer(name).read_turns(path, chosen, report)), report

    return convert


def span(id, kind, parent=None, at=(0, 1), status="OK", trace="t-1", events=(), **attributes):  # noqa: PLR0917
    """A span of OpenInference, or of GenAI where the kind is one of its operations; times in seconds."""
    named = {"openinference.span.kind": kind} if kind.isupper() else {"gen_ai.operation.name": kind} if kind else {}
    return {
        "trace_id": trace,
        "span_id": id,
        "parent_span_id": parent,
        "name": f"span {id}",
        "start_time": BEGIN + int(at[0] * 10**9),
        "end_time": BEGIN + int(at[1] * 10**9),
        "status": {"code": status} if isinstance(status, str) else status,
        "attributes": {**named, **{name.replace("__", "."): value for name, value in attributes.items()}},
        "events": list(events),
    }


def documents(prefix, *passages):
    return {
        f"{prefix}.{place}.document.{name}": value
        for place, passage in enumerate(passages)
        for name, value in passage.items()
    }


def chat(role, text=None, **part):
    parts = [*([{"type": "text", "content": text}] if text else []), *([part] if part else [])]
    return {"role": role, "parts": parts}


PASSAGES = documents(
    "retrieval.documents",
    {"id": "d-1", "content": "There are 12 lamps.", "score": 0.9, "metadata": '{"source": "lamps.md", "page": 2}'},
    {"id": "d-2", "content": "One is broken.", "score": 0.4},
)


def test_a_trace_of_openinference_becomes_a_turn_with_its_passages(convert):
    (turn,), report = convert(
        [
            span("llm", "LLM", "root", (1, 3), **{"llm.model_name": "gpt-5", **ASK, "output.value": "12, I think."}),
            span("root", "CHAIN", None, (0, 4), **{**ASK, "output.value": "12.", "session.id": "s-1"}),
            span("ret", "RETRIEVER", "root", (0.25, 0.75), **{"input.value": "lamps", **PASSAGES}),
            span("emb", "EMBEDDING", "ret", (0.3, 0.4)),
        ]
    )
    assert (turn.id, turn.conversation, turn.question, turn.answer.text) == ("t-1", "s-1", "How many lamps?", "12.")
    assert (turn.captured_at, turn.model) == (datetime(2026, 7, 3, 9, 30, tzinfo=UTC), "gpt-5")
    assert turn.latency == Latency(total_ms=4000, retrieval_ms=500, generation_ms=2000)
    (retrieval,) = turn.trajectory
    assert (retrieval.query, retrieval.status, retrieval.duration_ms) == ("lamps", "ok", 500)
    assert [(p.id, p.source, p.score, p.text) for p in retrieval.passages] == [
        ("d-1", "lamps.md", 0.9, "There are 12 lamps."),
        ("d-2", None, 0.4, "One is broken."),
    ]
    assert (report.taken["passages"], report.taken["retrievals"], report.taken["turns"]) == (2, 1, 1)
    assert report.left["fields of passages that are not taken: page"] == 1
    assert any("embedding" in line for line in report.left)


def test_a_reranking_is_a_retrieval_of_its_own(convert):
    ranked = documents("reranker.output_documents", {"id": "d-2", "content": "One is broken.", "score": 7})
    (turn,), report = convert(
        [
            span("root", "CHAIN", None, (0, 4), **ASK),
            span("ret", "RETRIEVER", "root", (1, 2), **PASSAGES),
            span("re", "RERANKER", "root", (2, 3), **ranked, **{"reranker.model_name": "rr", "reranker.top_k": 1}),
        ]
    )
    first, second = turn.retrievals
    assert (len(first.passages), second.strategy, second.engine, second.top_k) == (2, "rerank", "rr", 1)
    assert [passage.id for passage in second.passages] == ["d-2"]
    assert report.taken["rerankings, as retrievals"] == 1


def test_documents_of_genai_may_have_no_text_and_the_passages_may_not_be_recorded_at_all(convert):
    given = {"gen_ai.retrieval.query.text": "lamps", "gen_ai.retrieval.documents": '[{"id": "d-1", "score": 0.9}]'}
    (turn,), report = convert(
        [
            span("root", "invoke_agent", None, (0, 4), **ASK, **{"gen_ai.data_source.id": "lamps-7"}),
            span("a", "retrieval", "root", (1, 2), **given),
            span("b", "retrieval", "root", (2, 3)),
        ]
    )
    named, silent = turn.retrievals
    assert [(p.id, p.score, p.text) for p in named.passages] == [("d-1", 0.9, None)]
    assert (silent.passages, silent.notes) == (None, ("the trace holds no passages of this retrieval",))
    assert turn.labels == {"collection": "lamps-7"}
    assert report.left["retrievals whose passages the trace does not hold"] == 1


def test_otlp_json_is_read_with_the_attributes_of_its_resource_and_a_trace_over_several_lines(convert):
    def value(given):
        if isinstance(given, list):
            return {"arrayValue": {"values": [value(item) for item in given]}}
        if isinstance(given, dict):
            return {"kvlistValue": {"values": pairs(given)}}
        return {"intValue": str(given)} if isinstance(given, int) else {"stringValue": given}

    def pairs(given):
        return [{"key": name, "value": value(item)} for name, item in given.items()]

    def line(id, parent, attributes):
        own = {"traceId": "5b8e", "spanId": id, "parentSpanId": parent, "attributes": pairs(attributes)}
        own |= {
            "name": id,
            "startTimeUnixNano": str(BEGIN),
            "endTimeUnixNano": str(BEGIN + 10**9),
            "status": {"code": 1},
        }
        resource = {"attributes": pairs({"service.name": "lampbot", "service.version": "2.4"})}
        return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": {}, "spans": [own]}]}]}

    asked = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": [chat("user", "How many lamps?")]}
    found = {"gen_ai.retrieval.documents": [{"id": "d", "score": 1}], "gen_ai.request.top_k": 3}
    (turn,), _ = convert(
        line("b", "a", {"gen_ai.operation.name": "retrieval", **found}),
        line("a", "", {**asked, "gen_ai.output.messages": [chat("assistant", "12.")]}),
        lines=True,
    )
    assert (turn.question, turn.answer.text, turn.agent.name, turn.agent.version) == (
        "How many lamps?", "12.", "lampbot", "2.4"
    )  # fmt: skip
    assert (turn.retrievals[0].top_k, turn.retrievals[0].passages[0].id) == (3, "d")


def test_calls_of_tools_have_arguments_results_and_errors(convert):
    (turn,), report = convert(
        [
            span("root", "AGENT", None, (0, 9), **ASK),
            span(
                "a",
                "TOOL",
                "root",
                (1, 2),
                **{"tool.name": "count", "input.value": '{"of": "lamps"}', "output.value": "12"},
            ),
            span("b", "TOOL", "root", (2, 3), {"code": 2, "message": "timed out"}, **{"tool.name": "count"}),
            span(
                "c",
                "execute_tool",
                "root",
                (3, 4),
                **{"gen_ai.tool.name": "light", "gen_ai.tool.call.arguments": {"on": True}},
            ),
            span("d", "TOOL", "root", (4, 5), **{"tool.name": "hand_in", "input.value": "x"}),
        ],
        drop_tools=frozenset({"hand_in", "absent"}),
    )
    assert [(e.name, e.arguments, e.status, e.output) for e in turn.trajectory] == [
        ("count", {"of": "lamps"}, "ok", "12"),
        ("count", {}, "timeout", None),
        ("light", {"on": True}, "ok", None),
    ]
    assert turn.trajectory[2].notes == ("the trace holds no result of this call",)
    assert [event.duration_ms for event in turn.trajectory] == [1000, 1000, 1000]
    assert report.unused == {"absent"}
    assert report.left["calls of hand_in with their results: it belongs to the test harness"] == 1


@pytest.mark.parametrize(
    ("arguments", "options", "is_sql"),
    [
        ({"sql": "SELECT COUNT(*) FROM lamps"}, (), True),
        ({"sql": "-- all\nWITH l AS (SELECT 1) SELECT * FROM l", "limit": 5}, (), True),
        ({"sql_query": "  select 1"}, (), True),
        ({"sql": "the lamps, please"}, (), False),
        ({"query": "SELECT COUNT(*) FROM lamps"}, (), False),
        ({"query": "SELECT COUNT(*) FROM lamps"}, ("ask",), True),
        ({"sql": "SELECT 1", "sql_query": "SELECT 2"}, (), False),
    ],
)
def test_a_call_is_sql_only_where_that_is_certain(convert, arguments, options, is_sql):
    tool = {"tool.name": "ask", "input.value": json.dumps(arguments), "output.value": '[{"n": 12}]'}
    (turn,), _ = convert(
        [span("r", "CHAIN", None, (0, 9), **ASK), span("a", "TOOL", "r", **tool)], sql_tools=frozenset(options)
    )
    (event,) = turn.trajectory
    assert isinstance(event, SqlStatement if is_sql else ToolCall)
    if is_sql:
        assert (event.columns, event.rows, event.duration_ms) == (("n",), ((12,),), 1000)


def test_spans_of_a_database_are_sql_unless_a_tool_tells_of_the_same_statement(convert):
    database = {"db.system.name": "postgresql", "db.response.returned_rows": 1}
    (turn,), report = convert(
        [
            span("root", "CHAIN", None, (0, 9), **ASK),
            span(
                "a",
                "TOOL",
                "root",
                (1, 3),
                **{"tool.name": "ask", "input.value": '{"sql": "SELECT 1"}', "output.value": "[]"},
            ),
            span("b", "", "a", (1, 2), **database, **{"db.query.text": "SELECT 1"}),
            span("c", "", "root", (4, 5), **database, **{"db.query.text": "SELECT 2"}),
            span(
                "d",
                "",
                "root",
                (5, 6),
                {"code": "ERROR"},
                **{"db.system": "sqlite", "db.statement": "SELECT 3", "error.type": "E"},
            ),
            span("e", "", "root", (6, 7), **{"db.system": "redis", "db.statement": "GET lamps"}),
        ]
    )
    assert [(e.text, e.status, e.dialect, e.row_count) for e in turn.statements] == [
        ("SELECT 1", "ok", None, 0),
        ("SELECT 2", "ok", "postgresql", 1),
        ("SELECT 3", "error", "sqlite", None),
    ]
    assert len(turn.trajectory) == 3
    assert report.left["spans of a database for SQL that the call of a tool tells of"] == 1
    assert sum(count for what, count in report.taken.items() if what.startswith("SQL statements")) == 3


def test_calls_that_only_messages_tell_of_are_taken_once_however_often_they_are_repeated(convert):
    def call(id):
        return chat("assistant", type="tool_call", id=id, name="count", arguments={"of": "lamps"})

    asked = chat("user", "How many lamps?")
    back = chat("tool", type="tool_call_response", id="c-1", response="12")
    earlier = [chat("user", "And stairs?"), call("c-0"), chat("assistant", "3.")]
    out = "gen_ai.output.messages"
    given = "gen_ai.input.messages"
    (turn,), report = convert(
        [
            span("root", "invoke_agent", None, (0, 9)),
            span("a", "chat", "root", (1, 2), **{given: [*earlier, asked], out: [call("c-1")]}),
            span("b", "chat", "root", (3, 4), **{given: [*earlier, asked, call("fc-1"), back], out: [call("c-2")]}),
            span(
                "c",
                "chat",
                "root",
                (5, 6),
                **{given: [asked, call("fc-1"), back, call("fc-2")], out: [chat("assistant", "12.")]},
            ),
        ]
    )
    assert [(e.name, e.status, e.output) for e in turn.trajectory] == [
        ("count", "ok", "12"),
        ("count", "cancelled", None),
    ]
    assert (turn.question, turn.answer.text) == ("How many lamps?", "12.")
    assert report.changed["calls of tools that only the messages of a model tell of"] == 2
    assert turn.notes == ("earlier in the conversation (2 messages, long ones cut):\nuser: And stairs?\nassistant: 3.",)


def test_a_call_that_has_a_span_is_not_taken_again_from_the_messages(convert):
    out = [chat("assistant", type="tool_call", id="c-1", name="count", arguments={})]
    (turn,), _ = convert(
        [
            span("root", "chat", None, (0, 1), **{**ASK, "gen_ai.output.messages": out}),
            span("a", "execute_tool", "root", (1, 2), **{"gen_ai.tool.name": "count", "gen_ai.tool.call.result": "12"}),
        ]
    )
    assert [(event.name, event.output) for event in turn.trajectory] == [("count", "12")]
    assert turn.answer == Answer(not_captured="the trace ends with a call of a tool and holds no text of an answer")


ASKED, SAID = {"role": "user", "content": "How many lamps?"}, {"role": "assistant", "content": "12."}
RECORDED = {
    "OpenLLMetry": {
        **{f"gen_ai.prompt.0.{name}": value for name, value in ASKED.items()},
        **{f"gen_ai.completion.0.{name}": value for name, value in SAID.items()},
    },
    "deprecated GenAI": {"gen_ai.prompt": json.dumps([ASKED]), "gen_ai.completion": '{"text": "12."}'},
    "OpenInference": {
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.contents.0.message_content.type": "text",
        "llm.input_messages.0.message.contents.0.message_content.text": "How many lamps?",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": "12.",
    },
    "OpenInference, nested": {"llm": {"input_messages": [{"message": ASKED}], "output_messages": [{"message": SAID}]}},
    "AI SDK": {"ai.operationId": "ai.x", "ai.prompt": '{"prompt": "How many lamps?"}', "ai.response.text": "12."},
    "Google ADK": {
        "gcp.vertex.agent.llm_request": '{"contents": [{"role": "user", "parts": [{"text": "How many lamps?"}]}]}',
        "gcp.vertex.agent.llm_response": '{"content": {"role": "model", "parts": [{"text": "12."}]}}',
    },
}
EVENTS = {
    "older GenAI": [
        {"name": "gen_ai.user.message", "attributes": {"content": "How many lamps?"}},
        {"name": "gen_ai.choice", "attributes": {"message": '{"content": "12."}'}},
    ],
    "GenAI": [
        {
            "event_name": "gen_ai.client.inference.operation.details",
            "attributes": {"gen_ai.input.messages": [ASKED], "gen_ai.output.messages": [SAID]},
        }
    ],
    "AWS": [{"name": "x", "body": {"input": {"messages": [ASKED]}, "output": {"messages": [SAID]}}}],
}


@pytest.mark.parametrize("program", [*RECORDED, *EVENTS])
def test_the_messages_of_a_model_are_read_wherever_programs_put_them(convert, program):
    kind = "" if program == "AI SDK" else "chat"
    (turn,), _ = convert([span("a", kind, None, events=EVENTS.get(program, ()), **RECORDED.get(program, {}))])
    assert (turn.question, turn.answer.text) == ("How many lamps?", "12.")


def test_what_is_not_recorded_is_said_and_not_made_up(convert):
    (silent, failed), report = convert(
        [
            span("a", "AGENT", None, trace="t-1", **ASK),
            span("b", "AGENT", None, (1, 2), {"code": "ERROR", "message": "no model"}, trace="t-2", **ASK),
            span("c", "EMBEDDING", None, trace="t-3", **ASK),
        ]
    )
    assert silent.answer == Answer(not_captured="the trace holds no answer")
    assert failed.answer == Answer(not_captured="the trace holds no answer, but an error: no model")
    assert failed.notes == ("the trace tells of an error in span b: no model",)
    assert report.left["traces without a question"] == 1
    assert report.left["turns whose trace holds no text of an answer"] == 2


def test_a_trace_of_several_roots_is_one_turn_or_as_many_as_users_may_have_called(convert):
    flat = [span("a", "LLM", None, (0, 1), **ASK), span("b", "TOOL", None, (1, 2), **{"tool.name": "count"})]
    (turn,), _ = convert([*flat, span("c", "LLM", None, (2, 3), **{"input.value": "x", "output.value": "12."})])
    assert (turn.question, turn.answer.text, len(turn.trajectory)) == ("How many lamps?", "12.", 1)
    two = [span("a", "CHAIN", None, (0, 2), **ASK), span("b", "CHAIN", None, (4, 6), **{"input.value": "And stairs?"})]
    turns, _ = convert([*two, span("t", "TOOL", "lost", (4.5, 5), **{"tool.name": "count"})])
    assert [(turn.id, turn.question, len(turn.trajectory)) for turn in turns] == [
        ("t-1", "How many lamps?", 0),
        ("t-1-2", "And stairs?", 1),
    ]
    (turn,), _ = convert([span("a", "CHAIN", None, (0, 9), **ASK), two[1]])
    assert turn.question == "How many lamps?"


def test_a_trace_whose_spans_are_each_others_parents_comes_to_an_end(convert):
    (turn,), _ = convert([span("a", "CHAIN", "b", **ASK), span("b", "TOOL", "a", **{"tool.name": "count"})])
    assert (turn.question, len(turn.trajectory)) == ("How many lamps?", 1)


def test_numbers_in_names_of_attributes_take_no_memory(convert):
    far = {f"retrieval.documents.{10**8}.document.content": "far", "retrieval.documents.2.document.content": "near"}
    (turn,), _ = convert([span("a", "CHAIN", None, **ASK), span("b", "RETRIEVER", "a", **far)])
    assert [passage.text for passage in turn.retrievals[0].passages] == ["near", "far"]


def test_scores_of_others_and_logs_are_counted_and_a_file_without_turns_says_what_it_holds(convert):
    event = {"name": "gen_ai.evaluation.result", "attributes": {}}
    _, report = convert([span("a", "CHAIN", None, events=[event, event], **ASK)])
    assert report.left["scores, feedback and assessments by others"] == 2
    with pytest.raises(CaptureError, match=r"holds no turns \(left: 1 log records and metrics"):
        convert({"resourceLogs": [{}]})
    with pytest.raises(CaptureError, match=r"capture.json, line 1, \[1\]: is no span"):
        convert([span("a", "CHAIN", None, **ASK), {"b": 1}])


# Langfuse


def observation(id, type, parent=None, at=(0, 1), **fields):
    moments = {name: f"2026-07-03T09:30:0{second}Z" for name, second in zip(("startTime", "endTime"), at, strict=True)}
    return {
        "id": id,
        "type": type,
        "name": f"span {id}",
        "parentObservationId": parent,
        "traceId": "t-1",
        **moments,
        **fields,
    }


def trace(**fields):
    return {"id": "t-1", "timestamp": "2026-07-03T09:30:00Z", **fields}


def test_a_trace_of_langfuse_has_its_texts_from_the_trace_itself(convert):
    asked = {"messages": [{"role": "user", "content": "How many lamps?"}]}
    own = trace(
        input=json.dumps(json.dumps(asked)), output='"12."', sessionId="s-1", latency=2.5, name="lampbot", userId="ada",
        environment="prod", scores=[{"name": "toxicity"}],
    )  # fmt: skip
    steps = [
        observation(
            "g", "GENERATION", "r", (2, 3), model="gpt-5", input=asked, output={"role": "assistant", "content": "x"}
        ),
        observation("r", "SPAN"),
        observation(
            "v", "RETRIEVER", "r", (1, 2), input={"query": "lamps"}, output=[{"pageContent": "x", "id": "d-1"}]
        ),
        observation("t", "TOOL", "r", (1, 2), name="running tool: count", level="ERROR", statusMessage="no lamps"),
    ]
    (turn,), report = convert({"trace": own, "observations": steps}, name="langfuse")
    assert (turn.question, turn.answer.text, turn.conversation, turn.model) == (
        "How many lamps?",
        "12.",
        "s-1",
        "gpt-5",
    )
    assert turn.latency == Latency(total_ms=2500, retrieval_ms=1000, generation_ms=1000)
    retrieval, call = turn.trajectory
    assert (retrieval.query, retrieval.passages[0].id) == ("lamps", "d-1")
    assert (call.name, call.status, call.error) == ("count", "error", "no lamps")
    assert (turn.labels, turn.agent.name) == ({"environment": "prod"}, "lampbot")
    assert report.left["fields of traces that are no part of a turn: userId"] == 1
    assert report.left["scores, feedback and assessments by others"] == 1


def test_turns_of_which_no_span_is_a_step_are_counted_since_the_judge_sees_nothing_that_was_done(convert):
    found = [{"page_content": "It opens at nine."}]
    steps = [observation("a", kind, output=found) for kind in ("SPAN", "RETRIEVER")]
    asked = {"input": "When does it open?", "output": "At nine."}
    traces = [trace(**asked, observations=steps[:1]), trace(**asked | {"id": "t-2"}, observations=steps)]
    _, report = convert(*traces, name="langfuse", lines=True)
    assert report.left[NO_STEPS] == 1


def test_rows_of_observations_are_put_together_and_a_trace_alone_has_no_steps(convert):
    rows = [observation("r", "CHAIN", input="How many lamps?", output="12."), observation("t", "TOOL", "r", (1, 2))]
    (alone, joined), report = convert(trace(id="t-0", input="And?", output="3."), *rows, name="langfuse", lines=True)
    assert (alone.id, alone.answer.text, alone.trajectory) == ("t-0", "3.", ())
    assert (joined.id, joined.answer.text, len(joined.trajectory)) == ("t-1", "12.", 1)
    assert report.left["traces whose observations the file does not hold, so that their steps are unknown"] == 1


@pytest.mark.parametrize(
    ("value", "place"),
    [({"trace": {}}, "it has no id"), (trace(input="q", observations=[7]), "observations: must be a list of objects")],
)
def test_what_is_no_trace_of_langfuse_is_refused(convert, value, place):
    with pytest.raises(CaptureError, match=f"capture.json.*{place}"):
        convert(value, name="langfuse")


# MLflow


def mlflow(*spans, **info):
    return {"info": {"trace_id": "tr-1", **info}, "data": {"spans": list(spans)}}


def mlflow_span(id, kind, parent=None, at=(0, 1), given=None, gave=None, **fields):  # noqa: PLR0917
    attributes = {"mlflow.spanType": json.dumps(kind), "mlflow.spanInputs": json.dumps(given)}
    return {
        "span_id": id,
        "parent_span_id": parent,
        "name": f"span {id}",
        "start_time_unix_nano": BEGIN + at[0] * 10**9,
        "end_time_unix_nano": BEGIN + at[1] * 10**9,
        "status": {"code": "STATUS_CODE_OK", "message": ""},
        "attributes": {**attributes, "mlflow.spanOutputs": json.dumps(gave)},
        **fields,
    }


def test_a_trace_of_mlflow_becomes_a_turn(convert):
    asked = {"messages": [{"role": "user", "content": "How many lamps?"}]}
    said = {"choices": [{"message": {"role": "assistant", "content": "12."}}]}
    document = {"page_content": "There are 12 lamps.", "metadata": {"doc_uri": "lamps.md"}, "id": "d-1"}
    (turn,), report = convert(
        mlflow(
            mlflow_span("a", "CHAIN", None, (0, 4), asked, said),
            mlflow_span("b", "RETRIEVER", "a", (1, 2), {"query": "lamps", "top_k": 4}, [document]),
            mlflow_span("c", "CHAT_MODEL", "a", (2, 3), {**asked, "model": "gpt-5"}, said),
            mlflow_span(
                "d", "TOOL", "a", (3, 4), {"sql": "SELECT 1"}, None, status={"code": "ERROR", "message": "no db"}
            ),
            trace_metadata={"mlflow.trace.session": "s-1", "mlflow.trace.user": "ada"},
            assessments=[{}, {}],
        ),
        name="mlflow",
    )
    assert (turn.id, turn.conversation, turn.question, turn.answer.text) == ("tr-1", "s-1", "How many lamps?", "12.")
    assert (turn.model, turn.latency) == ("gpt-5", Latency(total_ms=4000, retrieval_ms=1000, generation_ms=1000))
    retrieval, statement = turn.trajectory
    assert (retrieval.query, retrieval.top_k, retrieval.passages[0].id) == ("lamps", 4, "d-1")
    assert retrieval.passages[0].text == "There are 12 lamps."
    assert (statement.text, statement.status, statement.error) == ("SELECT 1", "error", "no db")
    assert report.left["scores, feedback and assessments by others"] == 2
    assert report.left["fields of traces that are no part of a turn: trace_metadata"] == 1


def test_an_answer_in_sound_or_pictures_is_no_empty_answer(convert):
    image = [{"type": "text", "text": "What is it?"}, {"type": "image_url", "image_url": {"url": "x"}}]
    said = {"choices": [{"message": {"role": "assistant", "content": None, "audio": {"data": "x"}}}]}
    given = {"messages": [{"role": "user", "content": image}]}
    (turn,), report = convert(mlflow(mlflow_span("a", "LLM", None, given=given, gave=said)), name="mlflow")
    assert (turn.question, turn.answer) == ("What is it?", Answer(not_captured="the trace holds no answer"))
    assert turn.notes == ("the question has parts that are no text, such as images, which are not taken",)
    assert report.left["parts of questions that are no text, such as images"] == 1


def test_an_input_of_which_no_field_is_the_question_is_given_as_it_is(convert):
    (turn,), report = convert(
        mlflow(mlflow_span("a", "CHAIN", None, given={"of": "lamps"}, gave={"n": 12})), name="mlflow"
    )
    assert (turn.question, turn.answer.text) == ('{"of": "lamps"}', '{"n": 12}')
    assert report.changed["questions given as the JSON of the input"] == 1


@pytest.mark.parametrize("value", [{"info": {}}, {"info": {}, "data": {"spans": 7}}, mlflow(7)])
def test_what_is_no_trace_of_mlflow_is_refused(convert, value):
    with pytest.raises(CaptureError, match=r"capture.json.*: is no"):
        convert(value, name="mlflow")


PLAIN = {"type": "SPAN", "name": "look-up", "input": {"query": "lamps"}, "output": [{"pageContent": "Lamps: 3"}]}


def test_a_step_of_no_kind_that_the_options_name_is_a_retrieval_and_without_that_its_name_is_told(convert):
    own = {"id": "t-1", "timestamp": "2026-03-01T09:00:00Z", "input": "How many lamps?", "output": "3."}
    value = {"trace": own, "observations": [{"id": "o-1", "traceId": "t-1", **PLAIN}]}
    (turn,), report = convert(value, name="langfuse")
    assert turn.trajectory == ()
    assert report.unread == ("look-up",)
    (turn,), report = convert(value, name="langfuse", retrievers=frozenset({"look-up", "absent"}))
    (event,) = turn.trajectory
    assert event.query == "lamps"
    assert [passage.text for passage in event.passages] == ["Lamps: 3"]
    assert report.unread == ()
    assert report.unused == {"absent"}


def test_a_step_of_otel_of_no_kind_that_the_options_name_is_a_retrieval(convert):
    found = {"input.value": "lamps", "output.value": json.dumps(["Lamps: 3"])}
    spans = [span("a", "CHAIN", **ASK), span("b", "", "a", **found)]
    (turn,), _ = convert(*spans, retrievers=frozenset({"span b"}))
    assert [passage.text for passage in turn.trajectory[0].passages] == ["Lamps: 3"]
