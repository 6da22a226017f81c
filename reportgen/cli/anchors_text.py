"""Frozen anchors and checks for a terminal."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from reportgen.archive.store import load_run
from reportgen.cli.comparison_text import lay_table
from reportgen.errors import RunError
from reportgen.model.anchor_check import AnchorCheck
from reportgen.pipeline.anchor_check import list_checks
from reportgen.pipeline.anchors import find_anchors, list_anchors
from reportgen.publishing.judge_checks import (
    HEAD,
    print_margin,
    print_shifts,
    say_asked,
    say_check,
    say_keys,
)
from reportgen.publishing.printing import plural, print_moment


def render_check(check: AnchorCheck) -> Iterator[str]:
    """The lines of a check, with plain spaces."""
    return (line.replace("\u00a0", " ") for line in _render(check))


def list_all(runs: Path) -> Iterator[tuple[str, bool]]:
    """A line for each frozen set and each check, with whether it is as it was recorded."""
    for folder in list_anchors(runs):
        yield _say_set(folder, runs)
    for standing in list_checks(runs):
        check = standing.check
        line = f"check    {print_moment(check.at)}  {say_asked(check.before)} -> {say_asked(check.after)}"
        line += f"  {check.drift.state}, margin {print_margin(check.margin)}, {plural(check.turns, 'turn')}"
        yield line + (f"  CHANGED: {standing.reason}" if standing.reason else ""), standing.reason is None


def _say_set(folder: Path, runs: Path) -> tuple[str, bool]:
    run = load_run(folder)
    line = f"anchors  {folder.name}  {plural(run.summary.turns, 'turn')}  "
    line += f"{run.rubric.id}-{run.rubric.version}  {run.manifest.judge.name}  seal {run.seal}"
    try:
        find_anchors(folder.name, runs)
    except RunError as error:
        return f"{line}  CHANGED: {error.what}", False
    return line, True


def _render(check: AnchorCheck) -> Iterator[str]:
    yield f"{say_asked(check.before)}  ->  {say_asked(check.after)}"
    yield f"differs in: {say_keys(check.before, check.after)}"
    margin = f"margin {print_margin(check.margin)} points"
    yield f"{check.drift.state.upper()}  on {plural(check.turns, 'frozen turn')}, {margin}"
    rows: list[Sequence[str]] = [HEAD, *print_shifts(check.drift)]
    yield from lay_table("New minus old", rows)
    yield ""
    yield from say_check(check)
    yield "Power: how likely equal judges are found equivalent on so many turns that differ so much."
