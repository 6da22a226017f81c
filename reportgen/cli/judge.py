"""`reportgen judge`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportgen.cli import options
from reportgen.cli.console import Console
from reportgen.cli.costs import tell_cost, tell_estimate
from reportgen.cli.probe import KINDS, probe_and_tell

if TYPE_CHECKING:
    from reportgen.config import Config
    from reportgen.judging.batch_contract import BatchPolicy
    from reportgen.model.probe import ProbeKind
    from reportgen.pipeline.judge import JudgeOrder
    from reportgen.pipeline.plan import Extras

_PROBING = ("concurrency", "timeout", "max_cost", "prices", "runs")
"""What a probe takes of the options for judging."""


@click.command(
    epilog=options.examples(
        "reportgen judge turns.jsonl --judge anthropic:claude-opus-5-5 --effort medium",
        "reportgen judge turns.jsonl --limit 20 --run-id trial",
        "reportgen judge turns.jsonl --estimate",
        "reportgen judge turns.jsonl --max-cost 5",
        "reportgen judge turns.jsonl --batch",
        "reportgen judge turns.jsonl --repeats 3 --strict",
        "reportgen judge turns.jsonl --resume",
        "reportgen judge 2026-07-20T0900Z-sql-agent-1-opus-5-5 --probe order",
    )
)
@click.argument("turns", type=click.Path(path_type=Path))
@options.judging
@options.capture
@click.option("--probe", type=click.Choice(KINDS), help="Probe TURNS, a finished run, as `reportgen probe` does.")
@options.common
def command(
    turns: Path,
    probe: "ProbeKind | None",
    config: Path | None,
    verbose: bool,
    quiet: bool,
    estimate: bool,
    strict: bool,
    **chosen: Any,
) -> None:
    """Judge TURNS, a file of captured turns, and store the run.

    Each verdict is on disk before its place is given to the next request: after an interruption, --resume goes on.
    """
    from reportgen.config import load_config

    settings, console = load_config(config), Console(verbose, quiet)
    if probe:
        options.require_only({"turns", "probe", "config", "verbose", "quiet", *_PROBING}, "--probe")
        probe_and_tell(settings, console, str(turns), probe, **{name: chosen[name] for name in _PROBING})
        return
    order = make_order(settings, turns, strict=strict, **chosen)
    if estimate:
        tell_estimate(order, console)
    else:
        require_strictly(judge_and_tell(order, console), strict, console)


def make_order(
    settings: "Config",
    source: Path,
    *,
    judge: str | None = None,
    effort: str | None = None,
    rubric: str | None = None,
    concurrency: int | None = None,
    timeout: int | None = None,
    runs: Path | None = None,
    prices: Path | None = None,
    batch: bool = False,
    no_canaries: bool = False,
    repeats: int = 1,
    repeat_turns: int | None = None,
    strict: bool = False,
    **rest: Any,
) -> "JudgeOrder":
    """The order that the options give; what they leave open is taken from the configuration.

    Raises:
        click.UsageError: The options contradict one another.
    """
    from reportgen.pipeline.judge import JudgeOrder
    from reportgen.pipeline.periods import find_zone
    from reportgen.pipeline.plan import Extras

    spec, limit = judge or settings.judge, timeout or settings.timeout
    extras = Extras(settings.canaries and not no_canaries, repeats, repeat_turns)
    _require_sense(spec, extras, strict)
    return JudgeOrder(
        source=source,
        judge=spec,
        effort=effort or settings.effort,
        rubric=rubric or settings.rubric,
        concurrency=concurrency or settings.concurrency,
        rows=settings.evidence.rows,
        runs=runs or Path(settings.runs),
        prices=prices or (Path(settings.prices) if settings.prices else None),
        batch=_batch_policy(limit) if batch else None,
        extras=extras,
        timeout=limit,
        timezone=find_zone(settings.publish.timezone).key,
        **rest,
    )


def _require_sense(spec: str, extras: "Extras", strict: bool) -> None:
    if extras.samples == 1 and options.is_given("repeat_turns"):
        raise click.UsageError("--repeat-turns has no meaning without --repeats.")
    if strict and not extras.canaries and not spec.startswith("recorded:"):
        raise click.UsageError("--strict needs canaries, which alone show whether the judge can be trusted.")


def _batch_policy(timeout: int) -> "BatchPolicy":
    from reportgen.judging.batch_contract import BatchPolicy
    from reportgen.judging.pacing import Policy

    return BatchPolicy(retry=Policy(timeout=timeout))


def judge_and_tell(order: "JudgeOrder", console: Console, *, is_result: bool = True) -> Path:
    """Judges, shows how far it is, and says where the run is; as a result, or beside one that comes later."""
    from reportgen.pipeline.judge import judge_capture

    with console.progress("judged") as tell:
        judged = judge_capture(order, lambda: datetime.now(UTC), tell, console.say)
    totals = judged.totals
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(totals.outcomes.items()))
    console.say(f"{outcomes or 'nothing was left to ask'}; {totals.attempts} requests in {totals.seconds:.0f} s")
    tell_headline(judged.folder, console)
    tell_cost(judged.folder, console)
    (console.result if is_result else console.say)(f"run: {judged.folder}")
    return judged.folder


def require_strictly(folder: Path, strict: bool, console: Console) -> None:
    """Where `--strict` asks for it, makes sure that the run has no grave caveat.

    Raises:
        StrictError: It has one.
    """
    if strict:
        from reportgen.pipeline.strictness import require_trust

        require_trust(folder, console.say)


def tell_headline(folder: Path, console: Console) -> None:
    """Prints the headline figure of a run, and why turns have no score."""
    from reportgen.archive.store import SCORES, load_run, read_records
    from reportgen.model.score import Score
    from reportgen.publishing.headlines import say_means

    run = load_run(folder)
    summary = run.summary
    if means := say_means(summary, run.rubric):
        over = f"{summary.scored} of {summary.turns} turns"
        whole = f"{means}; {over} without a failed judge call" if summary.metrics else f"{means} over {over}"
        console.say(f"{whole}; the report says what it rests on")
    if failed := sum(canary.passed is False for canary in run.canaries or ()):
        console.say(f"warning: the judge failed {failed} of {len(run.canaries or ())} canaries; the report says which")
    if summary.scored < summary.turns:
        missing = (score for score in read_records(Score, folder / SCORES) if score.unscored is not None)
        first = next(missing)
        what = "without a score" if summary.metrics is None else "of which a judge call failed"
        console.say(f"turns {what}: {summary.turns - summary.scored}; {first.turn}, for one: {first.reason}")
