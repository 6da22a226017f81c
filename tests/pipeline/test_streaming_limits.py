"""What judging an open run may cost, and what is erased from it, while it goes on."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

import reportgen.pipeline.close as closing
import reportgen.pipeline.erase as erasing
from reportgen.archive.open_runs import create_open, list_open
from reportgen.archive.open_turns import list_turns
from reportgen.archive.open_verdicts import list_journals
from reportgen.config import StreamingConfig
from reportgen.errors import CostLimitError, ExchangeError, JudgeError, RunError
from reportgen.judging.pacing import Policy
from reportgen.model.opening import Opening
from reportgen.pipeline import queue_source, working
from reportgen.pipeline.erase import EraseOrder, erase_turns
from reportgen.pipeline.opening import open_run
from reportgen.pipeline.queue_status import count_open
from reportgen.pipeline.submitting import Submitter
from reportgen.pipeline.working import WorkOrder, work
from reportgen.record import canonical
from reportgen.transport.queue import count_waiting
from tests.exchanges import NOW, make_exchange
from tests.judge_server import KEY, JudgeServer
from tests.pipeline.test_queue import judge_queue
from tests.pipeline.test_streaming import RUNS, clock, close, hand_in, judge_stored, make_opening
from tests.redis_server import RedisServer

LIVE = {"judge": "anthropic:claude-opus-5-5", "effort": "low"}


pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture
def server(monkeypatch):
    with JudgeServer() as running:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", running.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        yield running


def set_limit(dollars):
    open_run(make_opening(**LIVE, max_cost=Fraction(dollars)), clock())


# A judge that fails.


def test_what_a_worker_had_in_hand_when_it_had_to_stop_is_asked_about_by_the_next_one(server, said):
    server.every, server.fault = 1, "400"
    hand_in(0, 5)
    with pytest.raises(JudgeError, match="3 times in a row") as refused:
        judge_stored(said, **LIVE)
    assert "--resume" not in refused.value.fix, "a worker has no such option"
    (status,) = count_open(RUNS)
    assert (status.judged, status.given_up) == (0, 0)
    server.every = 0
    assert judge_stored(said, **LIVE) == 5
    assert count_open(RUNS)[0].judged == 5


@pytest.mark.parametrize("fault", ["400", "500"])
def test_what_a_worker_had_in_hand_when_it_had_to_stop_is_in_the_queue_again(
    server, said, monkeypatch, tmp_path, fault
):
    monkeypatch.setattr(working, "Policy", partial(Policy, grace=0.1))
    server.every, server.fault = 1, fault
    with RedisServer(tmp_path / "redis") as redis:
        submitter = Submitter(RUNS, StreamingConfig(collections=("desk",), redis=redis.url), clock=lambda: NOW)
        for number in range(5):
            submitter.submit(make_exchange(number))
        with nullcontext() if fault == "500" else pytest.raises(JudgeError, match="3 times in a row"):
            judge_queue(redis, lambda: fault == "500" and server.messages, said, **LIVE)
        assert count_waiting(redis.url, "desk") == 5
        server.every = 0
        assert judge_queue(redis, lambda: count_open(RUNS)[0].judged == 5, **LIVE) == 5


# What it may cost.


def test_workers_stop_before_they_spend_more_than_the_limit_and_go_on_once_it_is_raised(server, said):
    # While a request is in flight others wait for what it costs, and none is passed over.
    server.latency = 0.05
    set_limit("0.15")
    hand_in()
    first = judge_stored(said, **LIVE)
    # Another worker, which has spent nothing itself.
    assert judge_stored(said, **LIVE) == 0
    (status,) = count_open(RUNS)
    assert 0 < first == status.judged < status.handed_in == 66
    assert server.messages == sum(len(path.read_bytes().splitlines()) for path in list_journals(list_open(RUNS)[0]))
    assert "of $0.1500 are spent; no more is asked until" in status.cost
    assert [line.partition(":")[0] for line in said] == ["desk 2026-07"] * 2
    assert Fraction("0.1") < spent() <= Fraction("0.15")
    with pytest.raises(CostLimitError, match="The limit of --max-cost is reached"):
        close(said, finish=True, **LIVE)
    with pytest.raises(RunError, match="is being closed"):
        erase_turns(EraseOrder(list_open(RUNS)[0], RUNS, (some_turn(),), "x"), NOW)
    assert (
        len((close(said, finish=True, max_cost=Fraction(100), **LIVE) / "scores.jsonl").read_text().splitlines()) == 69
    )


def test_a_limit_whose_prices_closing_does_not_know_does_not_close_the_intake(server, said, monkeypatch):
    set_limit(10)
    hand_in(0, 1)
    monkeypatch.setattr(closing, "load_prices", lambda _path: ())
    with pytest.raises(CostLimitError, match="no price is known for anthropic:claude-opus-5-5"):
        close(said, finish=True, **LIVE)
    assert hand_in(1, 2)[0].state == "stored"
    assert count_open(RUNS)[0].becoming is None


def spent():
    cost = count_open(RUNS)[0].cost
    return Fraction(cost.partition(" ")[0].removeprefix("$"))


def some_turn():
    return json.loads(next(list_turns(list_open(RUNS)[0])).read_text())["id"]


def test_a_limit_that_is_raised_holds_for_a_worker_that_waits(server, said):
    set_limit("0.0001")
    hand_in(0, 5)
    assert judge_stored(said, **LIVE) == 1, "the first is asked, since nobody knows what it costs"
    set_limit(10)
    assert judge_stored(said, **LIVE) == 4
    assert count_open(RUNS)[0].cost.endswith("of $10.00 are spent")


@pytest.mark.parametrize("has_queue", [False, True])
def test_a_worker_that_runs_on_goes_on_by_itself_when_the_limit_is_raised(
    server, said, tmp_path, monkeypatch, has_queue
):
    monkeypatch.setattr(queue_source, "IDLE", 0.1)
    with RedisServer(tmp_path / "redis") if has_queue else nullcontext() as redis:
        url = redis.url if redis else None
        set_limit("0.0001")
        submitter = Submitter(RUNS, StreamingConfig(redis=url), clock=lambda: NOW)
        for number in range(3):
            submitter.submit(make_exchange(number), "desk")
        assert raise_meanwhile(said, url) == 3
    assert any("the judge is asked again" in line for line in said)


def raise_meanwhile(said, url):
    """Works until the limit is reached, raises it, works until all are judged, and says how many were."""
    order = WorkOrder(RUNS, "desk", **LIVE, rubric="sql-agent-1", rows=20, concurrency=4, redis=url)

    def is_held():
        return said and not (url and count_waiting(url, "desk"))

    async def go():
        stop = asyncio.Event()
        working = asyncio.create_task(work(order, clock, said.append, stop))
        while not is_held() and not working.done():  # noqa: ASYNC110 - no event tells of it
            await asyncio.sleep(0.01)
        await asyncio.to_thread(set_limit, 10)
        while count_open(RUNS)[0].judged < 3 and not working.done():  # noqa: ASYNC110 - likewise
            await asyncio.sleep(0.01)
        stop.set()
        return await working

    return asyncio.run(go())


def write_prices(model, first):
    price = {"provider": "anthropic", "model": model, "from": first, "in": 1, "out": 1}
    rows = [price | {"source": "made up", "checked": "2026-01-01"}]
    Path("prices.yaml").write_text(json.dumps({"format": "reportgen/prices/1", "rows": rows}))
    return Path("prices.yaml")


def test_a_limit_that_cannot_be_kept_is_refused_at_once(server):
    prices = write_prices("claude-opus-5-5", "2090-01-01")
    for changed, problem in [
        ({"judge": "anthropic:claude-opus-5-5", "is_shared": False}, "do not see one archive"),
        ({"judge": "anthropic:claude-opus-5-5", "prices": prices}, "no price is known"),
    ]:
        with pytest.raises(Exception, match=problem):
            open_run(make_opening(**{**LIVE, **changed}, max_cost=Fraction(1)), clock())


# What is erased.


def everything():
    return b"".join(path.read_bytes() for path in RUNS.rglob("*") if path.is_file())


def erase(reportgen, *turns, run="desk/2026-07"):
    ended = reportgen("erase", run, *turns, "--reason", "Request of 4 August")
    assert ended.code == 0, ended.err
    return ended


def test_a_turn_of_an_open_run_goes_with_all_that_was_said_of_it_and_never_comes_back(server, said, reportgen):
    submitter = Submitter(RUNS, StreamingConfig(collections=("desk",)), clock=lambda: NOW)
    for number in range(3):
        submitter.submit(make_exchange(number, question=f"Of Zq{number}secret?"))
    with pytest.raises(ExchangeError):
        submitter.submit(make_exchange(1, question="Zq1secret again"))
    judge_stored(said, **LIVE)
    (journal,) = list_journals(list_open(RUNS)[0])
    lines = [json.loads(line) for line in journal.read_bytes().splitlines()]
    for line in lines:
        line["reply"]["explanation"] = f"Says Zq{line['turn'][2:]}secret."
    journal.write_bytes(b"".join(canonical(line) + b"\n" for line in lines))
    size = journal.stat().st_size
    before = everything()
    assert before.count(b"Zq1secret") >= 3
    would = reportgen("erase", "desk/2026-07", "t-1", "--reason", "x", "--dry-run")
    assert would.out.count("would erase") == 2
    assert everything() == before
    ended = erase(reportgen, "t-1")
    assert ended.out.splitlines() == [
        "erased  t-1 from runs/open/desk/2026-07",
        "erased  1 refused from runs/open/desk/aside.jsonl",
    ]
    assert b"Zq1secret" not in everything()
    assert journal.stat().st_size == size, "workers know the lines by where they begin"
    assert len([json.loads(line)["attempts"][0]["usage"] for line in journal.read_bytes().splitlines()]) == 3
    with pytest.raises(ExchangeError, match="was erased on request"):
        submitter.submit(make_exchange(1, question="Of Zq1secret?"))
    assert b"Zq1secret" not in everything()
    assert "2 handed in, 2 judged, 0 to judge, 1 erased" in reportgen("queue").out
    erase(reportgen, "t-1")
    folder = close(said, **LIVE)
    assert [json.loads(line)["id"] for line in (folder / "turns.jsonl").read_text().splitlines()] == ["t-0", "t-2"]
    assert "1 turn of what was handed in had been erased on request" in said[-1]
    assert reportgen("verify", folder).code == 0


def test_an_erasure_from_a_finished_run_reaches_what_was_handed_in_again(said, reportgen):
    hand_in(0, 2)
    finished = close(said, finish=True)
    turn = json.loads((finished / "turns.jsonl").read_text().splitlines()[0])
    del turn["labels"]["collection"]
    create_open(RUNS, Opening(collection="other", period="2026-07", timezone="UTC", opened_at=NOW))
    Path("one.json").write_text(json.dumps(turn))
    assert reportgen("submit", "one.json", "--collection", "other", "--no-judging").code == 0
    ended = erase(reportgen, turn["id"], run="july")
    assert ended.out.splitlines()[-1] == f"erased  {turn['id']} from runs/open/other/2026-07"
    assert list(list_turns(list_open(RUNS, "other")[0])) == []


def test_an_erasure_before_which_the_run_was_closed_does_not_say_that_it_was_done(said, monkeypatch):
    hand_in(0, 2)
    judge_stored(said)
    turn, found = some_turn(), erasing.find_in_open

    def close_meanwhile(*given):
        holding = found(*given)
        close(said)
        return holding

    monkeypatch.setattr(erasing, "find_in_open", close_meanwhile)
    with pytest.raises(RunError, match="desk 2026-07 is being closed as the run july"):
        erase_turns(EraseOrder(list_open(RUNS)[0], RUNS, (turn,), "x"), NOW)


def test_a_verdict_that_comes_after_the_erasure_leaves_none_of_its_words(server, said, reportgen, monkeypatch):
    from reportgen.archive.journal import Journal

    hand_in(0, 3)
    done, turn = Journal.append, some_turn()

    def erase_meanwhile(self, verdicts):
        if verdicts[0].turn == turn:
            erase_turns(EraseOrder(list_open(RUNS)[0], RUNS, (turn,), "x"), NOW)
        return done(self, verdicts)

    monkeypatch.setattr(Journal, "append", erase_meanwhile)
    judge_stored(said, **LIVE)
    lines = [json.loads(line) for path in list_journals(list_open(RUNS)[0]) for line in path.read_bytes().splitlines()]
    assert ["reply" in line for line in lines if line["turn"] == turn] == [False]
    assert all("reply" in line for line in lines if line["turn"] != turn)


def test_an_erasure_that_is_cut_off_is_finished_by_the_same_command(said, reportgen, monkeypatch):
    from reportgen.archive import open_erasing

    hand_in(0, 3)
    judge_stored(said)
    turn = some_turn()

    def cut_off(*_given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(open_erasing, "forget_verdicts", cut_off)
        assert reportgen("erase", "desk/2026-07", turn, "--reason", "x").code == 130
    assert len(list(list_turns(list_open(RUNS)[0]))) == 3
    erase(reportgen, turn)
    assert len(list(list_turns(list_open(RUNS)[0]))) == 2


def test_a_turn_that_many_hand_in_while_it_is_erased_is_not_there_afterwards(said):
    hand_in(0, 1)
    run, turn = list_open(RUNS)[0], some_turn()

    def hand_in_again(_number):
        try:
            return hand_in(0, 1)[0].state
        except ExchangeError as error:
            return error.what

    with ThreadPoolExecutor(4) as pool:
        answers = pool.map(hand_in_again, range(40))
        erase_turns(EraseOrder(run, RUNS, (turn,), "x"), NOW)
    assert {"known" if answer == "known" else answer.rpartition(": ")[2] for answer in answers} <= {
        "known", "it was erased on request"
    }  # fmt: skip
    assert list(list_turns(run)) == []


def test_what_was_erased_before_or_after_closing_is_refused_and_kept_nowhere(said, reportgen):
    submitter = Submitter(RUNS, StreamingConfig(collections=("desk",)), clock=lambda: NOW)
    exchanges = [make_exchange(number, question=f"Of Zq{number}secret?") for number in range(3)]
    for exchange in exchanges:
        submitter.submit(exchange)
    judge_stored(said)
    erase(reportgen, "t-0")
    folder = close(said)
    erase(reportgen, "t-1", run=str(folder))
    for exchange in exchanges[:2]:
        with pytest.raises(ExchangeError, match="was erased on request"):
            submitter.submit(exchange)
    assert submitter.submit(exchanges[2]).state == "known"
    assert [number for number in range(3) if b"Zq%dsecret" % number in everything()] == [2]


def test_a_turn_that_an_open_run_does_not_have_is_refused(said, reportgen):
    hand_in(0, 1)
    ended = reportgen("erase", "desk/2026-07", "t-none", "--reason", "x")
    assert (ended.code, "The open run desk 2026-07 has no turn t-none" in ended.err) == (1, True)
