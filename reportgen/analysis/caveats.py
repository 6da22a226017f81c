"""Warnings that the program attaches to its own result."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.analysis.rows import TurnRow
from reportgen.model.run import Manifest, Summary

FEW_TURNS = 30


@dataclass(frozen=True, slots=True)
class Caveat:
    """A warning with the slug under which the documentation explains it."""

    slug: str
    sentence: str


def check_run(manifest: Manifest, summary: Summary, rows: Sequence[TurnRow]) -> tuple[Caveat, ...]:
    """The caveats of a run, gravest first."""
    found = [*_check_judge(manifest), *_check_counts(summary, manifest), *_check_turns(summary, rows)]
    return tuple(Caveat(slug, sentence) for slug, sentence in found)


def _check_judge(manifest: Manifest) -> list[tuple[str, str]]:
    found = []
    if manifest.judge.provider == "recorded":
        note = manifest.judge.note or "The verdicts were replayed from a file; no judge model was asked in this run."
        found.append(("recorded-judge", note))
    if manifest.fixed_clock:
        found.append(("fixed-clock", manifest.fixed_clock))
    return found


def _check_counts(summary: Summary, manifest: Manifest) -> list[tuple[str, str]]:
    found = []
    if summary.scored == 0:
        found.append(("nothing-scored", f"None of the {summary.turns} turns was scored; there is no headline figure."))
    elif summary.scored < FEW_TURNS:
        found.append(("few-turns", f"Only {summary.scored} turns were scored; single turns move the figures."))
    missing = summary.turns - summary.scored
    if missing and summary.scored:
        reasons = ", ".join(f"{reason} {count}" for reason, count in summary.unscored.items())
        found.append(("unscored-turns", f"{missing} of {summary.turns} turns have no score ({reasons})."))
    if manifest.capture.set_aside:
        found.append(("lines-set-aside", f"{manifest.capture.set_aside} captured lines could not be read."))
    if manifest.capture.beyond_limit:
        found.append(("limited", f"{manifest.capture.beyond_limit} captured turns were left out by --limit."))
    return found


def _check_turns(summary: Summary, rows: Sequence[TurnRow]) -> list[tuple[str, str]]:
    found = []
    if bundled := sum(row.looks_bundled for row in rows):
        found.append(("unmarked-bundle", f"{bundled} turns look like several questions in one and were judged as one."))
    if assumed := sum(row.time_assumed for row in rows):
        found.append(("assumed-times", f"The capture time of {assumed} turns was not captured but assumed."))
    if addressed := sum(row.addressed_judge for row in rows):
        found.append(("judge-addressed", f"The judge saw text that addresses a grader in {addressed} turns."))
    if unsupported := sum(row.unsupported for row in rows):
        quotes = sum(row.quotes for row in rows)
        found.append(("unsupported-quotes", f"{unsupported} of {quotes} quotes of the judge are not in the evidence."))
    if summary.clamped:
        found.append(("clamped", f"{summary.clamped} recorded verdicts lay off the scale and were clamped to it."))
    return found
