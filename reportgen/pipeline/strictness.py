"""What `--strict` asks of a finished run."""

from collections.abc import Callable
from pathlib import Path

from reportgen.analysis.caveats import STRICT
from reportgen.analysis.findings import Material, build_findings
from reportgen.archive.anchors import checks_of
from reportgen.archive.records import open_records
from reportgen.assembly import read_rows
from reportgen.errors import StrictError


def require_trust(folder: Path, say: Callable[[str], None]) -> None:
    """Makes sure that a run has no caveat that `--strict` does not let pass.

    Args:
        folder: That of a finished run.
        say: Prints a line for a person, where a judge was not tested.

    Raises:
        StrictError: It has one.
    """
    records = open_records(folder)
    run = records.run
    given = Material(read_rows(records), run.rubric, run.manifest, canaries=run.canaries, checks=checks_of(records))
    found = build_findings(given)
    for untested in found.canaries.untested:
        say(f"--strict: whether {untested.judge} can be trusted was not tested: {untested.reason}")
    grave = [f"{caveat.slug}: {caveat.sentence}" for caveat in found.caveats if caveat.slug in STRICT]
    if grave:
        raise StrictError(f"The run {folder} is kept, but --strict does not let it pass. {' '.join(grave)}", _FIX)


_FIX = "docs/caveats.md says what to do about each caveat."
