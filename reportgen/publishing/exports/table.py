"""The table that is exported: one row a turn, one column a fact, the same in each format."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Literal

from reportgen.model.run import RunFile
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.publishing.text import clean
from reportgen.record import canonical
from reportgen.scoring.rounding import print_number, score_edges

Value = str | Decimal | bool | datetime | None
Kind = Literal["text", "number", "truth", "time"]

PLACES = 12
"""Decimals of an exported number; scores of whole weights on a scale of tenths have fewer."""
MOST_LABELS = 100
"""So many labels, those that the most turns bear, have a column each; the others share one."""
_PREFIX = 16


@dataclass(frozen=True, slots=True)
class Pair:
    """A turn and its score."""

    turn: Turn
    score: Score


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, what its values are, and the value of a turn; None where there is none."""

    name: str
    kind: Kind
    pick: Callable[[Pair], Value]


@dataclass(frozen=True, slots=True)
class _Counts:
    """How many turns bear each label, and which facts about the answering any of them has."""

    labels: Counter[str]
    others: set[str]


_ANSWERING: dict[str, Callable[[Turn], str | float | None]] = {
    "model": lambda turn: turn.model,
    "total_latency_ms": lambda turn: turn.latency.total_ms if turn.latency else None,
    "retrieval_latency_ms": lambda turn: turn.latency.retrieval_ms if turn.latency else None,
    "generation_latency_ms": lambda turn: turn.latency.generation_ms if turn.latency else None,
}


def build_columns(run: RunFile, turns: Iterable[Turn], *, with_text: bool) -> tuple[Column, ...]:
    """The columns of a run's table.

    Args:
        run: The run.
        turns: Its turns, which are gone through once for their labels, models and latencies.
        with_text: Whether question, answer, and the reason in words why a turn has no score are among them.
    """
    counts = _count_facts(turns)
    columns = [
        Column("turn", "text", lambda pair: pair.turn.id),
        Column("captured_at", "time", lambda pair: pair.turn.captured_at.astimezone(UTC)),
        Column("conversation", "text", lambda pair: pair.turn.conversation_or_bundle),
        *_label_columns(counts),
        *_answering_columns(counts),
        *_score_columns(run),
        *_run_columns(run),
        *(_text_columns() if with_text else ()),
    ]
    names = _make_unique([clean(column.name) for column in columns])
    return tuple(Column(name, column.kind, column.pick) for name, column in zip(names, columns, strict=True))


def _count_facts(turns: Iterable[Turn]) -> _Counts:
    counts = _Counts(Counter(), set())
    for turn in turns:
        counts.labels.update(turn.labels.keys())
        counts.others.update(name for name, pick in _ANSWERING.items() if pick(turn) is not None)
    return counts


def _answering_columns(counts: _Counts) -> Iterator[Column]:
    """How the answer was made, as far as a turn of the run says."""
    if "model" in counts.others:
        yield Column("model", "text", lambda pair: pair.turn.model)
    for name in _ANSWERING:
        if name in counts.others and name != "model":
            yield Column(name, "number", partial(_pick_latency, name))


def _pick_latency(name: str, pair: Pair) -> Value:
    value = _ANSWERING[name](pair.turn)
    return None if value is None else _decimal(Fraction(str(value)), ())


def _label_columns(counts: _Counts) -> Iterator[Column]:
    ranked = sorted(counts.labels, key=lambda name: (-counts.labels[name], name))
    shown, rest = sorted(ranked[:MOST_LABELS]), frozenset(ranked[MOST_LABELS:])
    for name in shown:
        yield Column(f"label.{name}", "text", partial(_pick_label, name))
    if rest:
        yield Column("other_labels", "text", partial(_pick_others, rest))


def _pick_label(name: str, pair: Pair) -> Value:
    return pair.turn.labels.get(name)


def _pick_others(names: frozenset[str], pair: Pair) -> Value:
    found = {name: value for name, value in pair.turn.labels.items() if name in names}
    return canonical(found).decode() if found else None


def _score_columns(run: RunFile) -> Iterator[Column]:
    edges = score_edges(run.rubric)
    yield Column("score", "number", lambda pair: _decimal(pair.score.score, edges))
    yield Column("band", "text", lambda pair: pair.score.band)
    yield Column("raw_score", "number", lambda pair: _decimal(pair.score.raw, edges))
    for dimension in run.rubric.dimensions:
        yield Column(f"subscore.{dimension.id}", "number", partial(_pick_subscore, dimension.id))
    yield Column("caps", "text", lambda pair: " ".join(cap.id for cap in pair.score.caps) or None)
    yield Column(
        "caps_lowered", "text", lambda pair: " ".join(cap.id for cap in pair.score.caps if cap.lowered) or None
    )
    yield Column("verdict", "text", lambda pair: pair.score.verdict)
    yield Column("agrees", "truth", lambda pair: pair.score.agrees)
    yield Column("unscored", "text", lambda pair: pair.score.unscored)


def _pick_subscore(dimension: str, pair: Pair) -> Value:
    return _decimal(next((item.used for item in pair.score.subscores if item.dimension == dimension), None), ())


def _decimal(value: Fraction | None, edges: Iterable[int]) -> Decimal | None:
    """The number to so many places, half up; it shows no edge that it does not reach."""
    return None if value is None else Decimal(print_number(value, PLACES, frozenset(edges)).rstrip("0").rstrip("."))


def _run_columns(run: RunFile) -> Iterator[Column]:
    """What each row says of itself, so that none can be mixed up when it leaves its file."""
    manifest = run.manifest
    # The algorithm before a digest keeps it text, where its digits alone could pass for a number.
    facts = {
        "judge_effort": manifest.judge.effort,
        "rubric": f"{manifest.rubric}-{manifest.rubric_version}",
        "rubric_digest": f"sha256:{manifest.rubric_digest[:_PREFIX]}",
        "run": manifest.run_id,
        "seal": f"sha256:{run.seal}",
    }
    yield Column("judge", "text", lambda pair: pair.score.judge)
    for name, value in facts.items():
        yield Column(name, "text", partial(_pick_fact, value))


def _pick_fact(value: str | None, pair: Pair) -> Value:  # noqa: ARG001 - the same for each turn
    return value


def _text_columns() -> Iterator[Column]:
    yield Column("question", "text", lambda pair: pair.turn.question)
    yield Column("answer", "text", lambda pair: pair.turn.answer.text if pair.turn.answer else None)
    yield Column("reason", "text", lambda pair: pair.score.reason)


def _make_unique(names: Sequence[str]) -> list[str]:
    """The names, none of them twice, also for a program to which case makes no difference."""
    taken: set[str] = set()
    unique = []
    for name in names:
        candidate, number = name, 1
        while candidate.casefold() in taken:
            number += 1
            candidate = f"{name} ({number})"
        taken.add(candidate.casefold())
        unique.append(candidate)
    return unique
