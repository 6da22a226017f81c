"""The report for paper: in one piece, or as a front and parts of turns that are set apart and bound together."""

from collections.abc import Iterable, Iterator, Sequence

from reportgen.publishing.assets import dress_for_paper
from reportgen.publishing.document import build_document, build_head, build_turns
from reportgen.publishing.paper.sums import build_sum_lines, sum_columns
from reportgen.publishing.report import Report, TurnEntry
from reportgen.publishing.templating import render_template


def render_whole(report: Report) -> Iterator[str]:
    """The whole report as one HTML document for paper.

    Raises:
        RenderError: Prose is missing or wrong.
    """
    return _render(report, None, report.turns())


def render_front(report: Report, names: Sequence[str] | None = None) -> Iterator[str]:
    """All but the turns in full, as an HTML document; `report.href` says how it refers to them.

    Raises:
        RenderError: A name is not a section, or prose is missing or wrong.
    """
    return _render(report, names, ())


def render_part(report: Report, entries: Iterable[TurnEntry]) -> Iterator[str]:
    """These turns in full, as an HTML document of their own."""
    return render_template(
        "part.html",
        {**build_head(report), **dress_for_paper(report.look), **build_turns(report, entries)},
        report.look.overrides,
    )


def render_sums(report: Report, entries: Sequence[TurnEntry], in_full: frozenset[str]) -> Iterator[str]:
    """The arithmetic of these turns, one a line, as an HTML document of its own.

    Args:
        report: Of which the turns are.
        entries: One or more turns.
        in_full: The ids of those turns that stand in full elsewhere.
    """
    context = {
        "first": str(entries[0].number),
        "last": str(entries[-1].number),
        "columns": sum_columns(report.run.rubric),
        "lines": build_sum_lines(entries, report, in_full),
    }
    head = {**build_head(report), **dress_for_paper(report.look)}
    return render_template("sums.html", {**head, **context}, report.look.overrides)


def render_volume(report: Report, volume: int, volumes: int, turns: str, first_name: str) -> Iterator[str]:
    """The first page of a further volume, as an HTML document of its own."""
    context = {
        "volume": str(volume),
        "volumes": str(volumes),
        "turns_said": turns,
        "first_name": first_name,
        "seal": report.run.seal,
    }
    head = {**build_head(report), **dress_for_paper(report.look)}
    return render_template("volume.html", {**head, **context}, report.look.overrides)


def _render(report: Report, names: Sequence[str] | None, turns: Iterable[TurnEntry]) -> Iterator[str]:
    document = {**build_document(report, names), **dress_for_paper(report.look), **build_turns(report, turns)}
    return render_template("report.html", document, report.look.overrides)
