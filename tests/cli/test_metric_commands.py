"""Each command once over runs by a rubric without a composite: none fails or speaks of a mean that is not there."""

import json
import re
import shutil
from pathlib import Path

import pytest

from reportgen.cli import COMMANDS, end_of
from reportgen.cli import reportgen as program
from tests.judge_server import KEY, served
from tests.metric_runs import write_captures

JUDGE, OTHER = "anthropic:claude-opus-5-5", "anthropic:claude-haiku-5-5"
HTML, DATA = ("--format", "html,json", "-q"), ("--format", "json", "-q")
WALK = {
    "judge": ("judge", "before.jsonl", "--judge", JUDGE, "--rubric", "rag-1", "--limit", 3, "--no-canaries"),
    "judge --estimate": ("judge", "before.jsonl", "--judge", JUDGE, "--rubric", "rag-1", "--estimate"),
    "run": ("run", "after.jsonl", "--judge", "recorded:verdicts.jsonl", "--rubric", "rag-1", "--limit", 6, *DATA),
    "report": ("report", "one", *DATA),
    "report, panel": ("report", "panel", *HTML),
    "report, client": ("report", "north", *DATA),
    "report, public": ("report", "public", *HTML),
    "report, sample": ("report", "drawn", *DATA),
    "report --baseline": ("report", "two", "--baseline", "one", "--format", "json"),
    "revisions": ("revisions", "one"),
    "withdraw": ("withdraw", "north", "--reason", "For a test."),
    "export": ("export", "one", "--format", "csv,xlsx,parquet,md"),
    "gate": ("gate", "one", "--config", "gates.yaml"),
    "stats": ("stats", "one"),
    "stats --collection": ("stats", "--collection", "handbook"),
    "records": ("records", "panel"),
    "rescore": ("rescore", "one", "--rubric", "rag-1"),
    "rejudge": ("rejudge", "one", "--judge", OTHER, "-q"),
    "compare": ("compare", "one", "two"),
    "compare, sample": ("compare", "drawn", "one", "--anyway"),
    "derive": ("derive", "two", "--client", "South", "--key", "key"),
    "prove": ("prove", "north", "q-000", "--key", "key", "--out", "proof.json"),
    "erase": ("erase", "one", "q-001", "--reason", "For a test."),
    "panel": ("panel", "one", "third", "--run-id", "again"),
    "probe order": ("probe", "one", "order", "--n", 4, "-q"),
    "probe length": ("probe", "one", "length"),
    "verify": ("verify", "runs/panel"),
    "verify, sample": ("verify", "runs/drawn"),
    "verify, client": ("verify", "runs/north"),
    "verify, public": ("verify", "runs/public"),
    "runs list": ("runs", "list"),
    "runs show": ("runs", "show", "one"),
    "plan": ("plan", "one", "--half-width", 5),
    "plan --metric": ("plan", "one", "--detect", 5, "--metric", "context-relevance"),
    "anchors freeze": ("anchors", "freeze", "one", "--n", 6),
    "sample": ("sample", "before.jsonl", "--budget", 12, "--strata", "client", "--out", "few.jsonl"),
    "publish": ("publish", "--period", "2026-07", "--run", "two", "--format", "json", "--config", "plain.yaml"),
    "site": ("site", "runs", "--audience", "internal", "--format", "json"),
    "site, client": ("site", "runs", "--client", "North", "--format", "json"),
    "site, public": ("site", "runs", "--audience", "public", "--format", "json"),
}
NOTHING = re.compile(r"\b[mM]ean:? –|>\s*(None|nan|NaN)\s*<|\bnan\b")
CHANGES = {"judge", "erase", "rescore", "rejudge", "derive", "panel", "probe order", "probe length"}
ELSEWHERE = {
    "demo",
    "check-judge",
    "batches",
    "convert",
    "schema",
    "serve",
    "open",
    "submit",
    "worker",
    "queue",
    "close",
}
"""These deal with no finished run."""
REFUSED = {
    "calibrate": ("calibrate", "one"),
    "weights": ("weights", "one"),
    "labels": ("labels", "export", "one", "--out", "forms"),
    "sample for labels": ("sample", "one", "--n", 6),
}
"""These rest on the score of a turn as a whole, and say that there is none."""


def call(*words):
    assert end_of(lambda: program.main([*map(str, words)], "reportgen", standalone_mode=False)) == 0, words


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """A folder with runs of every kind, and the address of a judge that still listens."""
    folder = tmp_path_factory.mktemp("archive")
    with pytest.MonkeyPatch.context() as patch, served(patch, manner="own-mind") as server:
        patch.chdir(folder)
        write_captures(folder, 12)
        Path("key").write_text("ab" * 32)
        Path("key").chmod(0o600)
        Path("gates.yaml").write_text("gates:\n  metrics_at_least: {faithfulness: 1, context-relevance: 1}\n")
        Path("plain.yaml").write_text("canaries: true\n")
        rag = ("--rubric", "rag-1", "-q", "--judge")
        call("judge", "before.jsonl", *rag, JUDGE, "--run-id", "one", "--repeats", 2, "--repeat-turns", 4)
        call("judge", "after.jsonl", *rag, JUDGE, "--run-id", "two", "--repeats", 2, "--repeat-turns", 4)
        call("judge", "before.jsonl", *rag, OTHER, "--run-id", "third", "--no-canaries")
        call("sample", "before.jsonl", "--budget", 8, "--strata", "client", "--out", "drawn.jsonl")
        call("judge", "drawn.jsonl", *rag, JUDGE, "--run-id", "drawn", "--no-canaries")
        call("panel", "one", "third", "--run-id", "panel")
        call("derive", "one", "--client", "North", "--key", "key", "--run-id", "north")
        call("derive", "one", "--public", "--key", "key", "--run-id", "public")
        for run in ("one", "north", "public"):
            call("report", run, "--format", "json", "-q")
        yield folder, server.url


@pytest.fixture
def _in_a_copy(archive, tmp_path, monkeypatch):
    folder, url = archive
    shutil.copytree(folder, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


@pytest.mark.usefixtures("_in_a_copy")
@pytest.mark.parametrize("name", WALK)
def test_each_command_takes_a_run_without_a_composite(reportgen, name):
    ended = reportgen(*WALK[name])
    text = ended.out + ended.err
    assert ended.code == 0, text
    printed = [path.read_text() for path in Path("reports").rglob("report.html")]
    assert not any(NOTHING.search(shown) for shown in (text, *printed))
    if name in CHANGES:
        for run in Path("runs").iterdir():
            verified = reportgen("verify", run)
            assert verified.code == 0, verified.out


@pytest.mark.usefixtures("_in_a_copy")
@pytest.mark.parametrize("name", REFUSED)
def test_what_rests_on_a_composite_says_that_there_is_none(reportgen, name):
    ended = reportgen(*REFUSED[name])
    assert (ended.code, "has no composite" in ended.err) == (1, True), ended.err


def test_the_walk_goes_past_every_command_that_takes_a_run():
    walked = {words[0] for words in (*WALK.values(), *REFUSED.values())}
    assert walked | ELSEWHERE == set(COMMANDS)


@pytest.mark.usefixtures("_in_a_copy")
def test_metrics_have_noise_panel_probes_and_latencies_of_their_own(reportgen):
    for words in (("probe", "one", "order", "--n", 4, "-q"), ("report", "one", *HTML), ("report", "panel", *HTML)):
        assert reportgen(*words).code == 0
    found = json.loads(Path("reports/one/report.json").read_text())["findings"]
    assert [[item["source"] for item in metric["noise"]] for metric in found["metrics"]] == [["readings"]] * 2
    assert [item["dimension"] for item in found["probes"][0]["metrics"]] == ["context-relevance", "faithfulness"]
    page = Path("reports/one/report.html").read_text()
    assert "Faithfulness: asked several times about a turn" in page
    assert "Evidence in another order: mean change of Faithfulness, in points" in page
    panel = json.loads(Path("reports/panel/report.json").read_text())["findings"]
    for metric in panel["metrics"]:
        assert [judge["scored"] for judge in metric["panel"]] == [12, 12]
        assert all(judge["mean"]["value"] for judge in metric["panel"])
    assert "Each judge alone, and the panel: Context relevance" in Path("reports/panel/report.html").read_text()


@pytest.mark.usefixtures("_in_a_copy")
def test_a_public_site_has_neither_raw_rows_nor_statistics_nor_anything_of_the_turns(reportgen):
    assert reportgen("site", "runs", "--audience", "public", "--format", "html,json").code == 0
    paths = [path for path in Path("site").rglob("*") if path.is_file()]
    assert {path.name for path in paths} == {
        *("site.json", "index.html", "style.css", "feed.xml"),
        *("report.html", "report.json"),
    }
    whole = "\n".join(path.read_text() for path in paths)
    secrets = ("shelf", "rules.md", "dense", "handbook", "writer-1", "says that one walks", "q-00", "North", "2011.5")
    assert [secret for secret in secrets if secret in whole] == []


@pytest.mark.usefixtures("_in_a_copy")
def test_no_canary_keeps_what_was_erased_from_the_turn_that_it_is_shaped_like(reportgen):
    turns = [f"q-{number:03}" for number in range(12)]
    assert reportgen("erase", "one", *turns, "--reason", "For a test.").code == 0
    assert reportgen("verify", "runs/one").code == 0
    whole = "\n".join(path.read_text() for path in Path("runs/one").rglob("*.json*"))
    assert [text for text in ("rules.md", "Rule 3", "p-3") if text in whole] == []
