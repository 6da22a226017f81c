"""Rubric files: the bundled ones hold, and a wrong one is named at its place."""

import shutil
from pathlib import Path

import pytest
import yaml

from reportgen.errors import RubricError
from reportgen.resources import resource
from reportgen.rubrics import load_rubric, rubric_ids

FOLDER = resource("rubrics")


@pytest.mark.parametrize("name", rubric_ids())
def test_a_bundled_rubric_loads_and_is_named_by_its_id_and_version(name):
    rubric = load_rubric(name)
    assert f"{rubric.id}-{rubric.version}" == name


def test_the_weights_of_the_sql_rubric_are_30_25_25_20_in_causal_order():
    rubric = load_rubric("sql-agent-1")
    assert [(item.id, item.weight) for item in rubric.dimensions] == [
        ("intent-understood", 30),
        ("sql-quality", 25),
        ("result-relevance", 25),
        ("answer-faithfulness", 20),
    ]
    assert {tuple(item.levels) for item in rubric.dimensions} == {("10", "8", "5", "3", "0")}


def test_prompt_and_rubric_are_digested_together(tmp_path):
    before = load_rubric("sql-agent-1").digest
    path = copy_rubric(tmp_path)
    assert load_rubric(str(path)).digest == before
    prompt = tmp_path / "sql-agent-1.md"
    prompt.write_text(prompt.read_text() + "One more word.")
    assert load_rubric(str(path)).digest != before


def copy_rubric(folder: Path) -> Path:
    for name in ("sql-agent-1.yaml", "sql-agent-1.md"):
        shutil.copy(FOLDER / name, folder / name)
    return folder / "sql-agent-1.yaml"


def spoil(folder: Path, change) -> Path:
    path = copy_rubric(folder)
    data = yaml.safe_load(path.read_text())
    change(data)
    path.write_text(yaml.safe_dump(data))
    return path


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda data: data["dimensions"][0].update(weight=31), "weights sum to 101"),
        (lambda data: data["caps"][0].update(when="too-slow"), r"caps.all-sql-failed.when: 'too-slow'"),
        (lambda data: data["dimensions"][3].update(not_applicable_when="x"), "dimensions.answer-faithfulness"),
        (lambda data: data["bands"][1].update(at_least=80), "bands.partial: unreachable"),
        (lambda data: data["bands"][2].update(at_least=10), "bands.poor: the lowest band begins at 10"),
        (lambda data: data["calls"][0]["scores"].pop(), "dimensions.answer-faithfulness: no judge call"),
        (lambda data: data["calls"][0]["scores"].append("style"), "'style' is not a dimension"),
        (lambda data: data["calls"][0].update(prompt="other.md"), "other.md is missing"),
        (lambda data: data["calls"][0].update(prompt="../sql-agent-1.md"), "not a plain file name"),
        (lambda data: data["dimensions"][0]["levels"].update({"11": "more"}), "11 is not on the scale"),
        (lambda data: data["caps"].append(dict(data["caps"][0])), "caps: an id stands twice"),
        (lambda data: data.update(colour="blue"), "colour"),
        (lambda data: data.pop("bands"), "bands"),
        (lambda data: data["dimensions"][0].update(weight=float("nan")), "not JSON compliant"),
    ],
)
def test_a_wrong_rubric_is_refused_with_the_place(tmp_path, change, place):
    with pytest.raises(RubricError, match=place):
        load_rubric(str(spoil(tmp_path, change)))


@pytest.mark.parametrize("text", ["", "- a\n- b", "a: [", "id: 2026-07-01"])
def test_a_file_that_is_no_rubric_is_refused(tmp_path, text):
    path = tmp_path / "x.yaml"
    path.write_text(text)
    with pytest.raises(RubricError):
        load_rubric(str(path))


def test_an_unknown_rubric_names_the_bundled_ones():
    with pytest.raises(RubricError) as caught:
        load_rubric("nothing-9")
    assert "sql-agent-1" in caught.value.fix
