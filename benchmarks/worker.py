"""Exchanges are handed in while workers judge them; workers and Redis are killed in the middle, and nothing is lost.

    .venv/bin/python benchmarks/worker.py                      # 10,000 exchanges, about five minutes
    .venv/bin/python benchmarks/worker.py --exchanges 1000
    .venv/bin/python benchmarks/worker.py --no-redis           # without Redis: stored, judged when it is closed

Four workers judge; two are killed, Redis is killed and started again, the judge fails now and then. Then the run is
closed, and compared with one that a single process judged from a file of the same turns.
"""

import argparse
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
COLLECTION, PERIOD, RUN = "help-desk", "2026-07", "compared"
SUBMITTERS, WORKERS, KILLED = 4, 4, 2
LIMIT = 0.010
"""Seconds in which a call of `submit` shall return, at the 99th percentile."""
PERSONAL = {"run_id", "started_at", "finished_at"}


def main() -> int:
    """Runs all of it, and ends with 1 where something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exchanges", type=int, default=10_000)
    parser.add_argument("--latency", type=float, default=0.02, help="seconds that the judge takes for an answer")
    parser.add_argument("--no-redis", action="store_true")
    parser.add_argument("--submitter", nargs=3, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.submitter:
        return submit_all(*chosen.submitter)
    with tempfile.TemporaryDirectory(prefix="reportgen-worker-") as folder:
        os.chdir(folder)
        return run(chosen)


def run(chosen) -> int:
    from tests.redis_server import RedisServer

    make_turns(chosen.exchanges)
    has_redis = not chosen.no_redis and shutil.which("redis-server") is not None
    with judge_server(chosen.latency) as judge:
        redis = RedisServer(Path("redis")).__enter__() if has_redis else None
        try:
            Path("config.yaml").write_text(json.dumps(settings(redis)))
            reportgen("open", "--collection", COLLECTION, "--period", PERIOD)
            seconds = stream(chosen.exchanges, redis) if redis else hand_in_alone(chosen.exchanges)
        finally:
            if redis:
                redis.kill()
        asked = judge.asked()
        print(f"  {seconds:.0f} s until all were judged; the judge was asked {asked:,} times")
        reportgen(
            "close", "--collection", COLLECTION, "--period", PERIOD, "--run-id", RUN, *([] if redis else ["--finish"])
        )
        reportgen("judge", "turns.jsonl", "--runs", "alone", "--run-id", RUN, "--concurrency", "32")
    reportgen("verify", f"runs/{RUN}")
    return tell(chosen.exchanges, is_inline=redis is None)


def settings(redis):
    return {
        "judge": "anthropic:claude-opus-5-5",
        "effort": "low",
        "streaming": {"redis": redis.url if redis else None, "collections": [COLLECTION]},
    }


def stream(count, redis) -> float:
    """Hands all in by several processes while workers judge; some are killed, and so is Redis."""
    began = time.monotonic()
    measure("by one process", 0, min(1000, count // 5))
    workers = [start("worker", "--collection", COLLECTION, "--concurrency", "8") for _ in range(WORKERS)]
    edges = [
        min(1000, count // 5) + (count - min(1000, count // 5)) * part // SUBMITTERS for part in range(SUBMITTERS + 1)
    ]
    submitters = [start_submitter(*edge) for edge in itertools.pairwise(edges)]
    for number in range(KILLED):
        wait_for_verdicts(count * (number + 1) // 6)
        workers[number].kill()
        print(f"  a worker is killed at {count_verdicts():,} verdicts")
    wait_for_verdicts(count // 2)
    redis.kill()
    time.sleep(1)
    redis.start()
    print(f"  Redis was killed and started again at {count_verdicts():,} verdicts")
    when = f"by {SUBMITTERS} processes at once, while {WORKERS} workers judge on {os.cpu_count()} cores"
    report(when, [json.loads(submitter.communicate()[0]) for submitter in submitters], is_held=False)
    wait_for_verdicts(count)
    seconds = time.monotonic() - began
    for worker in workers[KILLED:]:
        worker.send_signal(signal.SIGTERM)
    print(f"  workers ended with {[worker.wait(90) for worker in workers]}")
    return seconds


def hand_in_alone(count) -> float:
    print("  no Redis: inline; the exchanges are stored, and judged in one process when the run is closed")
    began = time.monotonic()
    measure("without Redis", 0, count)
    return time.monotonic() - began


def measure(when, first, last):
    submitter = start_submitter(first, last)
    report(when, [json.loads(submitter.communicate()[0])])
    print(f"  one fsync of as many bytes takes {percentiles(time_syncs())}")


def report(when, results, *, is_held=True):
    """Prints how long the calls took; with so many processes on one machine it says little, and is held to no limit."""
    times = [seconds for result in results for seconds in result["times"]]
    states = sum((Counter(result["states"]) for result in results), Counter())
    is_late = is_held and sorted(times)[int(0.99 * len(times))] > LIMIT
    late = "  ABOVE THE LIMIT" if is_late else ""
    print(f"  submit, {when}: {len(times):,} calls, {percentiles(times)} {dict(states)}{late}")


def percentiles(times):
    times = sorted(times)
    p50, p99 = (1000 * times[int(share * len(times))] for share in (0.5, 0.99))
    return f"p50 {p50:.1f} ms, p99 {p99:.1f} ms"


def time_syncs():
    times = []
    with Path("sync").open("wb", buffering=0) as file:
        for _ in range(300):
            began = time.perf_counter()
            file.write(b"x" * 5_000)
            os.fsync(file.fileno())
            times.append(time.perf_counter() - began)
    return times


def submit_all(first, last, _nothing) -> int:
    """The part of a submitting process."""
    from reportgen.streaming import submit

    times, states = [], Counter()
    with Path("turns.jsonl").open("rb") as file:
        lines = [line for number, line in enumerate(file) if int(first) <= number < int(last)]
    submit(lines[0])
    for line in lines[1:]:
        began = time.perf_counter()
        receipt = submit(line)
        times.append(time.perf_counter() - began)
        states[receipt.state] += 1
    print(json.dumps({"times": times, "states": states}))
    return 0


def tell(count, *, is_inline) -> int:
    ours, alone = Path("runs") / RUN, Path("alone") / RUN
    judged = Counter(json.loads(line)["turn"] for line in (ours / "verdicts.jsonl").open())
    checks = {
        f"{count:,} are stored": len((ours / "turns.jsonl").read_text().splitlines()) == count,
        "each is judged once": len(judged) == count and set(judged.values()) == {1},
        "turns are equal": same_bytes(ours, alone, "turns.jsonl"),
        "scores are equal": same_bytes(ours, alone, "scores.jsonl"),
        "verdicts are equal but for attempts": verdicts_of(ours) == verdicts_of(alone),
        "the run is equal but for times and ids": run_of(ours) == run_of(alone),
    }
    for what, holds in checks.items():
        print(f"  {'ok' if holds else 'NOT SO'}: {what}{' (inline)' if is_inline else ''}")
    return 0 if all(checks.values()) else 1


def same_bytes(one, other, name):
    return (one / name).read_bytes() == (other / name).read_bytes()


def verdicts_of(folder):
    lines = (json.loads(line) for line in (folder / "verdicts.jsonl").open())
    return [{name: value for name, value in line.items() if name != "attempts"} for line in lines]


def run_of(folder):
    content = json.loads((folder / "run.json").read_text())
    content["manifest"] = {name: value for name, value in content["manifest"].items() if name not in PERSONAL}
    content["manifest"]["sources"] = [source["sha256"] for source in content["manifest"]["sources"]]
    for canary in content.get("canaries", ()):
        for verdict in canary["verdicts"]:
            del verdict["attempts"]
    # The seal is over the times too, and so is the digest of the verdicts with their attempts.
    del content["seal"], content["files"]["verdicts.jsonl"]
    return content


def make_turns(count):
    """So many turns of one month, each another, in the order in which a closed run has them."""
    from reportgen.capture.turns import read_turn
    from reportgen.record import canonical

    texts = (ROOT / "examples" / "sql" / "turns.jsonl").read_bytes().splitlines()
    turns = [turn for turn in map(read_turn, texts) if not turn.segments]
    with Path("turns.jsonl").open("wb") as file:
        for number in range(count):
            turn = turns[number % len(turns)]
            changed = {
                "id": f"x-{number:06}",
                "conversation": f"c-{number // 4:06}",
                "captured_at": datetime(2026, 7, 1, tzinfo=UTC) + timedelta(seconds=number * 200),
                "question": f"{turn.question} (asked as number {number})",
                "labels": {**turn.labels, "collection": COLLECTION},
            }
            file.write(canonical(turn.model_copy(update=changed).to_data()) + b"\n")


class judge_server:  # noqa: N801 - it is used like a function
    """The loopback judge in a process of its own; each 53rd answer is an error."""

    def __init__(self, latency):
        self._words = ["--latency", str(latency), "--every", "53", "--fault", "500"]

    def __enter__(self):
        from tests.judge_server import KEY

        command = [sys.executable, "-m", "tests.judge_server", *self._words]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        os.environ["ANTHROPIC_BASE_URL"] = f"http://127.0.0.1:{int(self._process.stdout.readline())}"
        os.environ["ANTHROPIC_API_KEY"] = KEY
        os.environ["PYTHONPATH"] = str(ROOT)
        return self

    def __exit__(self, *exc):
        self._process.stdin.close()
        self._process.wait(10)

    def asked(self):
        """How often, as far as verdicts tell; what a killed worker had in flight is not among it."""
        attempts = 0
        for path in Path("runs/open", COLLECTION, PERIOD, "workers").glob("*/verdicts.jsonl"):
            attempts += sum(len(json.loads(line).get("attempts", ())) for line in path.open() if line.endswith("\n"))
        return attempts


def count_verdicts():
    """How many different turns have a verdict."""
    found = set()
    for path in Path("runs/open", COLLECTION, PERIOD, "workers").glob("*/verdicts.jsonl"):
        found |= {json.loads(line)["turn"] for line in path.open() if line.endswith("\n")}
    return len(found)


def wait_for_verdicts(count):
    end = time.monotonic() + 1800
    while count_verdicts() < count:
        assert time.monotonic() < end, f"only {count_verdicts()} verdicts"
        time.sleep(0.5)


def start(*words):
    return subprocess.Popen([sys.executable, "-m", "reportgen", *words], stderr=Path("log").open("ab"))


def start_submitter(first, last):
    command = [sys.executable, __file__, "--submitter", str(first), str(last), ""]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def reportgen(*words):
    ended = subprocess.run([sys.executable, "-m", "reportgen", *words], capture_output=True, text=True, check=False)
    print(f"  reportgen {words[0]}: {(ended.stdout or ended.stderr).strip().splitlines()[-1]}")
    assert ended.returncode == 0, ended.stderr


if __name__ == "__main__":
    sys.exit(main())
