"""What is published again for the same readers takes the place of what was published for them before."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from reportgen.archive.records import Records
from reportgen.archive.store import is_finished, list_folders, load_run
from reportgen.model.audience import audience_of
from reportgen.model.revision import Correction, Revision
from reportgen.pipeline.publish import ReportOrder
from reportgen.pipeline.revising import AS_BEFORE, read_history

_CHANGED = "The report is made from a run that was derived anew."
_REASON = "The run that it was derived from, what is withheld from it, or the program has changed."


def correct_before(records: Records, order: ReportOrder, runs: Path) -> ReportOrder:
    """The order for a report, such that no other one stands beside it for the same readers and turns.

    A run that was derived anew, as after an erasure, corrects the report of the one that was derived before, unless the
    order says what it corrects, or asks for a revision as it is.

    Raises:
        RunError: A run of the archive, or its annexes, are damaged.
    """
    if order.terms.correction or order.revision is not None or order.as_published:
        return order
    before = max(_find_standing(records, runs), key=lambda item: item[0].generated_at, default=None)
    if before is None:
        return order
    revision, folder = before
    correction = Correction(
        supersedes=revision.number, changed=_CHANGED, reason=_REASON, run=folder.name, seal=load_run(folder).seal
    )
    return replace(order, terms=replace(order.terms, correction=correction), corrected=folder)


def leave_withdrawn(records: Records, order: ReportOrder) -> ReportOrder:
    """The order for a report; for one that was withdrawn, and that nothing brings back, to render it with its standing.

    Raises:
        RunError: The annexes of the run are damaged.
    """
    assert records.folder is not None, "only a run in its folder has revisions"
    is_brought_back = order.terms.correction is not None or order.terms.notes is not None
    is_withdrawn = not is_brought_back and read_history(records.folder, records.run).is_withdrawn
    return replace(order, terms=AS_BEFORE) if is_withdrawn else order


def _find_standing(records: Records, runs: Path) -> Iterator[tuple[Revision, Path]]:
    """The reports that stand of other runs that were derived from the same run for the same readers."""
    own = records.run.manifest
    if own.derived is None:
        return
    for folder in filter(is_finished, list_folders(runs)):
        run = load_run(folder)
        derived = run.manifest.derived
        is_copy = folder.name != run.manifest.run_id
        if is_copy or derived is None or run.seal == records.run.seal or derived.parent != own.derived.parent:
            continue
        history = read_history(folder, run)
        if audience_of(run.manifest) == audience_of(own) and history.latest and not history.is_withdrawn:
            yield history.latest, folder
