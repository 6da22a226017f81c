"""Judging in batches: what is sent, what is asked again, and when it stops."""

import os
import re

import pytest

from reportgen.errors import JudgeError
from reportgen.judging.batch_contract import BatchPolicy
from reportgen.judging.contract import MAX_TOKENS, MORE_TOKENS, Retryable, Unanswerable
from tests.judging.batch_provider import SMALL, Bench, expired, outcomes, rejected, truncated


@pytest.fixture
def make_bench(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    return lambda **options: Bench(tmp_path / "run", **options)


def test_batches_hold_no_more_than_the_limit_and_all_verdicts_arrive(make_bench):
    bench = make_bench(turns=7)
    totals = bench.session()
    assert [info.count for info, _ in bench.provider.made.values()] == [3, 3, 1]
    assert (totals.outcomes, totals.attempts, totals.peak) == ({"ok": 7}, 7, 7)
    assert [verdict["outcome"] for verdict in bench.verdicts().values()] == ["ok"] * 7


def test_a_batch_is_closed_where_its_text_would_grow_too_large(make_bench):
    bench = make_bench(turns=4)
    length = max(len(request.system) + len(request.user) for request in bench.requests())
    bench.session(BatchPolicy(most_bytes=2 * length))
    assert [info.count for info, _ in bench.provider.made.values()] == [2, 2]


def test_requests_are_drawn_as_batches_need_them(make_bench):
    bench, drawn = make_bench(turns=9), []
    create = bench.provider.create

    async def note_and_create(items):
        drawn.append(bench.drawn)
        return await create(items)

    bench.provider.create = note_and_create
    bench.session()
    assert drawn == [4, 7, 9]


def test_no_more_batches_are_open_than_allowed(make_bench):
    bench = make_bench(turns=9)
    totals = bench.session(BatchPolicy(size=2, most_open=2))
    assert totals.peak == 4
    assert totals.outcomes == {"ok": 9}


def test_custom_ids_have_the_form_of_the_api_and_none_stands_twice(make_bench):
    bench = make_bench(turns=5)
    bench.session()
    assert all(re.fullmatch(r"[0-9a-f]{40}-s1", name) for name in bench.provider.sent)
    assert len(set(bench.provider.sent)) == 5


def test_looks_at_a_batch_become_rarer(make_bench):
    bench = make_bench(turns=1)
    bench.provider.looks = 12
    bench.session(BatchPolicy())
    assert bench.clock.sleeps[:4] == [2.0, 3.0, 4.5, 6.75]
    assert bench.clock.sleeps[-1] == 60.0


def test_an_attempt_names_its_batch_and_keeps_usage_and_time(make_bench):
    bench = make_bench(turns=1)
    bench.session()
    (attempt,) = bench.verdicts()["t1"]["attempts"]
    assert (attempt["batch"], attempt["seconds"], attempt["usage"]["service_tier"]) == ("batch-1", 600.0, "batch")


def test_an_unusable_reply_is_asked_for_once_more_with_more_room(make_bench):
    bench = make_bench(t2=[truncated], t3=[truncated, truncated])
    bench.session()
    rooms = {item.custom_id: item.max_tokens for _, items in bench.provider.made.values() for item in items}
    assert (rooms[bench.id_of(1)], rooms[bench.id_of(2)]) == (MAX_TOKENS, MORE_TOKENS)
    verdicts = bench.verdicts()
    assert (verdicts["t2"]["outcome"], outcomes(verdicts["t2"])) == ("ok", ["truncated", "ok"])
    assert (verdicts["t3"]["outcome"], outcomes(verdicts["t3"])) == ("truncated", ["truncated"] * 2)
    assert bench.provider.sent.count(bench.id_of(3)) == 2


def test_an_expired_request_is_sent_again_until_it_is_given_up(make_bench):
    bench = make_bench(t2=[expired], t5=[expired] * 9)
    totals = bench.session()
    verdicts = bench.verdicts()
    assert outcomes(verdicts["t2"]) == ["gave_up", "ok"]
    assert (verdicts["t5"]["outcome"], len(verdicts["t5"]["attempts"])) == ("gave_up", 3)
    assert verdicts["t5"]["reason"] == "no answer in 3 attempts; the last time: expired"
    assert totals.outcomes == {"ok": 6, "gave_up": 1}


def test_a_request_that_was_given_up_is_asked_again_by_the_next_session(make_bench):
    bench = make_bench(t5=[expired] * 3)
    bench.session()
    bench.clock.sleeps.append(1.0)
    bench.session()
    assert bench.verdicts()["t5"]["outcome"] == "ok"
    assert len(bench.provider.made[list(bench.provider.made)[-1]][1]) == 1


def test_an_unusable_reply_after_failures_is_still_asked_for_once_more(make_bench):
    bench = make_bench(t5=[expired, expired, truncated])
    bench.session()
    assert outcomes(bench.verdicts()["t5"]) == ["gave_up", "gave_up", "truncated", "ok"]


def test_a_rejected_request_is_final_and_not_sent_again(make_bench):
    bench = make_bench(t4=[rejected])
    bench.session()
    assert bench.verdicts()["t4"]["outcome"] == "request_error"
    assert bench.provider.sent.count(bench.id_of(4)) == 1


def test_a_batch_whose_requests_are_all_rejected_stops_the_run_and_is_asked_again_on_resume(make_bench):
    bench = make_bench(turns=3, t1=[rejected], t2=[rejected], t3=[rejected])
    with pytest.raises(JudgeError, match="all 3 requests of the batch were rejected"):
        bench.session()
    bench.session()
    assert {verdict["outcome"] for verdict in bench.verdicts().values()} == {"ok"}


def test_batches_that_come_back_without_any_answer_stop_the_run_instead_of_finishing_it(make_bench):
    bench = make_bench(turns=3, t1=[expired] * 3, t2=[expired] * 3, t3=[expired] * 3)
    with pytest.raises(JudgeError, match="3 batches in a row came back without any answer"):
        bench.session()
    bench.clock.sleeps.append(1.0)
    bench.session()
    assert {verdict["outcome"] for verdict in bench.verdicts().values()} == {"ok"}


def test_a_download_that_breaks_is_repeated_and_nothing_is_taken_twice(make_bench):
    bench = make_bench(turns=3, t1=[truncated])
    bench.provider.downloading = [("cut", 2), ("cut", 1), None]
    bench.session()
    assert [outcomes(verdict) for verdict in bench.verdicts().values()] == [["truncated", "ok"], ["ok"], ["ok"]]
    assert any("trying again" in line for line in bench.said)


def test_results_that_end_early_are_downloaded_again_and_what_is_missing_is_asked_again(make_bench):
    bench = make_bench(turns=3)
    bench.provider.downloading = [("short", 1)] * 3
    bench.session()
    verdicts = bench.verdicts()
    assert sorted(outcomes(verdict) for verdict in verdicts.values()) == [["gave_up", "ok"], ["gave_up", "ok"], ["ok"]]


def test_a_batch_that_is_not_known_yet_is_looked_for_again_and_not_sent_again(make_bench):
    bench, found = make_bench(turns=2), []
    retrieve = bench.provider.retrieve

    async def retrieve_late(batch):
        found.append(batch)
        if len(found) < 5:
            raise Retryable("HTTP 404: no such batch", status=404)
        return await retrieve(batch)

    bench.provider.retrieve = retrieve_late
    bench.session()
    assert len(bench.provider.made) == 1


def test_a_batch_that_stays_unknown_stops_the_run_with_the_way_to_forget_it(make_bench):
    bench = make_bench(turns=2)

    async def know_nothing(batch):
        raise Retryable("HTTP 404: no such batch", status=404)

    bench.provider.retrieve = know_nothing
    with pytest.raises(JudgeError, match=r"The batch batch-1: it is not found") as raised:
        bench.session()
    assert "reportgen batches cancel" in raised.value.fix
    assert 300 < bench.clock.monotonic() <= SMALL.missing


def test_a_cancelled_batch_keeps_what_was_answered_and_only_a_resumed_run_asks_for_the_rest(make_bench):
    bench = make_bench(turns=3)
    create = bench.provider.create

    async def create_and_cancel(items):
        info = await create(items)
        return await bench.provider.cancel(info.id)

    bench.provider.create = create_and_cancel
    with pytest.raises(JudgeError, match="batch-1 was cancelled: 1 of its requests"):
        bench.session()
    assert len(bench.provider.sent) == 3
    bench.provider.create = create
    bench.session()
    assert len(bench.provider.sent) == 4
    assert sorted(len(verdict["attempts"]) for verdict in bench.verdicts().values()) == [1, 1, 2]


def test_a_batch_from_before_that_is_cancelled_while_the_resumed_run_waits_stops_it_too(make_bench):
    bench = make_bench(turns=3)
    with pytest.raises(BaseException, match=r"^$"):
        bench.session(crash_at=6)
    bench.provider.looks, retrieve, seen = 99, bench.provider.retrieve, []

    async def retrieve_and_then_cancel(name):
        info = await retrieve(name)
        if not seen:
            seen.append(info.status)
            await bench.provider.cancel(name)
        return info

    bench.provider.retrieve = retrieve_and_then_cancel
    with pytest.raises(JudgeError, match="batch-1 was cancelled: 1 of its requests"):
        bench.session()
    assert seen == ["in_progress"]
    assert len(bench.provider.sent) == 3
    bench.provider.looks = 2
    bench.session()
    assert len(bench.provider.sent) == 4


def test_a_batch_that_was_cancelled_between_sessions_is_taken_and_the_rest_asked_at_once(make_bench):
    bench = make_bench(turns=3)
    with pytest.raises(BaseException, match=r"^$"):
        bench.session(crash_at=6)
    assert bench.steps() == ["intent", "created"]
    bench.provider.canceled.add("batch-1")
    results = bench.provider.results_of["batch-1"]
    results[1] = type(results[1])(results[1].custom_id, Retryable("cancelled"), canceled=True)
    assert bench.session().outcomes == {"ok": 3}
    assert len(bench.provider.sent) == 4


def test_results_that_are_no_longer_kept_are_asked_for_again(make_bench):
    bench = make_bench(turns=2)
    bench.provider.gone.add("batch-1")
    bench.session()
    assert bench.steps() == ["intent", "created", "void", "intent", "created", "taken"]
    assert {verdict["outcome"] for verdict in bench.verdicts().values()} == {"ok"}


def test_a_creation_that_is_refused_by_a_rate_limit_is_repeated_without_a_search(make_bench):
    bench = make_bench(turns=2)
    bench.provider.creating = [Retryable("HTTP 429: slow down", retry_after=7.0, status=429), None]
    bench.session()
    assert 7.0 in bench.clock.sleeps
    assert not any("looking for" in line for line in bench.said)
    assert len(bench.provider.made) == 1


def test_a_creation_that_is_rejected_stops_the_run(make_bench):
    bench = make_bench(turns=2)
    bench.provider.creating = [Unanswerable("HTTP 413: too large")]
    with pytest.raises(JudgeError, match="The batch was rejected: HTTP 413"):
        bench.session()
    assert bench.steps() == ["intent", "void"]


def test_a_batch_whose_creation_was_not_answered_is_found_again_and_not_paid_twice(make_bench):
    bench = make_bench(turns=2)
    bench.provider.creating = ["kept"]
    assert bench.session().outcomes == {"ok": 2}
    assert len(bench.provider.made) == 1
    assert bench.steps() == ["intent", "created", "taken"]


def test_a_batch_that_never_arrived_is_sent_again_after_a_search(make_bench):
    bench = make_bench(turns=2)
    bench.provider.creating = ["lost"]
    assert bench.session().outcomes == {"ok": 2}
    assert bench.clock.monotonic() >= SMALL.appear
    assert bench.steps() == ["intent", "void", "intent", "created", "taken"]


def test_a_batch_of_the_run_that_has_ended_is_not_taken_for_one_with_the_same_requests(make_bench):
    bench = make_bench(turns=2, t1=[expired], t2=[expired])
    bench.provider.creating = [None, "lost"]
    assert bench.session().outcomes == {"ok": 2}
    assert bench.steps() == ["intent", "created", "taken", "intent", "void", "intent", "created", "taken"]


def test_a_strangers_batch_of_the_same_size_is_not_taken(make_bench, tmp_path):
    bench = make_bench(turns=2)
    stranger = Bench(tmp_path / "other", turns=2, clock=bench.clock)
    stranger.turns = [turn.model_copy(update={"id": f"x{turn.id}"}) for turn in stranger.turns]
    stranger.provider = bench.provider
    stranger.session()
    bench.provider.creating = ["kept"]
    assert bench.session().outcomes == {"ok": 2}
    assert len(bench.provider.made) == 2
    assert bench.verdicts()["t1"]["attempts"][0]["batch"] == "batch-2"


def test_requests_beyond_what_is_let_through_are_not_sent(make_bench):
    bench = make_bench(turns=7)
    bench.session(within=lambda requests: (request for request in requests if request.turn in ("t1", "t2")))
    assert len(bench.provider.sent) == 2


def test_two_requests_of_one_id_are_never_sent_together(make_bench):
    bench = make_bench(turns=1)
    bench.turns *= 2
    with pytest.raises(ValueError, match="one custom id"):
        bench.session()
    assert not bench.provider.made
