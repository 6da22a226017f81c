"""What the verdicts of an open run are given by, and that everybody who judges for it keeps to it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import product

from reportgen.archive.open_runs import OpenRun, pin_terms
from reportgen.capture.segments import split_segments
from reportgen.errors import CostLimitError, RubricError, TermsError
from reportgen.judging.prompts import build_prompt, build_request, build_system
from reportgen.model.opening import Limit, Terms
from reportgen.model.rubric import Rubric
from reportgen.model.run import EvidenceLimits
from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge
from reportgen.record import text_digest
from reportgen.rubrics import load_rubric


@dataclass(frozen=True, slots=True)
class Closed:
    """The open run that becomes a run: its terms, None if it has none; when it was opened; and how to go on closing."""

    name: str
    terms: Terms | None
    opened_at: datetime
    way_on: str


def build_terms(rubric: Rubric, judge: Judge, rows: int) -> Terms:
    """The terms of whoever judges by this rubric, with this judge, who is shown so many rows of a statement."""
    return Terms(
        judge=judge,
        rubric=rubric.id,
        rubric_version=rubric.version,
        rubric_digest=rubric.digest,
        evidence=EvidenceLimits(rows=rows),
        prompts={call.id: text_digest(build_system(rubric, call)) for call in rubric.calls},
    )


def build_keys(rubric: Rubric, terms: Terms) -> Callable[[Turn], list[tuple[str, str]]]:
    """What gives the verdicts that a turn needs by these terms: its id, or that of a part, and the key of each."""
    prompts = [build_prompt(rubric, call, terms.judge) for call in rubric.calls]

    def find(turn: Turn) -> list[tuple[str, str]]:
        asked = product(split_segments(turn), prompts)
        return [(part.id, build_request(part, prompt, terms.evidence).key) for part, prompt in asked]

    return find


def find_rubric(terms: Terms, configured: str | None) -> Rubric | None:
    """The rubric of these terms, among those of the program and the configured one; None where it is neither."""
    for name in filter(None, (configured, f"{terms.rubric}-{terms.rubric_version}")):
        with suppress(RubricError):
            rubric = load_rubric(name)
            if rubric.digest == terms.rubric_digest:
                return rubric
    return None


def require_pinned(pinned: Terms, terms: Terms, run: str) -> None:
    """Makes sure that an open run goes on by what it was pinned to.

    Raises:
        TermsError: These terms are others; the message names each difference with both values. Of another rubric it
            names id and version alone, from which the rest follows.
    """
    one, other = _describe(pinned), _describe(terms)
    if one["rubric"] != other["rubric"]:
        one, other = ({**said, "rubric_digest": None, "prompts": None} for said in (one, other))
    names = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    changed = [f"{name} is {other.get(name)}, but the run is pinned to {one.get(name)}" for name in names]
    if changed:
        judge = pinned.judge.name + (f", effort {pinned.judge.effort}" if pinned.judge.effort else "")
        raise TermsError(
            f"The open run {run} is judged by other terms: {'; '.join(changed)}",
            f"Set in the configuration, or give by options, what it was opened with: judge {judge}, rubric"
            f" {one['rubric']}, {pinned.evidence.rows} rows of evidence. New terms begin with another period.",
        )


def _describe(terms: Terms) -> dict[str, object]:
    """The terms by name, with id and version of the rubric as they are given to a command."""
    data = terms.to_data()
    version = data.pop("rubric_version")
    return {**data, "rubric": f"{data['rubric']}-{version}"}


def require_shared(limit: Limit | None, *, is_shared: bool) -> None:
    """Makes sure that each worker sees what all of them have spent, where there is a limit.

    Raises:
        CostLimitError: They do not.
    """
    if limit is not None and not is_shared:
        raise CostLimitError(
            "--max-cost of an open run cannot be kept where workers do not see one archive (streaming.shared: false)",
            "Give all of them one archive, or leave out --max-cost and limit the key at the provider.",
        )


def pin(run: OpenRun, terms: Terms) -> None:
    """Pins an open run to these terms, or makes sure that it is.

    Raises:
        TermsError: It is pinned to others.
    """
    require_pinned(pin_terms(run, terms), terms, str(run.opening))
