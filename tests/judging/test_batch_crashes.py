"""A crash at any step of judging in batches loses nothing and sends nothing twice."""

import os

import pytest

from tests.judging.batch_provider import Bench, Crash, expired, rejected, truncated

FATES = {"t2": [truncated], "t4": [expired], "t5": [rejected], "t6": [expired, truncated]}


@pytest.fixture(autouse=True)
def _without_syncs(monkeypatch):
    """What a process has written outlives it; only a power cut would need the disk."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def run_whole(folder, fates):
    """An undisturbed run: its steps, what it sent, and its verdicts."""
    bench = Bench(folder, turns=7, **fates)
    bench.session()
    return bench.provider.steps.taken, sorted(bench.provider.sent), told(bench.verdicts())


def told(verdicts):
    """The verdicts without what differs by nature."""
    return {turn: {**verdict, "attempts": len(verdict["attempts"])} for turn, verdict in verdicts.items()}


@pytest.mark.parametrize(("fates", "crashes"), [({}, 1), (FATES, 1), (FATES, 2)])
def test_after_a_crash_at_any_step_the_run_ends_as_if_undisturbed_and_no_request_is_sent_twice(
    tmp_path, fates, crashes
):
    steps, sent, verdicts = run_whole(tmp_path / "whole", fates)
    assert steps > 40
    for crash_at in range(1, steps + 1):
        bench = Bench(tmp_path / f"{crash_at}", turns=7, **fates)
        for _ in range(crashes):
            crash(bench, crash_at)
        bench.session()
        assert sorted(bench.provider.sent) == sent, crash_at
        assert told(bench.verdicts()) == verdicts, crash_at


def crash(bench, crash_at):
    """A session that is cut off at a step, or comes to its end before it; the next one begins a moment later."""
    try:
        bench.session(crash_at=crash_at)
    except Crash:
        bench.clock.sleeps.append(1.0)


def test_a_line_of_the_journal_that_was_half_written_is_healed(tmp_path):
    bench = Bench(tmp_path / "run", turns=3)
    with pytest.raises(Crash):
        bench.session(crash_at=6)
    path = tmp_path / "run" / "batches.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b'"step"')])
    bench.session()
    assert (len(bench.provider.made), bench.steps()) == (1, ["intent", "created", "taken"])
