"""Each text of a report is true and readable for no turn, one and many, scored or not, live or recorded."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from reportgen.analysis.diagnosis import weak_below
from reportgen.analysis.findings import Material, build_findings
from reportgen.analysis.rows import TurnRow
from reportgen.model.canary import Canary, Expectation
from reportgen.model.rubric import Rubric
from reportgen.model.run import Capture, Estimate, EvidenceLimits, Manifest, Member, Parent, Repeats
from reportgen.model.score import AppliedCap, Readings, Score, Subscore
from reportgen.model.turn import Agent, Answer, Turn
from reportgen.model.verdict import Judge, Verdict
from reportgen.publishing import prose
from reportgen.rubrics import load_rubric
from reportgen.scoring.rounding import print_number
from tests.publishing.conftest import JUDGE
from tests.publishing.metric_cases import RUBRIC as METRICS
from tests.publishing.metric_cases import MetricCase, judge, make_metric_report, make_rag_turn

Build = Callable[..., dict[str, object]]

PROSE = Path(__file__).parent.parent / "templates" / "prose"
ALL = sorted(str(path.relative_to(PROSE)) for path in PROSE.rglob("*.md"))
TEXTS = [name for name in ALL if not name.startswith("metrics/")]
METRIC_TEXTS = [name for name in ALL if "/" not in name and f"metrics/{name}" not in ALL] + [
    name for name in ALL if name.startswith("metrics/")
]
"""Those of a rubric without a composite."""
CAPTURED = "Captured-Text"
RUBRIC = load_rubric("sql-agent-1")
NOW = datetime(2026, 7, 20, 9, tzinfo=UTC)
JUDGES = {
    "recorded": Judge(provider="recorded", model="example-verdicts"),
    "live": Judge(provider="anthropic", model="claude-opus-5-5", effort="medium"),
    "live without effort": Judge(provider="anthropic", model="claude-haiku-4-5"),
}


def build_score(turn: str, subscores: Sequence[int | None], caps: Sequence[AppliedCap] = ()) -> Score:
    used = [
        Subscore(dimension=d.id, weight=d.weight, used=None if s is None else Fraction(s), given=s)
        for d, s in zip(RUBRIC.dimensions, subscores, strict=True)
    ]
    total = sum(item.weight for item in used if item.used is not None)
    raw = sum((10 * item.weight * item.used for item in used if item.used is not None), Fraction(0)) / total
    score = min([raw, *(Fraction(cap.ceiling) for cap in caps)])
    band = "good" if score >= 75 else "partial" if score >= 50 else "poor"
    return Score(
        turn=turn,
        judge="j",
        rubric="r",
        subscores=tuple(used),
        raw=raw,
        caps=tuple(caps),
        score=score,
        band=band,
        verdict="good",
        agrees=band == "good",
    )


def build_row(number: int, score: Score, *, plain: bool) -> TurnRow:
    """A turn without anything remarkable, or one with all of it."""
    some = 0 if plain else 1
    return TurnRow(
        id=score.turn,
        conversation=f"{CAPTURED}-conversation-{number % 7}",
        captured_at=NOW,
        time_assumed=not plain,
        labels={"client": f"{CAPTURED}-client-{number % 3}"},
        score=score,
        relayed=not plain,
        answered=plain,
        looks_bundled=not plain,
        split=not plain,
        statements=2 * (number % 3),
        beyond_sample=some,
        unknown_count=some,
        cuts=some,
        quotes=3 * (number % 2),
        unsupported=some,
        addressed_judge=not plain,
    )


def build_rows(case: str) -> list[TurnRow]:
    cap = AppliedCap(id="all-sql-failed", ceiling=25, lowered=True)
    name = f"{CAPTURED}-turn"
    unscored = Score(turn=name, judge="j", rubric="r", unscored="refused", reason="refused")
    if case == "none":
        return []
    if case == "one":
        return [build_row(0, build_score(f"{name}-0", [10, 10, 10, 10]), plain=True)]
    if case == "one remarkable":
        return [build_row(1, build_score(f"{name}-0", [8, 7, 7, None], [cap]), plain=False)]
    if case == "all unscored":
        return [build_row(n, unscored.model_copy(update={"turn": f"{name}-{n}"}), plain=n > 1) for n in range(3)]
    if case in READINGS:
        count, by = READINGS[case]
        return [build_reading(f"{name}-{n}", n, by) for n in range(count)]
    rows = [build_row(n, build_score(f"{name}-{n}", [10, 8, 5 + n % 6, 9]), plain=True) for n in range(20)]
    rows += [
        build_row(n, build_score(f"{name}-{n}", [9, 5, n % 9, None], [cap][: n % 2]), plain=False)
        for n in range(20, 32)
    ]
    return [*rows, build_row(40, unscored, plain=True)]


READINGS = {
    "one repeated": (1, "samples"),
    "repeated": (4, "samples"),
    "panel": (4, "judges"),
}
"""Turns that were read several times: how many, and by whom."""


def build_reading(name: str, number: int, by: str) -> TurnRow:
    readings = Readings.from_data({"by": by, "asked": 3, "usable": 2, "failures": {"refused": 1}})
    score = build_score(name, [10, 8, 5 + number, 9])
    subscores = tuple(item.model_copy(update={"samples": (7, 7 + number % 2)}) for item in score.subscores)
    score = score.model_copy(update={"readings": readings, "subscores": subscores})
    row = build_row(number, score, plain=True)
    return replace(row, by_judge=(score.score, None, score.score)) if by == "judges" else row


def read_several_times(manifest: Manifest, case: str) -> Manifest:
    by = READINGS.get(case, (0, ""))[1]
    if by == "samples":
        return manifest.model_copy(update={"repeats": Repeats(samples=3, turns=4), "seed": "0"})
    if by == "judges":
        members = tuple(Member(run=f"{CAPTURED}-run", seal="0" * 64, judge=judge) for judge in JUDGES.values())
        return manifest.model_copy(update={"panel": members})
    return manifest


def build_canary(manifest: Manifest, *, passed: bool | None) -> Canary:
    turn = Turn.from_data(
        {
            "id": CAPTURED,
            "captured_at": "2026-07-01T09:00:00Z",
            "question": CAPTURED,
            "agent": {"name": CAPTURED},
            "answer": {"text": CAPTURED},
        }
    )
    expects = Expectation(verdicts=("good",), low=75, high=100)
    return Canary(kind="right", turn=turn, expects=expects, passed=passed, reason="A reason.")


def build_manifest(judge: Judge, turns: int, relation: str | None) -> Manifest:
    parent = Parent.from_data({"run": f"{CAPTURED}-run", "seal": "0" * 64, "relation": relation}) if relation else None
    return Manifest(
        run_id=f"{CAPTURED}-run",
        program="0.1.0",
        rubric="sql-agent",
        rubric_version=1,
        rubric_digest=RUBRIC.digest,
        judge=judge,
        evidence=EvidenceLimits(),
        prompts={},
        sources=(),
        capture=Capture(captured=turns, turns=turns, bundles=turns // 2),
        started_at=NOW,
        parent=parent,
    )


@cache
def build_context(case: str, judge: str = "recorded", relation: str | None = None) -> dict[str, object]:
    return build_context_by(RUBRIC, case, judge, relation)


def build_context_by(
    rubric: Rubric, case: str, judge: str = "recorded", relation: str | None = None
) -> dict[str, object]:
    rows = build_rows(case)
    manifest = read_several_times(build_manifest(JUDGES[judge], len(rows), relation), case)
    canaries = None if judge == "recorded" else [build_canary(manifest, passed=True)]
    findings = build_findings(Material(rows, rubric, manifest, canaries=canaries))
    return {
        "n": findings.limitations,
        "summary": findings.summary,
        "metrics": (),
        "rubric": rubric,
        "manifest": manifest,
        "checks": [],
        "findings": findings,
        "score": print_number,
        "points": str,
        "up": str,
        "percent": print_percent,
        "plural": print_plural,
        "interval": print_interval,
        "exact": str,
        "weak_below": weak_below(rubric),
        "subscore": print_mean,
    }


def print_mean(value: Fraction | None) -> str:
    return "no mean" if value is None else print_number(value, 2)


def print_percent(part: int, whole: int) -> str:
    return f"{print_number(Fraction(100 * part, whole))} %" if whole else "undefined"


def print_plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def print_interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return str(estimate.undefined)
    return f"{estimate.low:.1f} to {estimate.high:.1f}"


def render(name: str, context: dict[str, object], *, trim: bool = False) -> str:
    return build_environment(trim).get_template(name).render(context)


@cache
def build_environment(trim: bool) -> Environment:
    return Environment(
        loader=FileSystemLoader([PROSE, PROSE.parent]),
        undefined=StrictUndefined,
        trim_blocks=trim,
        lstrip_blocks=trim,
        autoescape=False,
    )


CASES = ["none", "one", "one remarkable", "all unscored", "many", *READINGS]


def build_metric_cases(case: str) -> list[MetricCase]:
    """Turns that are judged by two metrics."""
    turns = [make_rag_turn(number, **CAPTURED_FIELDS, id=f"{CAPTURED}-{number}") for number in range(40)]
    silent = make_rag_turn(50, **CAPTURED_FIELDS, id=f"{CAPTURED}-50", answer=Answer(not_captured=CAPTURED))
    if case == "none":
        return []
    if case == "one":
        return [(turns[0], judge(turns[0], 1, 1))]
    if case == "one remarkable":
        return [(silent, judge(silent, "refused", None))]
    if case == "all unscored":
        return [(turn, judge(turn, "refused", "gave_up")) for turn in turns[:3]]
    if case in READINGS:
        count, by = READINGS[case]
        return [(turn, read_often(turn, by)) for turn in turns[:count]]
    judged = [(turn, judge(turn, number % 21 / 20, 1 - number % 7 / 10)) for number, turn in enumerate(turns)]
    failed = (turns[0], judge(turns[0], "refused", 0.8))
    return [*judged[1:], failed, (silent, judge(silent, 0.75, None))]


def read_often(turn: Turn, by: str) -> tuple[Verdict, ...]:
    """Three readings, which do not agree, by one judge or by three."""
    judges = list(JUDGES.values()) if by == "judges" else [JUDGE] * 3
    changes = [{"judge": who} if by == "judges" else {"sample": number + 1} for number, who in enumerate(judges)]
    return tuple(
        verdict.model_copy(update=change)
        for number, change in enumerate(changes)
        for verdict in judge(turn, 0.6 + number / 10, 0.9 if number else "refused")
    )


CAPTURED_FIELDS: dict[str, object] = {
    "question": CAPTURED,
    "conversation": CAPTURED,
    "labels": {"collection": f"{CAPTURED}-label"},
    "agent": Agent(name=f"{CAPTURED} claude-haiku-4-5"),
}


@cache
def build_metric_context(case: str, judge: str = "recorded", relation: str | None = None) -> dict[str, object]:
    """What a text is given by a rubric without a composite, printed as in a report."""
    report = make_metric_report(build_metric_cases(case))
    rows = [entry.row for entry in report.turns()]
    manifest = read_several_times(build_manifest(JUDGES[judge], len(rows), relation), case)
    canaries = None if judge == "recorded" else [build_canary(manifest, passed=True)]
    findings = build_findings(Material(rows, METRICS, manifest, canaries=canaries))
    run = report.run.model_copy(update={"manifest": manifest})
    functions = {"percent": print_percent, "plural": print_plural, "exact": str}
    return prose._figures(replace(report, run=run, findings=findings)) | functions


FLAWS = [
    r"\bNone\b",
    r"\bnan\b",
    r"undefined",
    r"Fraction\(",
    r"\{[{%]",
    r" [.,;:!?](\s|$)",
    r"\.\.",
    r",\s*\.",
    r"\( | \)",
    r"\b1 [a-z ]*(turns|rows|statements|labels|quotes|scores)\b",
    r"\b0 of 0\b",
]


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", TEXTS)
def test_a_text_reads_well_whatever_the_run_holds(name: str, case: str, judge: str) -> None:
    require_readable(render(name, build_context(case, judge)))


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("name", METRIC_TEXTS)
def test_a_text_reads_well_without_a_composite(name: str, judge: str) -> None:
    for case in CASES:
        require_readable_of_metrics(render(name, build_metric_context(case, judge)))


def require_readable_of_metrics(text: str) -> None:
    require_readable(text)
    assert "–" not in text, "say that a figure is undefined, and why"
    assert not re.search(r"weighted mean|(?<!no )\bscore of a turn\b|raw score|renormalis", text)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", TEXTS)
def test_a_text_reads_well_for_a_rubric_with_another_shape(name: str, case: str) -> None:
    for rubric in (without_extras(RUBRIC), with_two_left_out_together(RUBRIC)):
        require_readable(render(name, build_context_by(rubric, case)))


def require_readable(text: str) -> None:
    prose = re.sub(r"\s+", " ", text)
    assert prose.strip()
    for flaw in FLAWS:
        assert not re.search(flaw, prose), (flaw, text)


def without_extras(rubric: Rubric) -> Rubric:
    """A rubric without caps, in which every dimension always applies."""
    always = tuple(item.model_copy(update={"not_applicable_when": None}) for item in rubric.dimensions)
    return rubric.model_copy(update={"caps": (), "dimensions": always})


def with_two_left_out_together(rubric: Rubric) -> Rubric:
    """A rubric in which one fact takes two dimensions out."""
    last = {"not_applicable_when": "answer-not-captured"}
    *rest, third, fourth = rubric.dimensions
    return rubric.model_copy(update={"dimensions": (*rest, third.model_copy(update=last), fourth)})


EACH = [(name, build_context) for name in TEXTS] + [(name, build_metric_context) for name in METRIC_TEXTS]
"""Each text with what gives the figures for it."""


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("name", "build"), EACH)
def test_no_captured_text_stands_in_a_text(name: str, build: Build, case: str) -> None:
    for relation in (None, "rescored", "rejudged"):
        assert CAPTURED not in render(name, build(case, relation=relation))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("name", "build"), EACH)
def test_paragraphs_do_not_depend_on_how_white_space_around_tags_is_kept(name: str, build: Build, case: str) -> None:
    """So that the environment of the pages may trim its blocks or not."""
    context = build(case)
    assert split_blocks(render(name, context)) == split_blocks(render(name, context, trim=True))


def split_blocks(text: str) -> list[str]:
    """Paragraphs and list items, each on one line."""
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n|\n(?=- )", text) if block.strip()]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("name", "build"), [pair for pair in EACH if "/" in pair[0] or "method-" in pair[0]])
def test_limitations_methods_and_questions_begin_with_their_one_title(name: str, build: Build, case: str) -> None:
    lines = render(name, build(case)).splitlines()
    assert re.fullmatch(r"# \S.*[^.]", lines[0])
    assert not any(line.startswith("# ") for line in lines[1:])
    assert lines[0].endswith("?") == ("questions/" in name)


def test_every_limitation_states_what_it_means_in_this_run_and_what_bounds_it() -> None:
    pairs = [(name, build) for name, build in EACH if "limitations/" in name]
    assert len(pairs) == 8 + 9
    for name, build in pairs:
        for case in CASES:
            text = render(name, build(case))
            assert "**In this run**" in text, (name, case)
            assert "**What bounds it.**" in text, (name, case)


def test_the_second_limitation_says_how_often_who_was_asked() -> None:
    name = "limitations/2-one-judge-one-pass.md"
    once, thrice, panel = (
        " ".join(render(name, build_context(case)).split()) for case in ("many", "repeated", "panel")
    )
    assert "33 of 33 turns were judged in a single pass" in once
    assert "was asked 3 times about 4 of 4 turns" in thrice
    assert "In 2 of 4 turns with several usable readings, some subscore differed" in thrice
    assert "single pass" not in thrice + panel
    assert "were judged by a panel of 3: `recorded:example-verdicts`, `anthropic:claude-opus-5-5`" in panel


def test_limitations_quote_the_figures_of_the_run() -> None:
    context = build_context("many")
    assert "12 of 33 turns" in render("limitations/4-answers-not-captured.md", context)
    assert "12 of 33 turns" in render("limitations/3-row-sampling.md", context)
    assert "12 have a relayed question (36.4 %)" in render("limitations/6-relayed-and-bundled-questions.md", context)
    assert "1 of 33 turns could not be scored" in render("questions/10-unscored.md", context)


def test_a_text_never_names_a_rubric_to_decide_what_it_says() -> None:
    for name in ALL:
        source = (PROSE / name).read_text("utf-8")
        assert not re.search(r"\{%[^%]*(rubric\.id|sql-agent|rag|title)[^%]*%\}", source), name


def test_weights_without_the_answer_are_those_of_the_arithmetic() -> None:
    text = render("method-arithmetic.md", build_context("many"))
    assert "Intent understood 37.5 %, SQL quality 31.25 %, Result relevance 31.25 %." in text


def test_a_text_holds_no_markup_of_its_own() -> None:
    for name in ALL:
        assert not re.search(r"<[a-zA-Z/!]", (PROSE / name).read_text("utf-8")), name
