"""What the canaries of a run say of its judge."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.model.canary import Canary
from reportgen.model.run import Manifest
from reportgen.model.verdict import Category, Judge
from reportgen.record import Exact
from reportgen.scoring.readings import is_same


@dataclass(frozen=True, slots=True)
class MetricLine:
    """One metric of a canary: what was expected and what the judge gave, in percent of its scale."""

    dimension: str
    low: int
    high: int
    value: Exact | None


@dataclass(frozen=True, slots=True)
class CanaryLine:
    """One canary: what was expected, what the judge said, and whether that is as expected; None where it said nothing.

    `low`, `high` and `raw` are scores before caps. Where metrics were expected, `metrics` has each of them with what
    the judge gave, in percent of its scale; nothing is then expected of the rest.
    """

    turn: str
    kind: str
    judge: str
    expected: tuple[Category, ...]
    low: int
    high: int
    verdict: Category | None
    raw: Exact | None
    passed: bool | None
    reason: str
    metrics: tuple[MetricLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Untested:
    """A judge that no canary was put to, and why."""

    judge: str
    reason: str


@dataclass(frozen=True, slots=True)
class CanaryCheck:
    """How many canaries there were and what became of them; `unanswered` ones brought no usable reply."""

    asked: int
    passed: int
    failed: int
    unanswered: int
    untested: tuple[Untested, ...]
    lines: tuple[CanaryLine, ...]


def build_canary_check(manifest: Manifest, canaries: Sequence[Canary] | None) -> CanaryCheck:
    """The canaries of a run by outcome; `canaries` is None where there were none."""
    lines = tuple(_line(canary, manifest) for canary in canaries or ())
    results = [line.passed for line in lines]
    return CanaryCheck(
        asked=len(lines),
        passed=results.count(True),
        failed=results.count(False),
        unanswered=results.count(None),
        untested=tuple(_find_untested(manifest, canaries)),
        lines=lines,
    )


def _line(canary: Canary, manifest: Manifest) -> CanaryLine:
    replies = [verdict.reply for verdict in canary.verdicts if verdict.reply]
    judge = canary.verdicts[0].judge if canary.verdicts else manifest.judge
    return CanaryLine(
        turn=canary.turn.id,
        kind=canary.kind,
        judge=judge.name,
        expected=canary.expects.verdicts,
        low=canary.expects.low,
        high=canary.expects.high,
        verdict=replies[0].verdict if replies else None,
        raw=canary.raw,
        passed=canary.passed,
        reason=canary.reason,
        metrics=tuple(
            MetricLine(item.dimension, item.low, item.high, (canary.values or {}).get(item.dimension))
            for item in canary.expects.metrics or ()
        ),
    )


def _find_untested(manifest: Manifest, canaries: Sequence[Canary] | None) -> list[Untested]:
    judges = [member.judge for member in manifest.panel] if manifest.panel else [manifest.judge]
    asked = [canary.verdicts[0].judge for canary in canaries or () if canary.verdicts]
    left = [judge for judge in judges if not any(is_same(judge, other) for other in asked)]
    none_fits = canaries is not None and not canaries
    return [Untested(judge.name, _say_why(judge, none_fits=none_fits)) for judge in left]


def _say_why(judge: Judge, *, none_fits: bool) -> str:
    if judge.provider == "recorded":
        return "its verdicts were replayed from a file"
    if none_fits:
        return "there is no turn, or no canary that fits what its rubric asks"
    return "canaries were switched off"
