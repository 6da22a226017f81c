"""The chart of means never joins runs that may not be compared."""

from fractions import Fraction

from reportgen.analysis.comparability import Break
from reportgen.analysis.trend.runs import RunPoint
from reportgen.model.run import Estimate
from reportgen.publishing.trend_chart import build_trend_chart
from reportgen.rubrics import load_rubric

BANDS = load_rubric("sql-agent-1").bands


def stretch(*means: int) -> list[RunPoint]:
    """Points that may be compared, of which the first may not be with what stands before."""
    breaks = (Break("judge", "x", "y"),)
    return [
        RunPoint(
            run="a",
            first=None,
            last=None,
            turns=9,
            scored=9,
            mean=Estimate(value=Fraction(mean), low=mean - 5.0, high=mean + 5.0, n=9),
            poor=Estimate(n=9),
            breaks=() if place else breaks,
            expectation=None,
        )
        for place, mean in enumerate(means)
    ]


def test_a_line_joins_the_points_of_a_stretch_and_no_line_crosses_a_break():
    chart = build_trend_chart([*stretch(50, 100), *stretch(0), *stretch(75, 75, 75)], list("abcdef"), BANDS)
    assert [len(line.split()) for line in chart.lines] == [2, 3]
    assert [mark.label for mark in chart.breaks] == ["1", "2"]
    first, second = (float(mark.at) for mark in chart.breaks)
    ends = [[float(spot.split(",")[0]) for spot in line.split()] for line in chart.lines]
    assert max(ends[0]) < first < second < min(ends[1])


def test_a_higher_mean_stands_higher_and_intervals_are_drawn_around_it():
    chart = build_trend_chart(stretch(0, 50, 100), list("abc"), BANDS)
    assert [dot.y for dot in chart.dots] == ["214", "114", "14"]
    middle = chart.dots[1]
    assert (middle.high, middle.low) == ("104", "124")


def test_many_runs_keep_few_labels():
    chart = build_trend_chart(stretch(*range(40)), [str(number) for number in range(40)], BANDS)
    assert [mark.label for mark in chart.labels] == ["0", "5", "10", "15", "20", "25", "30", "35"]
