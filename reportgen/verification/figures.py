"""Do the figures of the run and of its report follow from its scores?"""

from collections.abc import Collection, Iterator, Sequence

from reportgen.analysis.calibration.sides import ascending_bands
from reportgen.analysis.figure_check.checking import find_figures
from reportgen.analysis.findings import Material, build_findings
from reportgen.analysis.probes import latest_probes
from reportgen.analysis.rows import TurnRow
from reportgen.archive.records import Records
from reportgen.model.turn import Turn
from reportgen.publishing.data import figures_data, findings_data
from reportgen.verification.anchor_checks import check_people
from reportgen.verification.annexes import check_moment
from reportgen.verification.calibrations import check_calibrations
from reportgen.verification.differences import Difference, differ


def check_figures(records: Records, rows: Sequence[TurnRow]) -> Iterator[Difference]:
    """The summary of the run and its probes; for a report all that it states beyond them."""
    run = records.run
    # Only a report states what became of the figures in its answers; it takes the longest of all.
    turns = records.turns if records.is_report else _no_turns
    given = Material(
        rows, run.rubric, run.manifest, records.paid(), run.canaries, records.probes, turns, records.revision
    )
    findings = build_findings(given)
    yield from differ("run.json: summary", records.content["summary"], findings.summary.to_data())
    for probe, result in zip(latest_probes(records.probes), findings.probes, strict=True):
        place = f"annexes, {probe.kind} probe"
        if probe.seal not in run.manifest.seals_before:
            yield from differ(f"{place}: seal", probe.seal, run.seal)
        yield from differ(f"{place}: estimate", probe.estimate.to_data(), result.estimate.to_data())
        yield from differ(f"{place}: flips", probe.flips, result.flips)
        stated, expected = ([item.to_data() for item in found or ()] for found in (probe.metrics, result.metrics))
        yield from differ(f"{place}: metrics", stated, expected)
    yield from check_calibrations(records, rows)
    checks = (records.revision and records.revision.checks) or ()
    yield from check_people(checks, ascending_bands(run.rubric))
    if records.is_report:
        yield from differ("findings", records.findings, findings_data(findings))
        yield from _check_figure_lines(records, findings.figures.off)
        yield from _check_generation(records)


def _no_turns() -> Iterator[Turn]:
    return iter(())


def _check_figure_lines(records: Records, off: Collection[str]) -> Iterator[Difference]:
    """The figures of each answer, and what became of each of them."""
    turns = records.run.manifest.capture.turns
    yield from differ("figures: how many turns", len(records.figures), turns)
    for stated, turn in zip(records.figures, records.turns(), strict=False):
        yield from differ(f"figures, turn {turn.id}", stated, figures_data(find_figures(turn, off)))


def _check_generation(records: Records) -> Iterator[Difference]:
    """The revision is one of this run, and not older than it."""
    if (revision := records.revision) is None:
        return
    yield from differ("revision: probes", revision.probes or 0, len(records.probes))
    if revision.seal not in records.run.manifest.seals_before:
        yield from differ("revision: seal", revision.seal, records.run.seal)
    yield from check_moment("revision", revision, records)
