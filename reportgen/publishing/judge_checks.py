"""Checks of a judge on frozen anchors in words and cells, for the pages and the terminal."""

from collections.abc import Iterator
from fractions import Fraction

from reportgen.analysis.drift import IDENTICAL
from reportgen.analysis.judge_change import JudgeChange
from reportgen.model.anchor_check import AnchorCheck, BesidePeople, Drift, PeopleAgreement, Shift
from reportgen.model.asked import Asked
from reportgen.model.run import Estimate
from reportgen.publishing.changes import print_change, print_change_interval
from reportgen.publishing.printing import (
    NONE,
    plural,
    print_count,
    print_exact,
    print_share,
    print_share_interval,
    print_signed,
    print_signed_interval,
    stored,
)

HEAD = ("what", "turns", "mean shift", "90 % interval", "95 % interval", "margin", "state", "power", "turns for 80 %")
"""What the cells of a shift are."""
_KAPPA_ENDS = (-1, 0, 1)


def print_shifts(drift: Drift) -> Iterator[tuple[str, ...]]:
    """The cells of each shift: the composite, then the dimensions, then the bands under the old judge."""
    yield _cells("composite", drift.composite, 1)
    for part in drift.dimensions:
        yield _cells(part.name, part.shift, 2)
    for part in drift.bands:
        yield _cells(f"band {part.name}", part.shift, 1)


def print_narrow(shift: Shift, decimals: int = 1) -> str:
    """The bounds of the 90 % interval, or a dash."""
    if shift.low_90 is None or shift.high_90 is None:
        return NONE
    narrow = Estimate(value=shift.mean.value, low=shift.low_90, high=shift.high_90, n=shift.mean.n)
    return print_change_interval(narrow, 1, decimals)


def print_margin(margin: Fraction) -> str:
    """How far a figure may move, such as "±3"."""
    return f"±{print_exact(margin)}"


def print_power(power: float | None) -> str:
    """How likely equal judges are found equivalent, in percent."""
    return NONE if power is None else print_share(stored(power))


def say_asked(asked: Asked) -> str:
    """A judge with its effort."""
    return asked.judge.name + (f", effort {asked.judge.effort}" if asked.judge.effort else "")


def say_keys(before: Asked, after: Asked) -> str:
    """In what two judges differ."""
    return ", ".join(after.differs(before)) or "nothing: the judge itself was asked again"


def say_check(check: AnchorCheck) -> Iterator[str]:
    """All that a check found beside the shifts, and what an inconclusive one lacks, a sentence each."""
    yield from say_drift(check.drift)
    yield from say_people(check.people)
    yield from say_way_on(check.drift)


def say_drift(drift: Drift) -> Iterator[str]:
    """What a check found beside the shifts, a sentence each."""
    changed = drift.changed
    share = print_share(changed.value) if changed.value is not None else NONE
    yield f"Another band: {share} of {plural(changed.n, 'turn')} (95 % interval: {print_share_interval(changed)})."
    kappa = drift.kappa
    if kappa.value is not None:
        value, interval = print_signed(kappa.value, 2, (0, 1)), print_signed_interval(kappa, 2, (0, 1))
        yield f"Kappa of the bands, the old judge against the new: {value} (95 % interval: {interval})."
    if drift.lost or drift.gained:
        gained = f", and {print_count(drift.gained)} that only it gave one" if drift.gained else ""
        yield f"Without a score by the new judge: {plural(drift.lost, 'turn')}{gained}; they enter no shift."
    for name, shift in (("Composite", drift.composite), *((f"Band {part.name}", part.shift) for part in drift.bands)):
        if shift.reason and shift.mean.n:
            yield f"{name}: {shift.reason}."


def say_people(people: BesidePeople | None) -> Iterator[str]:
    """How far the new judge and the old agree with the people who labelled anchors, a sentence each."""
    if people is None:
        return
    by = plural(people.labellers, "person").replace("persons", "people")
    over = f"{plural(people.turns, 'anchor')} labelled by {by}"
    yield f"Beside people, over {over}, each of which counts once, with 95 % intervals:"
    names = ("kappa", "kappa, linear weights,", "kappa, quadratic weights,")
    for name, new, old, end in zip(names, _kappas(people.after), _kappas(people.before), ";;.", strict=True):
        yield f"{name} of the new judge {_say_kappa(new)}, of the old {_say_kappa(old)}{end}"


def _kappas(found: PeopleAgreement) -> tuple[Estimate, ...]:
    return found.kappa, found.kappa_linear, found.kappa_quadratic


def _say_kappa(kappa: Estimate) -> str:
    if kappa.value is None:
        return f"{NONE} ({kappa.undefined})"
    interval = kappa.undefined if kappa.low is None else print_signed_interval(kappa, 2, _KAPPA_ENDS)
    return f"{print_signed(kappa.value, 2, _KAPPA_ENDS)} ({interval})"


def say_way_on(drift: Drift) -> Iterator[str]:
    """For an inconclusive check what each figure that decides lacks, with the number of turns that it takes."""
    if drift.state != "inconclusive":
        return
    parts = [(part.name, part.shift) for part in drift.dimensions]
    decisive = [("composite", drift.composite)] if drift.composite.mean.n else parts
    for name, shift in decisive:
        if shift.state == "inconclusive":
            yield f"Inconclusive, {name}: {_say_lack(shift)}"


def _say_lack(shift: Shift) -> str:
    count, mean = shift.mean.n, shift.mean.value
    if shift.deviation == 0 and mean is not None and count < IDENTICAL and abs(mean) < shift.margin:
        said = f"all {plural(count, 'turn')} moved alike, which shows equivalence only from {IDENTICAL} such turns on"
        return f"{said}. Freeze a set of at least {IDENTICAL} scored turns, and check again."
    if shift.needed is None:
        return f"{plural(count, 'turn')} with both figures cannot decide. Freeze a larger set, and check again."
    if shift.needed > count:
        said = f"equal judges that differ so much are found equivalent on {print_count(shift.needed)} turns or more"
        return f"{said} four times in five; here are {print_count(count)}. Freeze so many, and check again."
    return "the turns are enough, but the shift lies too near the margin. A larger set tells it more exactly."


def say_change(change: JudgeChange | None, *, has_predecessor: bool) -> str:
    """Whether the judge is that of the run before, and what is known of the two."""
    if not has_predecessor:
        return "No earlier run of this rubric stood in the archive when this one began."
    if change is None:
        return "Judge and prompts are those of the last run of this rubric."
    said = f"The last run of this rubric was judged by {say_asked(change.before.asked)}"
    said += f", which differs in: {', '.join(change.keys)}."
    if change.check is None:
        return f"{said} The two were not checked against each other."
    return f"{said} Their latest check: {change.check.drift.state}."


def say_runs(check: AnchorCheck) -> str | None:
    """Which runs a check holds together; None where they are not named."""
    if check.anchors is None or check.judged is None:
        return None
    return f"anchors {check.anchors.run}, asked again in {check.judged.run}"


def _cells(name: str, shift: Shift, decimals: int) -> tuple[str, ...]:
    mean = shift.mean
    return (
        name,
        print_count(mean.n),
        print_change(mean.value, decimals),
        print_narrow(shift, decimals),
        print_change_interval(mean, 1, decimals),
        print_margin(shift.margin),
        shift.state,
        print_power(shift.power),
        NONE if shift.needed is None else print_count(shift.needed),
    )
