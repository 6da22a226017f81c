"""Warnings that the program attaches to its own result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reportgen.analysis.canaries import CanaryCheck
from reportgen.analysis.comparison.comparing import Comparison
from reportgen.analysis.distribution import ScoreFacts
from reportgen.analysis.judge_caveats import check_canaries, check_judge, check_kinship, check_predecessor
from reportgen.analysis.metrics import Metric
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.sampling import measure_sampling
from reportgen.analysis.trend.regressions import Regression
from reportgen.analysis.turn_caveats import check_counts, check_coverage, check_headlines, check_sampling, check_turns
from reportgen.model.anchor_check import AnchorCheck
from reportgen.model.run import Estimate, Manifest, Summary

STRICT = frozenset({"judge-not-trusted", "judge-changed", "nothing-scored"})
"""The caveats with which `--strict` lets a run end with exit code 4; the documentation lists them."""

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
    metrics: Sequence[Metric] = (),
    failed_calls: Mapping[str, int] | None = None,
) -> tuple[Caveat, ...]:
    """The caveats of a run, gravest first.

    `checks` are those of its judge on frozen anchors, `metrics` those of a rubric without a composite,
    `failed_calls` how many of its judge calls failed, by how they did.
    """
    found = [*check_canaries(canaries), *check_predecessor(manifest, checks), *check_judge(manifest)]
    found += [*_check_derived(manifest), *_check_erased(manifest)]
    found += check_kinship(manifest, rows)
    found += [*check_counts(summary), *check_headlines(summary, scores, metrics)]
    found += [*check_sampling(measure_sampling(rows)), *check_coverage(summary, manifest, failed_calls or {})]
    found += check_turns(summary, rows)
    return tuple(Caveat(slug, sentence) for slug, sentence in found)


def check_change(fell: Sequence[Regression], comparison: Comparison | None) -> tuple[Caveat, ...]:
    """The caveats of what the run is held against: what fell below its series, and a baseline."""
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
    days = [item for item in fell if item.kind == "day"]
    if days:
        said = "Days whose mean lies below what the days before them lead to expect"
        found.append(("below-series", f"{said}: {_count_fallen(days)}."))
    if runs := [item for item in fell if item.kind == "run"]:
        said = "Runs whose mean lies below what earlier runs lead to expect"
        found.append(("below-series", f"{said}: {_count_fallen(runs)}."))
    return tuple(Caveat(slug, sentence) for slug, sentence in found)


def _count_fallen(fell: Sequence[Regression]) -> str:
    """How many days or runs, and by which metrics."""
    count, metrics = len({item.name for item in fell}), dict.fromkeys(item.metric for item in fell if item.metric)
    return f"{count}, by {' and '.join(metrics)}" if metrics else str(count)


def _check_derived(manifest: Manifest) -> list[tuple[str, str]]:
    if (derived := manifest.derived) is None:
        return []
    if derived.is_public:
        shown = "This report shows no text of any turn, and by label no group of one to four turns."
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
