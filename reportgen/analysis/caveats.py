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
        said = f" Their file says: “{manifest.judge.note}”" if manifest.judge.note else ""
        asked = "No judge model was asked in this run: its verdicts were replayed from a file."
        found.append(("recorded-judge", asked + said))
    if manifest.fixed_clock:
        found.append(("fixed-clock", manifest.fixed_clock))
    return found


def _check_counts(summary: Summary, manifest: Manifest) -> list[tuple[str, str]]:
    found = []
    if summary.scored == 0:
        found.append(("nothing-scored", "No turn was scored; there is no headline figure."))
    elif summary.scored < FEW_TURNS:
        found.append(("few-turns", f"Few turns were scored ({summary.scored}); a single one moves the figures."))
    missing = summary.turns - summary.scored
    if missing and summary.scored:
        reasons = ", ".join(f"{reason}: {count}" for reason, count in summary.unscored.items())
        found.append(("unscored-turns", f"Turns without a score: {missing} of {summary.turns} ({reasons})."))
    if manifest.capture.set_aside:
        found.append(("lines-set-aside", f"Captured lines that could not be read: {manifest.capture.set_aside}."))
    if manifest.capture.beyond_limit:
        found.append(("limited", f"Captured turns left out by --limit: {manifest.capture.beyond_limit}."))
    return found


def _check_turns(summary: Summary, rows: Sequence[TurnRow]) -> list[tuple[str, str]]:
    found = []
    if bundled := sum(row.looks_bundled for row in rows):
        found.append(("unmarked-bundle", f"Turns that look like several questions but were judged as one: {bundled}."))
    if assumed := sum(row.time_assumed for row in rows):
        found.append(("assumed-times", f"Turns whose time was assumed, since it was not captured: {assumed}."))
    if addressed := sum(row.addressed_judge for row in rows):
        found.append(("judge-addressed", f"Turns in which the judge saw text that addresses a grader: {addressed}."))
    if unsupported := sum(row.unsupported for row in rows):
        quotes = sum(row.quotes for row in rows)
        found.append(
            ("unsupported-quotes", f"Quotes of the judge that are not in the evidence: {unsupported} of {quotes}.")
        )
    if summary.clamped:
        found.append(("clamped", f"Turns with a recorded subscore off the scale, moved to its end: {summary.clamped}."))
    return found
