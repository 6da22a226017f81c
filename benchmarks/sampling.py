"""Drawing a sample from a capture: time a line and memory, for a small capture and for one of a million lines.

    .venv/bin/python benchmarks/sampling.py            # a million lines; some minutes
    .venv/bin/python benchmarks/sampling.py 100000     # fewer

The baseline is a loop that only reads the lines and their JSON, measured in the same run.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SMALL, BUDGET = 10_000, 1_000


def main() -> None:
    """Measures both captures, each in a process of its own."""
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(measure(sys.argv[2], Path(sys.argv[3]))))
        return
    large = int(sys.argv[1]) if sys.argv[1:] else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        memory = {}
        for count in (SMALL, large):
            path = write_capture(Path(name) / f"{count}.jsonl", count)
            read, drawn = (run_child(work, path) for work in ("read", "draw"))
            memory[count] = drawn["peak"]
            print(
                f"{count:>9,} lines  drawn in {drawn['seconds']:.1f} s, {drawn['seconds'] / read['seconds']:.1f} x "
                f"reading their JSON; {drawn['peak']:.0f} MiB, {drawn['peak'] - read['peak']:.0f} more than reading"
            )
        print(f"{large:,} lines take {memory[large] - memory[SMALL]:+.0f} MiB against {SMALL:,}")


def write_capture(path: Path, count: int) -> Path:
    """So many turns of 40 clients and 3 surfaces."""
    with path.open("w") as file:
        for number in range(count):
            turn = {
                "id": f"t-{number:07}",
                "captured_at": "2026-07-01T09:00:00Z",
                "question": "How many sailings were cancelled in June?",
                "labels": {"client": f"client {number * number % 40}", "surface": f"surface {number % 3}"},
                "trajectory": [
                    {"kind": "sql", "text": "SELECT 1 AS n", "status": "ok", "columns": ["n"], "rows": [[number]]}
                ],
                "answer": {"text": f"{number} sailings were cancelled in June."},
                "agent": {"name": "harbour-assistant"},
            }
            file.write(json.dumps(turn) + "\n")
    return path


def run_child(work: str, path: Path) -> dict[str, float]:
    """What one piece of work takes in a process of its own."""
    done = subprocess.run([sys.executable, __file__, "--child", work, path], check=True, capture_output=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure(work: str, path: Path) -> dict[str, float]:
    """Seconds, and MiB at the peak."""
    from reportgen.capture.sampling import draw_sample, read_sample

    started = time.perf_counter()
    if work == "read":
        with path.open("rb") as file:
            for line in file:
                json.loads(line)
    else:
        sample = draw_sample(path, BUDGET, ("client", "surface"), "seed")
        assert sum(1 for _ in read_sample(path, sample, "")) == BUDGET
    seconds = time.perf_counter() - started
    return {"seconds": seconds, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


if __name__ == "__main__":
    main()
