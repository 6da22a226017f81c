"""Warnings that the program attaches to its own result."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.canaries import CanaryCheck
from reportgen.analysis.comparison.comparing import Comparison
from reportgen.analysis.distribution import ScoreFacts
from reportgen.analysis.judge_change import find_change
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.sampling import Sampling, measure_sampling
from reportgen.analysis.trend.building import Trend, find_regressions
from reportgen.analysis.vendors import judges_of, measure_kinship
from reportgen.model.anchor_check import AnchorCheck
from reportgen.model.run import Estimate, Manifest, Summary
from reportgen.scoring.rounding import print_number

FEW_TURNS = 30
WIDE = 20
"""Points between the bounds of the mean beyond which its interval is called wide."""
NEAR_CONSTANT = Fraction(9, 10)
"""The share of the scored turns with one and the same score from which on scores are called near-constant."""
NEAR_CONSTANT_FROM = 10
"""With fewer scored turns it may be chance."""
STRICT = frozenset({"judge-not-trusted", "judge-changed", "nothing-scored"})
"""The caveats with which `--strict` lets a run end with exit code 4; the documentation lists them."""

_SAY_STATE = {"drifted": "not passed: it found them to differ", "inconclusive": "inconclusive"}

STATED_CAVEATS = frozenset(
    {
        *("shared-vendor", "unmarked-bundle", "assumed-times", "judge-addressed", "unsupported-quotes"),
        "clients-not-shown",
    }
)
"""Those that rest on what a run for the public does not show, so that its publisher states them."""


@dataclass(frozen=True, slots=True)
class Caveat:
    """A warning with the slug under which the documentation explains it."""

    slug: str
    sentence: str


def check_run(  # noqa: PLR0917 - all that a caveat may rest on
    manifest: Manifest,
    summary: Summary,
    scores: ScoreFacts,
    rows: Sequence[TurnRow],
    canaries: CanaryCheck,
    checks: Sequence[AnchorCheck] = (),
) -> tuple[Caveat, ...]:
    """The caveats of a run, gravest first; `checks` are those of its judge on frozen anchors."""
    found = [*_check_canaries(canaries), *_check_change(manifest, checks), *_check_judge(manifest)]
    found += [*_check_derived(manifest), *_check_erased(manifest)]
    found += _check_kinship(manifest, rows)
    found += [*_check_counts(summary), *_check_interval(summary.mean), *_check_spread(summary, scores)]
    found += [*_check_sampling(measure_sampling(rows)), *_check_coverage(summary, manifest)]
    found += _check_turns(summary, rows)
    return tuple(Caveat(slug, sentence) for slug, sentence in found)


def check_change(trend: Trend, comparison: Comparison | None) -> tuple[Caveat, ...]:
    """The caveats of what the run is held against."""
    found = []
    if comparison is not None and comparison.breaks:
        keys = ", ".join(item.key for item in comparison.breaks)
        found.append(
            ("other-instrument", f"The baseline was made with another instrument ({keys}), so nothing is claimed.")
        )
    if comparison is not None and comparison.other_system:
        claim = (
            "so nothing is claimed" if comparison.outcome is None else "with a judge that agrees with people in both"
        )
        found.append(("other-system", f"The baseline is of another assistant or version, {claim}."))
    fell = find_regressions(trend)
    if days := sum(item.kind == "day" for item in fell):
        found.append(("below-series", f"Days whose mean lies below what the days before them lead to expect: {days}."))
    if runs := len(fell) - days:
        found.append(("below-series", f"Runs whose mean lies below what earlier runs lead to expect: {runs}."))
    return tuple(Caveat(slug, sentence) for slug, sentence in found)


def _check_canaries(canaries: CanaryCheck) -> list[tuple[str, str]]:
    found = []
    if canaries.failed:
        kinds = ", ".join(dict.fromkeys(line.kind for line in canaries.lines if line.passed is False))
        of = f"{canaries.failed} of {canaries.asked} canaries" if canaries.asked > 1 else "the one canary"
        found.append(
            ("judge-not-trusted", f"The judge failed {of}, made-up turns with a known right verdict: {kinds}.")
        )
    if canaries.unanswered:
        of = f"{canaries.unanswered} of {canaries.asked} canaries" if canaries.asked > 1 else "the one canary"
        found.append(("canaries-unanswered", f"The judge gave no usable reply to {of}, so that they show nothing."))
    return found


def _check_change(manifest: Manifest, checks: Sequence[AnchorCheck]) -> list[tuple[str, str]]:
    change = find_change(manifest, checks)
    if change is None or change.is_passed:
        return []
    before = f"{change.before.asked.judge.name}; differs in: {', '.join(change.keys)}"
    how = "and the two were not checked against each other on frozen anchors"
    if change.check is not None:
        how = f"and their latest check on frozen anchors was {_SAY_STATE[change.check.drift.state]}"
    return [("judge-changed", f"The judge is not that of the last run of this rubric ({before}), {how}.")]


def _check_judge(manifest: Manifest) -> list[tuple[str, str]]:
    found = []
    if manifest.judge.provider == "recorded":
        said = f" Their file says: “{manifest.judge.note}”" if manifest.judge.note else ""
        asked = "No judge model was asked in this run: its verdicts were replayed from a file."
        found.append(("recorded-judge", asked + said))
    if recorded := sum(member.judge.provider == "recorded" for member in manifest.panel or ()):
        members = len(manifest.panel or ())
        found.append(
            ("recorded-judge", f"Judges of this panel that were replayed from a file: {recorded} of {members}.")
        )
    if manifest.fixed_clock:
        found.append(("fixed-clock", manifest.fixed_clock))
    return found


def _check_derived(manifest: Manifest) -> list[tuple[str, str]]:
    if (derived := manifest.derived) is None:
        return []
    if derived.is_public:
        shown = "This report shows no text of any turn, and no group of one to four turns."
        stated = "What rests on texts, times or labels is stated by the publisher and cannot be recomputed from it."
        return [("derived", f"{shown} {stated}")]
    what = ", ".join(f"{kind}: {count:,}" for kind, count in derived.kinds.items()) or "nothing"
    told = f"This run holds the turns of one client out of a larger run. Withheld from them: {what}."
    if derived.evidence_withheld:
        told += f" What the judge saw cannot be checked for {derived.evidence_withheld:,} of its verdicts."
    return [("derived", told)]


def _check_erased(manifest: Manifest) -> list[tuple[str, str]]:
    if not (count := len(manifest.erased)):
        return []
    whose = (
        "The texts of 1 turn were erased on request; its score stays."
        if count == 1
        else (f"The texts of {count:,} turns were erased on request; their scores stay.")
    )
    return [("erased", f"{whose} Figures that rest on texts leave out what was erased.")]


def check_public(mean: Estimate) -> tuple[Caveat, ...]:
    """What a run for the public has to say of its mean, where it is one of the publisher's own run by clients."""
    if mean.by != "client":
        return ()
    between = "none" if mean.low is None or mean.high is None else f"{mean.low:.1f} to {mean.high:.1f}"
    sentence = (
        "Which turns are of one client is not shown, so that intervals take conversations as independent. With clients "
        f"in their place, as in the publisher's own report, the interval of the mean is {between}."
    )
    found = ("clients-not-shown", sentence)
    return (Caveat(*found),)


def _check_kinship(manifest: Manifest, rows: Sequence[TurnRow]) -> list[tuple[str, str]]:
    kinship = measure_kinship(rows, judges_of(manifest))
    if not kinship.shared:
        return []
    of = f"{kinship.shared} of {len(rows)} turns" if len(rows) > 1 else "the one turn"
    vendor = " or ".join(kinship.common)
    sentence = f"By their names judge and assistant are of one vendor, {vendor}, in {of}; a judge may favour its kin."
    return [("shared-vendor", sentence)]


def _check_counts(summary: Summary) -> list[tuple[str, str]]:
    if summary.scored == 0:
        return [("nothing-scored", "No turn was scored; there is no headline figure.")]
    if summary.scored < FEW_TURNS:
        return [("few-turns", f"Few turns were scored ({summary.scored}); a single one moves the figures.")]
    return []


def _check_interval(mean: Estimate) -> list[tuple[str, str]]:
    if mean.n > 1 and mean.low is None:
        return [
            (
                "one-cluster",
                f"All scored turns depend on one another, so that no figure has an interval: {mean.undefined}.",
            )
        ]
    if mean.low is not None and mean.high is not None and mean.high - mean.low > WIDE:
        width = print_number(Fraction(repr(mean.high)) - Fraction(repr(mean.low)), 0)
        return [("wide-interval", f"The interval of the mean is {width} points wide; the mean alone says little.")]
    return []


def _check_spread(summary: Summary, scores: ScoreFacts) -> list[tuple[str, str]]:
    share = scores.at_mode.value
    if share is None or scores.mode is None or summary.scored < NEAR_CONSTANT_FROM or share < NEAR_CONSTANT:
        return []
    score, percent = print_number(scores.mode), print_number(100 * share, 1, (100,))
    return [
        ("near-constant", f"{percent} % of the scored turns have the same score, {score}; it hardly tells them apart.")
    ]


def _check_sampling(sampling: Sampling | None) -> list[tuple[str, str]]:
    if sampling is None:
        return []
    by = f", by {' and '.join(sampling.labels)}" if sampling.labels else ""
    sentence = (
        f"The turns are a sample: {sampling.drawn:,} were drawn of {sampling.population:,} captured ones{by}. Means "
        "and shares speak of all captured turns, by the weights of the draw; counts are of the drawn turns."
    )
    return [("drawn-sample", sentence)]


def _check_coverage(summary: Summary, manifest: Manifest) -> list[tuple[str, str]]:
    found = []
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
