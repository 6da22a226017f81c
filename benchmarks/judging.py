"""How fast the judge engine is, against a bare loop over the same SDK calls; the judge is a process on loopback.

    .venv/bin/python benchmarks/judging.py            # all of it, about three minutes
    .venv/bin/python benchmarks/judging.py latency    # one part: latency, quick, in-flight, scale

Every figure stands beside a baseline that was measured in the same run; the ratios are what counts.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODEL = "claude-opus-5-5"


def main() -> None:
    """Runs the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which parts; all if none is named")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        print(json.dumps(measure(**json.loads(chosen.child))))
        return
    for name in chosen.parts or PARTS:
        print(f"\n{name}: {PARTS[name].__doc__}")
        PARTS[name]()


def latency() -> None:
    """1 s a reply, 640 turns, 64 in flight; at most 1.15 x the latency floor."""
    with judge_server(latency=1.0) as url:
        engine = run("engine", url, turns=640, in_flight=64)
    floor = 640 * 1.0 / 64
    show("engine", engine["seconds"], floor, "the floor", 1.15)


def quick() -> None:
    """100 ms a reply, 200 turns; at most 1.35 x the floor at 16 in flight, and 1.25 x the bare loop at 64."""
    with judge_server(latency=0.1) as url:
        engine = run("engine", url, turns=200, in_flight=16)
        show("engine at 16", engine["seconds"], 200 * 0.1 / 16, "the floor", 1.35)
        bare = min(run("bare", url, turns=200, in_flight=64)["seconds"] for _ in range(3))
        engine_seconds = min(run("engine", url, turns=200, in_flight=64)["seconds"] for _ in range(3))
    show("engine at 64", engine_seconds, bare, "the bare loop", 1.25)


def in_flight() -> None:
    """The engine's own count reaches and keeps the number asked for, at 1, 16 and 64."""
    with judge_server(latency=0.2) as url:
        for number in (1, 16, 64):
            engine = run("engine", url, turns=max(8 * number, 16), in_flight=number)
            print(f"  asked for {number:3}: peak {engine['peak']:3}, mean in flight {engine['mean_in_flight']:.1f}")


def scale() -> None:
    """CPU a turn at most 3 x the bare loop's, equal at 100 and 10,000 turns; memory at most 100 MiB above 100 turns."""
    with judge_server(latency=0.0) as url:
        small, large = (run("engine", url, turns=turns, in_flight=16) for turns in (100, 10_000))
        bare = run("bare", url, turns=2_000, in_flight=16)
    per_turn = {
        name: 1000 * item["cpu"] / item["turns"] for name, item in (("100", small), ("10,000", large), ("bare", bare))
    }
    show("CPU a turn, 10,000 turns (ms)", per_turn["10,000"], per_turn["bare"], "the bare loop", 3.0)
    show("CPU a turn, 10,000 turns (ms)", per_turn["10,000"], per_turn["100"], "100 turns", 1.0)
    grown = large["rss"] - small["rss"]
    print(f"  memory: {small['rss']:.0f} MiB at 100 turns, {large['rss']:.0f} at 10,000: {grown:+.0f} MiB (limit 100)")


PARTS = {"latency": latency, "quick": quick, "in-flight": in_flight, "scale": scale}


def show(what: str, figure: float, baseline: float, name: str, limit: float) -> None:
    """Prints a figure as a ratio to its baseline."""
    print(f"  {what}: {figure:.2f} against {baseline:.2f} for {name}: ratio {figure / baseline:.2f} (limit {limit})")


@contextmanager
def judge_server(latency: float) -> Iterator[str]:
    """The judge on loopback in a process of its own; it ends with the block."""
    command = [sys.executable, "-m", "tests.judge_server", "--latency", str(latency)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.terminate()
        process.communicate()


def run(what: str, url: str, **options: int) -> dict[str, float]:
    """Measures in a fresh process, so that nothing is warm that a user's run would find cold."""
    from tests.judge_server import KEY

    environment = {**os.environ, "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY, "NO_PROXY": "127.0.0.1"}
    command = [sys.executable, __file__, "--child", json.dumps({"what": what, **options})]
    printed = subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return json.loads(printed.splitlines()[-1])  # type: ignore[no-any-return]


def measure(what: str, turns: int, in_flight: int) -> dict[str, float]:
    """One measurement: seconds and CPU seconds without the start-up, and resident memory at the end."""
    figures = asyncio.run({"engine": measure_engine, "bare": measure_bare}[what](turns, in_flight))
    return {**figures, "turns": turns, "rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


async def measure_engine(turns: int, in_flight: int) -> dict[str, float]:
    """The engine as the program uses it, with the journal on disk."""
    import random
    from datetime import UTC, datetime

    from reportgen.archive.journal import Journal
    from reportgen.judging.attempts import Surroundings
    from reportgen.judging.backends import open_backend
    from reportgen.judging.engine import judge_turns
    from reportgen.judging.pacing import Policy

    held: list[int] = []
    surroundings = Surroundings(lambda: datetime.now(UTC), time.monotonic, asyncio.sleep, random.random)
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder)) as journal:
        async with open_backend(f"anthropic:{MODEL}", "low") as backend:
            await warm_up(backend)
            requests = make_requests(turns, backend.judge)
            cpu, began = time.process_time(), time.monotonic()
            totals = await judge_turns(
                requests,
                backend,
                journal.append,
                policy=Policy(in_flight),
                surroundings=surroundings,
                on_progress=lambda progress: held.append(progress.in_flight),
            )
            seconds, used = time.monotonic() - began, time.process_time() - cpu
    assert totals.outcomes == {"ok": turns}, totals
    middle = held[len(held) // 4 : 3 * len(held) // 4]
    return {
        "seconds": seconds,
        "cpu": used,
        "peak": totals.peak,
        "mean_in_flight": sum(middle) / max(len(middle), 1),
    }


async def measure_bare(turns: int, in_flight: int) -> dict[str, float]:
    """The same SDK calls in a loop that keeps, checks and retries nothing."""
    from reportgen.judging.backends import open_backend
    from reportgen.judging.backends.anthropic import build_params

    async with open_backend(f"anthropic:{MODEL}", "low") as backend:
        await warm_up(backend)
        requests = make_requests(turns, backend.judge)

        async def work() -> None:
            for request in requests:
                await backend._client.messages.with_raw_response.create(**build_params(request, backend.judge, 12_000))

        cpu, began = time.process_time(), time.monotonic()
        await asyncio.gather(*(work() for _ in range(in_flight)))
        return {"seconds": time.monotonic() - began, "cpu": time.process_time() - cpu}


async def warm_up(backend) -> None:
    """One request, since the SDK builds much on its first call."""
    await backend.ask(next(make_requests(1, backend.judge)), 12_000)


def make_requests(turns: int, judge):
    """Requests of about 13 KB on turns that differ, made as they are drawn."""
    from reportgen.judging.prompts import build_requests
    from reportgen.model.turn import Turn
    from reportgen.rubrics import load_rubric

    rows = [[number, f"depot {number}", number * 17.25] for number in range(20)]
    statement = {"kind": "sql", "text": "select * from stock", "status": "ok", "dialect": "sqlite"}
    snapshot = {"columns": ["id", "depot", "tons"], "rows": rows, "row_count": 20}

    def turn(number: int) -> Turn:
        return Turn.from_data(
            {
                "id": f"t{number}",
                "captured_at": "2026-07-01T09:00:00Z",
                "question": f"How much is in each depot? ({number})",
                "agent": {"name": "helper"},
                "trajectory": [statement | snapshot],
                "answer": {"text": "The depots hold between 0 and 327.75 tons. " * 20},
            }
        )

    return build_requests((turn(number) for number in range(turns)), load_rubric("sql-agent-1"), judge)


if __name__ == "__main__":
    main()
