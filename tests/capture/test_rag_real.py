"""The importers of records and traces on real captures, which are not part of the repository: counted in full."""

from collections import Counter
from datetime import UTC, datetime

import pytest

from reportgen.capture.importers import ImportOptions, ImportReport, load_importer
from reportgen.errors import CaptureError

pytestmark = pytest.mark.real_data

OPTIONS = ImportOptions(captured_at=datetime(2026, 3, 29, tzinfo=UTC))
PLAIN = {
    "mtrag_samples/responses-10.jsonl": {"turns": 10, "answers": 10, "retrievals": 10, "passages": 23},
    "mtrag_samples/taskac_input.jsonl": {"turns": 10},
    "mtrag_samples/taskb_input.jsonl": {"turns": 10, "retrievals": 10, "passages": 23},
    "ragchecker/checking_inputs.json": {"turns": 2, "answers": 2, "retrievals": 2, "passages": 7},
    "ragchecker/checking_outputs.json": {"turns": 2, "answers": 2, "retrievals": 2, "passages": 7},
    "ragas_annotated/annotated_data.json": {"turns": 21, "answers": 21},
    "ragas_annotated/edited_chain_runs.json": {"turns": 18, "answers": 18},
    "ragas_annotated/sample_annotated_summary.json": {"turns": 19, "answers": 19},
}
SPANS = {
    "adk_live_spans": (1, 1, {"calculator": 1}),
    "claude_adot_spans": (1, 1, {"Agent": 2, "Bash": 2}),
    "claude_live_spans": (1, 1, {"Agent": 3, "Bash": 3}),
    "openai_agents_genai_adot_spans": (1, 1, {"multiply_numbers": 1}),
    "openai_agents_genai_live_spans": (
        *(1, 1),
        {"ask_math_specialist": 1, "ask_research_specialist": 1, "lookup_stock_price": 1, "multiply_numbers": 2},
    ),
    "openai_agents_openinference_adot_spans": (
        *(1, 1),
        {
            "handoff to math_specialist": 1,
            "multiply_numbers": 1,
            "transfer_to_math_specialist": 1,
            "transfer_to_research_specialist": 1,
        },
    ),
    "openai_agents_openinference_live_spans": (
        *(1, 1),
        {"ask_math_specialist": 1, "multiply_numbers": 1, "divide_numbers": 2},
    ),
    "openinference_adot_spans": (2, 2, {"get_weather": 1}),
    "openinference_live_spans": (1, 1, {"finish": 1, "get_weather": 1}),
    "otel_genai_convention_spans": (1, 1, {"get_weather": 2}),
    "pydantic_ai_live_spans": (1, 1, {"get_weather": 1}),
    "smolagents_live_spans": (1, 1, {"final_answer": 1, "web_search": 1}),
}
LANGFUSE = {
    "google-adk-2025-08-28": (1, {"say_hello": 1}, 5),
    "langgraph-python-2025-08-22": (1, {"Web-Search": 1}, 9),
    "pydantic-ai-tools-2025-12-04": (
        *(1, {"final_result": 1, "get_dad_joke_suggestion": 1, "get_one_liner_suggestion": 1, "get_pun_suggestion": 1}),
        12,
    ),
    "vercel-aisdk-2025-11-17": (0, {"getWeather": 1}, 3),
}


def convert(name, path):
    report = ImportReport()
    return list(load_importer(name).read_turns(path, OPTIONS, report)), report


def count_calls(turns):
    return Counter(event.name for turn in turns for event in turn.trajectory if event.kind == "tool")


def count_spans(report):
    """The spans of which the report gives account, whatever they were."""
    told = [(what, count) for counts in (report.taken, report.left) for what, count in counts.items()]
    return sum(
        count for what, count in told if what.startswith(("spans of", "calls of a model", "retrievals", "calls of "))
    )


@pytest.mark.parametrize(("file", "expected"), PLAIN.items())
def test_records_come_in_whole(shared, file, expected):
    turns, report = convert("rag", shared / "data" / file)
    assert dict(report.taken) == expected
    assert len(turns) == expected["turns"]
    assert sum(len(turn.retrievals) for turn in turns) == expected.get("retrievals", 0)


def test_follow_up_questions_of_mtrag_come_with_what_was_said_before_and_their_own_times(shared):
    turns, report = convert("rag", shared / "data" / "mtrag_samples/responses-10.jsonl")
    assert sum(bool(turn.notes) for turn in turns) == 8
    assert {turn.captured_at_assumed for turn in turns} == {False}
    assert [len(turn.retrievals[0].passages) for turn in turns] == [0, 3, 4, 2, 3, 2, 2, 2, 2, 3]
    assert report.changed["values that are no finite number (NaN, Infinity), read as unknown"] == 32
    assert report.left["fields that are no part of a turn: targets"] == 10


@pytest.mark.parametrize(("name", "expected"), SPANS.items())
def test_spans_of_eight_programs_become_turns_with_answers_and_calls(shared, name, expected):
    turns, report = convert("otel", shared / "data" / "otel_strands_evals" / f"{name}.json")
    assert (len(turns), report.taken["answers"], count_calls(turns)) == expected
    assert all(turn.question for turn in turns)


@pytest.mark.parametrize(
    "name",
    [
        "openinference_client_span_input_output_only",
        "openinference_client_span_tool_calls",
        "otel_genai_client_span_tool_calls",
        "otel_genai_deprecated_client_span_tool_calls",
    ],
)
def test_the_same_call_in_four_conventions_becomes_the_same_turn(shared, name):
    (turn,), _ = convert("openinference", shared / "data" / "openinference" / f"{name}.json")
    (call,) = turn.trajectory
    assert (turn.model, call.name, call.arguments, call.status) == (
        "gpt-4-0613", "get_weather", {"location": "Paris"}, "ok"
    )  # fmt: skip
    assert (call.output or "").startswith("rainy")
    assert "rainy" in turn.answer.text


def test_what_holds_no_question_is_counted_and_a_file_of_only_such_is_refused(shared):
    turns, report = convert("otel", shared / "data" / "openinference" / "all-spans.json")
    assert (len(turns), report.taken["answers"], report.left["traces without a question"]) == (8, 8, 2)
    for name in ("otlp_proto_examples/trace", "otlp_proto_examples/logs", "otel_strands_evals/autogen_live_spans"):
        with pytest.raises(CaptureError, match="holds no turns"):
            convert("otel", shared / "data" / f"{name}.json")


@pytest.mark.parametrize(("name", "expected"), LANGFUSE.items())
def test_traces_of_langfuse_become_turns_and_each_observation_is_accounted_for(shared, name, expected):
    turns, report = convert("langfuse", shared / "data" / "langfuse_traces" / f"{name}.trace.json")
    told = report.changed["calls of tools that only the messages of a model tell of"]
    assert (report.taken["answers"], count_calls(turns), count_spans(report) - told) == expected


def test_traces_of_mlflow_become_turns_and_each_span_and_assessment_is_accounted_for(shared):
    turns, report = convert("mlflow", shared / "data" / "mlflow_traces" / "mlflow_demo_traces.json")
    assert (len(turns), report.taken["answers"], count_spans(report)) == (42, 38, 124)
    assert sum(len(turn.retrievals) for turn in turns) == 4
    assert report.taken["passages"] == 12
    assert sum(count_calls(turns).values()) == 14
    assert report.left["scores, feedback and assessments by others"] == 168
    assert report.left["parts of questions that are no text, such as images"] == 4


def test_the_csv_of_open_rag_eval_comes_in_whole(shared):
    turns, report = convert("open-rag-eval", shared / "data" / "open_rag_eval_csv" / "csv_results.csv")
    assert [len(turn.retrievals[0].passages) for turn in turns] == [3, 1, 2, 2, 5, 1, 2]
    assert dict(report.taken) == {"turns": 7, "answers": 7, "retrievals": 7, "passages": 16}
    assert not report.left
