"""What travels: the wheel is whole, the lock is complete and names no registry, the example can be made again."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from reportgen.resources import resource

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (archive,) = folder.glob("*.whl")
    zipfile.ZipFile(archive).extractall(folder / "unpacked")
    return folder / "unpacked"


def test_the_wheel_holds_every_template_rubric_prompt_and_example(wheel):
    packed = {path.relative_to(wheel / "reportgen").as_posix() for path in (wheel / "reportgen").rglob("*.*")}
    for folder in ("templates", "reportgen/rubrics"):
        for path in (ROOT / folder).rglob("*.*"):
            if "__pycache__" not in path.parts:
                assert path.relative_to(ROOT).as_posix().removeprefix("reportgen/") in packed
    assert {"config.yaml", "py.typed"} <= packed
    for example in ("sql", "rag"):
        assert {f"examples/{example}/turns.jsonl", f"examples/{example}/example-verdicts.jsonl"} <= packed


def test_the_unpacked_wheel_makes_the_example_in_any_folder_and_writes_nowhere_else(wheel, tmp_path):
    before = sorted(wheel.rglob("*"))
    environment = {**os.environ, "PYTHONPATH": str(wheel), "PYTHONDONTWRITEBYTECODE": "1"}
    code = f"import reportgen; assert {str(wheel)!r} in reportgen.__file__; from reportgen.cli import main; main()"
    command = [sys.executable, "-c", code, "demo", "--out", "here", "--format", "html,json"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == ["report.html", "report.json", "runs"]
    assert [path.name for path in tmp_path.iterdir()] == ["here"]
    assert sorted(wheel.rglob("*")) == before


def test_the_lock_pins_each_package_with_digests_and_names_no_address():
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text
    entries = re.split(r"\n(?=[a-z0-9])", text.strip(), flags=re.IGNORECASE)
    for entry in entries:
        assert re.match(r"[A-Za-z0-9._-]+==\S+", entry), entry[:80]
        assert "--hash=sha256:" in entry, entry[:80]


def test_the_lock_holds_each_dependency_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    lock = (ROOT / "requirements.lock").read_text().lower()
    pinned = set(re.findall(r"^([a-z0-9._-]+)==", lock, re.MULTILINE))
    assert [name for item in wanted if (name := re.match(r"[A-Za-z0-9._-]+", item)[0].lower()) not in pinned] == []


@pytest.mark.parametrize(
    ("name", "script", "made"),
    [
        ("sql", "make_turns.py", ["turns-august.jsonl", "turns.jsonl"]),
        ("sql", "record_verdicts.py", ["example-verdicts.jsonl"]),
        ("rag", "make_turns.py", ["turns.jsonl"]),
        ("rag", "record_verdicts.py", ["example-verdicts.jsonl"]),
    ],
)
def test_an_example_is_made_again_to_the_same_bytes(name, script, made, tmp_path):
    example = resource("examples") / name
    subprocess.run([sys.executable, str(example / script), "--out", str(tmp_path)], check=True, capture_output=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == made
    for file in made:
        assert (tmp_path / file).read_bytes() == (example / file).read_bytes()


def test_the_example_run_in_the_repository_is_the_one_that_the_demo_makes(demo_run):
    kept = ROOT / "runs" / demo_run.name
    assert sorted(path.relative_to(kept) for path in kept.rglob("*.*")) == sorted(
        path.relative_to(demo_run) for path in demo_run.rglob("*.*")
    )
    for path in kept.rglob("*.json*"):
        assert path.read_bytes() == (demo_run / path.relative_to(kept)).read_bytes(), path.name


def test_no_file_of_the_repository_names_a_place_of_one_machine():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    suspicious = re.compile(r"/(?:home|root|Users)/\w")
    for name in filter(None, listed.split("\0")):
        if (path := ROOT / name).suffix not in (".png", ".lock") and path != Path(__file__):
            assert not suspicious.search(path.read_text("utf-8")), name
