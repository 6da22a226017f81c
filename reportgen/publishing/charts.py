"""The geometry of the charts, in the units of their view boxes; templates/charts.html draws them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.distribution import Bin
from reportgen.model.rubric import Band
from reportgen.model.run import Estimate
from reportgen.publishing.printing import print_count

MIXED = "mixed"
"""Stands for a bin that a band edge runs through, so that it belongs to no single band."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle with what is written at it; `band` decides its colour and pattern."""

    x: str
    y: str
    width: str
    height: str
    band: str
    label: str
    value: str
    middle: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on an axis with its label."""

    at: str
    label: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many scores fall into each bin; the strip below the axis shows where the bands lie."""

    bars: tuple[Bar, ...]
    strip: tuple[Bar, ...]
    ticks: tuple[Mark, ...]
    edges: tuple[str, ...]
    levels: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Whisker:
    """A value with its interval on a line from 0 to 100; None where there is none."""

    at: str | None
    low: str | None
    width: str | None
    edges: tuple[str, ...]


_LEFT, _SPAN, _TOP, _FLOOR = 34, 400, 18, 178
_FULL_MARKS_GAP, _FULL_MARKS_WIDTH = 14, 40
_STRIP_TOP, _STRIP_HEIGHT = 182, 10


def build_histogram(bins: Sequence[Bin], bands: Sequence[Band]) -> Histogram:
    """The distribution of scores, the full marks standing apart on the right."""
    top = _round_up(max((item.count for item in bins), default=0))
    edges = [band.at_least for band in bands if band.at_least > 0]
    levels = sorted({0, top // 2, top} if top > 1 else {0, top})
    return Histogram(
        bars=tuple(_histogram_bar(item, top, bands) for item in bins),
        strip=tuple(_strip(bands)),
        ticks=tuple(Mark(_text(_across(edge)), str(edge)) for edge in sorted({0, 25, 100, *edges})),
        edges=tuple(_text(_across(edge)) for edge in edges),
        levels=tuple(Mark(_text(_up(level, top)), print_count(level)) for level in levels),
    )


def _histogram_bar(item: Bin, top: int, bands: Sequence[Band]) -> Bar:
    full = item.low == item.high
    x = Fraction(_LEFT + _SPAN + _FULL_MARKS_GAP) if full else _across(item.low) + 2
    width = Fraction(_FULL_MARKS_WIDTH) if full else _across(item.high) - _across(item.low) - 4
    y = _up(item.count, top)
    label = str(item.low) if full else f"{item.low} to below {item.high}"
    return Bar(
        *(_text(x), _text(y), _text(width), _text(_FLOOR - y)),
        *(_band_of_bin(item, bands), label, print_count(item.count), _text(x + width / 2)),
    )


def _band_of_bin(item: Bin, bands: Sequence[Band]) -> str:
    if any(item.low < band.at_least < item.high for band in bands):
        return MIXED
    return next(band.id for band in bands if item.low >= band.at_least)


def _strip(bands: Sequence[Band]) -> list[Bar]:
    """Where the bands lie, the highest reaching under the full marks."""
    end = Fraction(_LEFT + _SPAN + _FULL_MARKS_GAP + _FULL_MARKS_WIDTH)
    bars = []
    for band in bands:
        x = _across(band.at_least)
        place = (_text(x), _text(_STRIP_TOP), _text(end - x), _text(_STRIP_HEIGHT))
        bars.append(Bar(*place, band.id, band.id, "", _text((x + end) / 2)))
        end = x
    return bars


def _across(score: int) -> Fraction:
    return _LEFT + Fraction(score * _SPAN, 100)


def _up(count: int, top: int) -> Fraction:
    return Fraction(_FLOOR) - (Fraction(count * (_FLOOR - _TOP), top) if top else 0)


def _round_up(count: int) -> int:
    """The next even number, or the next multiple of 10 for many, so that the half of it is whole."""
    step = 2 if count < 20 else 10 ** (len(str(count)) - 1)
    return max(-(-count // step) * step, 2)


def build_band_bar(counts: Sequence[tuple[str, int]], width: int = 140, height: int = 14) -> tuple[Bar, ...]:
    """The shares of the bands side by side, one bar for each that occurs."""
    total = sum(count for _, count in counts)
    bars, done = [], 0
    for band, count in counts:
        if count:
            x, size = Fraction(done * width, total), Fraction(count * width, total)
            place = (_text(x), "0", _text(size), _text(height))
            bars.append(Bar(*place, band, band, print_count(count), _text(x + size / 2)))
            done += count
    return tuple(bars)


def build_whisker(estimate: Estimate, bands: Sequence[Band], width: int = 120) -> Whisker:
    """A mean score with its interval, drawn over the edges of the bands."""
    scale = Fraction(width, 100)
    low, high = (None if bound is None else Fraction(repr(bound)) for bound in (estimate.low, estimate.high))
    return Whisker(
        at=None if estimate.value is None else _text(estimate.value * scale),
        low=None if low is None else _text(low * scale),
        width=None if low is None or high is None else _text((high - low) * scale),
        edges=tuple(_text(band.at_least * scale) for band in bands if band.at_least > 0),
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a bar chart with horizontal bars."""

    y: str
    text_y: str
    width: str
    label: str
    value: str
    value_x: str


ROW_HEIGHT = 30
_BARS_LEFT, _BARS_WIDTH = 190, 220


def build_rows(values: Sequence[tuple[str, Fraction | None, str]], maximum: Fraction) -> tuple[Row, ...]:
    """Horizontal bars: label, length out of `maximum` (None draws none), and what is written at its end."""
    rows = []
    for number, (label, value, printed) in enumerate(values):
        size = Fraction(0) if value is None or maximum == 0 else value / maximum * _BARS_WIDTH
        y = number * ROW_HEIGHT + 6
        rows.append(Row(str(y), str(y + 13), _text(size), label, printed, _text(_BARS_LEFT + size + 8)))
    return tuple(rows)


def _text(value: Fraction | int) -> str:
    """A coordinate with at most two decimals; the same on every machine, and never NaN."""
    return f"{float(round(Fraction(value), 2)):g}"
