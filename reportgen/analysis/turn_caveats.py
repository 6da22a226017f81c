"""Caveats about the turns and the figures over them, each with its slug."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from reportgen.analysis.distribution import ScoreFacts
from reportgen.analysis.metrics import Metric
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.sampling import Sampling
from reportgen.model.run import Estimate, Manifest, Summary
from reportgen.scoring.rounding import print_number

FEW_TURNS = 30
WIDE = 20
"""Points between the bounds of the mean beyond which its interval is called wide."""
NEAR_CONSTANT = Fraction(9, 10)
"""The share of the scored turns with one and the same score from which on scores are called near-constant."""
NEAR_CONSTANT_FROM = 10
"""With fewer scored turns it may be chance."""


def check_counts(summary: Summary) -> list[tuple[str, str]]:
    """Whether enough turns were scored."""
    scored = summary.scored if summary.metrics is None else max(metric.scored for metric in summary.metrics)
    if scored == 0:
        return [("nothing-scored", "No turn was scored; there is no headline figure.")]
    if scored < FEW_TURNS:
        few = f"Few turns were scored ({scored})" if summary.metrics is None else f"No metric has over {scored} values"
        return [("few-turns", f"{few}; a single one moves the figures.")]
    return []


def check_headlines(summary: Summary, scores: ScoreFacts, metrics: Sequence[Metric]) -> list[tuple[str, str]]:
    """What is to be said of the mean, or of that of each metric; once, where it is the same of several."""
    if summary.metrics is None:
        return [*_check_interval(summary.mean), *_check_spread(summary.scored, scores)]
    found = [
        caveat
        for metric, figures in zip(metrics, summary.metrics, strict=True)
        for caveat in (
            *_check_interval(figures.mean, f" of {metric.name}"),
            *_check_spread(figures.scored, metric.scores, f" of {metric.name}"),
        )
    ]
    return list(dict.fromkeys(found))


def _check_interval(mean: Estimate, of: str = "") -> list[tuple[str, str]]:
    if mean.n > 1 and mean.low is None:
        return [
            (
                "one-cluster",
                f"All scored turns depend on one another, so that no figure has an interval: {mean.undefined}.",
            )
        ]
    if mean.low is not None and mean.high is not None and mean.high - mean.low > WIDE:
        width = print_number(Fraction(repr(mean.high)) - Fraction(repr(mean.low)), 0)
        return [("wide-interval", f"The interval of the mean{of} is {width} points wide; the mean alone says little.")]
    return []


def _check_spread(scored: int, scores: ScoreFacts, of: str = "") -> list[tuple[str, str]]:
    share = scores.at_mode.value
    if share is None or scores.mode is None or scored < NEAR_CONSTANT_FROM or share < NEAR_CONSTANT:
        return []
    score, percent = print_number(scores.mode), print_number(100 * share, 1, (100,))
    return [
        (
            "near-constant",
            f"{percent} % of the scored turns have the same score{of}, {score}; it hardly tells them apart.",
        )
    ]


def check_sampling(sampling: Sampling | None) -> list[tuple[str, str]]:
    """Whether the turns were drawn from more."""
    if sampling is None:
        return []
    by = f", by {' and '.join(sampling.labels)}" if sampling.labels else ""
    sentence = (
        f"The turns are a sample: {sampling.drawn:,} were drawn of {sampling.population:,} captured ones{by}. Means "
        "and shares speak of all captured turns, by the weights of the draw; counts are of the drawn turns."
    )
    return [("drawn-sample", sentence)]


def check_coverage(summary: Summary, manifest: Manifest, failed: Mapping[str, int]) -> list[tuple[str, str]]:
    """What is missing from the turns; `failed` are the judge calls that failed, by a rubric without a composite."""
    found = []
    missing = summary.turns - summary.scored
    if missing and (summary.scored or summary.metrics):
        by = summary.unscored if summary.metrics is None else failed
        reasons = ", ".join(f"{reason}: {count:,}" for reason, count in by.items())
        what = f"Turns without a score: {missing:,} of {summary.turns:,}"
        if summary.metrics is not None:
            calls = sum(failed.values())
            what = f"Judge calls that failed: {calls:,}, in {missing:,} of {summary.turns:,} turns"
        found.append(("unscored-turns", f"{what} ({reasons})."))
    if manifest.capture.set_aside:
        found.append(("lines-set-aside", f"Captured lines that could not be read: {manifest.capture.set_aside}."))
    if manifest.capture.beyond_limit:
        found.append(("limited", f"Captured turns left out by --limit: {manifest.capture.beyond_limit}."))
    return found


def check_turns(summary: Summary, rows: Sequence[TurnRow]) -> list[tuple[str, str]]:
    """What is odd about turns or about what the judge said of them."""
    found = []
    if bundled := sum(row.looks_bundled for row in rows):
        found.append(("unmarked-bundle", f"Turns that look like several questions but were judged as one: {bundled}."))
    if assumed := sum(row.time_assumed for row in rows):
        found.append(("assumed-times", f"Turns whose time was assumed, since it was not captured: {assumed}."))
    found += _check_addressed(rows)
    if unsupported := sum(row.unsupported for row in rows):
        quotes = sum(row.quotes for row in rows)
        found.append(
            ("unsupported-quotes", f"Quotes of the judge that are not in the evidence: {unsupported} of {quotes}.")
        )
    if summary.clamped:
        found.append(("clamped", f"Turns with a recorded subscore off the scale, moved to its end: {summary.clamped}."))
    return found


def _check_addressed(rows: Sequence[TurnRow]) -> list[tuple[str, str]]:
    by_program = sum(bool(row.addresses) for row in rows)
    by_judge = sum(row.addressed_judge for row in rows)
    turns = sum(bool(row.addresses) or row.addressed_judge for row in rows)
    if not turns:
        return []
    many = "1 turn holds" if turns == 1 else f"{turns} turns hold"
    who = f"a program found it in {by_program}, the judge reported it in {by_judge}"
    return [("judge-addressed", f"{many} text that addresses a grader; {who}.")]
