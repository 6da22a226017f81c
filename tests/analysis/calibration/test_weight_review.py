"""Do labels contradict the weights of the rubric?"""

import numpy as np
import pytest

from reportgen.analysis.calibration.weight_review import ReviewedTurn, review_weights

CURRENT = {"answer": 30, "sql": 25, "use": 25, "faith": 20}


def turns(weights, count, noise=4.0, clients=20):
    rng = np.random.default_rng(3)
    for number in range(count):
        subscores = rng.integers(0, 11, 4) / 10
        overall = float(np.clip(100 * subscores @ np.array(weights) + rng.normal(0, noise), 0, 100))
        yield ReviewedTurn(f"client-{number % clients}", tuple(subscores.tolist()), overall)


def test_people_who_weigh_as_the_rubric_does_contradict_nothing():
    found = review_weights(list(turns((0.3, 0.25, 0.25, 0.2), 300)), CURRENT)
    assert found.state == "not-contradicted"
    assert [item.fitted.value for item in found.weights] == pytest.approx([0.3, 0.25, 0.25, 0.2], abs=0.03)


def test_people_who_weigh_otherwise_contradict_the_weights_from_200_turns_on():
    otherwise = (0.7, 0.1, 0.1, 0.1)
    found = review_weights(list(turns(otherwise, 300)), CURRENT)
    assert found.state == "contradicted"
    assert [item.fitted.value for item in found.weights] == pytest.approx(otherwise, abs=0.03)
    assert found.error_fitted < found.error_current
    few = review_weights(list(turns(otherwise, 150)), CURRENT)
    assert (few.state, few.reason.endswith("200 turns are needed to say so")) == ("not-contradicted", True)


def test_too_few_turns_or_dimensions_that_move_together_decide_nothing():
    assert review_weights(list(turns((0.25,) * 4, 49)), CURRENT).state == "not-estimable"
    assert review_weights([], CURRENT).state == "not-estimable"
    alike = [ReviewedTurn(str(number), (number % 11 / 10,) * 4, 50.0) for number in range(80)]
    assert "collinear" in review_weights(alike, CURRENT).reason
    constant = [ReviewedTurn(str(number), (number % 11 / 10, 1.0, 0.5, 0.2), 50.0) for number in range(80)]
    assert "collinear" in review_weights(constant, CURRENT).reason
    one = list(turns((0.25,) * 4, 80, clients=1))
    assert review_weights(one, CURRENT).state == "not-estimable"
