"""A report that is held against a baseline and earlier runs, and verified from itself alone."""

import json
from pathlib import Path

import pypdfium2
import pytest

from tests.compared_runs import write_captures

pytestmark = pytest.mark.usefixtures("own_folder")


def judge(reportgen, name, verdicts, run_id=None):
    ended = reportgen("judge", f"{name}.jsonl", "--judge", verdicts, "--run-id", run_id or name, "--no-canaries")
    assert ended.code == 0, ended.err


@pytest.fixture
def verdicts(reportgen):
    found = write_captures(Path(), count=12)
    for name in ("june", "july"):
        judge(reportgen, name, found)
    return found


def test_a_report_with_a_baseline_is_made_again_and_verified_from_itself_alone(reportgen, verdicts):
    first = reportgen("report", "july", "--baseline", "june", "--trend")
    assert first.code == 0, first.err
    folder = Path("reports/july")
    pdf = (folder / "report.pdf").read_bytes()
    again = reportgen("report", "july", "--format", "pdf")
    assert (again.code, (folder / "report.pdf").read_bytes()) == (0, pdf)
    for run in list(Path("runs").iterdir()):
        run.rename(Path(f"away-{run.name}"))
    assert reportgen("verify", folder / "report.json").code == 0
    assert reportgen("verify", folder / "report.pdf").code == 0
    data = json.loads((folder / "report.json").read_text())
    explained = [turn["id"] for turn in data["revision"]["baseline"]["turns"] if "explanation" in turn]
    assert sorted(explained) == sorted(mover["turn"] for mover in data["findings"]["comparison"]["movers"])
    assert [run["run"] for run in data["findings"]["trend"]["runs"]] == ["june", "july"]
    text = "".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(folder / "report.pdf"))
    assert "Comparison with a baseline" in text
    assert "in month 6." in text


def test_a_changed_baseline_is_found(reportgen, verdicts):
    reportgen("report", "july", "--baseline", "june", "--trend", "--format", "json")
    path = Path("reports/july/report.json")
    data = json.loads(path.read_text())
    data["revision"]["baseline"]["turns"][0]["score"] = "1"
    path.write_text(json.dumps(data))
    found = reportgen("verify", path)
    assert found.code == 4
    assert "findings.comparison" in found.out


def test_other_instruments_are_refused_and_flagged_in_each_table(reportgen, verdicts):
    text = Path("verdicts.jsonl").read_text().replace("Made up for a test.", "Made up by another.")
    Path("others.jsonl").write_text(text)
    judge(reportgen, "july", "recorded:others.jsonl", "august")
    assert reportgen("report", "august", "--baseline", "june").code == 1
    assert reportgen("report", "august", "--anyway").code == 2
    ended = reportgen("report", "august", "--baseline", "june", "--anyway", "--trend", "--format", "html,json")
    assert ended.code == 0, ended.err
    page = Path("reports/august/report.html").read_text()
    section = page.partition('id="section-comparison"')[2].partition("</section>")[0]
    assert section.count("Nothing is claimed from this table") == section.count("<caption>")
    assert "recorded:verdicts in the baseline, recorded:others here" in section
    data = json.loads(Path("reports/august/report.json").read_text())["findings"]
    assert "other-instrument" in [caveat["slug"] for caveat in data["caveats"]]
    runs = data["trend"]["runs"]
    assert [(run["run"], [item["key"] for item in run["breaks"]]) for run in runs] == [
        ("june", []),
        ("august", ["judge", "judge parameters"]),
    ]
    trend = page.partition('id="section-trend"')[2].partition("</section>")[0]
    assert "Break: judge: recorded:verdicts before, recorded:others now" in trend
    assert 'class="edge"' in trend


def test_rejudged_runs_and_runs_of_another_assistant_are_no_earlier_runs(reportgen, verdicts):
    for line, name in (("helper", "other"),):
        Path("may.jsonl").write_text(Path("june.jsonl").read_text().replace(f'"name": "{line}"', f'"name": "{name}"'))
    judge(reportgen, "may", verdicts)
    reportgen("rejudge", "june", "--judge", verdicts, "--run-id", "june-again", "--no-canaries")
    reportgen("report", "july", "--trend", "--format", "json")
    data = json.loads(Path("reports/july/report.json").read_text())
    assert [run["run"] for run in data["revision"]["earlier"]] == ["june"]


def test_a_client_is_compared_with_itself_alone(reportgen, verdicts):
    Path("key").write_text("ab" * 32)
    for name in ("june", "july"):
        reportgen("derive", name, "--client", "Eastmoor", "--key", "key", "--run-id", f"eastmoor-{name}")
    refused = reportgen("report", "eastmoor-july", "--baseline", "june")
    assert (refused.code, "the client Eastmoor" in refused.err) == (1, True)
    ended = reportgen("report", "eastmoor-july", "--baseline", "eastmoor-june", "--trend", "--format", "html,json")
    assert ended.code == 0, ended.err
    assert reportgen("verify", "reports/eastmoor-july/report.json").code == 0
    for file in ("report.html", "report.json"):
        text = Path("reports/eastmoor-july", file).read_text()
        assert not any(client in text for client in ("Northgate", "Southwick", "Westlea", "Lowfield", "Highcroft"))
