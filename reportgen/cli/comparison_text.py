"""A comparison for a terminal: sentences and tables of fixed width, or JSON."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import TypeAdapter

from reportgen.analysis.comparison.changes import Change
from reportgen.analysis.comparison.comparing import Comparison
from reportgen.analysis.comparison.holding import Held
from reportgen.analysis.comparison.labels import LabelChange
from reportgen.model.rubric import Rubric
from reportgen.model.run import RunFile
from reportgen.pipeline.comparing import Compared
from reportgen.publishing.advice import say_advice, say_knobs
from reportgen.publishing.changes import (
    name_marked,
    print_change,
    print_change_interval,
    say_design,
    say_mean_change,
    say_split,
    say_withdrawn,
)
from reportgen.publishing.printing import plural, print_count, print_p_value, print_score, print_share, print_subscore
from reportgen.publishing.text import shorten

_SHOWN = 40
_EXPLANATION_SHOWN = 200


def comparison_data(compared: Compared, run: RunFile) -> dict[str, Any]:
    """A comparison as plain JSON values, exact numbers as text; with what the judge wrote on the turns that moved most.

    The comparison itself is that of `findings.comparison` in a report.
    """
    before = {turn.id: turn.explanation for turn in compared.baseline.turns if turn.explanation is not None}
    return {
        "format": "reportgen/comparison/1",
        "run": run.manifest.run_id,
        "seal": run.seal,
        "comparison": TypeAdapter(Comparison).dump_python(compared.comparison, mode="json"),
        "explanations": {"before": before, "after": compared.explanations},
    }


def render_comparison(compared: Compared, run: RunFile) -> Iterator[str]:
    """The lines of a comparison, with plain spaces."""
    return (line.replace("\u00a0", " ") for line in _render(compared, run))


def _render(compared: Compared, run: RunFile) -> Iterator[str]:
    found, rubric = compared.comparison, run.rubric
    yield f"{found.run}  ->  {run.manifest.run_id}"
    for reason in say_withdrawn(found):
        yield f"NO CLAIM  {reason}"
    yield say_design(found)
    yield from _say_advice(found)
    flag = "  (NO CLAIM, see above)" if found.outcome is None else ""
    if not found.metrics:
        yield say_mean_change(found, rubric)
    yield from _marked(found)
    if not found.metrics:
        yield from _held(found, "", flag, compared, rubric)
    for item in found.metrics:
        yield f"\n{item.name}, in percent of its scale"
        yield say_mean_change(item, rubric)
        yield from _held(item, item.name, flag, compared, rubric)


def _say_advice(found: Comparison) -> Iterator[str]:
    if advice := say_advice(found):
        yield advice
    for knob in say_knobs(found):
        yield f"Differs between the runs: {knob}"


def _marked(found: Comparison) -> Iterator[str]:
    marked = [f"{shorten(name, _SHOWN)} ({how})" for name, how in name_marked(found)]
    if marked:
        yield f"Differs by more than chance: {'; '.join(marked)}."


def _held(held: Held, name: str, flag: str, compared: Compared, rubric: Rubric) -> Iterator[str]:
    """What is said of one score; its name is empty where there is no other."""
    of = f" of {name}" if name else ""
    yield from _say_movement(held)
    yield from lay_table(f"Bands{of}{flag}", _bands(held))
    if not name:
        yield from lay_table(f"Dimensions{flag}", _dimensions(compared.comparison, rubric))
    for label in held.labels:
        title = f"By {shorten(label.label, _SHOWN)}{of}: {say_split(label)}"
        yield from lay_table(f"{title}{flag}", _strata(label, rubric)) if label.strata else (f"\n{title}.",)
    yield from _movers(held, f"Turns that moved most, by {name}" if name else "Turns that moved most", compared, rubric)


def _say_movement(held: Held) -> Iterator[str]:
    if (moved := held.movement) is not None:
        counts = f"{print_count(moved.improved)} improved, {print_count(moved.worsened)} worsened"
        lost = f"; {plural(moved.lost, 'turn')} lost and {print_count(moved.gained)} gained a score"
        yield f"{counts}, {print_count(moved.unchanged)} kept their score{lost if moved.lost or moved.gained else ''}."
    for item in held.transitions or ():
        if item.before != item.after and item.turns:
            yield f"  {item.before} -> {item.after}: {plural(item.turns, 'turn')}"


def _bands(found: Held) -> Iterator[Sequence[str]]:
    yield "band", "A", "B", "change", "95 % interval", "p"
    for item in found.bands:
        change = item.change
        points = None if change.difference.value is None else 100 * change.difference.value
        shares = print_share(change.before), print_share(change.after)
        interval = print_change_interval(change.difference, 100)
        yield item.band, *shares, print_change(points), interval, _mark(change)


def _dimensions(found: Comparison, rubric: Rubric) -> Iterator[Sequence[str]]:
    yield "dimension", "A", "B", "change", "95 % interval", "p"
    for item in found.dimensions:
        change, top = item.change, rubric.scale.maximum
        means = print_subscore(change.before, top), print_subscore(change.after, top)
        interval = print_change_interval(change.difference, decimals=2)
        yield item.name, *means, print_change(change.difference.value, 2), interval, _mark(change)


def _strata(label: LabelChange, rubric: Rubric) -> Iterator[Sequence[str]]:
    yield "value", "turns A", "turns B", "A", "B", "change", "95 % interval", "p", "mix", "rate"
    for item in label.strata:
        change = item.change
        counts = print_count(change.turns_before), print_count(change.turns_after)
        means = print_score(change.before, rubric), print_score(change.after, rubric)
        difference = print_change(change.difference.value), print_change_interval(change.difference)
        name = str(shorten(item.value, _SHOWN))
        yield name, *counts, *means, *difference, _mark(change), print_change(item.mix), print_change(item.rate)


def _mark(change: Change) -> str:
    return f"{print_p_value(change.p_value)}{' *' if change.differs else ''}"


def _movers(held: Held, title: str, compared: Compared, rubric: Rubric) -> Iterator[str]:
    if not held.movers:
        return
    before = {turn.id: turn.explanation for turn in compared.baseline.turns}
    yield f"\n{title}"
    for mover in held.movers:
        scores = f"{print_score(mover.before, rubric)} -> {print_score(mover.after, rubric)}"
        yield f"  {shorten(mover.turn, 80)}  {scores}"
        for name, words in (("A", before.get(mover.turn)), ("B", compared.explanations.get(mover.turn))):
            yield f"    {name}: {shorten(' '.join((words or 'no explanation').split()), _EXPLANATION_SHOWN)}"


def lay_table(title: str, lines: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table of fixed width under its title; the first line is its head."""
    rows = list(lines)
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    yield f"\n{title}"
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield "  " + "  ".join(cells).rstrip()
