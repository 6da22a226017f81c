"""The HTML of many turns: memory while it is written, weight of its pages, and time to the first view in Chromium.

    .venv/bin/python benchmarks/html_pages.py            # 10,000 turns, some minutes
    .venv/bin/python benchmarks/html_pages.py 2000

The turns are those of the example, over and over. Every figure stands beside a baseline of the same run.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples" / "sql"
MEBIBYTE = 1024**2
CALLS = 3


def main() -> None:
    """Makes the run, writes its report, and opens it."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        empty = folder / "empty.html"
        empty.write_text("<!DOCTYPE html><html lang=en><title>empty</title><p>Nothing.")
        make_run(folder, turns)
        index = write_report(folder, turns)
        weigh(index.parent)
        open_pages(empty, index)


def make_run(folder: Path, turns: int) -> None:
    """A run of so many turns, judged by recorded verdicts; its HTML is a folder however few they are."""
    (folder / "config.yaml").write_text("report: {one_file_up_to: 0}")
    write_lines(folder / "turns.jsonl", multiply(EXAMPLES / "turns.jsonl", turns, "id", "conversation"))
    header, *_ = (EXAMPLES / "example-verdicts.jsonl").read_text("utf-8").splitlines()
    verdicts = multiply(EXAMPLES / "example-verdicts.jsonl", 3 * turns, "turn")  # both months; more than the turns
    write_lines(folder / "verdicts.jsonl", verdicts, header)
    began = time.monotonic()
    call(folder, "judge", "turns.jsonl", "--judge", "recorded:verdicts.jsonl", "--run-id", "many", "--no-canaries")
    print(f"{turns:,} turns judged by recorded verdicts in {time.monotonic() - began:.0f} s")


def multiply(path: Path, turns: int, *keys: str) -> Iterator[str]:
    """The records of a file again and again, each time under other names."""
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    records = [record for record in records if keys[0] in record]
    for number in range(turns):
        record = dict(records[number % len(records)])
        for key in keys:
            if record.get(key):
                record[key] = f"{number // len(records)}-{record[key]}"
        yield json.dumps(record)


def write_lines(path: Path, lines: Iterator[str], *header: str) -> None:
    """A file of these lines."""
    path.write_text("".join(f"{line}\n" for line in [*header, *lines]), "utf-8")


def call(folder: Path, *arguments: str) -> float:
    """Calls the program and gives its peak of memory in MiB."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "reportgen", *arguments]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit((folder / "log").read_text("utf-8"))
    return usage.ru_maxrss / 1024


def write_report(folder: Path, turns: int) -> Path:
    """Writes the report as a folder, and for one turn, which is what the program needs when it has nothing to do."""
    write_lines(folder / "one.jsonl", multiply(EXAMPLES / "turns.jsonl", 1, "id", "conversation"))
    call(folder, "judge", "one.jsonl", "--judge", "recorded:verdicts.jsonl", "--run-id", "one", "--no-canaries")
    base = call(folder, "report", "one", "--format", "html")
    began = time.monotonic()
    peak = call(folder, "report", "many", "--format", "html")
    seconds = time.monotonic() - began
    print(f"written in {seconds:.0f} s, {1000 * seconds / turns:.1f} ms a turn")
    print(
        f"memory: peak {peak:.0f} MiB; for a single turn {base:.0f} MiB; above it {peak - base:.0f} MiB (at most 300)"
    )
    return folder / "reports" / "many" / "report" / "index.html"


def weigh(folder: Path) -> None:
    """How heavy the pages are, each with the files that it loads at once."""
    beside = sum((folder / name).stat().st_size for name in ("style.css", "script.js"))
    pages = {path.relative_to(folder): path.stat().st_size for path in folder.rglob("*.html")}
    total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{len(pages):,} pages, {total / MEBIBYTE:.0f} MiB; style and script {beside / 1024:.0f} KiB")
    heaviest = max(pages, key=lambda path: pages[path])
    for path in (Path("index.html"), heaviest):
        weight = (pages[path] + beside) / MEBIBYTE
        print(f"{path} with style and script: {weight:.2f} MiB (at most 1)")
    parts = [path.stat().st_size for path in (folder / "data").iterdir()]
    print(f"data, read when it is first used: {len(parts)} files, the heaviest {max(parts) / MEBIBYTE:.2f} MiB")


def open_pages(empty: Path, index: Path) -> None:
    """Time until the page is painted and loaded, in a browser that was started afresh for each."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("REPORTGEN_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as driver:
        sheet = index.parent / "turns/0002.html"
        for what, page in {"an empty page": empty, "the index": index, "a page of turns": sheet}.items():
            figures = [open_page(driver, path, page) for _ in range(CALLS)]
            painted, loaded, seen = (median(figure[place] for figure in figures) for place in range(3))
            print(
                f"{what}: painted after {painted:.2f} s, loaded {loaded:.2f} s, by the clock {seen:.2f} s (at most 2)"
            )
        found, recomputed = use(driver, path, index)
        print(f"a first search over all turns: {found:.2f} s; recomputing every score: {recomputed:.2f} s")


def open_page(driver, executable: str | None, path: Path) -> tuple[float, float, float]:
    """Seconds to the first paint with content, to the load event, and by the clock outside."""
    browser = driver.chromium.launch(executable_path=executable)
    page = browser.new_page(viewport={"width": 1280, "height": 1024})
    began = time.monotonic()
    page.goto(path.as_uri())
    seen = time.monotonic() - began
    page.wait_for_timeout(300)
    painted, loaded = page.evaluate(
        "[performance.getEntriesByName('first-contentful-paint')[0].startTime,"
        " performance.getEntriesByType('navigation')[0].loadEventEnd]"
    )
    browser.close()
    return painted / 1000, loaded / 1000, seen


def use(driver, executable: str | None, path: Path) -> tuple[float, float]:
    """Seconds from a choice to the list, the data being read meanwhile, and then to recompute every score."""
    browser = driver.chromium.launch(executable_path=executable)
    page = browser.new_page()
    page.goto(path.as_uri())
    began = time.monotonic()
    page.select_option("#find-band", label="poor")
    page.wait_for_selector("#find [role=status]:not(:empty)")
    found = time.monotonic()
    page.click("#check button")
    page.wait_for_selector("#check [role=status]:not(:empty)")
    print(page.text_content("#check [role=status]"))
    recomputed = time.monotonic()
    browser.close()
    return found - began, recomputed - found


if __name__ == "__main__":
    main()
