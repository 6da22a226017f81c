"""What a site holds: runs for one audience, each with all that was published of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reportgen.analysis.sampling import Sampling
from reportgen.model.audience import Audience
from reportgen.model.revision import Revision
from reportgen.model.run import RunFile
from reportgen.model.standing import Standing, Withdrawal
from reportgen.publishing.look.look import Look
from reportgen.publishing.text import turn_anchor

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def run_key(run_id: str) -> str:
    """The id of a run where it is fit for an address, else one that is, and that no other run has."""
    return run_id if _PLAIN.fullmatch(run_id) else turn_anchor(run_id).replace("turn-", "run-", 1)


@dataclass(frozen=True, slots=True)
class SiteRevision:
    """One revision: its standing, None for the current one, and its files as paths within the site, HTML first."""

    revision: Revision
    standing: Standing | None
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SiteRun:
    """One run: its revisions, oldest first, and what its latest report shows.

    `first` and `last` are the capture times of its earliest and latest turn. `worst` are its lowest turns, printed;
    `sampling` is None where it is no sample.
    """

    run: RunFile
    first: datetime | None
    last: datetime | None
    worst: tuple[dict[str, Any], ...]
    sampling: Sampling | None
    revisions: tuple[SiteRevision, ...]
    withdrawals: tuple[Withdrawal, ...]
    data: tuple[str, ...] = ()
    """Statistics and raw rows for programs, as paths within the site; none for the public."""

    @property
    def latest(self) -> SiteRevision:
        """The revision that was published last, whether it still stands or not."""
        return self.revisions[-1]

    @property
    def stands(self) -> bool:
        """Whether the report is still what its publisher says."""
        return self.latest.standing is None

    @property
    def order(self) -> tuple[datetime, str]:
        """By when its turns were captured, then by its id."""
        return self.last or self.run.manifest.started_at, self.run.manifest.run_id


@dataclass(frozen=True, slots=True)
class Site:
    """All that the pages need; runs stand oldest first. `base` is the address of the site, with a final slash."""

    title: str
    audience: Audience
    runs: tuple[SiteRun, ...]
    program: str
    look: Look
    base: str | None = None

    def moments(self) -> Iterator[datetime]:
        """When something was published or withdrawn."""
        for run in self.runs:
            yield from (item.revision.generated_at for item in run.revisions)
            yield from (withdrawal.at for withdrawal in run.withdrawals)

    @property
    def updated(self) -> datetime:
        """The last time at which something was published or withdrawn."""
        return max(self.moments())
