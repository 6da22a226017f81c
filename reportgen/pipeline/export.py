"""A finished run -> its turns as tables, and its summary as Markdown."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from pathlib import Path

from reportgen.analysis.findings import Findings, Material, build_findings
from reportgen.analysis.gates import GateResult
from reportgen.archive.anchors import checks_of
from reportgen.archive.files import write_together
from reportgen.archive.records import Records
from reportgen.assembly import read_rows
from reportgen.config import NO_GATES, GatesConfig
from reportgen.model.revision import EarlierRun
from reportgen.pipeline.gates import judge_rows
from reportgen.pipeline.making_room import require_free
from reportgen.pipeline.publish import make_folder
from reportgen.publishing.exports import EXPORTS
from reportgen.publishing.exports.export import Export
from reportgen.publishing.exports.table import Pair, build_columns
from reportgen.publishing.look.overrides import NO_OVERRIDES, Overrides


@dataclass(frozen=True, slots=True)
class ExportOrder:
    """What is to be exported where; `earlier` are the runs that a gate may look at.

    Without `with_text` the table has no text of a turn.
    """

    records: Records
    out: Path
    formats: tuple[str, ...]
    force: bool = False
    with_text: bool = True
    gates: GatesConfig = NO_GATES
    earlier: tuple[EarlierRun, ...] = ()
    overrides: Overrides = NO_OVERRIDES


def export_run(order: ExportOrder) -> tuple[Path, ...]:
    """Writes a run in each format, all of them or none.

    Raises:
        RunError: The run cannot be read, a file exists already, or one cannot be written.
        RenderError: The run cannot be written in one of the formats.
    """
    formats = {order.out / EXPORTS[name].file: EXPORTS[name] for name in order.formats}
    require_free(formats, force=order.force)
    export = _build_export(order)
    for form in formats.values():
        if form.require:
            form.require(export)
    make_folder(order.out)
    write_together({path: partial(form.write, export) for path, form in formats.items()})
    return tuple(formats)


def _build_export(order: ExportOrder) -> Export:
    records = order.records
    return Export(
        run=records.run,
        columns=build_columns(records.run, records.turns(), with_text=order.with_text),
        pairs=partial(_read_pairs, records),
        conclude=partial(_conclude, order),
        overrides=order.overrides,
    )


def _read_pairs(records: Records) -> Iterator[Pair]:
    return starmap(Pair, zip(records.turns(), records.scores(), strict=True))


def _conclude(order: ExportOrder) -> tuple[Findings, tuple[GateResult, ...]]:
    run, rows = order.records.run, read_rows(order.records)
    checks = checks_of(order.records)
    findings = build_findings(Material(rows, run.rubric, run.manifest, canaries=run.canaries, checks=checks))
    return findings, judge_rows(rows, run, order.gates, order.earlier, checks)
