"""Turns by hand, as the analysis sees them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from reportgen.analysis.rows import TurnRow
from reportgen.model.score import AppliedCap, Readings, Score, Subscore
from reportgen.rubrics import load_rubric
from reportgen.scoring.bands import band_of
from reportgen.scoring.composite import cap_score, raw_score

RUBRIC = load_rubric("sql-agent-1")


def make_score(subscores: Sequence[Any], *, capped: bool = False) -> Score:
    """A score by the arithmetic of the rubric; None for a dimension that does not apply."""
    caps = (AppliedCap(id="all-sql-failed", ceiling=25, lowered=True),) if capped else ()
    used = [None if value is None else Fraction(str(value)) for value in subscores]
    raw = raw_score([(item.weight, value) for item, value in zip(RUBRIC.dimensions, used, strict=True)], 10)
    score = cap_score(raw, [cap.ceiling for cap in caps])
    return Score(
        turn="t",
        judge="j",
        rubric="r",
        subscores=tuple(
            Subscore(dimension=item.id, weight=item.weight, used=value)
            for item, value in zip(RUBRIC.dimensions, used, strict=True)
        ),
        raw=raw,
        caps=caps,
        score=score,
        band=band_of(score, RUBRIC.bands).id,
    )


def make_plain(value: Any) -> Score:
    """A turn of that score, or an unscored one."""
    if value is None:
        return Score(turn="t", judge="j", rubric="r", unscored="refused", reason="It declined.")
    exact = Fraction(str(value))
    return Score(turn="t", judge="j", rubric="r", score=exact, raw=exact, band=band_of(exact, RUBRIC.bands).id)


def make_repeated(*readings: Sequence[Any], capped: bool = False) -> Score:
    """A turn that was read several times: the median subscores, with those of the readings."""
    middle = [sorted(values)[(len(values) - 1) // 2] for values in zip(*readings, strict=True)]
    score = make_score(middle, capped=capped)
    subscores = tuple(
        item.model_copy(update={"samples": tuple(reading[place] for reading in readings)})
        for place, item in enumerate(score.subscores)
    )
    how = Readings(by="samples", asked=max(2, len(readings)), usable=len(readings))
    return score.model_copy(update={"subscores": subscores, "readings": how})


def make_row(score: Score, number: int = 0, **changes: Any) -> TurnRow:
    fields: dict[str, Any] = {
        "id": f"turn-{number}",
        "conversation": None,
        "captured_at": datetime(2026, 7, 1, tzinfo=UTC),
        "time_assumed": False,
        "labels": {},
        "score": score,
        "relayed": False,
        "answered": True,
        "looks_bundled": False,
        "split": False,
        "statements": 1,
        "beyond_sample": 0,
        "unknown_count": 0,
        "cuts": 0,
        "quotes": 0,
        "unsupported": 0,
        "addressed_judge": False,
    }
    return TurnRow(**(fields | changes))


def make_rows(scores: Sequence[Any], **changes: Any) -> list[TurnRow]:
    """One turn for each score."""
    return [make_row(make_plain(score), number, **changes) for number, score in enumerate(scores)]
