"""A large capture -> a file of turns that were drawn from it, each of which says what it stands for."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reportgen.archive.digests import file_digest
from reportgen.archive.files import write_whole
from reportgen.capture.lines import read_lines
from reportgen.capture.sampling import Sample, draw_sample, read_sample
from reportgen.capture.turns import BadLine
from reportgen.errors import CaptureError


@dataclass(frozen=True, slots=True)
class SampleOrder:
    """What is to be drawn: at most `budget` turns of `source`, by the labels in `strata`.

    Without a `seed` the draw follows from the capture itself, so that nobody can try out seeds until the turns suit.
    """

    source: Path
    out: Path
    budget: int
    strata: tuple[str, ...]
    seed: str | None = None


def sample_capture(
    order: SampleOrder, on_bad: Callable[[BadLine], None] | None, on_progress: Callable[[int, int], None]
) -> Sample:
    """Draws a sample and writes it, whole or not at all.

    The capture is read four times: for its digest, to count its lines, to draw, and to take over what was drawn.

    Args:
        order: What is to be drawn.
        on_bad: Is given each bad line; None to stop at the first.
        on_progress: Is told how many lines were read of how many.

    Raises:
        CaptureError: The capture cannot be read or drawn from, or the file is there already.
    """
    if order.out.exists():
        raise CaptureError(f"{order.out} is there already", "Remove it, or choose another file by --out.")
    if order.source.exists() and not order.source.is_file():
        raise CaptureError(f"{order.source} is not a plain file", "Write the turns to a file first.")
    total = sum(1 for _ in read_lines(order.source))
    digest = file_digest(order.source)
    sample = draw_sample(
        order.source,
        order.budget,
        order.strata,
        order.seed or digest,
        on_bad,
        lambda number: on_progress(number, total),
    )
    write_whole(order.out, read_sample(order.source, sample, digest))
    return sample
