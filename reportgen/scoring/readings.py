"""What was read of one turn: once, several times by one judge, or by the judges of a panel.

The subscore is the median of the usable readings, dimension by dimension; of an even number it is the mean of the two
in the middle, exactly. The categorical verdict is the median too, in the order poor, partial, good; of an even number
it is the lower of the two in the middle, so that doubt does not flatter.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.model.rubric import JudgeCall, Rubric
from reportgen.model.score import Readings
from reportgen.model.verdict import Category, Judge, Number, Reply, Verdict

_ORDER: tuple[Category, ...] = ("poor", "partial", "good")


@dataclass(frozen=True, slots=True)
class Observed:
    """One dimension: the subscore of each usable reading, their median on the scale, and those that lay off it.

    `given` is the median of the subscores as given; both medians are None where no reading has a subscore.
    """

    samples: tuple[Number | None, ...]
    given: Number | None
    used: Fraction | None
    off_scale: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """All readings of one turn together; `failure` is the outcome and the reason where they do not suffice."""

    observed: Mapping[str, Observed]
    category: Category | None
    readings: Readings | None
    failure: tuple[str, str] | None = None


def gather_readings(verdicts: Sequence[Verdict], rubric: Rubric, calls: Sequence[JudgeCall] | None = None) -> Gathered:
    """The readings of one turn, by one judge or by several; of these judge calls, which are all if none is named."""
    by_judge, calls = split_by_judge(verdicts), calls or rubric.calls
    if len(by_judge) <= 1:
        return _gather_samples(verdicts, calls, rubric.scale.maximum)
    return _gather_judges([_gather_samples(group, calls, rubric.scale.maximum) for _, group in by_judge], rubric)


def split_by_judge(verdicts: Sequence[Verdict]) -> list[tuple[Judge, list[Verdict]]]:
    """The verdicts of each judge, in the order in which the judges first occur."""
    groups: list[tuple[Judge, list[Verdict]]] = []
    for verdict in verdicts:
        known = next((group for judge, group in groups if is_same(judge, verdict.judge)), None)
        if known is None:
            groups.append((verdict.judge, [verdict]))
        else:
            known.append(verdict)
    return groups


def is_same(one: Judge, other: Judge) -> bool:
    """Whether both are one judge; what the notes say does not matter."""
    return one is other or one.model_copy(update={"note": other.note}) == other


def _gather_samples(verdicts: Sequence[Verdict], calls: Sequence[JudgeCall], maximum: int) -> Gathered:
    """The samples of one judge. Each call needs a usable one."""
    groups = [[verdict for verdict in verdicts if verdict.call == call.id] for call in calls]
    replies = [[verdict.reply for verdict in group if _is_usable(verdict) and verdict.reply] for group in groups]
    readings = _count_samples(groups)
    for call, group, usable in zip(calls, groups, replies, strict=True):
        if not usable:
            return Gathered({}, None, readings, _failure(call, group))
    observed = {
        name: observe([reply.scores.get(name) for reply in usable], maximum)
        for call, usable in zip(calls, replies, strict=True)
        for name in call.scores
    }
    return Gathered(observed, _middle_category([reply.verdict for reply in replies[0]]), readings)


def _is_usable(verdict: Verdict) -> bool:
    return verdict.outcome == "ok" and isinstance(verdict.reply, Reply)


def _failure(call: JudgeCall, group: Sequence[Verdict]) -> tuple[str, str]:
    if not group:
        return "missing", f"There is no verdict for the judge call {call.id}."
    return group[0].outcome, group[0].reason or "The judge gave no usable reply."


def _count_samples(groups: Sequence[Sequence[Verdict]]) -> Readings | None:
    """How many samples there were of each call; None where each was asked for once."""
    asked = max(len(group) for group in groups)
    if asked < 2:
        return None
    usable = min(sum(_is_usable(verdict) for verdict in group) for group in groups)
    failures = Counter(verdict.outcome for group in groups for verdict in group if not _is_usable(verdict))
    return Readings.model_validate({"by": "samples", "asked": asked, "usable": usable, "failures": dict(failures)})


def _gather_judges(judges: Sequence[Gathered], rubric: Rubric) -> Gathered:
    """The judges of a panel; half of them, rounded up, must have given a usable verdict."""
    usable = [judge for judge in judges if judge.failure is None]
    failed = [judge.failure for judge in judges if judge.failure is not None]
    readings = Readings.model_validate(
        {
            "by": "judges",
            "asked": len(judges),
            "usable": len(usable),
            "failures": dict(Counter(outcome for outcome, _ in failed)),
        }
    )
    if 2 * len(usable) < len(judges):
        reason = f"Of {len(judges)} judges, {len(usable)} gave a usable verdict. The first that did not: {failed[0][1]}"
        return Gathered({}, None, readings, (failed[0][0], reason))
    observed = {
        name: _observe_judges([judge.observed[name] for judge in usable], rubric.scale.maximum)
        for name in (usable[0].observed if usable else ())
    }
    categories = [judge.category for judge in usable if judge.category is not None]
    return Gathered(observed, _middle_category(categories), readings)


def _observe_judges(judges: Sequence[Observed], maximum: int) -> Observed:
    off_scale = tuple(value for judge in judges for value in judge.off_scale)
    together = observe([_number(judge.used) for judge in judges], maximum)
    return Observed(together.samples, together.given, together.used, off_scale)


def observe(samples: Sequence[Number | None], maximum: int) -> Observed:
    """The median of the subscores, each moved to the scale first.

    >>> observe([8, 3, 9], 10).used, observe([8, 9], 10).used
    (Fraction(8, 1), Fraction(17, 2))
    """
    there = [value for value in samples if value is not None]
    used = median([on_scale(value, maximum) for value in there])
    off_scale = tuple(value for value in there if not 0 <= value <= maximum)
    given = there[0] if len(there) == 1 else _number(median([Fraction(str(value)) for value in there]))
    return Observed(tuple(samples), given, used, off_scale)


def on_scale(value: Number, maximum: int) -> Fraction:
    """The subscore, exactly as it was given, moved to the nearest end of the scale if it lies beyond."""
    return min(max(Fraction(str(value)), Fraction(0)), Fraction(maximum))


def median(values: Sequence[Fraction]) -> Fraction | None:
    """The middle value, or the mean of the two in the middle; None of none."""
    ordered, half = sorted(values), len(values) // 2
    if not ordered:
        return None
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _number(value: Fraction | None) -> Number | None:
    if value is None:
        return None
    return int(value) if value.denominator == 1 else float(value)


def _middle_category(categories: Sequence[Category]) -> Category:
    ranks = sorted(_ORDER.index(category) for category in categories)
    return _ORDER[ranks[(len(ranks) - 1) // 2]]
