"""The documentation is complete and its examples are true."""

import ast
import json
import re
import subprocess
import sys
from dataclasses import fields
from datetime import UTC, datetime
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
import yaml

from reportgen import errors
from reportgen.analysis import caveats, judge_caveats, turn_caveats
from reportgen.analysis.figure_check import derivations, facts, mentions, reading
from reportgen.analysis.figure_check.checking import FOUND, WAYS, CheckedFigure, CheckedPlace, TurnFigures
from reportgen.analysis.figure_check.pairing import PAIRINGS
from reportgen.analysis.gates import GATES
from reportgen.analysis.summary import build_summary
from reportgen.archive.records import open_records
from reportgen.archive.store import SCORES, TURNS, VERDICTS, seal_run
from reportgen.capture.importers import IMPORTERS
from reportgen.capture.record_fields import (
    AGENT,
    ANSWER,
    CONTEXTS,
    CONVERSATION,
    IDS,
    MODEL,
    QUESTION,
    SEARCH,
    TIMES,
)
from reportgen.capture.segments import split_segments
from reportgen.cli import COMMANDS
from reportgen.cli.convert import FORMATS
from reportgen.config import CaveatSlug, Config, GatesConfig, load_config
from reportgen.errors import Exit, ReportgenError
from reportgen.model.rubric import Quadrants
from reportgen.model.run import Capture, EvidenceLimits, Manifest
from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge, Reply
from reportgen.publishing.exports import EXPORTS
from reportgen.publishing.exports.table import build_columns
from reportgen.record import Record, text_digest
from reportgen.rubrics import load_rubric
from reportgen.scoring.caps import FACTS
from reportgen.scoring.rounding import print_number, score_edges

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
TEXTS = {
    path.name: path.read_text("utf-8") for path in [*DOCS.glob("*.md"), ROOT / "CONTRIBUTING.md", ROOT / "README.md"]
}


def documented(name: str) -> list[str]:
    return re.findall(r"^## `([a-z-]+)`$", TEXTS[name], re.MULTILINE)


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXTS[name], re.MULTILINE | re.DOTALL)


def raised_slugs() -> set[str]:
    kinds = [item for item in vars(errors).values() if isinstance(item, type) and issubclass(item, ReportgenError)]
    return {kind.slug for kind in kinds}


def caveat_slugs() -> set[str]:
    """The text constants that stand first in a tuple of two; every caveat begins as such a pair."""
    trees = [ast.parse(Path(module.__file__).read_text("utf-8")) for module in (caveats, judge_caveats, turn_caveats)]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    pairs = [node.elts[0] for node in nodes if isinstance(node, ast.Tuple) and len(node.elts) == 2]
    return {first.value for first in pairs if isinstance(first, ast.Constant) and isinstance(first.value, str)}


def test_every_error_slug_is_documented_once_and_every_documented_one_exists() -> None:
    assert sorted(documented("errors.md")) == sorted(raised_slugs())


def test_every_caveat_slug_is_documented_once_and_every_documented_one_exists() -> None:
    assert len(caveat_slugs()) >= 12
    assert sorted(documented("caveats.md")) == sorted(caveat_slugs())


def test_a_gate_can_name_every_caveat_and_no_other() -> None:
    of_a_change = {"other-instrument", "other-system", "below-series"}
    assert sorted(get_args(CaveatSlug)) == sorted(caveat_slugs() - of_a_change)
    assert all(f"`{slug}`" in TEXTS["gates.md"] for slug in of_a_change)


def test_every_gate_is_documented_in_its_order() -> None:
    table = TEXTS["gates.md"].partition("## Value")[0]
    assert re.findall(r"^\| `([a-z_]+)` \|", table, re.MULTILINE) == list(GATES)
    (text,) = blocks("gates.md", "yaml")
    assert set(GatesConfig.from_data(yaml.safe_load(text)["gates"]).to_data()) == set(GATES)


def test_every_export_and_each_of_its_columns_is_documented(demo_run: Path) -> None:
    files = re.findall(r"^\| `(\w+)` \| `([a-z.]+)` \|", TEXTS["exports.md"], re.MULTILINE)
    assert files == [(name, form.file) for name, form in EXPORTS.items()]
    records = open_records(demo_run)
    columns = build_columns(records.run, records.turns(), with_text=True)
    names = [re.sub(r"^(label|subscore)\..*", r"\1", column.name) for column in columns]
    documented = re.findall(r"^\| `(\w+)(?:\.[A-Z]+)?` \| (?:text|time|number|true)", TEXTS["exports.md"], re.MULTILINE)
    only_where_there_are_any = {"other_labels", "model", *(name for name in documented if name.endswith("_latency_ms"))}
    assert [name for name in documented if name not in only_where_there_are_any] == list(dict.fromkeys(names))


def test_every_exit_code_is_documented() -> None:
    codes = re.findall(r"^\| (\d+) \|", TEXTS["errors.md"], re.MULTILINE)
    assert [int(code) for code in codes] == [code.value for code in Exit]


def test_every_fact_for_caps_is_documented() -> None:
    table = TEXTS["rubrics.md"].partition("## Facts")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE) == list(FACTS)


def test_every_way_of_the_figure_check_is_documented_in_its_order() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (found|derived) \|", TEXTS["figures.md"], re.MULTILINE)
    assert rows == [(way, "found" if way in FOUND else "derived") for way in WAYS]


def test_the_bounds_of_the_figure_check_are_documented() -> None:
    bounds = (facts.CELLS, facts.TEXTS_READ, facts.TEXT_READ, mentions.FIGURES, reading.LONGEST)
    bounds += (derivations.PAIR_CELLS, derivations.PAIRS, derivations.SHARE_CELLS)
    table = TEXTS["figures.md"].partition("## Bounds")[2]
    assert [bound for bound in bounds if not re.search(rf"(?<![0-9,]){bound:,}(?![0-9,])", table)] == []
    assert PAIRINGS == 10
    assert "up\nto ten that come after it" in TEXTS["figures.md"]


def test_every_field_of_the_figures_in_a_report_is_documented() -> None:
    names = [field.name for kind in (CheckedFigure, CheckedPlace, TurnFigures) for field in fields(kind)]
    assert [name for name in names if f"`{name}`" not in TEXTS["formats.md"]] == []


def test_every_field_of_a_turn_is_documented() -> None:
    names = set(Turn.model_json_schema()["properties"])
    for definition in Turn.model_json_schema()["$defs"].values():
        names |= set(definition.get("properties", {}))
    assert sorted(name for name in names if f"`{name}`" not in TEXTS["formats.md"]) == []


def test_every_importer_and_every_name_of_a_field_that_it_knows_is_documented() -> None:
    names = [*IMPORTERS]
    for known in (QUESTION, CONTEXTS, ANSWER, IDS, CONVERSATION, TIMES, MODEL, AGENT, SEARCH):
        names += known
    assert [name for name in names if f"`{name}`" not in TEXTS["importers.md"]] == []
    assert [name for name in IMPORTERS if name not in FORMATS] == []


def test_the_example_turns_are_turns() -> None:
    plain, bundle = (
        Turn.from_data(data) for data in map(json.loads, blocks("formats.md", "json")) if "captured_at" in data
    )
    assert len(plain.trajectory) == 6
    assert {event.kind for event in plain.trajectory} == {"schema", "sql", "tool", "guardrail", "retrieval"}
    assert [part.id for part in split_segments(bundle)] == ["t-0704-03#1", "t-0704-03#2"]


def test_the_example_of_a_recorded_verdict_is_one() -> None:
    header, line = (data for data in map(json.loads, blocks("formats.md", "json")) if "captured_at" not in data)
    assert header["format"] == "reportgen/recorded/1"
    reply = Reply.from_data(line["reply"])
    assert set(reply.scores) == {dimension.id for dimension in load_rubric("sql-agent-1").dimensions}


def test_the_example_rubric_is_a_rubric(tmp_path: Path) -> None:
    text, quadrants = blocks("rubrics.md", "yaml")
    (tmp_path / "support-1.yaml").write_text(text)
    (tmp_path / yaml.safe_load(text)["calls"][0]["prompt"]).write_text("Judge the turn.")
    assert load_rubric(str(tmp_path / "support-1.yaml")).id == "support"
    found = Quadrants.from_data(yaml.safe_load(quadrants)["quadrants"])
    like = load_rubric("rag-1").quadrants
    assert like is not None
    assert (found.first, found.second, found.at_least) == (like.first, like.second, like.at_least)


def test_the_worked_examples_come_out_as_stated() -> None:
    weights = (30, 25, 25, 20)
    assert raw_score(weights, (9, 8, 5, 10)) == Fraction(795, 10)
    assert raw_score(weights[:3], (9, 8, 5)) == Fraction(74375, 1000)
    assert raw_score(weights, (8, 3, 0, 6)) == Fraction(435, 10)
    for stated in ["795 / 10 = 79.5", "595 / 8 = 74.375", "435 / 10 = 43.5"]:
        assert stated in TEXTS["scoring.md"]


def raw_score(weights: tuple[int, ...], subscores: tuple[int, ...]) -> Fraction:
    products = sum(weight * subscore for weight, subscore in zip(weights, subscores, strict=True))
    return Fraction(100 * products, 10 * sum(weights))


def test_numbers_are_printed_as_the_table_says() -> None:
    rows = re.findall(r"^\| ([0-9.]+) \| ([0-9.]+) \|", TEXTS["scoring.md"], re.MULTILINE)
    assert len(rows) == 4
    edges = score_edges(load_rubric("sql-agent-1"))
    for exact, printed in rows:
        assert print_number(Fraction(exact), edges=edges) == printed


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    rubric = load_rubric("sql-agent-1")
    for name in (TURNS, VERDICTS, SCORES):
        (tmp_path / name).write_text('{"text":"é"}\n', "utf-8")
    manifest = Manifest(
        run_id="r",
        program="0.1.0",
        rubric=rubric.id,
        rubric_version=1,
        rubric_digest=rubric.digest,
        judge=Judge(provider="recorded", model="m", parameters={'é\x1f"\\': 1e-05, "a": 38.0}),
        evidence=EvidenceLimits(),
        prompts={"turn": text_digest("é")},
        sources=(),
        capture=Capture(captured=0, turns=0),
        started_at=datetime(2026, 7, 1, tzinfo=UTC),
    )
    content = {
        "format": "reportgen/run/1",
        "manifest": manifest.to_data(),
        "rubric": rubric.to_data(),
        "system_prompts": {"turn": "é"},
        "summary": build_summary([], rubric).to_data(),
    }
    seal_run(tmp_path, content)
    return tmp_path


def run_recipe(path: Path, number: int = 0) -> subprocess.CompletedProcess[str]:
    program = blocks("formats.md", "python")[number]
    return subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)


def test_the_recipe_for_checking_a_run_without_the_program_accepts_a_sealed_run(run_folder: Path) -> None:
    seal = json.loads((run_folder / "run.json").read_text("utf-8"))["seal"]
    assert run_recipe(run_folder).stdout == f"OK {seal}\n"


@pytest.mark.parametrize(("file", "old", "new"), [(TURNS, "é", "e"), ("run.json", '"turns": 0', '"turns": 1')])
def test_the_recipe_finds_a_changed_file(run_folder: Path, file: str, old: str, new: str) -> None:
    text = (run_folder / file).read_text("utf-8")
    (run_folder / file).write_text(text.replace(old, new, 1), "utf-8")
    assert "AssertionError" in run_recipe(run_folder).stderr


def test_the_recipe_for_checking_a_report_accepts_the_example_and_finds_a_changed_subscore(
    demo: Path, tmp_path: Path
) -> None:
    text = (demo / "report.json").read_text("utf-8")
    seal = json.loads(text)["run"]["seal"]
    assert run_recipe(demo / "report.json", 1).stdout == f"OK {seal}\n"
    for old, new in [('"intent-understood":9', '"intent-understood":8'), ('"score":"100"', '"score":"99"')]:
        (tmp_path / "report.json").write_text(text.replace(old, new, 1), "utf-8")
        assert "AssertionError" in run_recipe(tmp_path / "report.json", 1).stderr


def test_links_between_documents_lead_somewhere() -> None:
    for name, text in TEXTS.items():
        folder = ROOT if (ROOT / name).exists() else DOCS
        for file, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", text):
            target = folder / file if file else folder / name
            assert target.exists(), (name, file)
            if target.suffix != ".md":
                continue
            headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)
            assert not anchor or anchor in {anchor_of(heading) for heading in headings}, (name, file, anchor)


def anchor_of(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def describe(command, path=()):
    """Each command of the program with its options, by its words."""
    if hasattr(command, "commands"):
        for name, member in command.commands.items():
            yield from describe(member, (*path, name))
        return
    yield " ".join(path), {option for parameter in command.params for option in parameter.opts if option[:2] == "--"}


def all_commands():
    for name in COMMANDS:
        yield from describe(import_module(f"reportgen.cli.{name.replace('-', '_')}").command, (name,))


@pytest.mark.parametrize(("name", "options"), list(all_commands()))
def test_each_command_and_each_of_its_options_is_documented(name, options):
    text = (DOCS / "commands.md").read_text("utf-8")
    assert re.search(rf"^## `{name}\b", text, re.MULTILINE)
    assert [option for option in sorted(options) if f"`{option}" not in text] == []


def test_the_documented_commands_are_those_that_there_are():
    documented = re.findall(r"^## `([a-z -]+?)(?: [A-Z]+)*`$", (DOCS / "commands.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(documented) == sorted(name for name, _ in all_commands())


def keys_of(config, prefix=""):
    for name, field in config.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, Record):
            yield from keys_of(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def test_each_key_of_the_configuration_is_documented_and_no_other():
    text = (DOCS / "configuration.md").read_text("utf-8")
    documented = re.findall(r"^\| `([a-z_.]+)` \|", text, re.MULTILINE)
    assert sorted(documented) == sorted(keys_of(Config))


def test_the_configuration_that_comes_with_the_program_holds_the_defaults():
    assert load_config(ROOT / "config.yaml") == Config()
