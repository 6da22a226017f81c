"""Turns drawn from a capture: which, how many of each stratum, and in how much memory."""

import json
import tracemalloc
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.analysis.drawing import allocate
from reportgen.capture.sampling import draw_sample, read_sample
from reportgen.capture.turns import read_turns
from reportgen.errors import CaptureError

SIZES = st.dictionaries(st.text(max_size=3), st.integers(1, 200), min_size=1, max_size=12)


def line(number, client, **more):
    turn = {
        "id": f"t-{number}",
        "captured_at": "2026-03-29T09:30:00Z",
        "question": "How many?",
        "labels": {"client": client} if client else {},
        "answer": {"text": "12"},
        "agent": {"name": "lampbot"},
    }
    return json.dumps(turn | more).encode() + b"\n"


@pytest.fixture
def capture(tmp_path):
    path = tmp_path / "turns.jsonl"
    clients = ["a"] * 60 + ["b"] * 30 + ["c"] * 3 + [None] * 7
    path.write_bytes(b"".join(line(number, client) for number, client in enumerate(clients)))
    return path


@given(SIZES, st.integers(1, 400))
def test_no_stratum_gives_more_than_it_has_and_the_budget_is_used_up(sizes, budget):
    drawn = allocate(sizes, budget)
    assert all(0 <= drawn[stratum] <= size for stratum, size in sizes.items())
    assert sum(drawn.values()) == min(budget, sum(sizes.values()))


@given(SIZES, st.integers(1, 400))
def test_a_larger_budget_takes_nothing_back(sizes, budget):
    fewer, more = allocate(sizes, budget), allocate(sizes, budget + 1)
    assert all(fewer[stratum] <= more[stratum] for stratum in sizes)


@given(SIZES)
def test_with_two_for_each_stratum_no_stratum_goes_without(sizes):
    drawn = allocate(sizes, 2 * len(sizes))
    assert all(drawn[stratum] >= min(size, 2) for stratum, size in sizes.items())


def test_each_stratum_is_drawn_from_in_proportion_and_each_turn_says_what_it_stands_for(capture, tmp_path):
    sample = draw_sample(capture, 20, ["client"], "s")
    out = tmp_path / "sample.jsonl"
    out.write_bytes(b"".join(read_sample(capture, sample, 64 * "f")))
    turns = list(read_turns(out))
    assert Counter(turn.labels.get("client") for turn in turns) == {"a": 11, "b": 5, "c": 2, None: 2}
    assert {(turn.labels.get("client"), turn.drawn.population, turn.drawn.drawn) for turn in turns} == {
        ("a", 60, 11),
        ("b", 30, 5),
        ("c", 3, 2),
        (None, 7, 2),
    }
    assert [int(turn.id[2:]) for turn in turns] == sorted(int(turn.id[2:]) for turn in turns)


def test_the_draw_does_not_depend_on_the_order_of_the_capture(capture, tmp_path):
    turned = tmp_path / "turned.jsonl"
    turned.write_bytes(b"".join(reversed(capture.read_bytes().splitlines(keepends=True))))
    drawn = [
        {json.loads(line)["id"] for line in read_sample(path, draw_sample(path, 20, ["client"], "s"), 64 * "f")}
        for path in (capture, turned)
    ]
    assert drawn[0] == drawn[1]


def test_another_seed_draws_other_turns(capture):
    assert draw_sample(capture, 20, ["client"], "s").lines != draw_sample(capture, 20, ["client"], "t").lines


def test_a_bad_line_is_refused_or_no_part_of_the_population(capture):
    with capture.open("ab") as file:
        file.write(b'{"id": 3}\n')
    with pytest.raises(CaptureError, match="line 101"):
        draw_sample(capture, 20, ["client"], "s")
    bad = []
    assert sum(draw_sample(capture, 20, ["client"], "s", bad.append).sizes.values()) == 100
    assert [item.line for item in bad] == [101]


def test_more_strata_than_the_budget_has_turns_are_refused(capture):
    with pytest.raises(CaptureError, match="4 strata by client, and the budget is 3 turns"):
        draw_sample(capture, 3, ["client"], "s")


def test_a_sample_is_not_drawn_from_again(capture, tmp_path):
    out = tmp_path / "sample.jsonl"
    out.write_bytes(b"".join(read_sample(capture, draw_sample(capture, 20, ["client"], "s"), 64 * "f")))
    with pytest.raises(CaptureError, match="drawn already"):
        draw_sample(out, 5, ["client"], "s")


def test_memory_grows_with_the_budget_and_not_with_the_capture(tmp_path):
    peaks = []
    for count in (500, 20_000):
        path = tmp_path / f"{count}.jsonl"
        path.write_bytes(b"".join(line(number, "abc"[number % 3]) for number in range(count)))
        tracemalloc.start()
        draw_sample(path, 50, ["client"], "s")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # The parser of JSON keeps up to 16,384 short texts; an id a line would take more than this.
    assert peaks[1] < peaks[0] + 1_000_000
