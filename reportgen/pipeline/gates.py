"""A finished run -> what the gates of the configuration say of it."""

from collections.abc import Sequence
from pathlib import Path

from reportgen.analysis.canaries import build_canary_check
from reportgen.analysis.caveats import check_run
from reportgen.analysis.distribution import build_score_facts
from reportgen.analysis.findings import find_period
from reportgen.analysis.gates import GateResult, Measured, check_gates
from reportgen.analysis.metrics import build_metrics
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.summary import build_summary, count_failed_calls
from reportgen.analysis.trend.building import build_trend
from reportgen.analysis.trend.runs import build_headline
from reportgen.archive.anchors import checks_of
from reportgen.archive.files import write_whole
from reportgen.archive.records import Records
from reportgen.assembly import read_rows
from reportgen.config import NO_GATES, GatesConfig
from reportgen.errors import ConfigError, GateError
from reportgen.model.anchor_check import AnchorCheck
from reportgen.model.revision import EarlierRun
from reportgen.model.run import RunFile
from reportgen.pipeline.lineage import find_earlier


def judge_run(records: Records, gates: GatesConfig, runs: Path) -> tuple[GateResult, ...]:
    """What each gate says of a run; `runs` is where earlier runs are kept.

    Raises:
        ConfigError: There is no gate, so that each run would pass.
    """
    if gates == NO_GATES:
        raise ConfigError("The configuration has no gates", "gates.md in the documentation shows them.")
    earlier = find_lineage(records, gates, runs)
    return judge_rows(read_rows(records), records.run, gates, earlier, checks_of(records))


def find_lineage(records: Records, gates: GatesConfig, runs: Path) -> tuple[EarlierRun, ...]:
    """The earlier runs that a gate looks at; none where no gate does."""
    return find_earlier(records, runs) if gates.no_regression else ()


def judge_rows(
    rows: Sequence[TurnRow],
    run: RunFile,
    gates: GatesConfig,
    earlier: Sequence[EarlierRun] = (),
    checks: Sequence[AnchorCheck] = (),
) -> tuple[GateResult, ...]:
    """The same of a run whose turns were read already; nothing where there is no gate."""
    canaries = build_canary_check(run.manifest, run.canaries)
    summary = build_summary(rows, run.rubric)
    headline = build_headline(run.manifest, summary, *find_period(run.manifest, (row.captured_at for row in rows)))
    trend = build_trend(rows, earlier, headline, run.manifest.timezone)
    metrics = build_metrics(rows, run.rubric, run.manifest, (), earlier=earlier, this=headline)
    scores, failed_calls = build_score_facts(rows), count_failed_calls(rows, run.rubric)
    caveats = check_run(run.manifest, summary, scores, rows, canaries, checks, metrics, failed_calls)
    measured = Measured(rows, summary, canaries, caveats, trend, run.rubric, metrics)
    return check_gates(gates, measured)


def require_gates(results: Sequence[GateResult]) -> None:
    """Makes sure that each gate is passed.

    Raises:
        GateError: One failed or could not be decided.
    """
    held = list(dict.fromkeys(result.gate for result in results if result.state != "passed"))
    if held:
        count = sum(result.state != "passed" for result in results)
        raise GateError(
            f"{count} of {len(results)} gates do not let the run through: {', '.join(held)}",
            "The run and what was published of it are kept. In the docs gates.md says what each gate looks at.",
        )


def save_junit(path: Path, run: RunFile, results: Sequence[GateResult]) -> None:
    """Writes what the gates say as JUnit XML.

    Raises:
        RunError: The file cannot be written.
    """
    from reportgen.publishing.junit import render_junit

    write_whole(path, [render_junit(run, results)])
