"""The engine: all slots full, each verdict kept before its slot is free, nothing lost that was paid for."""

import asyncio
import random
from datetime import UTC, datetime, timedelta

import pytest

from reportgen.errors import JudgeError, RunError
from reportgen.judging.contract import MAX_TOKENS, MORE_TOKENS, BackendReply, Retryable, Settled, Unanswerable
from reportgen.judging.pacing import Policy
from tests.judging.fakes import FakeClock, ScriptedJudge
from tests.judging.makers import QUICK, judge_with, keep_in, make_turn


def run(backend, turns, rubric, **options):
    """The verdicts by turn, and the totals; none may take longer than ten seconds."""
    turns = [make_turn(number) for number in range(1, turns + 1)] if isinstance(turns, int) else turns
    kept, totals = asyncio.run(asyncio.wait_for(judge_with(backend, turns, rubric, **options), 10))
    return {verdict.turn: verdict for verdict in kept}, totals


def limited(retry_after=None):
    return Retryable("HTTP 429", retry_after=retry_after, pause_all=True, status=429)


def test_every_turn_gets_one_verdict_that_names_judge_rubric_and_evidence(rubric):
    backend = ScriptedJudge()
    verdicts, totals = run(backend, 30, rubric)
    assert sorted(verdicts) == sorted(f"t{number}" for number in range(1, 31))
    assert totals.outcomes == {"ok": 30}
    for verdict in verdicts.values():
        assert (verdict.judge, verdict.rubric, verdict.call) == (backend.judge, rubric.digest, "turn")
        assert verdict.reply.scores["sql-quality"] == 8
        assert len(verdict.attempts) == 1
        assert verdict.attempts[0].usage == {"input_tokens": 10}


@pytest.mark.parametrize("concurrency", [1, 16, 64])
def test_as_many_are_in_flight_as_asked_for_and_never_more(rubric, concurrency):
    backend, told = ScriptedJudge(delay=0.02), []
    _, totals = run(backend, 8 * concurrency, rubric, policy=Policy(concurrency), progress=told.append)
    assert totals.peak == concurrency
    assert max(backend.history) <= concurrency
    middle = [progress.in_flight for progress in told[2 * concurrency : -concurrency]]
    assert set(middle) == {concurrency}


def test_the_first_request_goes_alone(rubric):
    backend = ScriptedJudge(delay=0.01)
    run(backend, 10, rubric)
    assert backend.history[0] == 1
    assert backend.asked[0] == "t1"
    assert backend.history[1] == 1


def test_turns_are_drawn_only_as_slots_become_free(rubric):
    drawn, kept = [], []

    def turns():
        for number in range(200):
            drawn.append(number)
            assert len(drawn) - len(kept) <= 4 + 1
            yield make_turn(number)

    run(ScriptedJudge(), turns(), rubric, policy=Policy(4), keep=keep_in(kept))
    assert len(kept) == 200


def test_a_verdict_is_synced_before_its_slot_is_free(rubric):
    written, synced, backend = [], [], ScriptedJudge()
    ask = backend.ask

    async def watch(request, max_tokens):
        assert len(written) - len(synced) < 4
        assert len(backend.asked) - len(synced) < 4
        return await ask(request, max_tokens)

    def keep(verdicts):
        written.extend(verdicts)

        def sync():
            synced[:] = written[: len(written)]

        return sync

    backend.ask = watch
    run(backend, 40, rubric, policy=Policy(4), keep=keep)
    assert len(synced) == 40


@pytest.mark.parametrize(("text", "outcome"), [("{}", "invalid"), ("", "empty")])
def test_an_unusable_reply_is_asked_for_once_more_and_then_stays_unscored(rubric, text, outcome):
    backend = ScriptedJudge({"t2": [text, text, text]})
    verdicts, totals = run(backend, 3, rubric)
    assert backend.asked.count("t2") == 2
    assert verdicts["t2"].outcome == outcome
    assert verdicts["t2"].reply is None
    assert verdicts["t2"].reason
    assert verdicts["t2"].text == (text or None)
    assert totals.outcomes == {"ok": 2, outcome: 1}


def test_the_second_asking_may_succeed_and_keeps_the_cost_of_the_first(rubric):
    backend = ScriptedJudge({"t1": ["half a repl"]})
    verdicts, totals = run(backend, 1, rubric)
    assert verdicts["t1"].outcome == "ok"
    assert [attempt.outcome for attempt in verdicts["t1"].attempts] == ["invalid", "ok"]
    assert all(attempt.usage == {"input_tokens": 10} for attempt in verdicts["t1"].attempts)
    assert totals.attempts == 2


def test_a_reply_that_was_cut_off_is_asked_for_with_more_room(rubric):
    backend = ScriptedJudge({"t1": [BackendReply('{"quo', stop="truncated")] * 2})
    verdicts, _ = run(backend, 1, rubric)
    assert backend.rooms == [MAX_TOKENS, MORE_TOKENS]
    assert verdicts["t1"].outcome == "truncated"


def test_what_more_room_cannot_cure_is_not_asked_for_again(rubric):
    backend = ScriptedJudge({"t1": [BackendReply('{"quo', stop="full")], "t2": [BackendReply("", stop="refused")]})
    verdicts, _ = run(backend, 2, rubric)
    assert (verdicts["t1"].outcome, verdicts["t2"].outcome) == ("truncated", "refused")
    assert len(backend.asked) == 2


def test_a_recorded_outcome_is_taken_as_it_is(rubric):
    recorded = BackendReply("", recorded=Settled("invalid", "it was so then"))
    backend = ScriptedJudge({"t1": [recorded]})
    verdicts, _ = run(backend, 1, rubric)
    assert (verdicts["t1"].outcome, verdicts["t1"].reason) == ("invalid", "it was so then")
    assert len(backend.asked) == 1


def test_no_turn_is_lost_to_passing_trouble_and_each_attempt_is_kept(rubric):
    scripts = {f"t{number}": [Retryable("HTTP 529", status=529)] * (number % 5) for number in range(1, 21)}
    verdicts, totals = run(ScriptedJudge(scripts), 20, rubric)
    assert totals.outcomes == {"ok": 20}
    assert [attempt.status for attempt in verdicts["t4"].attempts] == [529, 529, 529, 529, None]


def test_after_six_tries_a_judgement_is_given_up_with_the_last_reason(rubric):
    clock = FakeClock()
    backend = ScriptedJudge({"t2": [Retryable(f"broken {number}") for number in range(9)]})
    policy = Policy(1)
    verdicts, totals = run(backend, 3, rubric, policy=policy, **clock.surroundings)
    assert backend.asked.count("t2") == 6
    assert verdicts["t2"].outcome == "gave_up"
    assert verdicts["t2"].reason == "no answer in 6 attempts; the last time: broken 5"
    assert totals.outcomes == {"ok": 2, "gave_up": 1}
    assert [seconds for seconds in clock.slept if seconds >= 1] == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_others_go_on_while_one_waits_for_its_next_try(rubric):
    clock = FakeClock()
    backend = ScriptedJudge({"t2": [Retryable("broken")]})
    run(backend, 9, rubric, policy=Policy(1), **clock.surroundings)
    assert backend.asked == ["t1", "t2", "t3", "t2", *(f"t{number}" for number in range(4, 10))]


@pytest.mark.parametrize("when", [30.0, datetime(2026, 7, 1, 0, 0, 30, tzinfo=UTC)])
def test_a_rate_limit_holds_all_requests_for_as_long_as_the_provider_asks(rubric, when):
    clock, seen = FakeClock(), []
    backend = ScriptedJudge({"t3": [limited(when)]})
    ask = backend.ask

    async def watch(request, max_tokens):
        seen.append((request.turn, clock.seconds))
        return await ask(request, max_tokens)

    backend.ask = watch
    _, totals = run(backend, 6, rubric, policy=Policy(1), **clock.surroundings)
    assert totals.outcomes == {"ok": 6}
    assert [second for turn, second in seen if turn in ("t1", "t2")] == [0.0, 0.0]
    assert [second for turn, second in seen[3:]] == [30.0] * 4


def test_a_rate_limit_is_outwaited_for_much_longer_than_other_trouble(rubric):
    clock = FakeClock()
    backend = ScriptedJudge({"t1": [limited(1.0) for _ in range(19)], "t2": [limited(1.0) for _ in range(20)]})
    verdicts, totals = run(backend, 5, rubric, policy=Policy(1), **clock.surroundings)
    assert totals.outcomes == {"ok": 4, "gave_up": 1}
    assert len(verdicts["t1"].attempts) == 20
    assert verdicts["t2"].reason == "no answer in 20 attempts; the last time: HTTP 429"


def test_in_an_outage_no_more_turns_are_drawn_than_may_be_in_flight(rubric):
    clock, drawn = FakeClock(), []

    def turns():
        for number in range(1, 500):
            drawn.append(number)
            yield make_turn(number)

    scripts = {f"t{number}": [Retryable("down")] * 99 for number in range(50, 500)}
    with pytest.raises(JudgeError, match="20 times in a row in the same way: down"):
        run(ScriptedJudge(scripts), turns(), rubric, policy=Policy(4), **clock.surroundings)
    assert len(drawn) < 50 + 20 + 8


def test_a_silent_judge_is_waited_for_only_so_long_and_it_is_recorded(rubric):
    policy = Policy(1, wait=0.01, tries=2, timeout=0.05)
    verdicts, _ = run(ScriptedJudge(delay=60), 1, rubric, policy=policy)
    assert verdicts["t1"].reason == "no answer in 2 attempts; the last time: no answer within 0.05 seconds"
    assert len(verdicts["t1"].attempts) == 2
    assert verdicts["t1"].attempts[0].seconds >= 0.05


def test_a_rejected_judgement_leaves_the_others_alone(rubric):
    backend = ScriptedJudge({"t4": [Unanswerable("HTTP 400: odd", systematic=True, status=400)]})
    verdicts, totals = run(backend, 8, rubric)
    assert (verdicts["t4"].outcome, verdicts["t4"].reason) == ("request_error", "HTTP 400: odd")
    assert totals.outcomes == {"ok": 7, "request_error": 1}


def test_the_same_rejection_of_the_first_three_stops_the_run_and_is_final_for_none(rubric):
    rejected = {f"t{number}": [Unanswerable("HTTP 400: no", systematic=True)] for number in range(1, 100)}
    backend, kept = ScriptedJudge(rejected), []

    with pytest.raises(JudgeError, match="3 times in a row in the same way: HTTP 400: no"):
        run(backend, 99, rubric, keep=keep_in(kept))
    assert backend.asked == ["t1", "t2", "t3"]
    assert {verdict.outcome for verdict in kept} == {"gave_up"}


def test_rejections_for_different_reasons_do_not_stop_a_run(rubric):
    scripts = {f"t{n}": [Unanswerable(f"HTTP 400: {n % 2}", systematic=True)] for n in range(1, 6)}
    _, totals = run(ScriptedJudge(scripts), 8, rubric)
    assert totals.outcomes == {"request_error": 5, "ok": 3}


def test_a_run_of_rejections_alone_that_is_too_short_to_tell_ends_with_them(rubric):
    scripts = {f"t{n}": [Unanswerable("HTTP 400: no", systematic=True)] for n in range(1, 3)}
    verdicts, _ = run(ScriptedJudge(scripts), 2, rubric)
    assert [verdict.outcome for verdict in verdicts.values()] == ["request_error"] * 2


def test_turns_that_nobody_judged_before_do_not_stop_a_replay(rubric):
    scripts = {f"t{n}": [Unanswerable("no verdict on this turn is recorded")] for n in range(1, 41)}
    _, totals = run(ScriptedJudge(scripts), 40, rubric)
    assert totals.outcomes == {"request_error": 40}


def test_when_the_judge_must_not_be_asked_any_more_those_in_flight_still_end(rubric):
    backend = ScriptedJudge({"t5": [JudgeError("no credit", "Pay.")]}, delay=0.02)
    kept = []

    with pytest.raises(JudgeError, match="no credit"):
        run(backend, 100, rubric, policy=Policy(4, grace=5), keep=keep_in(kept))
    assert {verdict.turn for verdict in kept} == set(backend.asked) - {"t5"}
    assert len(backend.asked) < 10


def test_what_a_stopped_judgement_has_cost_is_kept_and_it_is_asked_again_later(rubric):
    scripts = {"t1": [], "t2": ["{}", JudgeError("no credit", "Pay.")]}
    kept = []

    with pytest.raises(JudgeError):
        run(ScriptedJudge(scripts), 2, rubric, policy=Policy(1), keep=keep_in(kept))
    stopped = kept[-1]
    assert (stopped.turn, stopped.outcome) == ("t2", "gave_up")
    assert [attempt.usage for attempt in stopped.attempts] == [{"input_tokens": 10}]


@pytest.mark.parametrize("at", ["write", "sync"])
def test_a_disk_that_is_full_stops_the_run_at_once(rubric, at):
    backend, kept = ScriptedJudge(delay=0.005), []

    def fail():
        raise RunError("the disk is full", "Make room.")

    def keep(verdicts):
        if len(kept) < 5:
            kept.extend(verdicts)
            return lambda: None
        return fail() if at == "write" else fail

    with pytest.raises(RunError, match="the disk is full"):
        run(backend, 500, rubric, keep=keep)
    assert len(backend.asked) < 5 + 3 * QUICK.concurrency


def test_an_interruption_drops_what_is_in_flight_and_keeps_what_came(rubric):
    backend, kept, enough = ScriptedJudge(delay=0.01), [], asyncio.Event()

    def keep(verdicts):
        kept.extend(verdicts)
        if len(kept) >= 20:
            enough.set()
        return lambda: None

    async def interrupt():
        judging = asyncio.create_task(judge_with(backend, map(make_turn, range(1000)), rubric, keep=keep))
        await enough.wait()
        judging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await judging
        return len(asyncio.all_tasks())

    assert asyncio.run(interrupt()) == 1
    assert all(verdict.outcome == "ok" for verdict in kept)
    assert len(backend.asked) <= len(kept) + QUICK.concurrency


def test_an_interruption_does_not_wait_for_answers(rubric):
    async def interrupt():
        judging = asyncio.create_task(judge_with(ScriptedJudge(delay=3600), [make_turn()], rubric))
        await asyncio.sleep(0.01)
        judging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(judging, 5)

    asyncio.run(interrupt())


def test_broken_input_stops_the_run_with_its_own_error_after_those_in_flight(rubric):
    def turns():
        yield from map(make_turn, range(1, 6))
        raise RunError("line 6 is broken", "Mend it.")

    backend, kept = ScriptedJudge(delay=0.01), []

    with pytest.raises(RunError, match="line 6 is broken"):
        run(backend, turns(), rubric, keep=keep_in(kept))
    assert len(kept) == 5


def test_no_turns_are_no_trouble(rubric):
    _, totals = run(ScriptedJudge(), 0, rubric)
    assert (totals.outcomes, totals.attempts) == ({}, 0)


def test_progress_tells_each_verdict_and_each_pause(rubric):
    clock, told = FakeClock(), []
    backend = ScriptedJudge({"t2": [limited(30.0)]})
    run(backend, 3, rubric, policy=Policy(1), progress=told.append, **clock.surroundings)
    assert [progress.kept for progress in told] == [1, 1, 2, 3]
    assert (told[1].pause, told[1].trouble, told[1].waiting) == (30.0, "HTTP 429", 1)


def test_whatever_goes_wrong_in_whatever_order_each_turn_gets_exactly_one_verdict(rubric):
    for seed in range(5):
        chance = random.Random(seed)
        troubles = ["{}", "", Retryable("x"), limited(0.001), BackendReply("", stop="refused"), Unanswerable("y")]
        scripts = {f"t{n}": chance.choices(troubles, k=chance.randrange(5)) for n in range(1, 61)}
        backend = ScriptedJudge(scripts, delay=0.001)
        kept, totals = asyncio.run(judge_with(backend, map(make_turn, range(1, 61)), rubric))
        assert sorted(verdict.turn for verdict in kept) == sorted(f"t{n}" for n in range(1, 61))
        assert totals.attempts == len(backend.asked) == sum(len(verdict.attempts) for verdict in kept)
        assert all((verdict.reply is None) == (verdict.outcome != "ok") for verdict in kept)
        assert all(a.asked_at < datetime.now(UTC) + timedelta(seconds=1) for v in kept for a in v.attempts)
