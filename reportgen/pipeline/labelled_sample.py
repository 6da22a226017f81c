"""A finished run -> a sample of its turns that people are asked to label, kept in the annexes of the run."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path

from reportgen import __version__
from reportgen.analysis.labelling import Candidate, Part, Stratum, draw_labelled, find_labels, stratify
from reportgen.archive.annexes import append_annex, read_annex
from reportgen.archive.lock import locked
from reportgen.archive.records import Records, open_records
from reportgen.errors import LabelError
from reportgen.model.label import CalibrationSample, SampledStratum, SampledTurn
from reportgen.model.run import RunFile

PROGRAM = f"reportgen {__version__}"


@dataclass(frozen=True, slots=True)
class LabelledOrder:
    """How many turns of which run are to be labelled.

    Without `labels` and `seed` they are those of the latest sample, so that a larger one keeps its picks. Where there
    is none the labels are the usual ones, as far as there is room for their strata, and the seed is the seal that the
    run had when it was finished, so that nobody can try out seeds until the turns suit.
    """

    folder: Path
    wanted: int
    labels: tuple[str, ...] | None = None
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """The sample in use; `is_new` where it was not there before."""

    sample: CalibrationSample
    is_new: bool


@dataclass(frozen=True, slots=True)
class _Pool:
    """What may be drawn, and how many turns may not."""

    candidates: tuple[Candidate, ...]
    unscored: int
    erased: int


def sample_run(order: LabelledOrder, now: datetime) -> Drawing:
    """Draws a sample of a run and adds it to the annexes, unless the latest one is the same.

    Raises:
        LabelError: The run is one whose turns are not labelled, or has fewer scored turns, or more strata, than wanted.
        RunError: The run cannot be read, or its annexes are damaged or cannot be written.
    """
    records = open_records(order.folder)
    require_labelled(records.run)
    pool = _find_pool(records)
    with locked(order.folder):
        known = read_annex(CalibrationSample, order.folder, *records.run.seals)
        sample = _draw(order, records.run, pool, known[-1] if known else None, now)
        if known and _says_the_same(known[-1], sample):
            return Drawing(known[-1], is_new=False)
        append_annex(order.folder, sample)
    return Drawing(sample, is_new=True)


def require_labelled(run: RunFile) -> None:
    """Makes sure that people may label the turns of a run.

    Raises:
        LabelError: It was derived, or its rubric has no composite.
    """
    if run.manifest.derived is not None:
        raise LabelError(
            f"The run {run.manifest.run_id} was derived for other readers, without what was withheld from them",
            "Label the turns of the run that it was derived from.",
        )
    require_composite(run)


def require_composite(run: RunFile) -> None:
    """Makes sure that turns have a score as a whole, with a band, since it is that on which judge and people are held.

    Raises:
        LabelError: The rubric of the run has no composite.
    """
    if not run.rubric.has_composite:
        raise LabelError(
            f"The rubric {run.manifest.rubric}-{run.manifest.rubric_version} has no composite, and people are held "
            "against the bands of one",
            "Judge the turns by a rubric that has one.",
        )


def _find_pool(records: Records) -> _Pool:
    erased = records.run.manifest.erased
    candidates, unscored, unreadable = list[Candidate](), 0, 0
    for turn, score in zip(records.turns(), records.scores(), strict=True):
        if score.score is None or score.band is None:
            unscored += 1
        elif turn.id in erased:
            unreadable += 1
        else:
            candidates.append(Candidate(turn.id, score.score, score.band, turn.labels))
    return _Pool(tuple(candidates), unscored, unreadable)


def _draw(
    order: LabelledOrder, run: RunFile, pool: _Pool, latest: CalibrationSample | None, now: datetime
) -> CalibrationSample:
    labels = order.labels
    if labels is None:
        labels = latest.labels if latest else find_labels(pool.candidates, order.wanted)
    seed = order.seed or (latest.seed if latest else run.first_seal)
    strata = stratify(pool.candidates, labels)
    _require_room(strata, order.wanted, run.manifest.run_id)
    parts = draw_labelled(strata, order.wanted, seed)
    return CalibrationSample(
        seal=run.seal,
        rubric=run.rubric.digest,
        drawn_at=now.replace(microsecond=0),
        program=PROGRAM,
        wanted=order.wanted,
        seed=seed,
        labels=labels,
        strata=tuple(map(_describe, parts)),
        turns=tuple(_list_turns(parts)),
        unscored=pool.unscored,
        erased=pool.erased,
    )


def _require_room(strata: Sequence[Stratum], wanted: int, run_id: str) -> None:
    if not strata:
        raise LabelError(f"The run {run_id} has no turn with a score", "Label the turns of a run that was judged.")
    if len(strata) > wanted:
        raise LabelError(
            f"{wanted} turns are fewer than the {len(strata)} strata of the run {run_id}, and each needs one",
            "Give a larger --n, or fewer labels by --strata.",
        )


def _describe(part: Part) -> SampledStratum:
    stratum, spread = part.stratum, part.stratum.spread
    return SampledStratum(
        band=stratum.band,
        cells=stratum.cells,
        population=len(stratum.members),
        drawn=len(part.drawn),
        spread=None if spread is None else round(spread, 6),
    )


def _list_turns(parts: Sequence[Part]) -> list[SampledTurn]:
    return [
        SampledTurn(turn=turn, stratum=number, probability=Fraction(len(part.drawn), len(part.stratum.members)))
        for number, part in enumerate(parts)
        for turn in part.drawn
    ]


def _says_the_same(one: CalibrationSample, other: CalibrationSample) -> bool:
    """Whether two samples differ in nothing but when and by which program they were drawn."""
    return one.model_copy(update={"drawn_at": other.drawn_at, "program": other.program}) == other
