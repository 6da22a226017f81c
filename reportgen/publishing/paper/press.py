"""A report on its way to paper: which turns stand in full, in how many volumes, and in which parts they are set."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from reportgen.publishing.document import keep_small
from reportgen.publishing.paper.bound_parts import ELSEWHERE
from reportgen.publishing.paper.documents import render_front, render_part, render_sums, render_volume, render_whole
from reportgen.publishing.paper.pdf import Attachment, Binding, PdfOutcome, bind_pdf
from reportgen.publishing.paper.selection import Selection, choose_turns
from reportgen.publishing.printing import print_count
from reportgen.publishing.report import PaperNotes, Report, TurnEntry
from reportgen.publishing.sections import turns as turns_section
from reportgen.publishing.text import turn_anchor

IN_ONE_PIECE = 24
"""Up to so many turns a report is set in one piece."""

PART = 200_000
"""A part is full when its HTML has so many characters: about 40 pages, and 250 MB in the process that sets it.

Small enough that the processes beside each other end at about the same time.
"""

SUMS_IN_A_PART = 1_000
TURNS_IN_A_VOLUME = 2_000

Parts = Iterable[Iterable[str]]


@dataclass(frozen=True, slots=True)
class Volume:
    """One PDF: the name of its file, and the HTML documents that it is bound from."""

    name: str
    parts: Callable[[], Parts]


def plan_volumes(report: Report, *, all_turns: bool, attached: str | None = None) -> list[Volume]:
    """The PDFs that a report becomes.

    Args:
        report: What to publish.
        all_turns: Whether each turn is to stand in full, however many there are.
        attached: The name of the file of data that the first volume carries.
    """
    report = replace(keep_small(report), paper=PaperNotes(attached=attached))
    count = report.findings.summary.turns
    if count <= IN_ONE_PIECE:
        return [Volume("report.pdf", lambda: [render_whole(report)])]
    selection = None if all_turns else choose_turns(report)
    if selection:
        return [Volume("report.pdf", partial(_set_selected, report, selection))]
    return _plan_all(report, count)


def print_volume(
    volume: Volume, report: Report, attachments: Sequence[Attachment], on_outcome: Callable[[PdfOutcome], None]
) -> bytes:
    """The PDF of a volume.

    Raises:
        RenderError: The engine or a library that it needs is missing, it crashed, or it went beyond a limit.
    """
    binding = Binding(attachments, report.generated_at, turns_section.TITLE)
    return bind_pdf(volume.parts(), binding, on_outcome)


def _set_selected(report: Report, selection: Selection) -> Parts:
    """The front, the arithmetic of all turns, and some turns in full."""
    notes = PaperNotes(selection=selection.account, attached=report.paper.attached if report.paper else None)
    report = replace(report, href=_elsewhere, paper=notes)
    yield render_front(report)
    for entries in _batches(report.turns(), SUMS_IN_A_PART):
        yield render_sums(report, entries, selection.ids)
    yield from _set_turns(report, (entry for entry in report.turns() if entry.turn.id in selection.ids))


def _plan_all(report: Report, count: int) -> list[Volume]:
    """All turns in full, in as many volumes as it takes."""
    starts = range(1, count + 1, TURNS_IN_A_VOLUME)
    ranges = [(start, min(start + TURNS_IN_A_VOLUME - 1, count)) for start in starts]
    names = ["report.pdf", *(f"report-volume-{number}.pdf" for number in range(2, len(ranges) + 1))]
    if len(ranges) == 1:
        return [Volume(names[0], lambda: _set_first(replace(report, href=_elsewhere), ranges[0]))]
    said = [f"Turns {print_count(first)} to {print_count(last)}" for first, last in ranges]
    notes = replace(report.paper or PaperNotes(), volumes=tuple(zip(names[1:], said[1:], strict=True)))
    places = _find_volumes(report, names)
    first = replace(report, paper=notes, href=lambda turn: _in_volume(turn, places[turn], names[0]))
    volumes = [Volume(names[0], lambda: _set_first(first, ranges[0]))]
    for number in range(2, len(ranges) + 1):
        head = partial(render_volume, report, number, len(ranges), said[number - 1], names[0])
        volumes.append(Volume(names[number - 1], partial(_set_further, report, head, ranges[number - 1])))
    return volumes


def _find_volumes(report: Report, names: Sequence[str]) -> dict[str, str]:
    """In which file each turn stands."""
    return {entry.turn.id: names[(entry.number - 1) // TURNS_IN_A_VOLUME] for entry in report.turns()}


def _in_volume(turn: str, name: str, own: str) -> str:
    return _elsewhere(turn) if name == own else f"{ELSEWHERE}volume-{name}"


def _elsewhere(turn: str) -> str:
    """The address of a turn that may stand in another part."""
    return f"{ELSEWHERE}{turn_anchor(turn)}"


def _set_first(report: Report, numbers: tuple[int, int]) -> Parts:
    yield render_front(report)
    yield from _set_turns(report, _between(report, numbers))


def _set_further(report: Report, head: Callable[[], Iterable[str]], numbers: tuple[int, int]) -> Parts:
    yield head()
    yield from _set_turns(report, _between(report, numbers))


def _between(report: Report, numbers: tuple[int, int]) -> Iterator[TurnEntry]:
    return (entry for entry in report.turns() if numbers[0] <= entry.number <= numbers[1])


def _set_turns(report: Report, entries: Iterator[TurnEntry]) -> Iterator[str]:
    """These turns in full, in parts of about the same size."""
    waiting = next(entries, None)
    while waiting is not None:
        part = _Part(waiting, entries)
        text = ""
        for piece in render_part(report, part.take()):
            text += piece
            part.length = len(text)
        yield text
        waiting = part.waiting


class _Part:
    """Gives turns until what was written of them fills a part; the one after them waits for the next part."""

    def __init__(self, first: TurnEntry, entries: Iterator[TurnEntry]) -> None:
        self.length = 0
        self.waiting: TurnEntry | None = first
        self._entries = entries

    def take(self) -> Iterator[TurnEntry]:
        taken = 0
        while self.waiting is not None and (not taken or self.length < PART):
            yield self.waiting
            taken += 1
            self.waiting = next(self._entries, None)


def _batches(entries: Iterator[TurnEntry], size: int) -> Iterator[list[TurnEntry]]:
    while batch := list(islice(entries, size)):
        yield batch
