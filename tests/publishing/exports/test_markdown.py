"""The summary in Markdown says what the run says, and nothing in it acts where it is rendered."""

import re

import markdown
import pytest

from reportgen.analysis.caveats import Caveat
from reportgen.analysis.gates import GATES, Measured, check_gates
from reportgen.config import GatesConfig
from reportgen.errors import RenderError
from reportgen.publishing.exports.inert_markdown import as_code, escape_markdown
from reportgen.publishing.look.overrides import read_overrides
from tests.publishing.conftest import make_failure, make_report, make_turn, make_verdict
from tests.publishing.exports.conftest import make_export, written
from tests.publishing.hostile import ALL, make_hostile_cases

HOSTILE = [
    "@octocat",
    "mail@evil.example",
    "#123",
    "owner/repo#123",
    "GH-12",
    "!45",
    "$9",
    "https://evil.example/x",
    "ftp://evil.example",
    "www.evil.example",
    "evil.example",
    "<!channel>",
    "<@U123>",
    "<https://evil.example|click>",
    "[a](https://evil.example)",
    "![a](https://evil.example/i.png)",
    "<img src=x onerror=alert(1)>",
    "`code` ``x``",
    "**bold** __b__ ~~s~~",
    "# heading",
    "\n\n# heading\n\n- [ ] task\n```\nx",
    "a | b",
    "&lt;script&gt;",
    "{{ 7 * 7 }}",
    "$x^2$",
    "deadbeefcafe12",
    "@all",
    "&copy;",
]


def summary(report, gates=()) -> str:
    return written(make_export(report, gates), "md").decode()


def test_the_summary_of_a_run_states_its_figures_and_what_it_was_made_with(report):
    text = summary(report)
    assert text.startswith(
        "### Answer quality: mean 77.2 out of 100\n\nThe 95 % interval of the mean is 61.3 to 87.8.\n\n"
    )
    assert "- **Coverage:** 12 turns judged (1 July 2026), 11 scored; without a score: `refused` 1\n" in text
    assert re.search(r"^- \*\*Bands:\*\* good 72\.7 % \(8 turns\), partial [0-9.]+ % ", text, re.MULTILINE)
    assert "  1. `turn-11` 25.0, poor, lowered by `all-sql-failed`\n" in text
    assert "`recorded:by-hand`" in text
    assert f"`{report.run.seal}`" in text
    assert "- **Caveat** `few-turns`: Few turns were scored (11)" in text.replace("\\", "")


@pytest.mark.parametrize("unscored", [0, 1, 3])
def test_the_summary_without_a_score_says_why_there_is_no_mean(unscored):
    turns = [make_turn(number) for number in range(unscored)]
    text = summary(make_report([(turn, make_failure(turn)) for turn in turns]))
    assert text.startswith("### Answer quality: no mean\n\nThere is no mean: no turn")
    assert "Bands" not in text
    assert "Lowest turns" not in text


def test_the_summary_of_one_turn_says_that_there_is_no_interval():
    turn = make_turn()
    text = summary(make_report([(turn, make_verdict(turn))]))
    assert "There is no interval: one conversation gives no interval." in text
    assert "- **Coverage:** 1 turn judged (1 July 2026), 1 scored\n" in text


def test_the_gates_stand_in_the_summary_with_their_outcome(report):
    config = GatesConfig.from_data({"mean_at_least": 99, "strata": [{"label": "client", "mean_at_least": 10}]})
    rows = [entry.row for entry in report.turns()]
    measured = Measured(
        rows, report.findings.summary, report.findings.canaries, (), report.findings.trend, report.run.rubric
    )
    text = summary(report, check_gates(config, measured))
    assert "- **Gate failed:** mean score at least 99: " in text
    assert "- **Gate passed:** mean score for client Harbour Lines at least 10: " in text
    assert len(GATES) == len(GatesConfig.model_fields)


def acts(html: str) -> list[str]:
    return re.findall(r"<(?!/?(?:p|h3|ul|ol|li|strong|code)>)", html)


@pytest.mark.parametrize("text", HOSTILE)
def test_escaped_text_is_text_without_anything_to_link(text):
    line = escape_markdown(text)
    assert "\n" not in line
    assert not acts(markdown.markdown(f"x {line}"))
    bare = line.replace("\\", "")
    for found in (r"@\w", r"#\w", r"!\d", r"://", r"www\.\w", r"evil\.example", r"GH-\d", r"\b[0-9a-f]{7,}\b"):
        assert not re.search(found, bare), (found, bare)


@pytest.mark.parametrize("text", [*HOSTILE, ALL, "", " ", "``", "\n"])
def test_code_stays_one_span_on_one_line(text):
    span = str(as_code(text))
    assert "\n" not in span
    if span != "(empty)":
        assert span[0] == span[-1] == "`"
        assert "`" not in span[1:-1]
        assert not re.search(r"<[!@#a-z/h]", span)
        assert not acts(markdown.markdown(f"x {span} y"))


def test_hostile_turns_change_nothing_but_the_text_of_the_summary():
    html = markdown.markdown(summary(make_report(make_hostile_cases())))
    assert not acts(html)


def test_hostile_caveats_and_gates_do_not_act(report):
    from dataclasses import replace

    evil = " ".join(HOSTILE)
    findings = replace(report.findings, caveats=(Caveat("recorded-judge", evil),))
    html = markdown.markdown(summary(replace(report, findings=findings)))
    assert not acts(html)
    assert "@octocat" not in html


def test_a_summary_of_ones_own_is_used_and_blamed_where_it_is_wrong(report, tmp_path):
    (tmp_path / "exports").mkdir()
    own = tmp_path / "exports" / "summary.md"
    own.write_text("Mean {{ mean }} {{ judge | code }}")
    export = make_export(report)
    used = type(export)(export.run, export.columns, export.pairs, export.conclude, read_overrides(tmp_path))
    assert re.fullmatch(r"Mean [0-9.]+ `recorded:by-hand`\n", written(used, "md").decode())
    own.write_text("{{ nothing }}")
    wrong = type(export)(export.run, export.columns, export.pairs, export.conclude, read_overrides(tmp_path))
    with pytest.raises(RenderError, match=r"summary\.md"):
        written(wrong, "md")
