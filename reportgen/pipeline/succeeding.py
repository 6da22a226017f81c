"""What is published again for the same readers takes the place of what was published for them before."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from reportgen.archive.records import Records
from reportgen.archive.store import is_finished, list_folders, load_run
from reportgen.errors import RevisionError
from reportgen.model.audience import audience_of
from reportgen.model.revision import Correction, Revision
from reportgen.model.standing import Standing
from reportgen.pipeline.publish import ReportOrder
from reportgen.pipeline.revising import AS_BEFORE, read_history

_Other: TypeAlias = tuple[Revision, Path, Standing | None]
"""The latest revision of another run, its folder, and its standing."""

_CHANGED = "The report is made from a run that was derived anew."
_REASON = "The run that it was derived from, what is withheld from it, or the program has changed."


def correct_before(records: Records, order: ReportOrder, runs: Path) -> ReportOrder:
    """The order for a report, such that no other one stands beside it for the same readers and turns.

    A run that was derived anew, as after an erasure, corrects the report of the one that was derived before, unless the
    order says what it corrects, or asks for a revision as it is.

    Raises:
        RevisionError: The report of the one before was withdrawn, so that only a correction may bring it back.
        RunError: A run of the archive, or its annexes, are damaged.
    """
    if order.terms.correction or order.revision is not None or order.as_published:
        return order
    others = list(_find_others(records, runs))
    standing = [item for item in others if item[2] is None]
    if not standing:
        _require_none_withdrawn(records, others)
        return order
    revision, folder, _ = max(standing, key=lambda item: item[0].generated_at)
    correction = Correction(
        supersedes=revision.number, changed=_CHANGED, reason=_REASON, run=folder.name, seal=load_run(folder).seal
    )
    return replace(order, terms=replace(order.terms, correction=correction), corrected=folder)


def _require_none_withdrawn(records: Records, others: Sequence[_Other]) -> None:
    """Makes sure that what a person withdrew does not come back as the report of a run that was derived anew."""
    withdrawn = [
        (revision, folder) for revision, folder, standing in others if standing and standing.state == "withdrawn"
    ]
    if withdrawn and read_history(_folder(records), records.run).latest is None:
        revision, folder = withdrawn[-1]
        fix = f"`reportgen report {_folder(records).name} --corrects {folder.name}#{revision.number}`"
        raise RevisionError(
            f"The report of {folder} was withdrawn, and {records.place} would bring it back",
            "To leave it so, take these readers out of publish.audiences or publish.clients. Else say first what is "
            f"corrected: {fix}, with --changed and --reason.",
        )


def leave_withdrawn(records: Records, order: ReportOrder) -> ReportOrder:
    """The order for a report; for one that was withdrawn, and that nothing brings back, to render it with its standing.

    Raises:
        RunError: The annexes of the run are damaged.
    """
    is_brought_back = order.terms.correction is not None or order.terms.notes is not None
    is_withdrawn = not is_brought_back and read_history(_folder(records), records.run).is_withdrawn
    return replace(order, terms=AS_BEFORE) if is_withdrawn else order


def _folder(records: Records) -> Path:
    assert records.folder is not None, "only a run in its folder has revisions"
    return records.folder


def _find_others(records: Records, runs: Path) -> Iterator[_Other]:
    """What was published of other runs that were derived from the same run for the same readers."""
    own = records.run.manifest
    if own.derived is None:
        return
    for folder in filter(is_finished, list_folders(runs)):
        run = load_run(folder)
        derived, is_copy = run.manifest.derived, folder.name != run.manifest.run_id
        if is_copy or derived is None or run.seal == records.run.seal or derived.parent != own.derived.parent:
            continue
        history = read_history(folder, run)
        if audience_of(run.manifest) == audience_of(own) and history.latest:
            yield history.latest, folder, history.standing(history.latest)
