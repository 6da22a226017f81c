"""A report as sections in their places, before it is known whether it becomes one page, a folder or paper."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any

from reportgen.errors import RenderError
from reportgen.publishing.report import Report, TurnEntry
from reportgen.publishing.sections import OF_A_COMPOSITE, SECTIONS, cover
from reportgen.publishing.standings import name_standing
from reportgen.publishing.text import clean
from reportgen.publishing.turns import build_turn

LANGUAGE = "en"
_KEPT_IN_MEMORY = 500
"""Runs of up to this many turns are read once and kept; larger ones are read afresh by each section."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A section with its place in the report; the cover bears no number."""

    name: str
    number: str | None
    title: str
    template: str
    data: dict[str, Any]


def build_document(report: Report, names: Sequence[str] | None = None) -> dict[str, Any]:
    """What the templates need for the report without its turns in full: all is decided before the first piece.

    Args:
        report: What to publish; its `href` says where the turns stand.
        names: Which sections, in which order; None takes all.

    Raises:
        RenderError: A name is not a section, or prose is missing or wrong.
    """
    names = tuple(SECTIONS) if names is None else tuple(names)
    _require_known(names)
    sections = _place(report, names)
    return {
        **build_head(report),
        "front": [section for section in sections if section.number is None],
        "sections": [section for section in sections if section.number is not None],
        "facets": (),
        "pages": None,
    }


def build_head(report: Report) -> dict[str, Any]:
    """What each page says of itself unseen."""
    rubric = report.run.rubric
    client, standing = cover.name_client(report), name_standing(report.standing)
    title = f"{report.title}: {client}" if client else report.title
    return {
        "language": LANGUAGE,
        "brand": report.look.brand,
        "kind": clean(f"{standing}: {report.title}" if standing else report.title),
        "client": client or "",
        "title": f"{standing}: {title}" if standing else title,
        "run": report.run.manifest.run_id,
        "program": report.run.manifest.program,
        "generated": report.generated_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "has_texts": report.has_texts,
        "metric_names": () if rubric.has_composite else tuple(item.name for item in rubric.dimensions),
        "embedded": None,
    }


def build_turns(report: Report, entries: Iterable[TurnEntry]) -> dict[str, Any]:
    """What the templates need for these turns in full; they come one at a time, so that few are in memory at once."""
    return {"turns": (build_turn(entry, report) for entry in entries)}


def keep_small(report: Report) -> Report:
    """The report with its turns in memory where they are few; several sections read them."""
    if report.run.manifest.capture.turns > _KEPT_IN_MEMORY:
        return report
    entries: list[TurnEntry] = list(report.turns())
    return replace(report, turns=lambda: iter(entries))


def _require_known(names: Sequence[str]) -> None:
    for name in names:
        if name not in SECTIONS:
            raise RenderError(f"There is no section {name!r}", f"Sections: {', '.join(SECTIONS)}.")


def _place(report: Report, names: Sequence[str]) -> list[Placed]:
    numbers = iter(range(1, len(names) + 1))
    shown = names if report.run.rubric.has_composite else [name for name in names if name not in OF_A_COMPOSITE]
    built = ((name, SECTIONS[name].build(report)) for name in shown)
    return [
        Placed(
            name=name,
            number=None if name == "cover" else str(next(numbers)),
            title=str(data.get("title", SECTIONS[name].TITLE)),
            template=f"sections/{name}.html",
            data=data,
        )
        for name, data in built
        if data is not None
    ]
