"""Do the figures of the run and of its report follow from its scores?"""

from collections.abc import Collection, Iterator, Sequence

from reportgen.analysis.calibration.sides import inapplicable
from reportgen.analysis.figure_check.checking import find_figures
from reportgen.analysis.findings import Material, build_findings
from reportgen.analysis.probes import latest_probes
from reportgen.analysis.rows import TurnRow
from reportgen.archive.annexes import read_calibrations
from reportgen.archive.records import Records
from reportgen.model.calibration import Calibration, CalibrationPair
from reportgen.model.rubric import Rubric
from reportgen.model.turn import Turn
from reportgen.publishing.data import figures_data, findings_data
from reportgen.scoring.bands import band_of
from reportgen.scoring.people import score_people
from reportgen.verification.differences import Difference, differ, shorten


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
    for calibration in _read_calibrations(records):
        yield from _check_calibration(records, calibration)
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
    """A report cannot have been generated before its run was finished; more cannot be known of its time."""
    revision, finished = records.revision, records.run.manifest.finished_at
    if revision is None:
        return
    yield from differ("revision: probes", revision.probes or 0, len(records.probes))
    if revision.seal not in records.run.manifest.seals_before:
        yield from differ("revision: seal", revision.seal, records.run.seal)
    if finished is None or revision.generated_at < finished.replace(microsecond=0):
        yield Difference("revision: generated_at", shorten(str(revision.generated_at)), f"a time not before {finished}")


def _read_calibrations(records: Records) -> list[Calibration]:
    """The calibration that a report rests on, or all of those in the annexes of a run."""
    if records.folder is not None:
        return read_calibrations(records.folder, *records.run.seals)
    newest = records.revision and records.revision.calibration
    return [newest] if newest else []


def _check_calibration(records: Records, calibration: Calibration) -> Iterator[Difference]:
    """The judge's side of a calibration is that of the run; what people said is stated, and is under no seal of it."""
    yield from differ("calibration: rubric", calibration.rubric, records.run.rubric.digest)
    if calibration.seal not in records.run.manifest.seals_before:
        yield from differ("calibration: seal", calibration.seal, records.run.seal)
    scores = {score.turn: score for score in records.scores()}
    for pair in calibration.pairs:
        place, score = f"calibration, turn {pair.turn}", scores.get(pair.turn)
        if score is None:
            yield Difference(place, "a turn", "none of the run")
            continue
        subscores = {item.dimension: item.used for item in score.subscores}
        yield from differ(f"{place}: judge_score", pair.judge_score, score.score)
        yield from differ(f"{place}: judge_band", pair.judge_band, score.band)
        yield from differ(f"{place}: judge_subscores", pair.judge_subscores, subscores)
        yield from differ(f"{place}: ceilings", pair.ceilings, tuple(cap.ceiling for cap in score.caps))
        yield from _check_people(place, pair, records.run.rubric)


def _check_people(place: str, pair: CalibrationPair, rubric: Rubric) -> Iterator[Difference]:
    """The score of each labeller follows from the subscores that are stated."""
    for verdict in pair.people:
        score = score_people(verdict.subscores, rubric, pair.ceilings, inapplicable(pair, rubric))
        band = band_of(score, rubric.bands).id if score is not None else verdict.overall
        yield from differ(f"{place}: score of labeller {verdict.labeller}", verdict.score, score)
        yield from differ(f"{place}: band of labeller {verdict.labeller}", verdict.band, band)
