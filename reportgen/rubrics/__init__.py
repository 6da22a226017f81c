"""Rubrics as data: `<id>-<version>.yaml` beside their prompts, and the reader of such files."""

from pathlib import Path
from typing import Any

from reportgen.errors import RubricError
from reportgen.model.rubric import Rubric
from reportgen.reading import find_problem, read_yaml
from reportgen.scoring.caps import FACTS

_FOLDER = Path(__file__).parent


def rubric_ids() -> list[str]:
    """The ids of the bundled rubrics, each with its version, such as `sql-agent-1`."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def load_rubric(name: str) -> Rubric:
    """The rubric of that id (`sql-agent-1`) or in that file, together with its prompts.

    Raises:
        RubricError: The file is absent, is not YAML, or is wrong; the message names the place.
    """
    path = _FOLDER / f"{name}.yaml" if name in rubric_ids() else Path(name)
    data = _read_yaml(path)
    data["prompts"] = {file: _read_prompt(path, file) for file in _prompt_files(data)}
    try:
        rubric = Rubric.from_data(data)
    except (ValueError, TypeError, RecursionError) as error:
        raise RubricError(f"{path}: {find_problem(error)}", "Correct the rubric file.") from None
    _require_known_facts(rubric, path)
    return rubric


def _read_yaml(path: Path) -> dict[str, Any]:
    try:
        data = read_yaml(path)
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        bundled = ", ".join(rubric_ids())
        raise RubricError(
            f"The rubric {path} cannot be read: {why}", f"Give a rubric file, or a bundled rubric: {bundled}."
        ) from None
    except ValueError as error:
        raise RubricError(f"{path} is not YAML: {error}", "Correct the rubric file.") from None
    if not isinstance(data, dict):
        raise RubricError(f"{path} does not hold a rubric", "Take a bundled rubric as the pattern.")
    return data


def _prompt_files(data: dict[str, Any]) -> list[str]:
    """The prompt files that the judge calls name; anything odd is left for the rubric's own checks."""
    calls = data.get("calls")
    named = [call.get("prompt") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    return [name for name in named if isinstance(name, str)]


def _read_prompt(rubric: Path, name: str) -> str:
    path = rubric.parent / name
    if Path(name).name != name:
        raise RubricError(f"{rubric}: calls: the prompt {name!r} is not a plain file name", "Put it beside the rubric.")
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise RubricError(f"{rubric}: calls: the prompt {path} is missing", "Write it beside the rubric.") from None


def _require_known_facts(rubric: Rubric, path: Path) -> None:
    named = {f"caps.{cap.id}.when": cap.when for cap in rubric.caps}
    named |= {
        f"dimensions.{item.id}.not_applicable_when": item.not_applicable_when
        for item in rubric.dimensions
        if item.not_applicable_when
    }
    for place, fact in named.items():
        if fact not in FACTS:
            raise RubricError(f"{path}: {place}: {fact!r} is not a known fact", f"Facts: {', '.join(FACTS)}.")
