"""This run against a baseline: what changed, by how much, where, and how sure that is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reportgen.analysis.comparison.changes import Change
from reportgen.analysis.comparison.comparing import Comparison
from reportgen.analysis.comparison.holding import Held
from reportgen.analysis.comparison.labels import LabelChange
from reportgen.analysis.comparison.movements import Mover
from reportgen.model.rubric import Rubric
from reportgen.publishing.advice import say_advice, say_knobs
from reportgen.publishing.changes import (
    name_marked,
    print_change,
    print_change_interval,
    say_design,
    say_mean_change,
    say_split,
    say_withdrawn,
)
from reportgen.publishing.explanations import join_explanations
from reportgen.publishing.printing import (
    print_count,
    print_p_value,
    print_period,
    print_score,
    print_share,
    print_subscore,
)
from reportgen.publishing.report import Report
from reportgen.publishing.text import clean, shorten

TITLE = "Comparison with a baseline"

_NAME_SHOWN = 60
_EXPLANATION_SHOWN = 400


@dataclass(frozen=True, slots=True)
class _Words:
    """What the judge wrote of some turns, in both runs."""

    before: Mapping[str, str]
    after: Mapping[str, str]


def build(report: Report) -> dict[str, Any] | None:
    """The figures of the comparison; None where the report has no baseline."""
    found, rubric = report.findings.comparison, report.run.rubric
    if found is None:
        return None
    words = _read_words(report, found)
    held: list[tuple[str, str | None, Held]] = [(item.dimension, item.name, item) for item in found.metrics]
    return {
        "run": clean(found.run),
        "seal": found.seal,
        "period": print_period(found.first, found.last, report.run.manifest.timezone),
        "withdrawn": [str(shorten(reason, 2_000)) for reason in say_withdrawn(found)],
        "design": say_design(found),
        "knobs": say_knobs(found),
        "advice": say_advice(found),
        "marked": [f"{shorten(name, _NAME_SHOWN)} ({how})" for name, how in name_marked(found)],
        "dimensions": [_dimension(item.name, item.change, rubric) for item in found.dimensions],
        "parts": [_part(name, title, item, words, report) for name, title, item in held or [("score", None, found)]],
    }


def _part(name: str, title: str | None, held: Held, words: _Words, report: Report) -> dict[str, Any]:
    """What is said of one score; its title is None where there is no other."""
    rubric = report.run.rubric
    return {
        "id": name,
        "title": title,
        "mean": say_mean_change(held, rubric),
        "movement": _movement(held),
        "bands": [_band(item.band, item.change) for item in held.bands],
        "labels": [_label(label, rubric) for label in held.labels],
        "transitions": _transitions(held, [band.id for band in rubric.bands]),
        "movers": [_mover(mover, words, report) for mover in held.movers or ()],
    }


def _movement(found: Held) -> str | None:
    moved = found.movement
    if moved is None:
        return None
    counts = (moved.improved, moved.worsened, moved.unchanged, moved.lost, moved.gained)
    names = ("improved", "worsened", "kept their score", "lost it", "gained one")
    return ", ".join(f"{print_count(count)} {name}" for count, name in zip(counts, names, strict=True))


def _cells(change: Change) -> dict[str, Any]:
    return {
        "before_turns": print_count(change.turns_before),
        "after_turns": print_count(change.turns_after),
        "p": print_p_value(change.p_value),
        "differs": change.differs,
    }


def _band(name: str, change: Change) -> dict[str, Any]:
    points = None if change.difference.value is None else 100 * change.difference.value
    return {
        **_cells(change),
        "name": name,
        "before": print_share(change.before),
        "after": print_share(change.after),
        "change": print_change(points),
        "interval": print_change_interval(change.difference, 100),
    }


def _dimension(name: str, change: Change, rubric: Rubric) -> dict[str, Any]:
    top = rubric.scale.maximum
    return {
        **_cells(change),
        "name": name,
        "before": print_subscore(change.before, top),
        "after": print_subscore(change.after, top),
        "change": print_change(change.difference.value, 2),
        "interval": print_change_interval(change.difference, decimals=2),
    }


def _label(label: LabelChange, rubric: Rubric) -> dict[str, Any]:
    return {
        "label": str(shorten(label.label, _NAME_SHOWN)),
        "split": say_split(label),
        "rows": [
            {
                **_cells(item.change),
                "name": str(shorten(item.value, _NAME_SHOWN)),
                "before": print_score(item.change.before, rubric),
                "after": print_score(item.change.after, rubric),
                "change": print_change(item.change.difference.value),
                "interval": print_change_interval(item.change.difference),
                "mix": print_change(item.mix),
                "rate": print_change(item.rate),
            }
            for item in label.strata
        ],
    }


def _transitions(found: Held, bands: list[str]) -> list[dict[str, Any]] | None:
    """A line for each band of the baseline, with where its turns are now."""
    if found.transitions is None:
        return None
    counts = {(item.before, item.after): item.turns for item in found.transitions}
    return [
        {"band": before, "cells": [(print_count(counts[before, after]), before == after) for after in bands]}
        for before in bands
    ]


def _read_words(report: Report, found: Comparison) -> _Words:
    """What the judge wrote of the turns that moved most."""
    baseline = report.revision.baseline
    before = {turn.id: turn.explanation for turn in baseline.turns if turn.explanation} if baseline else {}
    moved, rubric = found.moved, report.run.rubric
    entries = (entry for entry in report.turns() if entry.turn.id in moved) if moved else ()
    said = {entry.turn.id: join_explanations(entry.verdicts, rubric) for entry in entries}
    return _Words(before, {turn: words for turn, words in said.items() if words})


def _mover(mover: Mover, words: _Words, report: Report) -> dict[str, Any]:
    before, after = words.before.get(mover.turn), words.after.get(mover.turn)
    rubric = report.run.rubric
    return {
        "href": report.href(mover.turn),
        "id": str(shorten(mover.turn, 80)),
        "before": print_score(mover.before, rubric),
        "after": print_score(mover.after, rubric),
        "band_before": mover.band_before,
        "band_after": mover.band_after,
        "said_before": str(shorten(before, _EXPLANATION_SHOWN)) if before else None,
        "said_after": str(shorten(after, _EXPLANATION_SHOWN)) if after else None,
    }
