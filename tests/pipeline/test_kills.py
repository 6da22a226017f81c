"""Whole runs that are killed ten times at random moments and go on: nothing is lost, next to nothing asked twice.

A failure prints its seed; `REPORTGEN_SEED=N pytest tests/pipeline/test_kills.py` kills at the same moments again.
"""

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest

from reportgen.resources import resource
from tests.batch_run import QUICK
from tests.judge_batches import Batches
from tests.judge_server import served
from tests.program import start

TURNS = resource("examples") / "sql" / "turns.jsonl"
RUN = "killed"
IN_FLIGHT = 4
LATENCY = 0.02
SMALL = replace(QUICK, size=4, group=2, most_open=2)
AT_WORK = 7
"""So many of the ten kills; one comes before, while the run begins, and two after, while it is finished."""

RESUMING = ("open .lock", "open verdicts.jsonl", "open .draft.json.part", "rename draft.json")
SETTLING = "open .canaries.jsonl.part"
"""The first file operation of a run that has all its verdicts."""
SEALING = "rename run.json"
FINISHING = (
    "open .verdicts.jsonl.part",
    "rename verdicts.jsonl",
    "rename scores.jsonl",
    "open .run.json.part",
    SEALING,
)
CLOSING = ("remove batches.jsonl", "remove canaries.jsonl", "remove draft.json")

PERSONAL = ("request_id", "asked_at", "seconds", "usage")
"""What no two attempts have in common."""


@pytest.fixture
def chance():
    seed = int(os.environ.get("REPORTGEN_SEED") or random.randrange(1_000_000))
    print(f"REPORTGEN_SEED={seed}")
    return random.Random(seed)


@pytest.fixture
def server(monkeypatch, tmp_path):
    with served(monkeypatch, latency=LATENCY) as running:
        running.batches.looks = 2
        (tmp_path / "turns.jsonl").write_text(TURNS.read_text() + '{"id": "bad"}\n')
        monkeypatch.chdir(tmp_path)
        yield running


class Program:
    """One run, begun and resumed; all that belongs to it is in a folder of that name."""

    def __init__(self, name, chance=None, batch=None):
        self.chance, self.batch = chance, batch
        self.folder = Path(name).absolute()
        self.folder.mkdir()
        self.run = self.folder / "runs" / RUN

    def arguments(self):
        places = ["--runs", str(self.run.parent), "--run-id", RUN, "--out", str(self.folder / "report")]
        judge = ["--judge", "anthropic:claude-opus-5-5", "--concurrency", str(IN_FLIGHT)]
        more = [*(["--batch"] if self.batch else []), *(["--resume"] if self.run.exists() else [])]
        return [
            "run",
            str(self.folder.parent / "turns.jsonl"),
            "--skip-bad",
            *places,
            *judge,
            "--format",
            "json",
            *more,
        ]

    def go_to_the_end(self):
        process = start(self.arguments(), self.folder, batch=self.batch)
        process.join(60)
        assert process.exitcode == 0, self.output()

    def end_as_a_command(self):
        """The same as the shell would do it, without any fork."""
        command = [sys.executable, "-m", "reportgen", *self.arguments()]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr

    def die_at(self, *operations):
        """Goes on and dies by itself at the first of some file operations."""
        print(f"{self.kept()} kept; dies at {' or '.join(operations)}")
        process = start(self.arguments(), self.folder, operations, self.batch)
        process.join(60)
        assert process.exitcode == -9, self.output()

    def kill_when(self, is_there, what):
        """Goes on and is killed within a moment after something is there."""
        print(f"{self.kept()} kept; killed at {what}")
        process = start(self.arguments(), self.folder, (SEALING,), self.batch)
        while process.is_alive() and not is_there():
            time.sleep(0.001)
        time.sleep(self.chance.uniform(0, LATENCY))
        process.kill()
        process.join(60)
        assert is_there(), self.output()

    def kept(self):
        path = self.run / "verdicts.jsonl"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def steps(self):
        """What the journal of the batches says: `intent`, `created`, and so on."""
        path = self.run / "batches.jsonl"
        lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
        return [json.loads(line)["step"] for line in lines]

    def beginning(self):
        """The file operations before the first that needs all verdicts."""
        operations = (self.folder / "events.txt").read_text().splitlines()
        return sorted(set(takewhile(lambda operation: operation != SETTLING, operations)))

    def output(self):
        return (self.folder / "output.txt").read_text()

    def verdicts(self):
        """The verdicts, those on canaries too, without what is personal to their attempts."""
        canaries = json.loads((self.run / "run.json").read_text())["canaries"]
        lines = (self.run / "verdicts.jsonl").read_text().splitlines()
        found = [*map(json.loads, lines), *(verdict for canary in canaries for verdict in canary["verdicts"])]
        for attempt in (attempt for verdict in found for attempt in verdict["attempts"]):
            for name in PERSONAL:
                attempt.pop(name, None)
            attempt["batch"] = "batch" in attempt
        return found


def require_equal(broken, whole):
    """The same files, scores that are the same byte by byte, and verdicts that differ in what is personal only."""
    files = [sorted(path.name for path in program.run.iterdir()) for program in (broken, whole)]
    assert files[0] == files[1]
    for name in ("turns.jsonl", "set-aside.jsonl", "scores.jsonl"):
        assert (broken.run / name).read_bytes() == (whole.run / name).read_bytes()
    assert broken.verdicts() == whole.verdicts()


def kill_ten_times(broken, whole, moments):
    """Kills it while it begins, at work by one moment after the other, while it is finished, and right after."""
    broken.die_at(broken.chance.choice(whole.beginning()))
    for moment in moments:
        moment(broken)
    broken.die_at(broken.chance.choice(FINISHING))
    broken.die_at(broken.chance.choice(FINISHING + CLOSING))


def test_a_run_that_is_killed_before_it_is_noted_goes_on_with_all_that_was_captured(server):
    whole, broken = Program("whole"), Program("broken")
    whole.go_to_the_end()
    broken.die_at("open set-aside.jsonl")
    broken.go_to_the_end()
    require_equal(broken, whole)


def test_a_live_run_that_is_killed_ten_times_ends_as_if_undisturbed(server, chance):
    def asked(broken, count):
        goal = server.asked + count
        broken.kill_when(lambda: server.asked >= goal, f"{count} more asked")

    def kept(broken, count):
        goal = broken.kept() + count
        broken.kill_when(lambda: broken.kept() >= goal, f"{count} more kept")

    def resumed(broken, _count):
        broken.die_at(chance.choice(RESUMING))

    whole, broken = Program("whole"), Program("broken", chance)
    whole.go_to_the_end()
    needed, server.messages = server.messages, 0
    moments = [*chance.choices((asked, kept), k=AT_WORK - 1), resumed]
    chance.shuffle(moments)
    counts = [chance.randint(1, 6) for _ in moments]
    kill_ten_times(broken, whole, [lambda run, m=m, n=n: m(run, n) for m, n in zip(moments, counts, strict=True)])
    broken.end_as_a_command()
    require_equal(broken, whole)
    assert needed < server.messages <= needed + IN_FLIGHT * AT_WORK


def test_a_run_in_batches_that_is_killed_ten_times_ends_as_if_undisturbed(server, chance):
    def intended(broken):
        goal = broken.steps().count("intent") + chance.randint(1, 2)
        broken.kill_when(lambda: broken.steps().count("intent") >= goal, "an intent")

    def created(broken):
        goal = len(server.batches.made) + chance.randint(1, 2)
        broken.kill_when(lambda: len(server.batches.made) >= goal, "a creation, maybe before its answer")

    def looked(broken):
        goal = server.batches.looked + chance.randint(1, 3)
        broken.kill_when(lambda: server.batches.looked >= goal, "a look")

    def taking(broken):
        server.batches.downloading.append(("stall", chance.randint(0, SMALL.size)))
        broken.kill_when(lambda: not server.batches.downloading, "a download that is on its way")

    whole, broken = Program("whole", batch=SMALL), Program("broken", chance, SMALL)
    whole.go_to_the_end()
    sent = sorted(server.batches.ids)
    server.batches, server.messages = Batches(server), 0
    server.batches.looks = 2
    moments = [intended, created, looked, taking]
    moments += chance.choices(moments, k=AT_WORK - len(moments))
    chance.shuffle(moments)
    kill_ten_times(broken, whole, moments)
    broken.end_as_a_command()
    require_equal(broken, whole)
    assert sorted(server.batches.ids) == sent, "no request was sent in two batches"
    assert server.messages == 1, "the one that goes alone"
