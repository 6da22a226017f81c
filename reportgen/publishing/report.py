"""A report as data: the run, its findings, and its turns one by one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from reportgen.analysis.findings import Findings
from reportgen.analysis.rows import TurnRow
from reportgen.model.probe import Probe
from reportgen.model.revision import Revision
from reportgen.model.run import RunFile
from reportgen.model.score import Score
from reportgen.model.standing import Standing
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.publishing.look.look import PLAIN, Look
from reportgen.publishing.text import turn_anchor


@dataclass(frozen=True, slots=True)
class Quote:
    """A passage that the judge quoted, and whether it stands in the evidence that the judge saw."""

    text: str
    supported: bool


@dataclass(frozen=True, slots=True)
class TurnEntry:
    """One turn with all that a reader needs to retrace its score.

    `number` counts from 1 in the order of the capture. `cuts` say in words what was shortened for the judge,
    `first_weak` names the first weak dimension in causal order.
    """

    number: int
    turn: Turn
    verdicts: tuple[Verdict, ...]
    score: Score
    row: TurnRow
    quotes: tuple[Quote, ...]
    cuts: tuple[str, ...]
    first_weak: str | None


def href_within(turn_id: str) -> str:
    """The address of a turn that stands in the same document as the link to it."""
    return f"#{turn_anchor(turn_id)}"


@dataclass(frozen=True, slots=True)
class PaperNotes:
    """What a report on paper says of itself.

    `selection` says which turns stand in full, None if all do; `volumes` name the further files and the turns in them;
    `attached` names the file of data in the PDF.
    """

    selection: str | None = None
    volumes: tuple[tuple[str, str], ...] = ()
    attached: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What is published.

    `standing` says what has become of the revision; None where it is the current one, or is shown as it was published.
    `turns()` reads the entries afresh from the run each time, one at a time. `href` gives the address of a turn by its
    id: where it stands depends on what the report becomes. `paper` is None for a browser.
    """

    run: RunFile
    findings: Findings
    revision: Revision
    turns: Callable[[], Iterator[TurnEntry]]
    title: str = "Answer quality report"
    probes: tuple[Probe, ...] = ()
    href: Callable[[str], str] = href_within
    paper: PaperNotes | None = None
    look: Look = PLAIN
    standing: Standing | None = None

    @property
    def has_texts(self) -> bool:
        """Whether the texts of the turns are shown; the public is shown none."""
        return not self.run.manifest.is_public

    @property
    def labels(self) -> list[str]:
        """The labels by which turns can be found: those with results, where the turns bear them."""
        return [breakdown.label for breakdown in self.findings.breakdowns] if self.has_texts else []

    @property
    def generated_at(self) -> datetime:
        """When this revision of the report was rendered first."""
        return self.revision.generated_at
