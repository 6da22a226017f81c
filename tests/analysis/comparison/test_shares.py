"""Differences of shares against values that others published."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from reportgen.analysis.comparison.shares import Crossed, mcnemar, measure_share_change, newcombe_paired
from reportgen.analysis.comparison.sides import lay_out
from reportgen.model.revision import BaselineTurn


def change_of(before, after, clusters=None, *, other=""):
    names = clusters or [None] * len(before)
    one, two = (
        [
            BaselineTurn(
                id=f"{mark}{n}", conversation=names[n], score=Fraction(score), band="poor" if score < 50 else "good"
            )
            for n, score in enumerate(scores)
        ]
        for mark, scores in (("", before), (other, after))
    )
    return measure_share_change(lay_out(one, two)[0], "poor")


def test_a_share_that_no_turn_moved_has_an_interval_and_no_p_value():
    change = change_of([90, 90], [90, 90])
    assert (change.difference.value, change.p_value) == (0, None)
    assert change.difference.low < 0 < change.difference.high


def test_a_share_of_the_same_turns_has_the_interval_of_newcombe_and_mid_p():
    change = change_of([40] * 6 + [90] * 24, [90] * 6 + [40] * 16 + [90] * 8)
    assert change.difference.value == Fraction(1, 3)
    assert change.p_value == pytest.approx(0.03469, abs=1e-6)
    low, high = newcombe_paired(Crossed(0, 6, 16, 8))
    assert (change.difference.low, change.difference.high) == pytest.approx((low, high), abs=1e-6)


def test_turns_that_depend_on_one_another_count_for_less():
    before, after = [90] * 40, [40] * 8 + [90] * 32
    alone = change_of(before, after).difference
    together = change_of(before, after, [f"c{n // 4}" for n in range(40)]).difference
    assert together.high - together.low > alone.high - alone.low
    assert (together.by, together.clusters) == ("conversation", 10)


@pytest.mark.parametrize(("before", "after"), [([90] * 12, [90] * 12), ([90] * 12, [40] * 12)])
def test_where_all_turns_agree_each_cluster_counts_for_one(before, after):
    clusters = [f"c{n // 4}" for n in range(12)]
    found, three = change_of(before, after, clusters), change_of(before[:3], after[:3])
    assert (found.difference.low, found.difference.high) == (three.difference.low, three.difference.high)


def test_shares_of_two_periods_have_the_interval_of_newcombe_and_no_p_value():
    # Newcombe 1998, 17:873, method 10: 56 of 70 and 48 of 80.
    change = change_of([40] * 48 + [90] * 32, [40] * 56 + [90] * 14, other="b")
    assert (change.difference.low, change.difference.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert change.p_value is None


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [([], [], "no turn of the baseline was scored"), ([90], [], "no turn of this run was scored")],
)
def test_a_share_without_turns_is_undefined_with_its_reason(before, after, why):
    assert change_of(before, after).difference.undefined == why


def test_a_single_cluster_gives_no_interval_of_a_share():
    assert change_of([90, 90], [40, 90], ["c", "c"]).difference.undefined == "one conversation gives no interval"


def test_no_turn_that_changed_gives_no_test():
    assert mcnemar(0, 0) is None
    assert mcnemar(3, 3)[0] == 1


@pytest.mark.real_data
def test_the_published_reference_values_of_paired_shares_are_reproduced(shared):
    known = {
        entry["id"]: entry for entry in json.loads(Path(shared, "facts/reference_values.json").read_text())["values"]
    }
    exact = known["mcnemar_cavo"]
    found = mcnemar(int(exact["input"]["b"]), int(exact["input"]["c"]))
    assert list(found) == pytest.approx(exact["expected"], abs=exact["tolerance"])
    paired = [entry for name, entry in known.items() if name.startswith("newcombe_paired")]
    for entry in paired:
        (both, before), (after, neither) = entry["input"]
        bounds = newcombe_paired(Crossed(both, before, after, neither))
        difference = (after - before) / (both + before + after + neither)
        assert [difference, *bounds] == pytest.approx(entry["expected"], abs=entry["tolerance"])
    assert paired


@pytest.mark.real_data
def test_the_published_paired_t_interval_is_reproduced(shared):
    """TOSTER's example gives means, deviations and a correlation; pairs with just these are made up here."""
    from statistics import fmean, stdev

    from reportgen.analysis.comparison.changes import measure_change
    from reportgen.analysis.comparison.sides import score_of

    known = json.loads(Path(shared, "facts/reference_values.json").read_text())["values"]
    entry = next(entry for entry in known if entry["id"] == "tost_paired")
    values = entry["input"]
    size = int(values["n"])
    deviation = (values["sd1"] ** 2 + values["sd2"] ** 2 - 2 * values["r"] * values["sd1"] * values["sd2"]) ** 0.5
    raw = [float(n) for n in range(size)]
    wanted = [values["m1"] - values["m2"] + deviation * (x - fmean(raw)) / stdev(raw) for x in raw]
    one = [BaselineTurn(id=str(n), score=Fraction(50)) for n in range(size)]
    two = [BaselineTurn(id=str(n), score=50 + Fraction(d).limit_denominator(10**9)) for n, d in enumerate(wanted)]
    change = measure_change(lay_out(one, two)[0], score_of)
    # The 90 % interval of the example is the mean plus and minus t(.95) standard errors, as ours is with t(.975).
    from reportgen.analysis.spread import t_quantile

    half = (change.difference.high - change.difference.low) / 2 / t_quantile(size - 1) * t_quantile(size - 1, 0.95)
    middle = float(change.difference.value)
    assert [middle - half, middle + half] == pytest.approx(entry["expected"][-2:], abs=entry["tolerance"])
