"""Workers that share a queue in a real Redis: they, Redis and the judge fail in the middle, and nothing is lost."""

import asyncio
import json
import socket
import threading
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reportgen.archive.open_runs import create_open, list_open
from reportgen.archive.open_turns import list_turns
from reportgen.archive.open_verdicts import list_journals
from reportgen.config import StreamingConfig
from reportgen.errors import ConfigError, RunError, TermsError
from reportgen.model.opening import Opening
from reportgen.pipeline import queue_source
from reportgen.pipeline.submitting import Submitter
from reportgen.pipeline.working import WorkOrder, work
from reportgen.resources import resource
from reportgen.transport import broker
from reportgen.transport.broker import Unreachable
from reportgen.transport.queue import Receiver, Sender, count_waiting
from tests.exchanges import NOW, essence_of, make_exchange, read_aside
from tests.judge_server import KEY, JudgeServer
from tests.program import start
from tests.redis_server import RedisServer

TURNS = resource("examples") / "sql" / "turns.jsonl"
RECORDED = f"recorded:{resource('examples') / 'sql' / 'example-verdicts.jsonl'}"
RUNS = Path("runs")
OPENING = Opening(collection="desk", period="2026-07", timezone="UTC", opened_at=NOW)


pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture
def redis(tmp_path):
    with RedisServer(tmp_path / "redis") as server:
        yield server


def open_submitter(redis, **settings):
    create_open(RUNS, OPENING)
    return Submitter(RUNS, StreamingConfig(redis=redis.url, **settings), clock=lambda: NOW)


def wait_until(holds, what="it did not come about"):
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def count_judged():
    runs = [run for run in list_open(RUNS, on_damage=lambda _: None) if run.workers.exists()]
    lines = [
        line for run in runs for path in list_journals(run) for line in path.read_bytes().splitlines(keepends=True)
    ]
    return len({json.loads(line)["turn"] for line in lines if line.endswith(b"\n")})


# What the queue does.


def test_what_is_taken_and_not_acknowledged_comes_again_once_its_worker_is_silent(redis, monkeypatch):
    monkeypatch.setattr(broker, "HEARTBEAT", 0.3)
    sender = Sender(redis.url, 100)
    for number in range(3):
        assert sender.send("desk", {"number": number}) is None
    dead, living = (Receiver(redis.url, "desk", 10) for _ in range(2))
    first = dead.fetch()
    first.acknowledge()
    found = []
    wait_until(lambda: found.append(living.fetch()) or sum(item is not None for item in found) == 2)
    assert sorted(item.parcel["number"] for item in found if item) == [1, 2]
    assert count_waiting(redis.url, "desk") == 2


def test_what_is_given_back_or_was_not_delivered_yet_is_there_for_others_at_once(redis):
    sender = Sender(redis.url, 100)
    for number in range(3):
        sender.send("desk", {"number": number})
    one, other = (Receiver(redis.url, "desk", 10) for _ in range(2))
    one.fetch().give_back()
    one.close()
    assert sorted(other.fetch().parcel["number"] for _ in range(3)) == [0, 1, 2]


def test_what_a_worker_has_in_hand_when_redis_goes_is_given_to_no_other_while_it_lives(redis):
    Sender(redis.url, 100).send("desk", {"number": 0})
    receiver = Receiver(redis.url, "desk", 10)
    client, name = receiver._broker.client, receiver._broker.broker_id
    delivery = receiver.fetch()
    for _ in range(2):
        receiver.reconnect()
    client.zadd("reportgen:__heartbeats__", {name: 1})
    receiver.beat()
    assert client.zscore("reportgen:__heartbeats__", name) > 1, "it is alive under its first name too"
    delivery.acknowledge()
    assert count_waiting(redis.url, "desk") == 0
    client.zadd("reportgen:__heartbeats__", {name: 1})
    receiver.beat()
    assert client.zscore("reportgen:__heartbeats__", name) in (1, None)


@pytest.mark.parametrize("message", [b"garbage", b"[1]", json.dumps({"queue_name": "desk"}).encode()])
def test_what_is_damaged_keeps_nothing_back_when_a_worker_ends(redis, message):
    sender = Sender(redis.url, 100)
    sender.send("desk", {"number": 0})
    sender._broker.do_enqueue("desk", "damaged", message)
    sender.send("desk", {"number": 1})
    one, other = (Receiver(redis.url, "desk", 10) for _ in range(2))
    one.fetch()
    one.close()
    assert other.fetch().parcel == {"number": 1}


def test_a_full_queue_and_a_redis_without_memory_take_nothing_and_say_why(redis, tmp_path):
    submitter = open_submitter(redis, max_waiting=1)
    assert submitter.submit(make_exchange(1), "desk").state == "queued"
    receipt = submitter.submit(make_exchange(2), "desk")
    assert (receipt.state, receipt.note) == ("stored", "the queue is full: 1 exchanges wait")
    with RedisServer(tmp_path / "small", memory=1) as small:
        receipt = open_submitter(small).submit(make_exchange(3), "desk")
    assert receipt.state == "stored"
    assert "maxmemory" in receipt.note
    assert len(list(list_turns(list_open(RUNS)[0]))) == 3


def test_workers_take_out_what_is_there_however_much_is_handed_in(tmp_path):
    with RedisServer(tmp_path / "small", memory=4_000_000) as small:
        sender, receiver = Sender(small.url, 100_000), Receiver(small.url, "desk", 10)
        why = next(filter(None, (sender.send("desk", {"turn": "x" * 10_000}) for _ in range(1_000))))
        assert why == "the queue is full: Redis has used most of its maxmemory"
        assert not receiver.send({"turn": "x"})
        receiver.fetch().acknowledge()


def test_a_redis_that_does_not_tell_its_memory_takes_parcels_all_the_same(redis):
    Sender(redis.url, 1)._broker.client.execute_command(
        "ACL", "SETUSER", "limited", "on", ">word", "~*", "&*", "+@all", "-info"
    )
    assert Sender(redis.url.replace("redis://", "redis://limited:word@"), 100).send("desk", {"turn": "x"}) is None
    assert count_waiting(redis.url, "desk") == 1


def test_what_is_put_into_an_empty_queue_at_once_is_only_so_much(redis, monkeypatch):
    from reportgen.transport import queue

    monkeypatch.setattr(queue, "_PORTION", 3)
    monkeypatch.setattr(queue_source, "IDLE", 0.1)
    submitter, said = open_submitter(redis), []
    hand_in(submitter, 0, 8)
    Sender(redis.url, 100)._broker.flush("desk")
    assert judge_queue(redis, lambda: count_judged() == 8, said) == 8
    assert [line[:1] for line in said if "are in it now" in line] == ["3", "3", "2"]


def test_a_redis_that_has_gone_is_named_without_its_password(redis):
    redis.kill()
    with pytest.raises(Unreachable, match=f"Redis at 127.0.0.1:{redis.port}") as gone:
        count_waiting(redis.url.replace("redis://", "redis://:secret@"), "desk")
    assert "secret" not in str(gone.value)


# One worker, in this process, with recorded verdicts.


def judge_queue(redis, until, said=None, **changed):
    """Works until the condition holds, and gives how many turns were judged."""
    order = {"judge": RECORDED, "effort": "medium", "rubric": "sql-agent-1", "rows": 20, "concurrency": 4} | changed
    said = [] if said is None else said

    async def go():
        stop = asyncio.Event()
        order_of_work = WorkOrder(RUNS, "desk", redis=redis.url, **order)
        working = asyncio.create_task(work(order_of_work, lambda: datetime.now(UTC), said.append, stop))
        end = time.monotonic() + 60
        while not until() and not working.done():
            assert time.monotonic() < end, said
            await asyncio.sleep(0.02)
        stop.set()
        return await working

    return asyncio.run(go())


def hand_in(submitter, first=0, last=None):
    return [submitter.submit(line, "desk") for line in TURNS.read_bytes().splitlines()[first:last]]


def test_what_is_no_turn_of_the_collection_is_kept_aside_and_does_not_stop_the_worker(redis):
    submitter, sender = open_submitter(redis), Sender(redis.url, 100)
    sender.send("desk", {"opening": {"period": "../../etc"}, "turn": "{}"})
    sender.send("desk", {"opening": OPENING.model_copy(update={"collection": "web"}).to_data(), "turn": "{}"})
    sender.send("desk", {"opening": OPENING.to_data(), "turn": 7})
    sender._broker.do_enqueue("desk", "damaged", b"no message")
    hand_in(submitter, 0, 1)
    assert judge_queue(redis, lambda: count_judged() == 1) == 1
    reasons = [entry["reason"] for entry in read_aside(RUNS / "open/desk/aside.jsonl")]
    assert sorted(reason[:28] for reason in reasons) == [
        "found in the queue:  is not ",
        *["found in the queue: opening "] * 3,
    ]


UNSENT = {"queue_name": "desk", "actor_name": "judge", "args": [], "message_id": "m", "message_timestamp": 1}


@pytest.mark.parametrize(
    "message",
    [
        b"garbage",
        b"[" * 100_000,
        b"[1]",
        b'{"no": "message"}',
        json.dumps(UNSENT | {"kwargs": {}, "options": {}}).encode(),
        json.dumps(UNSENT | {"kwargs": [], "options": {"redis_message_id": "damaged"}}).encode(),
        json.dumps(UNSENT | {"kwargs": {}, "options": {"redis_message_id": "another"}}).encode(),
        None,
    ],
)
def test_a_message_that_the_program_has_not_sent_is_removed_and_the_queue_is_filled_again(redis, monkeypatch, message):
    monkeypatch.setattr(queue_source, "IDLE", 0.1)
    hand_in(open_submitter(redis), 0, 1)
    Sender(redis.url, 100)._broker.flush("desk")
    broker = Sender(redis.url, 100)._broker
    broker.do_enqueue("desk", "damaged", message or b"")
    if message is None:
        broker.client.delete("reportgen:desk.msgs")
    assert judge_queue(redis, lambda: count_judged() == 1) == 1
    assert count_waiting(redis.url, "desk") == 0


@pytest.mark.parametrize(("period", "zone"), [("2026-10", "Nope/Zone"), ("9999-99", "UTC"), ("9999", "UTC")])
def test_a_parcel_for_a_period_or_a_zone_that_is_none_opens_nothing(redis, period, zone):
    submitter = open_submitter(redis)
    opening = OPENING.to_data() | {"period": period, "timezone": zone}
    Sender(redis.url, 100).send("desk", {"opening": opening, "turn": TURNS.read_text().splitlines()[1]})
    hand_in(submitter, 0, 1)
    assert judge_queue(redis, lambda: count_judged() == 1) == 1
    assert [run.opening.period for run in list_open(RUNS)] == ["2026-07"]


def test_a_worker_that_sees_the_archive_judges_nothing_that_was_not_handed_in(redis):
    submitter, sender = open_submitter(redis), Sender(redis.url, 100)
    first, second = (json.loads(line) for line in TURNS.read_text().splitlines()[:2])
    for turn in (second, first | {"question": "Another under its id?"}):
        sender.send("desk", {"opening": OPENING.to_data(), "turn": json.dumps(turn)})
    hand_in(submitter, 0, 1)
    assert judge_queue(redis, lambda: count_judged() == 1) == 1
    reasons = [entry["reason"] for entry in read_aside(RUNS / "open/desk/aside.jsonl")]
    assert len(reasons) == 2
    assert all("is not what was handed in for desk 2026-07" in reason for reason in reasons)


@pytest.mark.parametrize("damage", ["absent", "unreadable", "another period"])
def test_a_worker_that_sees_the_archive_opens_no_run_by_way_of_the_queue(redis, damage):
    submitter, period = open_submitter(redis), "2027" if damage == "another period" else "2026"
    folder = RUNS / "open/desk" / period
    if damage == "unreadable":
        folder.mkdir()
        (folder / "opening.json").write_text("{")
    parcel = {"opening": OPENING.to_data() | {"period": period}, "turn": TURNS.read_text().splitlines()[1]}
    Sender(redis.url, 100).send("desk", parcel)
    hand_in(submitter, 0, 1)
    assert judge_queue(redis, lambda: count_judged() == 1) == 1
    assert [run.opening.period for run in list_open(RUNS, on_damage=lambda _: None)] == ["2026-07"]
    (entry,) = read_aside(RUNS / "open/desk/aside.jsonl")
    reasons = {"absent": "is open", "unreadable": "cannot be read", "another period": "was captured at"}
    assert reasons[damage] in entry["reason"]


@pytest.mark.parametrize("answer", [b"+OK\r\n", b":1\r\n", b"*1\r\n:1\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_what_does_not_speak_as_redis_does_costs_no_exchange(answer):
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        threading.Thread(target=answer_each, args=(listener, answer), daemon=True).start()
        create_open(RUNS, OPENING)
        url = f"redis://127.0.0.1:{listener.getsockname()[1]}"
        receipt = Submitter(RUNS, StreamingConfig(redis=url), clock=lambda: NOW).submit(make_exchange(1), "desk")
    assert receipt.state == "stored"
    assert receipt.note.startswith("Redis at 127.0.0.1")


def answer_each(listener, answer):
    """The same answer to whatever is asked, until the other side has enough."""
    with suppress(OSError):
        while True:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                while connection.recv(65536):
                    connection.sendall(answer * 8)


@pytest.mark.parametrize(
    "url",
    [
        "redis://:hunter2/x@127.0.0.1:6379/0",
        "redis://hunter2#x@127.0.0.1:6379/0",
        "redis://:hunter2?x@127.0.0.1:6379/0",
        "redis://127.0.0.1:6379/0?hunter2=1",
        "redis://:hunter2[@127.0.0.1:6379/0",
        "redis://:hunter2[x]@127.0.0.1:6379/0",
        "redis://:hunter2\u2100@127.0.0.1:6379/0",
    ],
)
def test_nothing_of_an_address_that_is_none_is_printed(url):
    with pytest.raises(ConfigError) as refused:
        Sender(url, 100)
    assert "hunter2" not in str(refused.value)
    assert "%2F" in refused.value.fix


def test_a_worker_with_other_terms_gives_back_what_it_took(redis):
    submitter = open_submitter(redis)
    judge_queue(redis, lambda: True)
    hand_in(submitter, 0, 2)
    judge_queue(redis, lambda: count_judged() == 2)
    hand_in(submitter, 2, 3)
    with pytest.raises(TermsError, match="'rows': 10"):
        judge_queue(redis, lambda: False, rows=10)
    assert count_waiting(redis.url, "desk") == 1
    assert judge_queue(redis, lambda: count_judged() == 3) == 1


def test_a_worker_that_cannot_save_gives_back_what_it_took(redis, monkeypatch):
    from reportgen.archive.journal import Journal

    hand_in(open_submitter(redis), 0, 3)
    with monkeypatch.context() as full:
        full.setattr(Journal, "_write", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(RunError, match="could not be saved: No space left") as refused:
            judge_queue(redis, lambda: False)
    assert refused.value.fix == "Make room or make it writable, then start the worker again."
    assert count_waiting(redis.url, "desk") == 3
    assert judge_queue(redis, lambda: count_judged() == 3) == 3


def test_a_redis_that_has_lost_its_memory_gets_every_turn_without_a_verdict_again(tmp_path, monkeypatch):
    monkeypatch.setattr(queue_source, "IDLE", 0.1)
    said = []
    with RedisServer(tmp_path / "forgetful", lasting=False) as redis:
        submitter = open_submitter(redis)
        hand_in(submitter, 0, 10)
        judge_queue(redis, lambda: count_judged() == 10)
        hand_in(submitter, 10, 20)
        redis.kill()
        assert {receipt.state for receipt in hand_in(submitter, 20, 25)} == {"stored"}

        def until():
            # It begins while Redis is away, and waits for it.
            if said and redis._process is None:
                redis.start()
            return count_judged() == 25

        assert judge_queue(redis, until, said) == 15
    assert [line.partition(":")[0] for line in said if line.startswith("Redis")] == ["Redis at 127.0.0.1"] * 2
    assert "15 turns that were not in the queue are in it now" in said


def test_a_turn_that_comes_twice_is_judged_once(redis):
    submitter = open_submitter(redis)
    hand_in(submitter, 0, 1)
    parcel = Receiver(redis.url, "desk", 1).fetch()
    for _ in range(3):
        Sender(redis.url, 100).send("desk", parcel.parcel)
    # What the silent receiver holds is given out again, once it is taken for dead.
    judge_queue(redis, lambda: count_waiting(redis.url, "desk") <= 1)
    (journal,) = list_journals(list_open(RUNS)[0])
    assert len(journal.read_text().splitlines()) == 1


def test_workers_that_do_not_see_the_archive_are_sent_all_that_they_need(redis, tmp_path):
    hand_in(open_submitter(redis), 0, 5)
    here, there = tmp_path / "runs", tmp_path / "elsewhere"
    there.mkdir()
    order = WorkOrder(
        there, "desk", judge=RECORDED, effort="medium", rubric="sql-agent-1", rows=20, concurrency=4, redis=redis.url,
        is_shared=False,
    )  # fmt: skip

    async def go():
        stop = asyncio.Event()
        working = asyncio.create_task(work(order, lambda: datetime.now(UTC), lambda line: None, stop))
        while count_waiting(redis.url, "desk") and not working.done():  # noqa: ASYNC110 - no event tells of it
            await asyncio.sleep(0.02)
        stop.set()
        return await working

    assert asyncio.run(go()) == 5
    (worker,) = (there / "open/desk/2026-07/workers").iterdir()
    assert count_judged() == 0
    worker.rename(here / "open/desk/2026-07/workers" / worker.name)
    assert count_judged() == 5


# Workers as processes, with a judge on loopback.


@pytest.fixture
def judge(monkeypatch):
    with JudgeServer(latency=0.05, every=29, fault="500") as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        yield server


def start_worker(number, redis):
    folder = Path(f"worker-{number}").absolute()
    folder.mkdir()
    settings = {"effort": "low", "concurrency": 2, "canaries": False, "streaming": {"redis": redis.url}}
    Path("config.yaml").write_text(json.dumps(settings | {"runs": str(RUNS.absolute())}))
    config = str(Path("config.yaml").absolute())
    return start(["worker", "--collection", "desk", "--config", config], folder, heartbeat=1.0)


def test_workers_and_redis_are_killed_in_the_middle_and_every_turn_is_judged_once(redis, judge, reportgen):
    receipts = hand_in(open_submitter(redis))
    workers = [start_worker(number, redis) for number in range(3)]
    wait_until(lambda: count_judged() >= 10)
    workers[0].kill()
    wait_until(lambda: count_judged() >= 25)
    redis.kill()
    redis.start()
    wait_until(lambda: count_judged() >= 40)
    workers[1].kill()
    wait_until(lambda: count_judged() == 69, lambda: Path("worker-2/output.txt").read_text())
    workers[2].terminate()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [-9, -9, 0]
    assert "turns were judged" in Path("worker-2/output.txt").read_text()
    judge.every = 0
    assert reportgen("close", "--collection", "desk", "--period", "2026-07", "--run-id", "july").code == 0
    in_order = (RUNS / "july/turns.jsonl").read_bytes()
    assert len(in_order.splitlines()) == 69
    Path("turns.jsonl").write_bytes(in_order)
    assert reportgen("judge", "turns.jsonl", "--runs", "alone", "--run-id", "july").code == 0
    assert len(receipts) == 66
    ours, alone = (essence_of(folder / "july") for folder in (RUNS, Path("alone")))
    # A file of single turns is no capture of bundles: how many were captured, and from what, is another matter.
    for content in (ours[0], alone[0]):
        del content["manifest"]["sources"], content["manifest"]["capture"]
    assert ours == alone
    assert reportgen("verify", "runs/july").code == 0
