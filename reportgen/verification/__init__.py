"""Does what was published follow from the run? Everything is recomputed, without a judge."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportgen.archive.records import Records
from reportgen.verification.canaries import check_canaries
from reportgen.verification.differences import Difference, differ, guard
from reportgen.verification.erasures import check_erasures
from reportgen.verification.figures import check_figures
from reportgen.verification.manifest import check_batches, check_derivation, check_files, check_manifest, check_seal
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
    yield from guard(records.place, lambda: check_turns(records, rows))
    yield from differ("run.json: manifest.capture.turns", records.run.manifest.capture.turns, len(rows))
    yield from guard(records.place, lambda: check_figures(records, rows))
    yield from guard(records.place, lambda: check_canaries(records))
    yield from check_manifest(records)
    yield from guard(records.place, lambda: check_batches(records))
    yield from guard(records.place, lambda: check_derivation(records))
    yield from guard(records.place, lambda: check_erasures(records))
    yield from guard(records.place, lambda: check_files(records))
    yield from check_seal(records, seal)
