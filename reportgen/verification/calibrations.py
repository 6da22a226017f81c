"""Does a calibration follow from the scores of its run, and, where they are there, from the labels and samples?"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from reportgen.analysis.calibration.pairing import LabelledTurn, Pairing, pair_up
from reportgen.analysis.calibration.sides import inapplicable
from reportgen.analysis.exact import total_of
from reportgen.analysis.rows import TurnRow
from reportgen.archive.annexes import read_annex
from reportgen.archive.records import Records
from reportgen.model.calibration import Calibration, CalibrationPair, CalibrationStratum
from reportgen.model.label import CalibrationSample, LabelImport, standing_labels
from reportgen.model.rubric import Rubric
from reportgen.model.score import Score
from reportgen.scoring.bands import band_of
from reportgen.scoring.people import score_people
from reportgen.verification.differences import Difference, differ


def check_calibrations(records: Records, rows: Sequence[TurnRow]) -> Iterator[Difference]:
    """The calibration that a report rests on, or all of those in the annexes of a run."""
    known = _read_calibrations(records)
    own = {row.score.turn: row for row in rows}
    for calibration in known:
        yield from _check_calibration(records, calibration, own)
    if known and records.folder is not None:
        yield from _check_labels(records, known, rows)


def _read_calibrations(records: Records) -> list[Calibration]:
    if records.folder is not None:
        return read_annex(Calibration, records.folder, *records.run.seals)
    newest = records.revision and records.revision.calibration
    return [newest] if newest else []


def _check_calibration(records: Records, calibration: Calibration, rows: Mapping[str, TurnRow]) -> Iterator[Difference]:
    """The judge's side is that of the run, and so is what turns stand for; what people said is stated."""
    yield from differ("calibration: rubric", calibration.rubric, records.run.rubric.digest)
    if calibration.seal not in records.run.manifest.seals_before:
        yield from differ("calibration: seal", calibration.seal, records.run.seal)
    for pair in calibration.pairs:
        place, row = f"calibration, turn {pair.turn}", rows.get(pair.turn)
        if row is None:
            yield Difference(place, "a turn", "none of the run")
            continue
        score = row.score
        yield from differ(f"{place}: judge_score", pair.judge_score, score.score)
        yield from differ(f"{place}: judge_band", pair.judge_band, score.band)
        subscores = {item.dimension: item.used for item in score.subscores}
        yield from differ(f"{place}: judge_subscores", pair.judge_subscores, subscores)
        yield from differ(f"{place}: ceilings", pair.ceilings, tuple(cap.ceiling for cap in score.caps))
        yield from _check_people(place, pair, records.run.rubric)
    people = {verdict.labeller for pair in calibration.pairs for verdict in pair.people}
    yield from differ("calibration: labellers", calibration.labellers, len(people))
    yield from _check_strata(records, calibration, rows)


def _check_people(place: str, pair: CalibrationPair, rubric: Rubric) -> Iterator[Difference]:
    """The score of each labeller follows from the subscores that are stated, and nobody speaks twice."""
    dimensions = {item.id for item in rubric.dimensions}
    for labeller, count in Counter(verdict.labeller for verdict in pair.people).items():
        yield from differ(f"{place}: verdicts of labeller {labeller}", count, 1)
    for verdict in pair.people:
        who = f"labeller {verdict.labeller}"
        for name in sorted(verdict.subscores.keys() - dimensions):
            yield Difference(f"{place}: {who} scores what is no dimension of the rubric: {name[:50]!r}")
        score = score_people(verdict.subscores, rubric, pair.ceilings, inapplicable(pair, rubric))
        band = band_of(score, rubric.bands).id if score is not None else verdict.overall
        yield from differ(f"{place}: score of {who}", verdict.score, score)
        yield from differ(f"{place}: band of {who}", verdict.band, band)


def _check_strata(records: Records, calibration: Calibration, rows: Mapping[str, TurnRow]) -> Iterator[Difference]:
    """What each labelled turn stands for, and that the strata of a band make up its scored turns."""
    sizes: Counter[str] = Counter()
    for number, stratum in enumerate(calibration.strata):
        place = f"calibration, stratum {number}"
        pairs = [pair for pair in calibration.pairs if pair.stratum == number and pair.turn in rows]
        own = total_of([rows[pair.turn].weight for pair in pairs])
        for pair in pairs:
            expected = stratum.population * rows[pair.turn].weight / own
            yield from differ(f"calibration, turn {pair.turn}: weight", pair.weight, expected)
        size = stratum.population * len(pairs) / own if pairs else stratum.population
        yield from _check_size(place, size, stratum, is_drawn=calibration.drawn)
        if stratum.band is not None:
            sizes[stratum.band] += int(size)
            for pair in pairs:
                yield from differ(f"calibration, turn {pair.turn}: band of its stratum", stratum.band, pair.judge_band)
    if calibration.drawn:
        yield from _check_bands(records, sizes, [row.score for row in rows.values()])


def _check_size(place: str, size: Fraction, stratum: CalibrationStratum, *, is_drawn: bool) -> Iterator[Difference]:
    """A stratum of a sample has a band, and so many turns; without a sample each turn stands for itself."""
    yield from differ(f"{place}: has a band", stratum.band is not None, is_drawn)
    if size.denominator != 1 or size < stratum.labelled or not (is_drawn or size == stratum.labelled):
        yield Difference(
            f"{place}: population", str(size), f"a number of turns of which {stratum.labelled} are labelled"
        )


def _check_bands(records: Records, sizes: Mapping[str, int], scores: Sequence[Score]) -> Iterator[Difference]:
    """The strata of a band hold all its scored turns, but for those that were erased before the sample was drawn."""
    erased = records.run.manifest.erased
    for band in sorted({*sizes, *(score.band for score in scores if score.band is not None)}):
        turns = [score.turn for score in scores if score.band == band]
        least = sum(turn not in erased for turn in turns)
        if not least <= sizes.get(band, 0) <= len(turns):
            yield from differ(f"calibration: population of the strata of band {band}", sizes.get(band, 0), len(turns))


def _check_labels(records: Records, known: Sequence[Calibration], rows: Sequence[TurnRow]) -> Iterator[Difference]:
    """Each calibration is what the labels and the sample of some time came to; without labels none can be told."""
    made = list(_pair_all(records, rows))
    for number, calibration in enumerate(known, start=1):
        stated = (calibration.drawn, calibration.pairs, calibration.strata, calibration.labellers, calibration.left_out)
        if made and stated not in made:
            yield Difference(f"calibration {number} in the annexes does not follow from the labels and samples there")


def _pair_all(records: Records, rows: Sequence[TurnRow]) -> Iterator[tuple[object, ...]]:
    """What the labels came to after each import, with each sample that was in use."""
    assert records.folder is not None, "only a run in its folder has labels"
    labels = read_annex(LabelImport, records.folder, *records.run.seals)
    samples = read_annex(CalibrationSample, records.folder, *records.run.seals)
    turns = [LabelledTurn.of_score(row.score, row.weight) for row in rows]
    for imports in range(1, len(labels) + 1):
        standing = standing_labels(labels[:imports])
        for sample in (None, *samples):
            paired = pair_up(standing, turns, sample, records.run.rubric)
            yield _state(paired, drawn=sample is not None)


def _state(paired: Pairing, *, drawn: bool) -> tuple[object, ...]:
    return drawn, paired.pairs, paired.strata, paired.labellers, paired.left_out
