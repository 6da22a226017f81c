"""What judging costs: estimates, the limit, the prices that are kept with a run, and the report of it."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from reportgen.publishing.printing import print_money
from reportgen.resources import resource
from tests.judge_server import served

pytestmark = pytest.mark.usefixtures("own_folder")

TURNS = resource("examples") / "sql" / "turns.jsonl"
VERDICTS = resource("examples") / "sql" / "example-verdicts.jsonl"
JUDGE = "anthropic:claude-opus-5-5"
DEAR = """
format: reportgen/prices/1
rows:
- {provider: anthropic, model: claude-opus-5-5, from: 2026-01-01, in: 400, out: 2000, cache_read: 20, write_5m: 500,
   source: a test, checked: 2026-11-01}
"""


@pytest.fixture
def server(monkeypatch):
    with served(monkeypatch) as running:
        yield running


@pytest.fixture
def judge(reportgen):
    """Judges the example turns, without canaries, so that each turn is one request."""

    def call(*options, spec=JUDGE):
        return reportgen("judge", TURNS, "--judge", spec, "--run-id", "r", "--no-canaries", *options)

    return call


def findings(run: str = "r") -> dict:
    return json.loads(Path(f"reports/{run}/report.json").read_text())["findings"]


def kept() -> int:
    return len(Path("runs/r/verdicts.jsonl").read_text().splitlines())


def cost_of_lines() -> Fraction:
    """The cost of the stored verdicts at the list price of Opus 5.5, worked out from the usages alone."""
    total = Fraction(0)
    for line in Path("runs/r/verdicts.jsonl").read_text().splitlines():
        for attempt in json.loads(line)["attempts"]:
            usage = attempt.get("usage", {})
            total += 4 * usage.get("input_tokens", 0) + 20 * usage.get("output_tokens", 0)
            total += 5 * usage.get("cache_creation_input_tokens", 0)
            total += Fraction("0.2") * usage.get("cache_read_input_tokens", 0)
    return total / 1_000_000


# --- the estimate ---


def test_an_estimate_asks_for_no_verdict_and_makes_no_run(server, judge):
    ended = judge("--estimate")
    assert ended.code == 0, ended.err
    assert "69 for 69 turns" in ended.out
    assert "counted by the provider on 20 requests" in ended.out
    assert "an assumption, not a measurement: 400 to 2,500 a request" in ended.out
    assert (server.messages, server.counted) == (0, 21)
    assert not Path("runs").exists()


def span(printed: str, name: str) -> list[Fraction]:
    line = next(line for line in printed.splitlines() if line.startswith(name))
    return [Fraction(part.strip(" $")) for part in line.removeprefix(name).split(" to ")]


def test_what_is_spent_lies_within_the_estimate_and_a_batch_costs_half(server, judge):
    printed = judge("--estimate").out
    (low, high), (low_in_batch, _) = span(printed, "cost live"), span(printed, "cost batch")
    server.usage = {"output_tokens": 450}
    assert judge().code == 0
    assert low <= cost_of_lines() <= high
    assert abs(low_in_batch - low / 2) <= Fraction("0.0001")


def test_an_estimate_without_a_key_counts_bytes_and_says_so(server, judge, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    ended = judge("--estimate")
    assert ended.code == 0
    assert "from bytes, 3 to a token" in ended.out
    assert "There is no API key" in ended.out
    assert "cost live   $" in ended.out


def test_an_estimate_for_a_model_without_a_price_is_unknown_and_not_0(server, judge):
    ended = judge("--estimate", spec="anthropic:claude-future-9")
    assert "cost live   unknown: no price is known for anthropic:claude-future-9" in ended.out
    assert "$" not in ended.out


def test_an_estimate_counts_repeats_and_canaries(server, reportgen):
    ended = reportgen("judge", TURNS, "--judge", JUDGE, "--estimate", "--repeats", "3", "--repeat-turns", "10")
    assert "100 for 69 turns, 31 of them for repeats and canaries" in ended.out
    assert reportgen("judge", TURNS, "--judge", JUDGE, "--repeats", "3", "--repeat-turns", "10").code == 0
    assert server.messages == 100


def test_replaying_verdicts_costs_nothing(judge):
    ended = judge("--estimate", spec=f"recorded:{VERDICTS}")
    assert "cost        $0: no judge is asked" in ended.out


def test_rejudging_can_be_estimated(server, judge, reportgen):
    judge("--limit", "5")
    ended = reportgen("rejudge", "r", "--judge", "anthropic:claude-haiku-5-5", "--estimate", "--no-canaries")
    assert ended.code == 0, ended.err
    assert "5 for 5 turns" in ended.out
    assert [path.name for path in Path("runs").iterdir()] == ["r"]


# --- the limit ---


def test_a_limit_stops_before_it_is_passed_and_keeps_what_was_paid_for(server, judge):
    ended = judge("--max-cost", "0.2", "--concurrency", "8")
    assert ended.code == 1
    assert "error[cost-limit]" in ended.err
    assert "--resume --run-id r" in ended.err
    assert Fraction("0.17") < cost_of_lines() <= Fraction("0.2")
    assert kept() == server.messages
    assert f"are spent on {kept()} verdicts" in ended.err


def test_a_resumed_run_counts_what_is_spent_and_goes_on_with_a_higher_limit(server, judge, reportgen):
    judge("--max-cost", "0.2")
    before, asked = kept(), server.messages
    again = judge("--max-cost", "0.2", "--resume")
    assert (again.code, kept(), server.messages) == (1, before, asked)
    assert judge("--max-cost", "5", "--resume").code == 0
    assert (kept(), server.messages) == (69, 69)
    assert reportgen("verify", "runs/r").code == 0


def test_a_limit_that_is_not_reached_changes_nothing(server, judge):
    assert judge("--max-cost", "100").code == 0
    assert kept() == 69


def test_a_limit_without_a_known_price_is_refused_before_anything_is_asked(server, judge):
    ended = judge("--max-cost", "5", spec="anthropic:claude-future-9")
    assert (ended.code, "error[cost-limit]" in ended.err) == (1, True)
    assert "no price is known for anthropic:claude-future-9" in ended.err
    assert server.messages == 0
    assert not Path("runs").exists()


def test_a_limit_that_can_no_longer_be_kept_stops_the_run(server, judge):
    server.fields = {"model": "claude-stand-in-1"}
    ended = judge("--max-cost", "5")
    assert ended.code == 1
    assert "--max-cost cannot be kept any more: no price is known for anthropic:claude-stand-in-1" in ended.err
    assert kept() == server.messages < 69


def test_failed_requests_count_towards_the_limit(server, judge):
    server.every, server.fault = 2, "half"
    judge("--max-cost", "0.2")
    assert cost_of_lines() <= Fraction("0.22")
    assert kept() < server.messages


def test_a_limit_for_recorded_verdicts_is_no_matter(judge):
    assert judge("--max-cost", "0.01", spec=f"recorded:{VERDICTS}").code == 0


@pytest.mark.parametrize("sum_", ["0", "-1", "five", "1e3", "$5", "nan"])
def test_a_limit_that_is_no_sum_is_a_usage_error(judge, sum_):
    assert judge("--max-cost", sum_).code == 2


# --- what the run keeps, and the report says ---


def test_the_run_keeps_its_prices_and_the_report_its_cost(server, judge, reportgen):
    server.script.extend([None, "half", "529"])
    ended = judge()
    assert f"cost: {print_money(cost_of_lines())}" in ended.err
    manifest = json.loads(Path("runs/r/run.json").read_text())["manifest"]
    assert [(row["model"], row["in"], row["from"]) for row in manifest["prices"]] == [
        ("claude-opus-5-5", "4", "2026-09-22")
    ]
    assert reportgen("report", "r", "--format", "html,json").code == 0
    spending = findings()["spending"]
    assert Fraction(spending["cost"]) == cost_of_lines()
    assert {name: use["requests"] for name, use in spending["by_outcome"].items()} == {
        "ok": 69,
        "invalid": 1,
        "gave_up": 1,
    }
    page = Path("reports/r/report.html").read_text()
    assert "71 requests for 69 judge calls" in page
    assert "What the requests used, by how they ended" in page
    assert reportgen("verify", "reports/r/report.json").code == 0


def test_the_cost_does_not_change_with_a_later_price_file(server, judge, reportgen):
    judge("--limit", "5")
    cost = cost_of_lines()
    Path("dear.yaml").write_text(DEAR)
    Path("config.yaml").write_text("prices: dear.yaml\n")
    reportgen("report", "r", "--format", "json")
    assert Fraction(findings()["spending"]["cost"]) == cost
    assert reportgen("verify", "reports/r/report.json").code == 0


@pytest.mark.parametrize("way", ["option", "configuration"])
def test_a_price_file_of_the_user_decides_the_cost(server, judge, reportgen, way):
    Path("dear.yaml").write_text(DEAR)
    if way == "configuration":
        Path("config.yaml").write_text("prices: dear.yaml\n")
    assert judge("--limit", "5", *(["--prices", "dear.yaml"] if way == "option" else [])).code == 0
    reportgen("report", "r", "--format", "json")
    assert Fraction(findings()["spending"]["cost"]) == 100 * cost_of_lines()
    assert reportgen("verify", "runs/r").code == 0


def test_a_changed_cost_is_found_by_verification(server, judge, reportgen):
    judge("--limit", "5")
    reportgen("report", "r", "--format", "json")
    path = Path("reports/r/report.json")
    report = json.loads(path.read_text())
    report["findings"]["spending"]["total"]["output"] -= 1
    path.write_text(json.dumps(report))
    ended = reportgen("verify", path)
    assert (ended.code, "spending.total.output" in ended.out) == (4, True)


def test_a_model_without_a_price_is_reported_with_tokens_and_an_unknown_cost(server, judge, reportgen):
    ended = judge("--limit", "5", spec="anthropic:claude-future-9")
    assert "cost: unknown, since no price is known for anthropic:claude-future-9" in ended.err
    reportgen("report", "r", "--format", "html,json")
    spending = findings()["spending"]
    assert (spending["cost"], spending["total"]["unpriced"]) == (None, 5)
    assert spending["total"]["output"] == 1_000
    assert "unknown, since no price is known" in Path("reports/r/report.html").read_text()
    assert reportgen("verify", "reports/r/report.json").code == 0


def test_canaries_are_paid_for_and_counted(server, reportgen):
    reportgen("run", TURNS, "--judge", JUDGE, "--run-id", "r", "--limit", "5", "--format", "json")
    spending = findings()["spending"]
    assert spending["total"]["requests"] == server.messages > 5
    assert reportgen("verify", "reports/r/report.json").code == 0


def test_the_example_says_that_nothing_was_spent(demo):
    assert json.loads((demo / "report.json").read_text())["findings"]["spending"]["asked"] is False


def test_judge_and_assistant_of_one_vendor_are_told_as_a_caveat(server, reportgen):
    lines = [json.loads(line) for line in TURNS.read_text().splitlines()[:4]]
    agents = ["claude-based helper", "Helper", "helper", "Helper"]
    for line, name in zip(lines, agents, strict=True):
        line["agent"] = {"name": name}
    lines[1]["labels"]["model"] = "claude-sonnet-5"
    Path("turns.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    reportgen("run", "turns.jsonl", "--judge", JUDGE, "--run-id", "r", "--format", "html,json", "--no-canaries")
    found = {caveat["slug"]: caveat["sentence"] for caveat in findings()["caveats"]}
    count = len(Path("runs/r/turns.jsonl").read_text().splitlines())
    assert f"of one vendor, Anthropic, in 2 of {count} turns" in found["shared-vendor"]
    assert f"Anthropic in 2 turns; not told in {count - 2} turns" in Path("reports/r/report.html").read_text()
    reportgen("judge", "turns.jsonl", "--judge", f"recorded:{VERDICTS}", "--run-id", "other")
    reportgen("report", "other", "--format", "json")
    assert "shared-vendor" not in [caveat["slug"] for caveat in findings("other")["caveats"]]
