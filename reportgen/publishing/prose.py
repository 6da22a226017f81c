"""The report's own prose: Markdown files with figures of the run in them -> HTML."""

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateError
from markupsafe import Markup

from reportgen.analysis.diagnosis import weak_below
from reportgen.errors import RenderError
from reportgen.publishing.look.overrides import Overrides, place
from reportgen.publishing.printing import (
    plural,
    print_exact,
    print_interval,
    print_percent,
    print_points,
    print_rounded_up,
    print_score,
    print_subscore,
)
from reportgen.publishing.report import Report
from reportgen.publishing.safe_markdown import to_html
from reportgen.publishing.templating import build_environment
from reportgen.publishing.text import clean
from reportgen.resources import resource

_METRICS = "metrics"
_WRONG = (
    *(TemplateError, OSError, ValueError, TypeError, AttributeError, LookupError, ArithmeticError),
    *(RuntimeError, MemoryError),
)
"""What comes of a text that is wrong, nested without end, or larger than any page."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A text with its title, which its first line may give."""

    name: str
    title: str | None
    html: Markup


def render_prose(name: str, report: Report, heading_level: int = 3) -> Prose:
    """The prose of that name, such as `roadmap` or `limitations/3-row-sampling`.

    Args:
        name: Path under `templates/prose`, without `.md`.
        report: Whose figures stand in it.
        heading_level: The level of its headings of the second level.

    Raises:
        RenderError: The file is missing or wrong.
    """
    file = f"prose/{_choose(name, report)}.md"
    overrides = report.look.overrides
    try:
        source = _environment(overrides).get_template(file).render(_figures(report))
        title, body = _split_title(clean(source))
        html = to_html(body, heading_level)
    except _WRONG as error:
        message = f"The prose {place(overrides, file)} cannot be rendered: {type(error).__name__}: {error}"
        raise RenderError(message, "Correct the file, or reinstall reportgen.") from error
    return Prose(name, title, Markup(html))  # noqa: S704 - to_html lets nothing act


def render_family(folder: str, report: Report) -> list[Prose]:
    """Every prose file of that folder, in the order of their names.

    Raises:
        RenderError: The folder is empty or missing, or a file in it is wrong.
    """
    family = folder if report.run.rubric.has_composite else f"{_METRICS}/{folder}"
    names = sorted(path.stem for path in (_folder() / family).glob("*.md"))
    if not names:
        raise RenderError(f"There is no prose in {_folder() / family}", "Reinstall reportgen.")
    return [render_prose(f"{folder}/{name}", report, heading_level=4) for name in names]


def _choose(name: str, report: Report) -> str:
    """Without a composite, what is said of scores as a whole is put otherwise where that is needed."""
    other = f"{_METRICS}/{name}"
    return other if not report.run.rubric.has_composite and (_folder() / f"{other}.md").exists() else name


def _folder() -> Path:
    return resource("templates") / "prose"


@cache
def _environment(overrides: Overrides) -> Environment:
    """Without escaping, since what it makes is Markdown; the HTML is made safe afterwards."""
    environment = build_environment(overrides, autoescape=False)
    functions: dict[str, Any] = {"percent": print_percent, "plural": plural, "exact": print_exact}
    environment.globals.update(functions)
    environment.filters.update(functions)
    return environment


def _figures(report: Report) -> dict[str, Any]:
    """The names that prose may use; none of them is captured text."""
    rubric, summary = report.run.rubric, report.findings.summary
    return {
        "n": report.findings.limitations,
        "summary": summary,
        "metrics": tuple(zip(report.findings.metrics, summary.metrics or (), strict=True)),
        "findings": report.findings,
        "rubric": rubric,
        "manifest": report.run.manifest,
        "checks": [check.drift.state for check in report.revision.checks or ()],
        "weak_below": weak_below(rubric),
        "subscore": partial(print_subscore, maximum=rubric.scale.maximum),
        "points": print_points,
        "up": print_rounded_up,
        "score": partial(print_score, rubric=rubric),
        "interval": partial(print_interval, rubric=rubric),
    }


def _split_title(source: str) -> tuple[str | None, str]:
    """The title in the first line, if it is one, and the rest."""
    first, _, rest = source.strip().partition("\n")
    return (first[2:].strip(), rest) if first.startswith("# ") else (None, source)
