"""The method: what is judged, by whom, by which rubric, and how the arithmetic goes."""

from typing import Any

from reportgen.model.rubric import Dimension, Rubric
from reportgen.model.run import Manifest
from reportgen.publishing.arithmetic import build_arithmetic
from reportgen.publishing.printing import print_count
from reportgen.publishing.prose import Prose, render_prose
from reportgen.publishing.report import Report, TurnEntry
from reportgen.publishing.text import clean, shorten

TITLE = "Method"

_LIMITED = {
    "rows": "rows of a statement",
    "columns": "columns of a statement",
    "cell": "characters of a cell",
    "snapshot": "characters of all cells of a statement together",
    "events": "events of a trajectory",
    "question": "characters of the question",
    "sql": "characters of a statement's text",
    "output": "characters of an output, of arguments, or of an error",
    "answer": "characters of the answer",
    "passages": "passages of a search",
    "passage": "characters of a passage",
    "context": "characters of all passages of a search together",
}


def build(report: Report) -> dict[str, Any]:
    """The rubric, the judge, the prose about both, and a worked example."""
    rubric = report.run.rubric
    return {
        "why": _titled("method-why-judge", report, "Why a judge"),
        "evidence": _titled("method-evidence", report, "What the judge sees"),
        "judge_prose": _titled("method-judge", report, "The judge and its controls"),
        "arithmetic_prose": _titled("method-arithmetic", report, "From subscores to a score"),
        "intervals": _titled("method-intervals", report, "How the intervals are made"),
        "rubric": f"{rubric.title} ({rubric.id}, version {rubric.version})",
        "scale": f"0 to {rubric.scale.maximum} in {print_count(rubric.scale.steps)} steps",
        "dimensions": [_dimension(item) for item in rubric.dimensions],
        "caps": [{"id": cap.id, "ceiling": str(cap.ceiling), "sentence": cap.sentence} for cap in rubric.caps],
        "bands": _bands(rubric),
        "judge": _judge(report.run.manifest),
        "limits": _limits(report.run.manifest),
        "example": _example(report),
    }


def _titled(name: str, report: Report, title: str) -> Prose:
    prose = render_prose(name, report, heading_level=4)
    return Prose(prose.name, prose.title or title, prose.html)


def _dimension(item: Dimension) -> dict[str, Any]:
    levels = sorted(item.levels.items(), key=lambda level: -float(level[0]))
    return {
        "name": item.name,
        "weight": f"{item.weight}\u00a0%",
        "why": item.why,
        "asks": item.asks,
        "levels": [{"value": value, "means": means} for value, means in levels],
        "left_out": item.not_applicable_when,
    }


def _bands(rubric: Rubric) -> list[dict[str, str]]:
    rows, above = [], "100"
    for band in rubric.bands:
        rows.append({"id": band.id, "range": f"{band.at_least} to {above}", "means": band.means})
        above = f"below {band.at_least}"
    return rows


def _judge(manifest: Manifest) -> list[dict[str, str]]:
    judge = manifest.judge
    facts = [("Provider", judge.provider), ("Model", judge.model), ("Effort", judge.effort or "not set")]
    facts += [(name, str(value)) for name, value in judge.parameters.items()]
    facts += [("Note", judge.note)] if judge.note else []
    return [{"name": clean(name), "value": clean(value)} for name, value in facts]


def _limits(manifest: Manifest) -> list[dict[str, str]]:
    return [
        {"what": _LIMITED.get(name, name), "most": print_count(most)}
        for name, most in manifest.evidence.to_data().items()
    ]


def _example(report: Report) -> dict[str, Any] | None:
    """The arithmetic of a real turn: of all that were scored, the first that shows most of it."""
    scored = (entry for entry in report.turns() if entry.score.score is not None)
    chosen = max(scored, key=_shows, default=None)
    if chosen is None:
        return None
    return {
        "number": str(chosen.number),
        "href": report.href(chosen.turn.id),
        "id": str(shorten(chosen.turn.id, 80)),
        "arithmetic": build_arithmetic(chosen.score, report.run.rubric),
    }


def _shows(entry: TurnEntry) -> int:
    """How much of the arithmetic a turn shows: a cap at work, weights that renormalise, subscores that differ."""
    used = [item.used for item in entry.score.subscores]
    return sum([any(cap.lowered for cap in entry.score.caps), None in used, len(set(used) - {None}) > 1])
