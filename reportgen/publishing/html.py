"""The report as one self-contained HTML file, streamed."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reportgen.errors import RenderError
from reportgen.publishing.report import Report, TurnEntry
from reportgen.publishing.sections import SECTIONS, cover
from reportgen.publishing.text import clean
from reportgen.resources import resource

LANGUAGE = "en"
_STYLES = ("base", "screen", "print")
_PIECES_AT_ONCE = 500
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


def render_html(report: Report, names: Sequence[str] | None = None) -> Iterator[str]:
    """The HTML of the report, piece by piece. All but the turns is decided before the first piece.

    Args:
        report: What to publish.
        names: Which sections, in which order; None takes all.

    Raises:
        RenderError: A name is not a section, or prose is missing or wrong.
    """
    names = tuple(SECTIONS) if names is None else tuple(names)
    _require_known(names)
    context = _build_context(_keep_small(report), names)
    stream = _environment().get_template("report.html").stream(context)
    stream.enable_buffering(_PIECES_AT_ONCE)
    return iter(stream)


def _require_known(names: Sequence[str]) -> None:
    for name in names:
        if name not in SECTIONS:
            raise RenderError(f"There is no section {name!r}", f"Sections: {', '.join(SECTIONS)}.")


def _keep_small(report: Report) -> Report:
    """The report with its turns in memory where they are few; several sections read them."""
    if report.run.manifest.capture.turns > _KEPT_IN_MEMORY:
        return report
    entries: list[TurnEntry] = list(report.turns())
    return replace(report, turns=lambda: iter(entries))


def _build_context(report: Report, names: Sequence[str]) -> dict[str, Any]:
    sections = _place(report, names)
    style = _style()
    client = cover.name_client(report)
    return {
        "language": LANGUAGE,
        "title": f"{report.title}: {client}" if client else report.title,
        "run": report.run.manifest.run_id,
        "program": report.run.manifest.program,
        "generated": report.generated_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "style": Markup(style),  # noqa: S704 - our own file
        "style_digest": b64encode(sha256(style.encode()).digest()).decode(),
        "front": [section for section in sections if section.number is None],
        "sections": [section for section in sections if section.number is not None],
    }


def _place(report: Report, names: Sequence[str]) -> list[Placed]:
    numbers = iter(range(1, len(names) + 1))
    return [
        Placed(
            name=name,
            number=None if name == "cover" else str(next(numbers)),
            title=SECTIONS[name].TITLE,
            template=f"sections/{name}.html",
            data=SECTIONS[name].build(report),
        )
        for name in names
    ]


@cache
def _style() -> str:
    """The style sheets, joined; the policy of the page admits these very characters and no others."""
    folder = resource("templates") / "style"
    return "\n" + "\n".join((folder / f"{name}.css").read_text("utf-8") for name in _STYLES)


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(resource("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finish,
    )


def _finish(value: object) -> object:
    """What a template may put out: text. Numbers are printed before, so that each is printed by the same rules.

    Raises:
        TypeError: A template puts out something else.
    """
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        return clean(value)
    raise TypeError(f"a template may put out text only, not {type(value).__name__}: {value!r}")
