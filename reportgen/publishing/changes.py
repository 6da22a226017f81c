"""How the figures of a comparison are printed and put into words."""

from fractions import Fraction

from reportgen.analysis.comparison.changes import Change
from reportgen.analysis.comparison.comparing import Comparison, lacks_proof
from reportgen.analysis.comparison.holding import Held
from reportgen.analysis.comparison.labels import LabelChange
from reportgen.model.rubric import Rubric
from reportgen.model.run import Estimate
from reportgen.publishing.printing import NONE, plural, print_count, print_figure, print_p_value, print_score, stored
from reportgen.publishing.text import clean
from reportgen.scoring.rounding import print_number

MINUS = "\u2212"
_NAME_SHOWN = 40


def print_change(value: Fraction | None, decimals: int = 1) -> str:
    """A difference with its sign; 0 only where it is exact.

    >>> print_change(Fraction(5, 4)), print_change(Fraction(-1, 100)), print_change(Fraction(0)), print_change(None)
    ('+1.3', '−0.1', '0.0', '–')
    """
    if value is None:
        return NONE
    text = print_number(abs(value), decimals, (0,))
    return f"{'+' if value > 0 else MINUS if value < 0 else ''}{text}"


def print_change_interval(estimate: Estimate, factor: int = 1, decimals: int = 1) -> str:
    """The bounds of a difference, such as "−2.1 to +0.4", or why there are none; shares take the factor 100."""
    if estimate.low is None or estimate.high is None:
        return estimate.undefined or NONE
    low, high = (print_change(factor * stored(bound), decimals) for bound in (estimate.low, estimate.high))
    return f"{low} to {high}"


def say_design(found: Comparison) -> str:
    """Which turns are compared, and how, in a sentence or two."""
    overlap = found.overlap
    before, after = print_count(overlap.only_before), print_count(overlap.only_after)
    others = f"Turns that are only in the baseline: {before}; only here: {after}."
    if overlap.asked_otherwise:
        ids = plural(overlap.asked_otherwise, "id")
        others += f" Of these, {ids} stand in both runs for different questions, which are not one turn."
    if found.sampled:
        others += " Turns were drawn from a larger capture; here each drawn turn counts as one, for no others."
    if found.paired:
        return f"Compared turn by turn: {plural(overlap.common, 'turn')} in both runs. {others}"
    return f"Compared as two periods, since the runs have {_say_common(overlap.common)} in common. {others}"


def _say_common(turns: int) -> str:
    return plural(turns, "turn") if turns else "no turn"


def say_mean_change(found: Held, rubric: Rubric) -> str:
    """The change of the mean and how sure it is, in words."""
    change = found.mean
    difference = change.difference
    if change.before is None or change.after is None or difference.value is None:
        return f"The means cannot be compared: {difference.undefined}."
    said = f"The mean went from {print_score(change.before, rubric)} to {print_score(change.after, rubric)}, "
    said += f"a change of {print_change(difference.value)} points"
    if change.unseen is not None:
        return f"{said}: each compared turn has the same score in both. {_say_unseen(change.unseen)}"
    if difference.low is None:
        return f"{said}, without an interval: {difference.undefined}."
    interval = f"95\u00a0% interval {print_change_interval(difference)}, {_say_units(difference)}"
    return f"{said} ({interval}). {_say_outcome(found, change)}"


def _say_units(difference: Estimate) -> str:
    units = plural(difference.clusters or 0, (difference.by or "turn").partition(" or ")[0])
    return f"which takes {units} as independent" + (f", df {print_figure(difference.df)}" if difference.df else "")


def cut_name(name: str) -> str:
    """A name where there is little room; it stands in full in its table.

    >>> cut_name("day 2026-09-16, Context relevance"), cut_name("2026-06-30T0900Z-sql-agent-1-claude-opus-5-5")
    ('day 2026-09-16, Context relevance', '2026-06-30T0900Z-sql-agent-1-claude-opu…')
    """
    return clean(name) if len(name) <= _NAME_SHOWN else f"{clean(name[: _NAME_SHOWN - 1]).rstrip()}…"


def say_mean_briefly(found: Comparison, rubric: Rubric) -> str:
    """The change of the mean, or of that of each metric, in one short sentence."""
    if found.metrics:
        said = "; ".join(f"{item.name} {_say_held_briefly(item, rubric)}" for item in found.metrics)
        return f"Against {cut_name(found.run)}: {said}."
    return f"Against {cut_name(found.run)}: mean {_say_held_briefly(found, rubric)}."


def _say_held_briefly(held: Held, rubric: Rubric) -> str:
    change = held.mean
    means = f"{print_score(change.before, rubric)} to {print_score(change.after, rubric)}"
    points = print_change(change.difference.value)
    if change.difference.low is not None:
        points += f" points (95\u00a0% interval {print_change_interval(change.difference)})"
    return f"{means}, {points}; {_OUTCOMES[held.outcome]}"


_OUTCOMES = {
    "worse": "worse by more than chance",
    "better": "better by more than chance",
    "no-difference-found": "no more than chance explains",
    "not-tested": "too little to tell",
    None: "nothing is claimed",
}


def _say_unseen(share: float) -> str:
    percent = print_number(100 * stored(share), 1, (0, 100))
    return f"As many such turns cannot rule out that up to {percent}\u00a0% of others would differ."


def _say_outcome(found: Held, change: Change) -> str:
    smallest = f"{print_number(stored(change.detectable), 1, (0,))} points" if change.detectable else "no size"
    if found.outcome is None:
        return "Nothing is claimed from it."
    if found.outcome == "no-difference-found":
        return (
            f"Chance among such turns explains as much. A true change of {smallest} would have been found in four of "
            "five such comparisons; a smaller one may be there."
        )
    worse = "worse" if found.outcome == "worse" else "better"
    return f"This run is {worse} by more than chance among such turns explains (p {_equals(change.p_value)})."


def _equals(p_value: float | None) -> str:
    text = print_p_value(p_value)
    return text if text.startswith("below") else f"= {text}"


def name_marked(found: Comparison) -> list[tuple[str, str]]:
    """What is marked as different besides the means: its name, and its change with the p-value."""
    named: list[tuple[str, Held]] = [("", found), *((f"{item.name}, ", item) for item in found.metrics)]
    marked = [(f"{prefix}band {item.band}", 100, 1, item.change) for prefix, held in named for item in held.bands]
    marked += [(item.name, 1, 2, item.change) for item in (() if found.metrics else found.dimensions)]
    marked += [
        (f"{prefix}{label.label} {item.value}", 1, 1, item.change)
        for prefix, held in named
        for label in held.labels
        for item in label.strata
    ]
    return [(name, _say_marked(change, factor, places)) for name, factor, places, change in marked if change.differs]


def _say_marked(change: Change, factor: int, decimals: int) -> str:
    points = print_change(factor * (change.difference.value or Fraction(0)), decimals)
    return f"{points}, p {_equals(change.p_value)}"


def say_split(label: LabelChange) -> str:
    """How the change of the mean divides over a label, or why it does not, to stand after the label's name."""
    if label.undefined is not None:
        return f"not split into mix and rate, since {label.undefined}"
    mix, rate = print_change(label.mix), print_change(label.rate)
    return f"{mix} points come from other shares of its values (mix), {rate} from within them (rate)"


def say_withdrawn(found: Comparison) -> list[str]:
    """Why nothing is claimed, a sentence each; empty where claims are made."""
    said = []
    if found.breaks:
        keys = "; ".join(f"{item.key}: {item.before} in the baseline, {item.after} here" for item in found.breaks)
        said.append(f"The runs were made with different instruments, so their scores may not be compared. {keys}.")
    if lacks_proof(found):
        before, after = (" / ".join(agents) or "none" for agents in (found.agents_before, found.agents_after))
        said.append(f"The assistants differ: {before} in the baseline, {after} here. {_say_gates(found)}")
    return said


def _say_gates(found: Comparison) -> str:
    """Why two systems are not compared although the judge is the same."""
    if found.gates == (None, None):
        return "How far the judge agrees with people was not measured, so no claim is made that one is better."
    before, after = (_GATES[gate] for gate in found.gates)
    return (
        f"The judge's agreement with people {before} in the baseline and {after} here; only where it passed its gate "
        "in both is a claim made that one is better."
    )


_GATES = {
    None: "was not measured",
    "pass": "passed its gate",
    "provisional": "is provisional",
    "fail": "failed its gate",
    "not-estimable": "cannot be told from so few labels",
}
