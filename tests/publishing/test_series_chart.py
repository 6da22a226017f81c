"""The chart of means never joins what may not be compared, nor leads over a gap."""

from fractions import Fraction

from reportgen.model.run import Estimate
from reportgen.publishing.series_chart import SeriesItem, build_series
from reportgen.rubrics import load_rubric

BANDS = load_rubric("sql-agent-1").bands


def stretch(*means: int, begin: int = 0, fell: bool = False) -> list[SeriesItem]:
    """Points that may be compared, of which the first may not be with what stands before."""
    return [
        SeriesItem(
            at=begin + place,
            mean=Estimate(value=Fraction(mean), low=mean - 5.0, high=mean + 5.0, n=9),
            label=str(begin + place),
            joined=True,
            broken=not place,
            fell=fell,
        )
        for place, mean in enumerate(means)
    ]


def test_a_line_joins_the_points_of_a_stretch_and_no_line_crosses_a_break():
    chart = build_series([*stretch(50, 100), *stretch(0, begin=2), *stretch(75, 75, 75, begin=3)], BANDS)
    assert [mark.label for mark in chart.breaks] == ["1", "2"]
    first, second = (float(mark.at) for mark in chart.breaks)
    spans = [(float(stroke.x1), float(stroke.x2)) for stroke in chart.strokes]
    assert len(spans) == 3
    assert spans[0][1] < first < second < spans[1][0]


def test_a_higher_mean_stands_higher_and_intervals_are_drawn_around_it():
    chart = build_series(stretch(0, 50, 100), BANDS)
    assert [dot.y for dot in chart.dots] == ["166", "91", "16"]
    middle = chart.dots[1]
    assert (middle.high, middle.low) == ("83.5", "98.5")


def test_a_point_without_a_mean_is_a_gap_and_one_without_an_interval_is_told_apart():
    points = stretch(50, 60, 70)
    empty = SeriesItem(1, Estimate(n=0, undefined="nothing was scored"), "1", joined=True)
    bare = SeriesItem(3, Estimate(value=Fraction(40), n=1, undefined="one turn"), "3", joined=True)
    chart = build_series([points[0], empty, points[2], bare, *stretch(10, begin=4, fell=True)], BANDS)
    assert [dot.kind for dot in chart.dots] == ["plain", "plain", "weak", "fell"]
    assert [stroke.x1 for stroke in chart.strokes] == [chart.dots[1].x]


def test_many_points_keep_few_labels():
    chart = build_series(stretch(*range(40)), BANDS)
    assert [mark.label for mark in chart.labels] == ["0", "7", "14", "21", "28", "35"]
