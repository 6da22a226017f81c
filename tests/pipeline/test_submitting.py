"""Handing in an exchange: accepted ones are on disk, wrong ones are answered at once and kept aside."""

import errno
import json
import os
import socket
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reportgen.archive.open_runs import create_open, list_open, name_closing
from reportgen.archive.open_turns import freeze_turns, list_turns
from reportgen.config import StreamingConfig
from reportgen.errors import ConfigError, ExchangeError, StreamingError
from reportgen.model.opening import Closing, Opening
from reportgen.pipeline.redis_address import with_address
from reportgen.pipeline.submitting import Submitter
from tests.exchanges import NOW, make_exchange, read_aside

SETTINGS = StreamingConfig(collections=("desk",), max_bytes=2_000)


def open_submitter(settings=SETTINGS, now=NOW, zone="UTC"):
    return Submitter(Path("runs"), settings, zone, lambda: now)


pytestmark = pytest.mark.usefixtures("own_folder")


def kept(path):
    return [entry["reason"] for entry in read_aside(Path("runs/open") / path)]


def stored():
    return [str(run.opening) for run in list_open(Path("runs")) for _ in list_turns(run)]


@pytest.mark.parametrize("form", ["fields", "text", "bytes", "turn"])
def test_an_exchange_may_come_as_fields_as_a_line_or_as_a_turn(form):
    from reportgen.model.turn import Turn

    fields = make_exchange(captured_at=NOW) if form == "fields" else make_exchange()
    forms = {"fields": fields, "text": json.dumps(fields, default=str), "turn": None, "bytes": None}
    if form != "fields":
        forms |= {"bytes": json.dumps(fields).encode() + b"\n", "turn": Turn.from_data(fields)}
    receipt = open_submitter().submit(forms[form])
    assert (receipt.turn, receipt.collection, receipt.period, receipt.state) == ("t-1", "desk", "2026-07", "stored")
    assert "no Redis" in receipt.note
    assert stored() == ["desk 2026-07"]


def test_the_same_exchange_is_known_however_it_is_written_and_another_under_its_id_is_refused():
    submitter = open_submitter()
    submitter.submit(make_exchange())
    assert submitter.submit(json.dumps(dict(reversed(make_exchange().items())), indent=1)).state == "known"
    with pytest.raises(ExchangeError, match="accepted before with other content"):
        submitter.submit(make_exchange(question="Another?"))
    assert kept("desk/aside.jsonl") == ['id "t-1" was accepted before with other content']
    assert stored() == ["desk 2026-07"]


BUNDLE = {
    "answer": None,
    "segments": [{"question": "One?", "events": [0, 1], "answer": {"text": "17"}}],
    "id": "x" * 200,
}


@pytest.mark.parametrize(
    ("exchange", "problem"),
    [
        (b"{", "it is not JSON"),
        (b"\xff", "is not UTF-8"),
        (b"", "it is not JSON"),
        (b"[]", "is not a JSON object"),
        (b"[" * 1900, "nested too deeply"),
        (make_exchange(answer=None), '"answer" is missing'),
        (make_exchange(captured_at="yesterday"), "captured_at is not a date and time"),
        (make_exchange(question="x" * 2_000), "more than the 2,000 of max_bytes"),
        (make_exchange(id="t-1#2"), "ends like that of a part of a bundle"),
        ({name: value for name, value in (make_exchange() | BUNDLE).items() if value}, "leaves no room for the number"),
        (
            make_exchange(drawn={"strata": [], "population": 2, "drawn": 1, "seed": "s"}),
            "part of a sample",
        ),
        (make_exchange(labels={"collection": "other"}), "collection 'other' is unknown"),
        (make_exchange(labels={"collection": "../../etc"}), "collection '../../etc' is no name"),
    ],
)
def test_what_is_wrong_is_said_at_once_and_kept_aside(exchange, problem):
    with pytest.raises(ExchangeError) as refused:
        open_submitter().submit(exchange)
    assert problem in refused.value.what
    assert problem in kept("aside.jsonl")[0]
    assert stored() == []


def test_what_is_wrong_with_an_exchange_of_a_known_collection_is_kept_in_its_folder():
    submitter = open_submitter(StreamingConfig(collections=("desk", "web")))
    with pytest.raises(ExchangeError, match="its label collection is 'web', and it is handed in for 'desk'"):
        submitter.submit(make_exchange(labels={"collection": "web"}), "desk")
    with pytest.raises(ExchangeError, match="it is not JSON"):
        submitter.submit(b"{", "desk")
    assert len(kept("desk/aside.jsonl")) == 2
    assert stored() == []


@pytest.mark.parametrize("exchange", [b"{", make_exchange(labels={"collection": "web"})])
def test_what_is_refused_for_a_collection_that_is_open_on_purpose_is_kept_in_its_folder(exchange):
    create_open(Path("runs"), Opening(collection="old", period="2019", timezone="UTC", opened_at=NOW))
    with pytest.raises(ExchangeError):
        open_submitter().submit(exchange, "old")
    assert len(kept("old/aside.jsonl")) == 1


def test_what_is_refused_for_a_name_that_is_no_collection_makes_no_folder():
    for name in ("../../etc", "typo", "."):
        with pytest.raises(ExchangeError):
            open_submitter().submit(b"{", name)
    assert len(kept("aside.jsonl")) == 3
    assert [path.name for path in Path("runs/open").iterdir()] == ["aside.jsonl"]


def test_the_texts_of_users_are_for_the_user_of_the_program_alone():
    submitter = open_submitter()
    submitter.submit(make_exchange())
    with pytest.raises(ExchangeError):
        submitter.submit(b"{", "desk")
    (turn,) = list_turns(list_open(Path("runs"))[0])
    assert {path.stat().st_mode & 0o777 for path in (turn, Path("runs/open/desk/aside.jsonl"))} == {0o600}


def test_what_is_no_json_at_all_is_refused():
    with pytest.raises(ExchangeError, match="object is no JSON value"):
        open_submitter().submit({"id": object()})


def test_which_collection_is_meant_is_told_by_the_caller_or_the_label_or_the_only_one():
    submitter = open_submitter(StreamingConfig(collections=("desk", "web")))
    assert submitter.submit(make_exchange(1), "web").collection == "web"
    assert submitter.submit(make_exchange(2, labels={"collection": "desk"})).collection == "desk"
    with pytest.raises(ExchangeError, match="names no collection"):
        submitter.submit(make_exchange(3))


def test_a_turn_belongs_to_the_period_in_which_it_was_captured_in_the_time_zone_of_the_publisher():
    submitter = open_submitter(now=datetime(2026, 7, 31, 23, 30, tzinfo=UTC), zone="Europe/London")
    assert submitter.submit(make_exchange(1, captured_at="2026-07-31T22:59:59Z")).period == "2026-07"
    assert submitter.submit(make_exchange(2, captured_at="2026-07-31T23:00:00Z")).period == "2026-08"


@pytest.mark.parametrize("captured_at", ["2026-01-20T08:00:00Z", "2199-01-01T00:00:00Z"])
def test_a_clock_that_has_jumped_opens_no_run_and_its_turn_is_kept_aside(captured_at):
    with pytest.raises(ExchangeError, match=f"`reportgen open --collection desk --period {captured_at[:7]}` opens one"):
        open_submitter().submit(make_exchange(captured_at=captured_at))
    assert list_open(Path("runs")) == []
    assert len(kept("desk/aside.jsonl")) == 1


def test_a_clock_that_jumps_on_this_machine_loses_nothing_of_a_run_that_is_open():
    for number, now in enumerate([NOW, datetime(1999, 1, 1, tzinfo=UTC), datetime(2038, 1, 1, tzinfo=UTC)]):
        open_submitter(now=now).submit(make_exchange(number))
    assert stored() == ["desk 2026-07"] * 3


def test_a_collection_with_a_run_that_was_opened_on_purpose_needs_no_configuration():
    create_open(Path("runs"), Opening(collection="old", period="2019", timezone="UTC", opened_at=NOW))
    receipt = open_submitter().submit(make_exchange(captured_at="2019-03-01T08:00:00Z"), "old")
    assert (receipt.collection, receipt.period) == ("old", "2019")


def test_after_closing_an_exchange_is_refused_with_the_run_that_became_of_it():
    submitter = open_submitter()
    submitter.submit(make_exchange(1))
    (run,) = list_open(Path("runs"))
    freeze_turns(run)
    name_closing(run, Closing(run="july"))
    with pytest.raises(ExchangeError, match="desk 2026-07 is closed as the run july"):
        submitter.submit(make_exchange(2))
    with pytest.raises(ExchangeError, match="is closed"):
        open_submitter().submit(make_exchange(3))
    assert stored() == ["desk 2026-07"]


def test_a_full_disk_refuses_while_the_caller_can_still_act(monkeypatch):
    submitter = open_submitter()
    submitter.submit(make_exchange(1))

    def fail(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(os, "write", fail)
        with pytest.raises(StreamingError, match="could not be stored, and is not: No space left"):
            submitter.submit(make_exchange(2))
        with pytest.raises(ExchangeError) as refused:
            submitter.submit(b"{")
        assert "kept" not in refused.value.fix
    assert submitter.submit(make_exchange(2)).state == "stored"


def test_a_redis_that_is_not_there_costs_no_exchange_and_is_not_asked_each_time(monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"redis://:secret@127.0.0.1:{free.getsockname()[1]}/0"
    submitter = open_submitter(StreamingConfig(collections=("desk",), redis=address))
    notes = {submitter.submit(make_exchange(1)).note}
    monkeypatch.setattr(submitter._sender, "_broker", None)
    notes.add(submitter.submit(make_exchange(2)).note)
    (note,) = notes
    assert "refused" in note
    assert "secret" not in note
    assert stored() == ["desk 2026-07"] * 2


def test_many_processes_hand_in_the_same_exchanges_and_each_is_stored_once():
    code = (
        "import sys\nfrom tests.exchanges import make_exchange\nfrom reportgen.streaming import submit\n"
        "print(*(submit(make_exchange(number)).state for number in range(40)))"
    )
    Path("config.yaml").write_text("streaming: {collections: [desk]}")
    create_open(Path("runs"), Opening(collection="desk", period="2026-07", timezone="UTC", opened_at=NOW))
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", code]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(3)]
    told = [state for process in processes for state in process.communicate()[0].split()]
    assert sorted(told) == ["known"] * 80 + ["stored"] * 40
    assert len(stored()) == 40


def test_the_address_of_redis_may_come_from_the_environment_and_a_wrong_one_is_not_printed(monkeypatch):
    monkeypatch.setenv("REPORTGEN_REDIS", "redis://:secret@queue:6379/0")
    assert with_address(SETTINGS).redis == "redis://:secret@queue:6379/0"
    monkeypatch.setenv("REPORTGEN_REDIS", "secret without a scheme")
    with pytest.raises(ConfigError) as refused:
        with_address(SETTINGS)
    assert "secret" not in str(refused.value)


def test_handing_in_loads_nothing_heavy():
    code = "import sys, reportgen.streaming; print(*sys.modules)"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert not {"anthropic", "numpy", "scipy", "weasyprint", "dramatiq", "jinja2"} & set(printed.stdout.split())
