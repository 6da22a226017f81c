"""The records of a finished run, from its folder or from a `report.json` that carries them."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from reportgen.archive.store import RUN, SCORES, TURNS, VERDICTS, parse, read_lines
from reportgen.errors import RunError
from reportgen.model.run import RunFile
from reportgen.model.score import Score
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.record import Record, canonical

_Kind = TypeVar("_Kind", bound=Record)
_REPORT = "reportgen/report/1"


@dataclass(frozen=True, slots=True)
class Records:
    """A finished run and its records, which are read afresh on each call, one at a time.

    `content` is `run.json` as plain values, `findings` those of a `report.json`. `lines` gives the lines of one of
    the run's files.
    """

    place: str
    content: dict[str, Any]
    run: RunFile
    lines: Callable[[str], Iterator[bytes]]
    findings: Any = None

    def turns(self) -> Iterator[Turn]:
        """The turns, in the order of the capture."""
        return self._read(Turn, TURNS)

    def verdicts(self) -> Iterator[Verdict]:
        """The verdicts, in the order of the turns."""
        return self._read(Verdict, VERDICTS)

    def scores(self) -> Iterator[Score]:
        """The scores, in the order of the turns."""
        return self._read(Score, SCORES)

    def _read(self, kind: type[_Kind], name: str) -> Iterator[_Kind]:
        for number, line in enumerate(self.lines(name), start=1):
            yield parse(kind, line, f"{self.place}: {name}:{number}")


def open_records(path: Path) -> Records:
    """The records of a run folder or of a `report.json`.

    Raises:
        RunError: It is neither, cannot be read, or is of a newer format.
    """
    return _open_folder(path) if path.is_dir() else _open_report(path)


def _open_folder(folder: Path) -> Records:
    data = b"\n".join(read_lines(folder / RUN))
    run = parse(RunFile, data, str(folder / RUN))
    return Records(str(folder), json.loads(data), run, lambda name: read_lines(folder / name))


def _open_report(path: Path) -> Records:
    report = _read_report(path)
    parts = {TURNS: "turns", VERDICTS: "verdicts", SCORES: "scores"}
    content = report["run"]
    run = parse(RunFile, canonical(content), f"{path}: run")
    return Records(str(path), content, run, lambda name: map(canonical, report[parts[name]]), report["findings"])


def _read_report(path: Path) -> dict[str, Any]:
    try:
        report = json.loads(b"\n".join(read_lines(path)))
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path} is not JSON: {error}", "Give a run folder or a report.json.") from None
    parts = {"run", "turns", "verdicts", "scores", "findings"}
    if not isinstance(report, dict) or report.get("format") != _REPORT or not parts <= set(report):
        raise RunError(f"{path} is not a report of the format {_REPORT}", "Give a run folder or a report.json.")
    return report
