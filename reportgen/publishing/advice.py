"""What was changed between two runs, and whether to keep it: a sentence each, with how sure that is."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from reportgen.analysis.comparison.changes import Change
from reportgen.analysis.comparison.comparing import Comparison
from reportgen.analysis.comparison.holding import Outcome
from reportgen.analysis.comparison.knobs import KnobChange
from reportgen.publishing.changes import print_change, print_change_interval
from reportgen.publishing.printing import print_count, print_share, stored
from reportgen.publishing.text import shorten
from reportgen.scoring.rounding import print_number

_NAME_SHOWN = 60
_VALUES_SHOWN = 4

_Figure = tuple[str, Change, Outcome | None]


def say_knobs(found: Comparison) -> list[str]:
    """Each knob that differs between the runs, with what it was and is."""
    return [_say_knob(item) for item in found.knobs]


def say_advice(found: Comparison) -> str | None:
    """Whether to keep what was changed or to revert it, in one sentence with its uncertainty.

    None where a rubric with a composite finds no knob that differs, as between two months of one assistant.
    """
    if not found.knobs and not found.metrics:
        return None
    figures = _figures(found)
    if found.outcome is None:
        return "Keep or revert: not said, since nothing is claimed here."
    better, worse = ([item for item in figures if item[2] == outcome] for outcome in ("better", "worse"))
    rest = [item for item in figures if item[2] not in ("better", "worse")]
    whole = "; ".join([*_say_moved(better), *_say_moved(worse), *_say_rest(rest)])
    return f"{_verdict(bool(better), bool(worse), found)}: {whole}.{_say_doubts(found)}"


def _figures(found: Comparison) -> list[_Figure]:
    if found.metrics:
        return [(item.name, item.mean, item.outcome) for item in found.metrics]
    return [("the mean", found.mean, found.outcome)]


def _verdict(better: bool, worse: bool, found: Comparison) -> str:  # noqa: FBT001 - two facts of equal rank
    what = _name_change(found)
    if better and worse:
        return f"Neither keep nor revert {what} without weighing one against the other"
    if better:
        return f"Keep {what}"
    return f"Revert {what}" if worse else f"Neither keep nor revert {what} on this evidence"


def _name_change(found: Comparison) -> str:
    turned = [item for item in found.knobs if item.turned] or list(found.knobs)
    if not turned:
        return "what was changed, which no label tells"
    names = [str(shorten(item.name, _NAME_SHOWN)) for item in turned[:_VALUES_SHOWN]]
    more = [f"{print_count(len(turned) - _VALUES_SHOWN)} more"] if len(turned) > _VALUES_SHOWN else []
    return f"the change of {' and '.join([*names, *more])}"


def _say_moved(figures: Sequence[_Figure]) -> Iterator[str]:
    for name, change, outcome in figures:
        rose = "rose" if outcome == "better" else "fell"
        size = print_change(abs(change.difference.value or Fraction(0))).lstrip("+")
        interval = ""
        if change.difference.low is not None:
            interval = f" (95\u00a0% interval of the change {print_change_interval(change.difference)})"
        yield f"{name} {rose} by {size} points{interval}, more than chance explains"


def _say_rest(figures: Sequence[_Figure]) -> Iterator[str]:
    for name, change, outcome in figures:
        if outcome == "not-tested":
            yield f"for {name} there is too little to tell"
        elif change.difference.low is not None:
            interval = print_change_interval(change.difference)
            missed = _say_missed(change.detectable) if change.detectable else ""
            yield f"{name} changed by no more than chance explains (95\u00a0% interval {interval}{missed})"
        else:
            yield f"{name} is the same in each compared turn{_say_unseen(change.unseen)}"


def _say_unseen(share: float | None) -> str:
    return "" if share is None else f", though up to {print_share(stored(share))} of other turns may differ"


def _say_missed(detectable: float) -> str:
    return f"; a change of less than {print_number(stored(detectable), 1, (0,))} points would often be missed"


def _say_doubts(found: Comparison) -> str:
    """What else may have brought it about."""
    doubts = []
    turned = [item for item in found.knobs if item.turned]
    if len(turned) > 1:
        doubts.append("Several knobs were turned at once, so it is not told which of them did it.")
    if not found.paired:
        doubts.append("The runs hold different turns, so what was asked may explain it as well.")
    return "".join(f" {doubt}" for doubt in doubts)


def _say_knob(item: KnobChange) -> str:
    name = shorten(item.name, _NAME_SHOWN)
    if len(item.before) == len(item.after) == 1:
        return f"{name}: {_name_value(item.before)} before, {_name_value(item.after)} now"
    how = "" if item.turned else ", in other shares"
    return f"{name}{how}: {_list_values(item.before)} before; {_list_values(item.after)} now"


def _name_value(values: dict[str, int]) -> str:
    return str(shorten(next(iter(values)), _NAME_SHOWN))


def _list_values(values: dict[str, int]) -> str:
    shown = list(values.items())[:_VALUES_SHOWN]
    said = [f"{shorten(value, _NAME_SHOWN)} ({print_count(count)})" for value, count in shown]
    return ", ".join([*said, "others"] if len(values) > _VALUES_SHOWN else said)
