"""Does what was published follow from the run? Everything is recomputed, without a judge."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportgen.archive.records import Records
from reportgen.verification.annexes import check_annexes
from reportgen.verification.canaries import check_canaries
from reportgen.verification.capture import check_capture
from reportgen.verification.differences import Difference, guard
from reportgen.verification.erasures import check_erasures
from reportgen.verification.figures import check_figures
from reportgen.verification.manifest import check_batches, check_derivation, check_files, check_manifest, check_seal
from reportgen.verification.stated import check_stated
from reportgen.verification.turns import check_turns

if TYPE_CHECKING:
    from reportgen.analysis.rows import TurnRow


def check_records(records: Records, seal: str | None = None) -> Iterator[Difference]:
    """Every difference between what the run or the report states and what follows from its turns and verdicts.

    The most telling come first: scores, then figures, then digests, then the seal.

    Args:
        records: The run.
        seal: A seal that was kept elsewhere, to be held against the run's own.
    """
    rows: list[TurnRow] = []
    checks = (
        lambda: check_turns(records, rows),
        lambda: check_capture(records, len(rows)),
        lambda: check_figures(records, rows),
        lambda: check_canaries(records),
        lambda: check_manifest(records),
        lambda: check_batches(records),
        lambda: check_derivation(records),
        lambda: check_stated(records, rows),
        lambda: check_erasures(records),
        lambda: check_annexes(records),
        lambda: check_files(records),
        lambda: check_seal(records, seal),
    )
    for check in checks:
        yield from guard(records.place, check)
