"""How fast reports become pages, against plain WeasyPrint and Chromium on the same HTML.

    .venv/bin/python benchmarks/rendering.py                # all of it, about half an hour
    .venv/bin/python benchmarks/rendering.py pdf-53         # one part: pdf-53, pdf-200, pdf-1000

Every figure stands beside a baseline that was measured in the same run; the ratios are what counts.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
MOST = 700
"""MiB that no process of the program may take."""


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
        print(f"\n{name}: {PARTS[name].__doc__}", flush=True)
        PARTS[name]()


def pdf_53() -> None:
    """53 turns in full; no process over 700 MiB."""
    compare(53, None)


def pdf_200() -> None:
    """200 turns in full; no process over 700 MiB."""
    compare(200, None)


def pdf_1000() -> None:
    """1,000 turns in full; at least 1.7 x the pages a second of plain WeasyPrint, no process over 700 MiB."""
    compare(1_000, 1.7)


PARTS: dict[str, Callable[[], None]] = {"pdf-53": pdf_53, "pdf-200": pdf_200, "pdf-1000": pdf_1000}


@dataclass(frozen=True)
class Measured:
    """Pages, seconds and CPU seconds of a rendering, and the memory of its largest process in MiB."""

    pages: int
    seconds: float
    cpu: float
    peak: float

    @property
    def speed(self) -> float:
        """Pages a second."""
        return self.pages / self.seconds


def compare(turns: int, at_least: float | None) -> None:
    """Measures the program, plain WeasyPrint and Chromium on the same turns."""
    own = run("own", turns)
    tell("reportgen", own)
    plain = run("plain", turns)
    tell("plain WeasyPrint", plain)
    limit = f" (at least {at_least})" if at_least else ""
    print(f"  reportgen against plain WeasyPrint: ratio {own.speed / plain.speed:.2f}{limit}")
    print(f"  largest process of reportgen: {own.peak:.0f} MiB (at most {MOST})", flush=True)
    if browser := next(filter(None, map(shutil.which, CHROMIUM)), None):
        printed = run("chromium", turns, browser=browser)
        tell("Chromium", printed)
        print(f"  reportgen against Chromium: ratio {own.speed / printed.speed:.2f}", flush=True)
    else:
        print("  Chromium is not installed")


def tell(name: str, measured: Measured) -> None:
    """Prints one measurement."""
    print(
        f"  {name}: {measured.pages} pages in {measured.seconds:.1f} s, {measured.speed:.1f} pages/s, "
        f"{measured.cpu:.1f} s of CPU, "
        f"largest process {measured.peak:.0f} MiB",
        flush=True,
    )


def run(what: str, turns: int, **options: str) -> Measured:
    """Measures in a fresh process, whose children are watched from here."""
    command = [sys.executable, __file__, "--child", json.dumps({"what": what, "turns": turns, **options})]
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "out").open("w+") as out:
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=out)
        peaks: dict[int, float] = {}
        watcher = threading.Thread(target=watch, args=(process, peaks))
        watcher.start()
        code = process.wait()
        watcher.join()
        out.seek(0)
        printed = out.read()
    if code:
        raise SystemExit(f"{what} failed with code {code}")
    answer = json.loads(printed.splitlines()[-1])
    return Measured(answer["pages"], answer["seconds"], answer["cpu"], max(peaks.values()))


def watch(process: "subprocess.Popen[bytes] | subprocess.Popen[str]", peaks: dict[int, float]) -> None:
    """Notes the largest resident memory of a process and of each below it, in MiB, until it ends."""
    while process.poll() is None:
        for number in below(process.pid):
            try:
                status = Path(f"/proc/{number}/status").read_text()
            except OSError:
                continue
            line = next((line for line in status.splitlines() if line.startswith("VmHWM")), "x 0")
            peaks[number] = max(peaks.get(number, 0.0), int(line.split()[1]) / 1024)
        time.sleep(0.05)


def below(number: int) -> list[int]:
    """A process and all below it."""
    found = [number]
    for each in found:
        try:
            children = Path(f"/proc/{each}/task/{each}/children").read_text().split()
        except OSError:
            continue
        found += map(int, children)
    return found


def measure(what: str, turns: int, browser: str = "") -> dict[str, float]:
    """One measurement: the pages, and the seconds from turns in memory to a PDF on disk."""
    report = make_report(turns)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began, worked = time.monotonic(), cpu_seconds()
        ways = {"own": print_own, "plain": print_plain, "chromium": partial(print_chromium, browser=browser)}
        ways[what](report, folder)
        seconds, cpu = time.monotonic() - began, cpu_seconds() - worked
        import pikepdf

        with pikepdf.open(folder / "report.pdf") as pdf:
            return {"pages": len(pdf.pages), "seconds": seconds, "cpu": cpu}


def cpu_seconds() -> float:
    """What this process and those that it waited for have computed so far."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def print_own(report: Any, folder: Path) -> None:
    """As the program does it, with the data in the PDF, archivable and accessible."""
    from reportgen.pipeline.print_report import print_volumes

    for name, pdf in print_volumes(report, all_turns=True, warnings=[]):
        (folder / name).write_bytes(pdf)


def print_plain(report: Any, folder: Path) -> None:
    """WeasyPrint as its manual shows it: one document in one pass, with the same fonts and soft breaks."""
    from reportgen.publishing.paper.documents import render_whole
    from reportgen.publishing.paper.pdf import add_soft_breaks
    from reportgen.publishing.paper.print_fonts import lay_fonts

    text = add_soft_breaks("".join(render_whole(report)))
    os.environ["FONTCONFIG_FILE"] = str(lay_fonts(folder, text))
    import weasyprint

    weasyprint.HTML(string=text).write_pdf(folder / "report.pdf")


def print_chromium(report: Any, folder: Path, browser: str) -> None:
    """Chromium's print-to-pdf of the same HTML."""
    from reportgen.publishing.paper.documents import render_whole

    page = folder / "page.html"
    page.write_text("".join(render_whole(report)), "utf-8")
    profile = f"--user-data-dir={folder / 'profile'}"
    target = f"--print-to-pdf={folder / 'report.pdf'}"
    command = [browser, *FLAGS, profile, "--timeout=600000", "--no-pdf-header-footer", target, page.as_uri()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_report(turns: int) -> Any:
    """A report of so many turns: those of the example, over and over, each under an id of its own."""
    from datetime import UTC, datetime
    from itertools import cycle, islice

    from reportgen.analysis.findings import Material, build_findings
    from reportgen.archive.records import open_records
    from reportgen.assembly import read_entries
    from reportgen.model.revision import Revision
    from reportgen.publishing.report import Report

    records = open_records(next((ROOT / "runs").glob("*-example-verdicts")))
    run, found = records.run, list(read_entries(records))
    entries = [rename(entry, number) for number, entry in enumerate(islice(cycle(found), turns), start=1)]
    rows = [entry.row for entry in entries]
    findings = build_findings(Material(rows, run.rubric, run.manifest, canaries=run.canaries))
    moment = datetime(2026, 8, 1, 6, tzinfo=UTC)
    revision = Revision(number=1, seal=run.seal, generated_at=moment, program=run.manifest.program)
    return Report(run, findings, revision, lambda: iter(entries))


def rename(entry: Any, number: int) -> Any:
    """The turn as one of its own."""
    name = f"{entry.turn.id}-{number}"
    return replace(
        entry,
        number=number,
        turn=entry.turn.model_copy(update={"id": name}),
        score=entry.score.model_copy(update={"turn": name}),
        row=replace(entry.row, id=name),
    )


if __name__ == "__main__":
    main()
