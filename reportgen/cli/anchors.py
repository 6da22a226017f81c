"""`reportgen anchors`."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.config import Config
    from reportgen.model.anchor_check import AnchorCheck
    from reportgen.pipeline.judge import JudgeOrder

_MARGIN_AT_MOST = 10


def _parse_margin(_context: click.Context, _option: click.Parameter, value: str | None) -> Fraction | None:
    if value is None:
        return None
    if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,6})?", value) or not 0 < Fraction(value) <= _MARGIN_AT_MOST:
        raise click.BadParameter(f"{value!r} is not a number of points above 0 and up to {_MARGIN_AT_MOST}")
    return Fraction(value)


@click.group(
    epilog=options.examples(
        "reportgen anchors freeze 2026-07-20T0900Z-sql-agent-1-opus-5-5 --n 60",
        "reportgen anchors check --judge anthropic:claude-fable-5-2",
        "reportgen anchors list",
    )
)
def command() -> None:
    """Freeze turns of a run, and check a new judge on them."""


@command.command("freeze", epilog=options.examples("reportgen anchors freeze 2026-07-20T0900Z-sql-agent-1-opus-5-5"))
@click.argument("run")
@click.option("--n", "wanted", type=click.IntRange(1), default=60, metavar="N", help="How many.  [default: 60]")
@click.option("--run-id", metavar="ID", help="The id of the set.  [default: that of RUN, and the number]")
@options.runs
@options.common
def freeze(
    run: str, wanted: int, run_id: str | None, runs: Path | None, config: Path | None, verbose: bool, quiet: bool
) -> None:
    """Draw N turns of RUN and keep them as anchors, with their verdicts and scores, sealed as a run is.

    Each band gets the same number as far as it has so many; within a band the digests of the ids decide.
    """
    from reportgen.archive.records import find_intact
    from reportgen.archive.store import find_archive
    from reportgen.config import load_config
    from reportgen.pipeline.anchors import freeze_anchors

    archive = find_archive(run, runs, load_config(config).runs)
    frozen = freeze_anchors(find_intact(run, archive), wanted, archive, run_id)
    console = Console(verbose, quiet)
    for band, (drawn, known) in frozen.bands.items():
        console.say(f"drawn  {drawn:,} of {known:,}  {band}")
    console.say(f"not drawn from: without a score {frozen.unscored:,}, erased {frozen.erased:,}")
    console.say(f"canaries, which are no turns: {frozen.canaries:,}")
    console.result(f"anchors: {frozen.folder}")


@command.command(
    "check",
    epilog=options.examples(
        "reportgen anchors check --judge anthropic:claude-fable-5-2",
        "reportgen anchors check 2026-07-20T0900Z-sql-agent-1-opus-5-5-anchors-60 --judge anthropic:claude-fable-5-2",
        "reportgen anchors check --judge anthropic:claude-fable-5-2 --max-cost 2",
        "reportgen anchors check --judge anthropic:claude-fable-5-2 --resume",
    ),
)
@click.argument("anchors", required=False)
@options.judging_again
@click.option(
    "--margin",
    metavar="POINTS",
    callback=_parse_margin,
    help="How far the composite may move and the judge still be equivalent.  [default: 3]",
)
@options.form
@options.common
def check(
    anchors: str | None,
    margin: Fraction | None,
    form: str,
    config: Path | None,
    verbose: bool,
    quiet: bool,
    estimate: bool,
    strict: bool,
    **chosen: Any,
) -> None:
    """Ask a judge about frozen anchors, and say whether it is equivalent to the one that they were frozen under.

    ANCHORS is the id of a set; the latest one if not given. The check is recorded in the archive. The exit code is 4
    unless the judge was found to be equivalent.
    """
    from reportgen.archive.store import find_archive
    from reportgen.cli.costs import tell_estimate
    from reportgen.config import load_config
    from reportgen.pipeline.anchor_check import require_equivalent

    settings, console = load_config(config), Console(verbose, quiet)
    archive = find_archive(anchors, chosen["runs"], settings.runs)
    order = _make_order(settings, anchors, archive, strict=strict, **chosen)
    console.say(f"anchors: {order.source.parent}")
    if estimate:
        tell_estimate(order, console)
        return
    found = _check(order, margin or Fraction(str(settings.anchors.margin)), archive, console, strict=strict)
    _show(found, form, console)
    require_equivalent(found)


@command.command("list", epilog=options.examples("reportgen anchors list --runs archive"))
@options.runs
@options.common
def show_list(runs: Path | None, config: Path | None, verbose: bool, quiet: bool) -> int:
    """List the frozen sets and all checks, each worked out again; where one does not follow, the exit code is 4."""
    from reportgen.cli.anchors_text import list_all
    from reportgen.config import load_config
    from reportgen.errors import Exit

    archive = runs or Path(load_config(config).runs)
    console, is_sound = Console(verbose, quiet), True
    for line, is_kept in list_all(archive):
        console.result(line)
        is_sound = is_sound and is_kept
    return Exit.DONE if is_sound else Exit.GATE


def _make_order(settings: "Config", anchors: str | None, archive: Path, *, strict: bool, **chosen: Any) -> "JudgeOrder":
    """The order to ask about a set again, by the rubric and evidence of its run."""
    from reportgen.archive.anchors import anchors_of
    from reportgen.archive.store import TURNS, load_run
    from reportgen.cli.judge import make_order
    from reportgen.pipeline.anchors import find_anchors, require_askable, require_comparable
    from reportgen.pipeline.judge import rubric_of

    folder = find_anchors(anchors, archive)
    parent = load_run(folder)
    require_askable(parent)
    chosen |= {"rubric": chosen["rubric"] or parent.rubric, "runs": anchors_of(archive)}
    order = make_order(settings, folder / TURNS, strict=strict, **chosen)
    require_comparable(parent, rubric_of(order))
    return replace(order, rows=parent.manifest.evidence.rows, parent=parent)


def _check(order: "JudgeOrder", margin: Fraction, archive: Path, console: Console, *, strict: bool) -> "AnchorCheck":
    from reportgen.cli.judge import judge_and_tell, require_strictly
    from reportgen.pipeline.anchor_check import check_anchors, find_judged

    judged = find_judged(order) or judge_and_tell(order, console, is_result=False)
    found = check_anchors(order.source.parent, judged, margin, archive, lambda: datetime.now(UTC))
    require_strictly(judged, strict, console)
    return found


def _show(found: "AnchorCheck", form: str, console: Console) -> None:
    from reportgen.cli.anchors_text import render_check

    if form == "json":
        console.data(found.to_data())
        return
    for line in render_check(found):
        console.result(line)
