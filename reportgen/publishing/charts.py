"""The geometry of the charts, in the units of their view boxes; templates/charts.html draws them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from reportgen.analysis.distribution import Bin
from reportgen.model.rubric import Band
from reportgen.model.run import Estimate
from reportgen.publishing.printing import print_count, stored


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
class Column:
    """A column of bars, one on the other, with what is written over it."""

    bars: tuple[Bar, ...]
    middle: str
    top: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many scores fall into each bin; the strip below the axis shows where the bands lie."""

    columns: tuple[Column, ...]
    strip: tuple[Bar, ...]
    ticks: tuple[Mark, ...]
    edges: tuple[str, ...]
    levels: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Whisker:
    """A value with its interval on a line from 0 to 100; None where there is none."""

    at: str | None
    low: str | None
    high: str | None
    edges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """The whole scale of scores with its bands, and a mean on it with its interval."""

    strip: tuple[Bar, ...]
    ticks: tuple[Mark, ...]
    mean: Whisker


_LEFT, _SPAN, _TOP, _FLOOR = 34, 400, 18, 178
_FULL_MARKS_GAP, _FULL_MARKS_WIDTH = 14, 40
_STRIP_TOP, _STRIP_HEIGHT = 182, 10


def build_histogram(bins: Sequence[Bin], bands: Sequence[Band]) -> Histogram:
    """The distribution of scores, the full marks standing apart on the right."""
    top = _round_up(max((item.count for item in bins), default=0))
    edges = [band.at_least for band in bands if band.at_least > 0]
    levels = sorted({0, top // 2, top} if top > 1 else {0, top})
    return Histogram(
        columns=tuple(_column(item, top, bands) for item in bins),
        strip=tuple(_strip(bands)),
        ticks=tuple(Mark(coordinate(_across(edge)), str(edge)) for edge in sorted({0, 25, 100, *edges})),
        edges=tuple(coordinate(_across(edge)) for edge in edges),
        levels=tuple(Mark(coordinate(_up(level, top)), print_count(level)) for level in levels),
    )


def _column(item: Bin, top: int, bands: Sequence[Band]) -> Column:
    full = item.low == item.high
    x = Fraction(_LEFT + _SPAN + _FULL_MARKS_GAP) if full else _across(item.low) + 2
    width = Fraction(_FULL_MARKS_WIDTH) if full else _across(item.high) - _across(item.low) - 4
    return Column(
        bars=tuple(_pile(item, top, bands, x, width)),
        middle=coordinate(x + width / 2),
        top=coordinate(_up(item.count, top)),
        label=str(item.low) if full else f"{item.low} to below {item.high}",
        value=print_count(item.count),
    )


def _pile(item: Bin, top: int, bands: Sequence[Band], x: Fraction, width: Fraction) -> Iterator[Bar]:
    """The lowest band below, as on the axis."""
    done = 0
    for band in reversed(bands):
        if count := item.bands.get(band.id, 0):
            done += count
            y, height = _up(done, top), _up(0, top) - _up(count, top)
            place = (coordinate(x), coordinate(y), coordinate(width), coordinate(height))
            yield Bar(*place, band.id, band.id, print_count(count), coordinate(x + width / 2))


def _strip(bands: Sequence[Band]) -> list[Bar]:
    """Where the bands lie, the highest reaching under the full marks."""
    end = Fraction(_LEFT + _SPAN + _FULL_MARKS_GAP + _FULL_MARKS_WIDTH)
    return _lay_bands(bands, _across, end, _STRIP_TOP, _STRIP_HEIGHT)


def _lay_bands(
    bands: Sequence[Band], across: Callable[[int], Fraction], end: Fraction, top: int, height: int
) -> list[Bar]:
    bars = []
    for band in bands:
        x = across(band.at_least)
        place = (coordinate(x), coordinate(top), coordinate(end - x), coordinate(height))
        bars.append(Bar(*place, band.id, band.id, "", coordinate((x + end) / 2)))
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


SCALE_WIDTH = 480
_SCALE_TOP, _SCALE_HEIGHT = 26, 12


def build_scale(mean: Estimate, bands: Sequence[Band]) -> Scale:
    """A mean with its interval over the bands."""
    return Scale(
        strip=tuple(_lay_bands(bands, _on_scale, Fraction(SCALE_WIDTH), _SCALE_TOP, _SCALE_HEIGHT)),
        ticks=build_ticks(bands, SCALE_WIDTH),
        mean=build_whisker(mean, bands, SCALE_WIDTH),
    )


def _on_scale(score: int) -> Fraction:
    return Fraction(score * SCALE_WIDTH, 100)


_APART = 16
"""Labels of an axis that are nearer to one another than this would touch."""


def build_ticks(bands: Sequence[Band], width: int) -> tuple[Mark, ...]:
    """The ends of the scale and the edges of the bands, without those whose labels would touch another."""
    placed: list[tuple[Fraction, int]] = []
    for score in (0, 100, *(band.at_least for band in bands)):
        at = Fraction(score * width, 100)
        if all(abs(at - other) >= _APART for other, _ in placed):
            placed.append((at, score))
    return tuple(Mark(coordinate(at), str(score)) for at, score in sorted(placed))


BAR_WIDTH, _BAR_HEIGHT = 120, 14


def build_band_bar(counts: Sequence[tuple[str, int]]) -> tuple[Bar, ...]:
    """The shares of the bands side by side, one bar for each that occurs."""
    total = sum(count for _, count in counts)
    return lay_counts(counts, Fraction(BAR_WIDTH, total), (0, 0, _BAR_HEIGHT)) if total else ()


def lay_counts(counts: Iterable[tuple[str, int]], unit: Fraction, place: tuple[int, int, int]) -> tuple[Bar, ...]:
    """Counts by band as bars side by side, one for each that occurs.

    Args:
        counts: In the order of the bars.
        unit: How wide a bar is for a count of 1.
        place: Left edge, top and height of the bars.
    """
    left, top, height = place
    bars, x = [], Fraction(left)
    for band, count in counts:
        if count:
            width = count * unit
            box = (coordinate(x), coordinate(top), coordinate(width), coordinate(height))
            bars.append(Bar(*box, band, band, print_count(count), coordinate(x + width / 2)))
            x += width
    return tuple(bars)


def build_whisker(estimate: Estimate, bands: Sequence[Band], width: int = BAR_WIDTH, out_of: int = 100) -> Whisker:
    """A value from 0 to `out_of` with its interval, drawn over the edges of the bands."""
    unit = Fraction(width, out_of)
    low, high = (None if bound is None else stored(bound) for bound in (estimate.low, estimate.high))
    return Whisker(
        at=None if estimate.value is None else coordinate(estimate.value * unit),
        low=None if low is None else coordinate(low * unit),
        high=None if high is None else coordinate(high * unit),
        edges=tuple(coordinate(Fraction(band.at_least * width, 100)) for band in bands if band.at_least > 0),
    )


def coordinate(value: Fraction | int) -> str:
    """A coordinate with at most two decimals; the same on every machine, and never NaN."""
    return f"{float(round(Fraction(value), 2)):g}"
