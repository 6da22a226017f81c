"""`reportgen verify`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportgen.cli import options
from reportgen.cli.console import Console

if TYPE_CHECKING:
    from reportgen.archive.records import Records
    from reportgen.model.derivation import Derivation
    from reportgen.model.probe import Probe
    from reportgen.model.revision import Revision
    from reportgen.model.run import Manifest
    from reportgen.pipeline.verify_pdf import PageCheck, PdfData

_SHOWN = 10


def _parse_seal(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    if not re.fullmatch(r"[0-9a-fA-F]{64}", value):
        raise click.BadParameter(f"{value!r} is not a seal: 64 hexadecimal digits")
    return value.lower()


@click.command(
    epilog=options.examples(
        "reportgen verify runs/2026-07-20T0900Z-sql-agent-1-opus-5-5",
        "reportgen verify report.json",
        "reportgen verify report.pdf",
        "reportgen verify report.json --seal 1f0c…e9",
        "reportgen verify report.json --opening t-0703-11.json",
    )
)
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--seal",
    metavar="HEX",
    callback=_parse_seal,
    help="A seal that was kept elsewhere, such as the one printed on a cover.",
)
@click.option("--opening", type=options.FILE, help="What `prove` wrote: is it of the run that PATH was derived from?")
@options.common
def command(path: Path, seal: str | None, opening: Path | None, config: Path | None, verbose: bool, quiet: bool) -> int:
    """Recompute every score, figure, digest and the seal of PATH from its turns and verdicts.

    PATH is a run folder, a report.json, or a report.pdf, which carries the data: its pages are set again from them and
    compared with those that it shows. No judge is asked. Where something does not follow, up to ten differences are
    named, the most telling first, and the exit code is 4; so it is where the pages could not wholly be compared.
    """
    from reportgen.archive.records import open_records
    from reportgen.errors import Exit
    from reportgen.pipeline.memory import bounded_memory
    from reportgen.pipeline.verify_pdf import is_pdf, open_pdf
    from reportgen.verification import check_records

    console = Console(verbose, quiet)
    with bounded_memory(path):
        carried = open_pdf(path) if is_pdf(path) else None
        records = carried.records if carried else open_records(path)
        found = chain(map(str, check_records(records, seal)), _check_opening(opening, records.run.manifest))
        is_different = _tell_differences(found, console)
    pages = _tell_pages(path, carried, console) if carried else None
    if is_different or (pages and pages.differences):
        return Exit.GATE
    _tell_sound(records, opening, console)
    if carried:
        _tell_line(f"stated by the publisher: the title, {carried.pages.title!r}, and name, logo and footer", console)
    return Exit.DONE if pages is None or pages.is_whole else Exit.GATE


def _tell_pages(path: Path, carried: "PdfData", console: Console) -> "PageCheck":
    """Compares the pages of a PDF with those that follow from its data, and says what came of it."""
    from reportgen.pipeline.verify_pdf import check_pages

    console.say("Setting the pages again, to compare them")
    pages = check_pages(path, carried)
    _tell_differences(map(str, pages.differences), console)
    _tell_line(f"{'pages' if pages.is_whole else 'UNVERIFIED'}  {pages.account}", console)
    return pages


def _tell_sound(records: "Records", opening: Path | None, console: Console) -> None:
    """Says of a run in which everything follows what that comprises."""
    run, manifest = records.run, records.run.manifest
    follow = f"{manifest.capture.turns} scores, all figures, digests and the seal follow from the turns and verdicts"
    said = (f"OK  {manifest.run_id}: {follow}", f"seal  {run.seal}")
    stated = (*_say_probes(records.probes), *_say_published(records.revision))
    for line in (*said, *_say_derived(manifest.derived), *_say_erased(manifest), *stated):
        _tell_line(line, console)
    if opening is not None:
        console.result(f"opening  {opening} is of the run that this one was derived from")


def _tell_line(text: str, console: Console) -> None:
    """Prints one line, whatever stands in it: nobody's run id or reason becomes a line that says OK."""
    console.result(" ".join(text.splitlines()))


def _tell_differences(differences: Iterable[str], console: Console) -> bool:
    """Names the first differences; says whether there are any."""
    found = list(islice(dict.fromkeys(differences), _SHOWN + 1))
    for difference in found[:_SHOWN]:
        _tell_line(f"DIFFERENT  {difference}", console)
    if len(found) > _SHOWN:
        console.result("… and more")
    return bool(found)


def _check_opening(opening: Path | None, manifest: "Manifest") -> Iterator[str]:
    """Why an opening does not belong to the run, in words."""
    from reportgen.archive.commitments import check_opening, read_opening

    if opening is None:
        return
    if manifest.derived is None:
        raise click.UsageError("--opening has no meaning with a run that was not derived from another.")
    if (reason := check_opening(read_opening(opening), manifest.derived)) is not None:
        yield f"{opening}: {reason}"


def _say_erased(manifest: "Manifest") -> Iterator[str]:
    """What was erased from a run, and what follows all the same."""
    for erasure in manifest.erasures or ():
        yield f"erased on request  {', '.join(erasure.turns)}, at {erasure.at.isoformat()}: {erasure.reason}"
    if manifest.erasures:
        yield "         not recomputed: what the judge saw of them; their scores follow from its subscores"
    for seal in manifest.seals_before:
        yield f"         summary, rubric, manifest and digests of before follow from the seal of before: {seal}"


def _say_probes(probes: "Sequence[Probe]") -> Iterator[str]:
    """What a probe rests on that is under no seal of the run."""
    if any(probe.pairs for probe in probes):
        yield "stated by the publisher: the judge's answers in the probe of the order, from which its figures follow"


def _say_published(revision: "Revision | None") -> Iterator[str]:
    """What a report holds that does not follow from its run, and is under no seal of it."""
    if revision is None:
        return
    if (baseline := revision.baseline) is not None:
        yield "stated by the publisher: the scores of the baseline, from which the comparison follows"
        yield f"         verify that run, {baseline.run}, with --seal {baseline.seal}"
        if baseline.gate is not None:
            yield "         and how the agreement of its judge with people stands"
    if revision.earlier:
        runs = ", ".join(earlier.run for earlier in revision.earlier)
        yield f"stated by the publisher: the means of the earlier runs, from which the trend follows: {runs}"
    for check in revision.checks or ():
        yield f"stated by the publisher: the check of {check.after.judge.name} against {check.before.judge.name}"
        if check.anchors and check.judged:
            names = f"{check.anchors.run}, with --seal {check.anchors.seal}"
            yield f"         verify its runs: {names}; {check.judged.run}, with --seal {check.judged.seal}"
        if check.people is not None:
            yield f"         and what people said of {check.people.turns:,} anchors"
    if (calibration := revision.calibration) is not None:
        said = f"what people said of {len(calibration.pairs)} turns, from which the calibration follows"
        yield f"stated by the publisher: {said}"
    if revision.notes or revision.correction:
        yield "stated by the publisher: the notes, and what was corrected"


def _say_derived(derived: "Derivation | None") -> Iterator[str]:
    """What a derived run is, and what nobody can recompute from it."""
    if derived is None:
        return
    if derived.is_public:
        yield "derived  for the public: no text of any turn is shown, and results by label of five turns or more"
        stated = ", ".join(name for name, item in (derived.stated or {}).items() if item)
        yield f"         stated by the publisher and not recomputed: {stated}"
        yield "         not recomputed: what the judge saw, since no text of it is here"
        return
    what = ", ".join(f"{count:,} × {kind}" for kind, count in derived.kinds.items()) or "nothing"
    yield f"derived  for the client {derived.client} and redacted; withheld: {what}"
    if derived.evidence_withheld:
        verdicts = f"{derived.evidence_withheld:,} verdicts"
        yield f"         not recomputed: what the judge saw, of {verdicts}, whose digests are withheld"
    turns = f"{len(derived.commitments):,} turns"
    yield f"         not to be seen here: which of the parent's {turns} were left out; the publisher can prove each"
