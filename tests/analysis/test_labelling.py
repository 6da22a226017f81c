"""Which turns people are asked to label."""

from collections import Counter
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.analysis.drawing import place_of
from reportgen.analysis.labelling import AT_LEAST, Candidate, draw_labelled, find_labels, stratify

SCORES = {"good": 90, "partial": 60, "poor": 20}


def make(band, count, start=0, spread=0, **labels):
    name = "-".join([band, *labels.values()])
    return [
        Candidate(f"{name}-{number}", Fraction(SCORES[band] + spread * (number % 2)), band, labels)
        for number in range(start, start + count)
    ]


def sizes(strata):
    return [(stratum.band, stratum.cells, len(stratum.members)) for stratum in strata]


def test_small_cells_are_merged_by_the_last_label_first_and_never_across_bands():
    turns = [
        *make("good", 20, surface="web", client="a"),
        *make("good", 4, surface="web", client="b"),
        *make("good", 7, surface="web", client="c"),
        *make("good", 3, surface="app", client="a"),
        *make("poor", 2, surface="app", client="a"),
    ]
    assert sizes(stratify(turns, ("surface", "client"))) == [
        ("good", (("web", "a"),), 20),
        ("good", (("web", "b"), ("web", "c"), ("app", "a")), 14),
        ("poor", (("app", "a"),), 2),
    ]


def test_a_turn_without_a_label_is_in_a_cell_of_its_own():
    turns = [*make("good", 12, surface="web"), *make("good", 11)]
    assert sizes(stratify(turns, ("surface",))) == [("good", (("web",),), 12), ("good", ((None,),), 11)]


def test_the_usual_labels_are_left_out_from_the_end_until_there_is_room_for_ten_of_each_stratum():
    turns = [
        turn
        for band in ("good", "partial")
        for surface in ("app", "web")
        for client in ("a", "b", "c")
        for turn in make(band, 12, surface=surface, client=client)
    ]
    assert find_labels(turns, 120) == ("surface", "client")
    assert find_labels(turns, 119) == ("surface",)
    assert find_labels(turns, 39) == ()
    assert find_labels(make("good", 5), 5) == ()


def test_each_stratum_has_ten_and_the_rest_goes_by_size_times_spread():
    strata = stratify([*make("good", 400, spread=2), *make("partial", 100, spread=8), *make("poor", 6)], ())
    drawn = {part.stratum.band: len(part.drawn) for part in draw_labelled(strata, 66, "s")}
    # 400 × 2 and 100 × 8 weigh the same; the six poor ones are all drawn.
    assert drawn == {"good": 30, "partial": 30, "poor": 6}


def test_where_ten_of_each_are_too_many_each_stratum_has_the_same_number_as_far_as_it_goes():
    strata = stratify([*make("good", 400, spread=2), *make("partial", 100, spread=8), *make("poor", 3)], ())
    drawn = {part.stratum.band: len(part.drawn) for part in draw_labelled(strata, 15, "s")}
    assert drawn == {"good": 6, "partial": 6, "poor": 3}


def test_where_no_score_differs_the_rest_goes_by_size():
    strata = stratify([*make("good", 300), *make("poor", 100)], ())
    assert [len(part.drawn) for part in draw_labelled(strata, 80, "s")] == [60, 20]


def test_within_a_stratum_the_lowest_digests_of_seed_and_id_come_first():
    (part,) = draw_labelled(stratify(make("good", 50), ()), 12, "seed")
    everyone = sorted((turn.turn for turn in make("good", 50)), key=lambda turn: place_of("seed", turn))
    assert list(part.drawn) == everyone[:12]


@given(
    st.lists(st.tuples(st.sampled_from(list(SCORES)), st.integers(0, 9), st.sampled_from("abcd")), min_size=1),
    st.integers(1, 60),
)
@settings(max_examples=60, deadline=None)
def test_a_larger_sample_keeps_the_picks_of_a_smaller_one_and_no_stratum_is_too_small(drawn, wanted):
    turns = [
        Candidate(str(number), Fraction(SCORES[band] + points), band, {"client": client})
        for number, (band, points, client) in enumerate(drawn)
    ]
    strata = stratify(turns, ("client",))
    small, large = (draw_labelled(strata, count, "s") for count in (wanted, wanted + 7))
    assert all(set(one.drawn) <= set(other.drawn) for one, other in zip(small, large, strict=True))
    assert sum(len(part.drawn) for part in small) == min(wanted, len(turns))
    bands = Counter(stratum.band for stratum in strata)
    assert all(len(item.members) >= AT_LEAST or bands[item.band] == 1 for item in strata)
    assert Counter(item.turn for stratum in strata for item in stratum.members) == Counter(t.turn for t in turns)
