"""What people said of frozen anchors, beside what the old judge and the new one said of them."""

from contextlib import suppress
from pathlib import Path

from reportgen.analysis.calibration.beside_people import hold_beside_people
from reportgen.analysis.calibration.pairing import LabelledTurn, pair_up
from reportgen.archive.annexes import read_annex
from reportgen.archive.records import Records
from reportgen.archive.store import is_finished, list_folders, load_run
from reportgen.errors import RunError
from reportgen.model.anchor_check import BesidePeople
from reportgen.model.label import LabelImport, standing_labels


def list_beside_people(before: Records, after: Records, runs: Path) -> list[BesidePeople | None]:
    """Both judges beside people after each import of labels, last with all labels that stand; None for no such turn.

    Nothing where nobody labelled, or where a rubric has no composite and so no bands.

    Args:
        before: The frozen set.
        after: The run in which the new judge was asked about it.
        runs: The archive.

    Raises:
        RunError: The labels are damaged.
    """
    if not (before.run.rubric.has_composite and after.run.rubric.has_composite):
        return []
    imports = _read_imports(before, runs)
    bands = {score.turn: score.band for score in after.scores() if score.band is not None}
    turns = [LabelledTurn.of_score(score) for score in before.scores()]
    found = []
    for count in range(1, len(imports) + 1):
        pairs = pair_up(standing_labels(imports[:count]), turns, None, before.run.rubric).pairs
        found.append(hold_beside_people(pairs, bands, before.run.rubric))
    return found


def _read_imports(anchors: Records, runs: Path) -> list[LabelImport]:
    """The labels on the set itself and on the run that it was drawn from, oldest first."""
    parent = anchors.run.manifest.parent
    drawn_from = _find_run(runs, parent.seal) if parent else None
    folders = [folder for folder in (anchors.folder, drawn_from) if folder is not None]
    imports = (item for folder in folders for item in read_annex(LabelImport, folder, *load_run(folder).seals))
    return sorted(imports, key=lambda item: item.imported_at)


def _find_run(runs: Path, seal: str) -> Path | None:
    """The run of that seal, in a folder of whatever name; a damaged one is not this check's concern."""
    for folder in list_folders(runs):
        with suppress(RunError):
            if is_finished(folder) and seal in load_run(folder).seals:
                return folder
    return None
