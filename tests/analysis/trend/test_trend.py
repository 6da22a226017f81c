"""Days and runs in a line: gaps, breaks, slopes, and what fell below the line."""

import random
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import numpy as np
import pytest

from reportgen.analysis.intervals import mean_interval
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.trend.building import build_trend
from reportgen.analysis.trend.days import build_days
from reportgen.analysis.trend.regressions import find_regressions
from reportgen.analysis.trend.runs import Headline, build_runs
from reportgen.analysis.trend.series import judge_series
from reportgen.analysis.trend.slope import estimate_slope
from reportgen.model.instrument import Instrument
from reportgen.model.revision import EarlierRun
from reportgen.model.run import Estimate, EvidenceLimits
from reportgen.model.score import Score
from reportgen.model.verdict import Judge

BEGIN = datetime(2026, 7, 1, 9, tzinfo=UTC)
INSTRUMENT = Instrument(
    rubric="sql-agent-1",
    rubric_digest=64 * "a",
    prompts={"turn": 64 * "b"},
    judge=Judge(provider="anthropic", model="claude-opus-5-5", effort="medium"),
    evidence=EvidenceLimits(),
)
SCORES = (100, 100, 97, 95, 92, 88, 80, 70, 45)


def row(name, day, score, client=None, *, assumed=False):
    exact = None if score is None else Fraction(score)
    return TurnRow(
        id=str(name),
        conversation=None,
        captured_at=BEGIN + timedelta(days=day),
        time_assumed=assumed,
        labels={"client": client} if client else {},
        score=Score(
            turn=str(name), judge="j", rubric="r", score=exact, unscored=None if score is not None else "refused"
        ),
        relayed=False,
        answered=True,
        looks_bundled=False,
        split=False,
        statements=0,
        beyond_sample=0,
        unknown_count=0,
        cuts=0,
        quotes=0,
        unsupported=0,
        addressed_judge=False,
    )


def rows_of(days):
    """Turns from the scores of each day."""
    return [row(f"{day}-{n}", day, score) for day, scores in days.items() for n, score in enumerate(scores)]


def estimate(scores):
    interval = mean_interval(scores, range(len(scores)))
    mean = sum(map(Fraction, scores)) / len(scores)
    return Estimate(value=mean, low=interval.low, high=interval.high, n=len(scores), df=interval.df)


def earlier(name, scores, instrument=INSTRUMENT):
    shares = Estimate(value=Fraction(0), n=len(scores))
    mean = estimate(scores) if scores else Estimate(n=0, undefined="no turn was scored")
    return EarlierRun(
        run=name, seal=64 * "0", instrument=instrument, turns=len(scores), scored=len(scores), mean=mean, poor=shares
    )


def headline(name, scores):
    run = earlier(name, scores)
    return Headline(name, run.instrument, None, None, run.turns, run.scored, run.mean, run.poor)


def test_days_are_those_with_turns_and_say_how_many_lie_between():
    days = build_days(rows_of({0: [80] * 5, 1: [90], 4: [None]}))
    assert [(point.day.day, point.gap, point.turns, point.scored) for point in days.points] == [
        (1, 0, 5, 5),
        (2, 0, 1, 1),
        (5, 2, 1, 0),
    ]
    assert [point.mean.undefined for point in days.points] == [None, "fewer than 5 scored turns", "no turn was scored"]
    assert days.points[1].mean.value == 90


def test_turns_with_an_assumed_time_are_on_no_day():
    days = build_days([row("a", 0, 80), row("b", 3, 80, assumed=True)])
    assert (len(days.points), days.undated) == (1, 1)
    assert build_days([]).points == ()


def test_the_mean_of_a_day_is_adjusted_to_the_mix_of_the_run():
    mixed = [row("a", 0, 100, "x"), row("b", 0, 100, "x"), row("c", 0, 40, "y"), row("d", 1, 40, "y")]
    first, second = build_days(mixed).points
    assert (first.mean.value, first.adjusted) == (80, 70)
    assert (second.adjusted, second.missing) == (None, 1)


def test_a_slope_has_the_variance_and_the_degrees_of_freedom_of_their_definition():
    """CR2 and Bell and McCaffrey (2002) by matrices, with days of different sizes."""
    source = random.Random(4)
    days = [(day, [Fraction(source.randint(40, 100)) for _ in range(1 + day % 4)]) for day in (0, 1, 2, 4, 5, 8, 9, 11)]
    x = np.array([[1.0, day] for day, scores in days for _ in scores])
    y = np.array([float(score) for _, scores in days for score in scores])
    groups = np.array([day for day, scores in days for _ in scores])
    bread = np.linalg.inv(x.T @ x)
    hat, left = x @ bread @ x.T, y - x @ bread @ (x.T @ y)
    rest, parts, columns = np.eye(len(y)) - hat, [], []
    for day, _ in days:
        own = np.flatnonzero(groups == day)
        values, vectors = np.linalg.eigh(np.eye(len(own)) - hat[np.ix_(own, own)])
        weights = vectors @ np.diag(values**-0.5) @ vectors.T @ x[own] @ bread[:, 1]
        parts.append(float(left[own] @ weights))
        columns.append(rest[:, own] @ weights)
    products = np.array(columns) @ np.array(columns).T
    variance, df = sum(part**2 for part in parts), np.trace(products) ** 2 / (products**2).sum()
    found = estimate_slope(days).estimate
    half = (found.high - found.low) / 2
    from scipy.stats import t

    assert float(found.value) == pytest.approx((bread @ (x.T @ y))[1])
    assert found.df == pytest.approx(df, abs=1e-5)
    assert half == pytest.approx(t.ppf(0.975, df) * variance**0.5, abs=1e-5)


@pytest.mark.parametrize(
    ("days", "value", "why"),
    [
        ([(day, [Fraction(80 + day)] * 5) for day in range(6)], None, "too short"),
        ([(day, [Fraction(80)] * 5) for day in range(7)], 0, "all 35 scores are equal"),
        ([(day, [Fraction(80 + day)] * 5) for day in range(7)], 1, "the days lie on one line"),
        ([], None, "too short"),
    ],
)
def test_a_slope_without_an_interval_says_why(days, value, why):
    found = estimate_slope(days)
    assert (found.estimate.value, found.estimate.undefined, found.p_value) == (value, why, None)


def test_a_day_that_falls_below_its_series_is_flagged_and_no_other():
    source = random.Random(3)
    days = {day: [source.choice(SCORES) for _ in range(30)] for day in range(12)}
    days[9] = [score - 35 for score in days[9]]
    trend = build_trend(rows_of(days), [], headline("this", [80, 90]))
    (found,) = find_regressions(trend)
    assert (found.kind, found.name) == ("day", "2026-07-10")
    assert float(found.mean) < found.expectation.lowest < found.expectation.expected
    assert found.expectation.earlier == 9
    assert trend.runs == ()


def test_a_point_with_few_earlier_ones_or_without_an_interval_is_not_tested():
    means = [estimate([80, 90, 85])] * 3 + [Estimate(value=Fraction(10), n=1, undefined="one")]
    assert judge_series(means, [0] * 4) == (None,) * 4
    assert judge_series([*means, estimate([80, 90, 85])], [0] * 5)[4] is not None


def test_days_of_equal_scores_are_tested_with_what_could_have_stayed_unseen():
    days = {day: [100] * 10 for day in range(5)} | {5: [40] * 10}
    (found,) = find_regressions(build_trend(rows_of(days), [], headline("this", [])))
    assert found.name == "2026-07-06"


def test_a_small_fall_is_not_flagged_however_sure_it_is():
    means = [estimate([80, 81] * 2000), estimate([81, 80] * 2000), estimate([80, 81] * 2000), estimate([79, 80] * 2000)]
    last = judge_series(means, [0] * 4)[3]
    assert last.p_value < 0.001
    assert not last.fell


@pytest.mark.parametrize("wander", [0, 3])
def test_a_series_that_does_not_fall_rarely_raises_an_alarm(wander):
    """Of 200 series of ten points, at a level of 5 %, at most 20 raise one in all but 1 of 1,000 cases."""
    source, alarms = random.Random(8), 0
    for _ in range(200):
        shifts = [source.gauss(0, wander) for _ in range(10)]
        means = [estimate([min(100, max(0, source.choice(SCORES) + shift)) for _ in range(25)]) for shift in shifts]
        alarms += any(item is not None and item.fell for item in judge_series(means, [0] * 10))
    assert alarms <= 20


def test_runs_stand_in_a_line_that_breaks_where_the_instrument_changed():
    other = INSTRUMENT.model_copy(update={"rubric": "sql-agent-2"})
    source = random.Random(2)
    scores = [[source.choice(SCORES) for _ in range(40)] for _ in range(6)]
    scores[4] = [score - 40 for score in scores[4]]
    runs = [earlier(f"run {n}", values, other if n == 4 else INSTRUMENT) for n, values in enumerate(scores[:5])]
    points = build_runs(runs, headline("this", scores[5]))
    assert [[item.key for item in point.breaks] for point in points] == [[], [], [], [], ["rubric"], ["rubric"]]
    assert [point.expectation and point.expectation.earlier for point in points] == [None, None, None, 3, None, 4]


def test_a_run_that_falls_below_the_earlier_ones_is_flagged():
    source = random.Random(2)
    runs = [earlier(f"run {n}", [source.choice(SCORES) for _ in range(60)]) for n in range(4)]
    this = headline("this", [score - 25 for score in SCORES] * 5)
    trend = build_trend([], runs, this)
    assert [(item.kind, item.name) for item in find_regressions(trend)] == [("run", "this")]
    assert [point.run for point in trend.runs][-1] == "this"
