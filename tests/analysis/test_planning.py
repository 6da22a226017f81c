"""How many turns buy which interval."""

import random
from math import sqrt
from statistics import mean, stdev

import pytest

from reportgen.analysis.intervals import mean_interval
from reportgen.analysis.planning import build_outlook, turns_for, turns_for_change

SCORES = [80, 90, 70, 85, 95, 40, 100, 75]


def test_without_clusters_the_half_width_is_that_of_the_t_interval():
    outlook = build_outlook(SCORES, range(len(SCORES)), is_fixed=False)
    assert outlook.half_width(8) == pytest.approx(2.3646 * stdev(SCORES) / sqrt(8), rel=1e-4)


def test_the_fewest_turns_are_enough_and_one_less_is_not():
    outlook = build_outlook(SCORES, range(len(SCORES)), is_fixed=False)
    for wanted, width, fewest in ((2.5, outlook.half_width, turns_for), (3.5, outlook.detectable, turns_for_change)):
        turns = fewest(outlook, wanted)
        assert width(turns) <= wanted < width(turns - 1)


def test_more_turns_of_the_same_clients_do_not_remove_what_lies_between_the_clients():
    clients = [number // 4 for number in range(24)]
    outlook = build_outlook(
        [50 + 8 * client + number % 4 for number, client in enumerate(clients)], clients, is_fixed=True
    )
    assert turns_for(outlook, 5.0) is None
    assert outlook.half_width(10**6) == pytest.approx(outlook.half_width(24), rel=0.01)


def test_clients_that_do_not_differ_leave_nothing_between_them():
    draw = random.Random(1)
    clients = [number % 6 for number in range(600)]
    outlook = build_outlook([60 + draw.gauss(0, 10) for _ in clients], clients, is_fixed=True)
    assert outlook.between < 0.3
    assert outlook.within == pytest.approx(100, rel=0.2)


@pytest.mark.parametrize(("values", "clusters"), [([80, 80, 80], range(3)), ([70, 90], [1, 1]), ([70], [1])])
def test_where_scores_do_not_tell_their_spread_there_is_no_outlook(values, clusters):
    assert build_outlook(values, clusters, is_fixed=False) is None


def test_the_plan_comes_true_on_turns_that_are_drawn_alike():
    draw = random.Random(2)
    pilot = [min(100.0, draw.gauss(80, 15)) for _ in range(200)]
    planned = build_outlook(pilot, range(200), is_fixed=False).half_width(400)
    later = [min(100.0, draw.gauss(80, 15)) for _ in range(400)]
    found = mean_interval(later, range(400))
    assert (found.high - found.low) / 2 == pytest.approx(planned, rel=0.15)
    assert abs(mean(later) - mean(pilot)) < 5
