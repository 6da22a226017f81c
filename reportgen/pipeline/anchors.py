"""Freezing anchors: turns of a finished run, with their verdicts and scores, kept as a run of their own for ever."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen import __version__
from reportgen.analysis.drawing import allocate, place_of
from reportgen.archive.anchors import anchors_of
from reportgen.archive.records import Records, find_intact, open_records
from reportgen.archive.store import TURNS, VERDICTS, is_finished, list_folders, load_run, save_lines
from reportgen.errors import AnchorsError
from reportgen.model.batch import count_batches
from reportgen.model.rubric import Rubric
from reportgen.model.run import Capture, Manifest, Repeats, RunFile
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.pipeline.begin import begin_folder, name_parent
from reportgen.pipeline.finish import finish_run
from reportgen.scoring.metrics import band_to_draw_by

_SUFFIX = "anchors"


@dataclass(frozen=True, slots=True)
class Frozen:
    """A frozen set: its folder, how many turns it has of how many in each band, and which turns were not drawn from.

    `unscored` turns have no score to hold another against, `erased` ones no texts; `canaries` are no turns.
    """

    folder: Path
    bands: dict[str, tuple[int, int]]
    unscored: int
    erased: int
    canaries: int


def freeze_anchors(parent: Path, wanted: int, runs: Path, run_id: str | None) -> Frozen:
    """Draws turns of a finished run and keeps them as anchors; the same run and number give the same bytes.

    Each band gets the same number as far as it has so many, since a judge errs otherwise on poor turns than on good
    ones, and poor ones are rare. Within a band turns come in the order of the SHA-256 of the run's seal and their id.

    Args:
        parent: The folder of the run, which is whole.
        wanted: How many; all scored turns where there are no more.
        runs: The archive.
        run_id: The id of the set; None for one of the run's id and the number.

    Raises:
        AnchorsError: The run asked no single judge, or no turn of it can be drawn.
        RunError: There is such a set already, or it cannot be written.
    """
    records = open_records(parent)
    run = records.run
    _require_asked(run, records.place)
    bands = _group_by_band(records)
    drawn = _draw(run.first_seal, bands, wanted)
    if not drawn:
        raise AnchorsError(f"No turn of the run {records.place} has a score", "Freeze anchors of another run.")
    turns, verdicts = list(_take_turns(records, drawn)), _take_verdicts(records, drawn)
    manifest = _describe(run, run_id or _choose_id(run, len(turns), runs), turns, verdicts)
    with begin_folder(anchors_of(runs), manifest) as folder:
        save_lines(folder / TURNS, turns)
        save_lines(folder / VERDICTS, verdicts)
        finish_run(folder, manifest, run.rubric, run.system_prompts, run.manifest.finished_at or manifest.started_at)
    counts = {band: (len(drawn & set(members)), len(members)) for band, members in bands.items()}
    known = sum(len(members) for members in bands.values())
    erased = sum(turn.id in run.manifest.erased for turn in records.turns())
    return Frozen(folder, counts, run.summary.turns - known - erased, erased, len(run.canaries or ()))


def find_anchors(name: str | None, runs: Path) -> Path:
    """The folder of a frozen set that is as it was frozen: that of the name, or the latest one.

    Raises:
        AnchorsError: There is none, or it is no set of anchors.
        RunError: It was changed.
    """
    room = anchors_of(runs)
    if name is None:
        sets = list_anchors(runs)
        if not sets:
            raise AnchorsError(f"There are no frozen anchors in {room}", "Freeze some: `reportgen anchors freeze RUN`.")
        name = str(sets[-1])
    folder = find_intact(name, room)
    if not load_run(folder).manifest.is_frozen:
        raise AnchorsError(f"{folder} is no set of anchors", "`reportgen anchors list` shows those there are.")
    return folder


def require_askable(anchors: RunFile) -> None:
    """Makes sure that a set has all its texts, so that a judge can be asked about it.

    Raises:
        AnchorsError: Some were erased.
    """
    if erased := anchors.manifest.erased:
        raise AnchorsError(
            f"The texts of {len(erased)} turns of the anchors {anchors.manifest.run_id} were erased",
            "Freeze another set of a run by the same judge.",
        )


def require_comparable(anchors: RunFile, rubric: Rubric) -> None:
    """Makes sure that a check by a rubric has figures to compare: it is the rubric of the set, or a version of it.

    Raises:
        AnchorsError: It is another rubric, or it decides by other figures.
    """
    own = anchors.rubric
    if own.id == rubric.id and _decisive(own) == _decisive(rubric):
        return
    raise AnchorsError(
        f"The anchors {anchors.manifest.run_id} were judged by the rubric {own.id}-{own.version}; verdicts by "
        f"{rubric.id}-{rubric.version} have nothing in them to be held against",
        "Leave out --rubric, give a new version of the same rubric, or name a set by this one: "
        "`reportgen anchors list` shows the rubric of each.",
    )


def _decisive(rubric: Rubric) -> set[str]:
    """The figures by which a check decides: the composite, or without one the dimensions."""
    return {"composite"} if rubric.has_composite else {item.id for item in rubric.dimensions}


def list_anchors(runs: Path) -> list[Path]:
    """The folders of all frozen sets, in the order in which their runs were judged."""
    known = [(folder, load_run(folder)) for folder in list_folders(anchors_of(runs)) if is_finished(folder)]
    sets = [(run.manifest.started_at, folder) for folder, run in known if run.manifest.is_frozen]
    return [folder for _, folder in sorted(sets)]


def _require_asked(run: RunFile, place: str) -> None:
    """Makes sure that one judge was asked in the run, and that the run shows what it was asked about."""
    manifest = run.manifest
    what = (
        "was derived for others"
        if manifest.derived
        else "is a panel of several judges"
        if manifest.panel
        else "was scored again by another rubric"
        if manifest.is_rescored
        else None
    )
    if what is not None:
        raise AnchorsError(f"The run {place} {what}", "Freeze anchors of a run in which one judge was asked.")


def _group_by_band(records: Records) -> dict[str, list[str]]:
    """The scored turns by the band that the judge put them in, highest band first; erased ones are left out."""
    bands: dict[str, list[str]] = {band.id: [] for band in records.run.rubric.bands}
    for score in records.scores():
        band = band_to_draw_by(score, records.run.rubric)
        if band is not None and score.turn not in records.run.manifest.erased:
            bands[band].append(score.turn)
    return bands


def _draw(seed: str, bands: dict[str, list[str]], wanted: int) -> frozenset[str]:
    sizes = {band: len(members) for band, members in bands.items() if members}
    if not sizes:
        return frozenset()
    counts = allocate(sizes, wanted, at_least=wanted // len(sizes))
    return frozenset(
        turn
        for band, count in counts.items()
        for turn in sorted(bands[band], key=lambda turn: place_of(seed, turn))[:count]
    )


def _take_turns(records: Records, drawn: frozenset[str]) -> Iterator[Turn]:
    """The drawn turns; of how many a sample drew them is left out, since they stand for nothing but themselves."""
    for turn in records.turns():
        if turn.id in drawn:
            yield turn.model_copy(update={"drawn": None})


def _take_verdicts(records: Records, drawn: frozenset[str]) -> list[Verdict]:
    return [verdict for verdict in records.verdicts() if verdict.turn in drawn]


def _choose_id(run: RunFile, count: int, runs: Path) -> str:
    """A free id that says of which run how many turns these are."""
    stem = f"{run.manifest.run_id[:120]}-{_SUFFIX}-{count}"
    number, run_id = 1, stem
    while (anchors_of(runs) / run_id).exists():
        number += 1
        run_id = f"{stem}-{number}"
    return run_id


def _describe(run: RunFile, run_id: str, turns: Sequence[Turn], verdicts: Sequence[Verdict]) -> Manifest:
    old = run.manifest
    repeated = len({verdict.turn for verdict in verdicts if verdict.sample > 1})
    changed = {
        "run_id": run_id,
        "program": f"reportgen {__version__}",
        "capture": Capture(captured=len(turns), turns=len(turns)),
        "finished_at": None,
        "parent": name_parent(run, "frozen"),
        "predecessor": None,
        "batches": count_batches(verdicts),
        "seed": None,
        "repeats": Repeats(samples=old.repeats.samples, turns=repeated) if old.repeats and repeated else None,
        "erasures": None,
    }
    return old.model_copy(update=changed)
