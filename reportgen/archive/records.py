"""The records of a finished run, from its folder or from a `report.json` that carries them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from reportgen.analysis.findings import read_stated
from reportgen.archive.annexes import read_probes
from reportgen.archive.digests import file_digest, lines_digest, seal_of
from reportgen.archive.store import (
    DRAFT,
    ERASING,
    RUN,
    SCORES,
    TURNS,
    VERDICTS,
    find_run,
    is_finished,
    parse,
    read_lines,
    require_plain_file,
)
from reportgen.archive.strict_json import read_json
from reportgen.errors import RunError
from reportgen.model.probe import Probe
from reportgen.model.revision import Revision
from reportgen.model.run import REPORT_FORMAT, RunFile
from reportgen.model.score import Score
from reportgen.model.standing import Standing
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.reading import find_problem
from reportgen.record import Record, canonical

_Kind = TypeVar("_Kind", bound=Record)
_PARTS = {"format", "revision", "run", "findings", "figures", "turns", "verdicts", "scores"}
_OPTIONAL = {"probes", "standing"}


@dataclass(frozen=True, slots=True)
class Records:
    """A finished run and its records, which are read afresh on each call, one at a time.

    `content` is `run.json` as plain values; `findings`, `figures`, `revision` and `standing` are of a `report.json`.
    `lines` gives the lines of one of the run's files; `probes` are those that were kept beside it.
    """

    place: str
    content: dict[str, Any]
    run: RunFile
    lines: Callable[[str], Iterator[bytes]]
    findings: Any = None
    figures: tuple[Any, ...] = ()
    probes: tuple[Probe, ...] = ()
    folder: Path | None = None
    revision: Revision | None = None
    standing: Standing | None = None

    @property
    def is_report(self) -> bool:
        """Whether they come from a `report.json`, which states findings and its own revision."""
        return self.folder is None

    def digest(self, name: str) -> str:
        """SHA-256 of one of the run's files: of its bytes, or of those that a report's records make."""
        if self.folder is None:
            return lines_digest(self.lines(name))
        require_plain_file(self.folder / name)
        return file_digest(self.folder / name)

    def turns(self) -> Iterator[Turn]:
        """The turns, in the order of the capture."""
        return self._read(Turn, TURNS)

    def verdicts(self) -> Iterator[Verdict]:
        """The verdicts, in the order of the turns."""
        return self._read(Verdict, VERDICTS)

    def paid(self) -> Iterator[Verdict]:
        """All verdicts that were asked for: those on the turns, then those on canaries."""
        yield from self.verdicts()
        for canary in self.run.canaries or ():
            yield from canary.verdicts

    def scores(self) -> Iterator[Score]:
        """The scores, in the order of the turns."""
        return self._read(Score, SCORES)

    def _read(self, kind: type[_Kind], name: str) -> Iterator[_Kind]:
        for number, line in enumerate(self.lines(name), start=1):
            yield parse(kind, line, f"{self.place}: {name}:{number}")


def find_intact(name: str, runs: Path) -> Path:
    """The folder of a finished run, given by its id or as a path, whose files are those that were sealed.

    Raises:
        RunError: There is none, it is unfinished, or it was changed.
    """
    folder = find_run(name, runs)
    require_intact(folder)
    return folder


def require_intact(folder: Path) -> None:
    """Makes sure that a finished run is as it was when it was sealed.

    Raises:
        RunError: A file is missing or differs from its digest, or `run.json` from its seal.
    """
    _require_sealed(_open_folder(folder))


def open_intact(name: str, runs: Path) -> Records:
    """The records of a finished run, given by its id or as a path, or of a `report.json`, as they were sealed.

    Raises:
        RunError: There are none, or they were changed.
    """
    path = Path(name)
    records = open_records(path) if path.is_file() else _open_folder(find_run(name, runs))
    _require_sealed(records)
    return records


def _require_sealed(records: Records) -> None:
    stated = {**records.run.files, RUN: records.run.seal}
    found = {name: records.digest(name) for name in records.run.files}
    found[RUN] = seal_of(records.content)
    for name, digest in stated.items():
        if found[name] != digest:
            raise RunError(
                f"The run {records.place} was changed after it was finished: {name} is not what was sealed",
                f"`reportgen verify {records.place}` names the place; restore the run from its archive.",
            )


def open_records(path: Path) -> Records:
    """The records of a run folder or of a `report.json`.

    Raises:
        RunError: It is neither, cannot be read, or is of a newer format.
    """
    if path.is_dir():
        return _open_folder(path)
    data = b"\n".join(read_lines(path))
    if data.lstrip().startswith(b"<"):
        what = f"{path} is a page, which does not carry the run and may show anything"
        raise RunError(what, "Give the report.json or report.pdf of the same report, or the run folder.")
    return open_report(data, str(path))


def _open_folder(folder: Path) -> Records:
    if (folder / ERASING).exists():
        raise RunError(
            f"Texts of the run {folder} were being erased when that was interrupted",
            "Finish it: give the same `reportgen erase` again.",
        )
    return open_folder(folder)


def open_folder(folder: Path) -> Records:
    """The records of a run folder, even where an erasure was interrupted.

    Raises:
        RunError: It holds no finished run, or cannot be read.
    """
    if not is_finished(folder):
        raise _no_finished_run(folder)
    data = b"\n".join(read_lines(folder / RUN))
    run = _read_run(data, str(folder / RUN))
    probes = tuple(read_probes(folder))
    return Records(
        str(folder),
        read_json(data, str(folder / RUN)),
        run,
        lambda name: read_lines(folder / name),
        probes=probes,
        folder=folder,
    )


def _read_run(data: bytes, place: str) -> RunFile:
    """The content of `run.json`, with what is stated in it of the form that findings have."""
    run = parse(RunFile, data, place)
    if run.manifest.derived is not None and run.manifest.derived.stated is not None:
        try:
            read_stated(run.manifest.derived.stated)
        except (ArithmeticError, RecursionError, ValueError) as error:
            what = f"{place}: manifest.derived.stated: {find_problem(error)}"
            raise RunError(what, "Take the run as it was published.") from None
    return run


def _no_finished_run(folder: Path) -> RunError:
    if (folder / DRAFT).exists():
        return RunError(f"The run {folder} is unfinished", "Go on with it: `reportgen judge TURNS --resume`.")
    if (folder / "report.json").exists():
        return RunError(f"{folder} holds a report, not a run", f"Give {folder / 'report.json'}.")
    return RunError(f"{folder} holds no run: there is no {RUN}", "Give a run folder or a report.json.")


def open_report(data: bytes, place: str) -> Records:
    """The records in the content of a `report.json`.

    Args:
        data: The content.
        place: Where it is from, for messages.

    Raises:
        RunError: It is no such content, or of a newer format.
    """
    report = _read_report(data, place)
    parts = {TURNS: "turns", VERDICTS: "verdicts", SCORES: "scores"}
    content = report["run"]
    run = _read_run(_line_of(content, f"{place}: run"), f"{place}: run")
    probes = tuple(_read_part(Probe, probe, f"{place}: probes") for probe in report.get("probes", ()))
    return Records(
        place=place,
        content=content,
        run=run,
        lines=lambda name: _lines_of(report[parts[name]], f"{place}: {parts[name]}"),
        findings=report["findings"],
        figures=tuple(report["figures"]),
        revision=_read_part(Revision, report["revision"], f"{place}: revision"),
        standing=_read_part(Standing, report["standing"], f"{place}: standing") if "standing" in report else None,
        probes=probes,
    )


def _read_part(kind: type[_Kind], value: object, place: str) -> _Kind:
    """The record that a part of a report is."""
    return parse(kind, _line_of(value, place), place)


def _read_report(data: bytes, place: str) -> dict[str, Any]:
    report = read_json(data, place)
    if not isinstance(report, dict) or report.get("format") != REPORT_FORMAT:
        raise RunError(f"{place} is not a report of the format {REPORT_FORMAT}", "Give a run folder or a report.json.")
    if set(report) - _OPTIONAL != _PARTS:
        odd = ", ".join(sorted(set(report) - _OPTIONAL ^ _PARTS))
        raise RunError(f"{place}: missing or unknown: {odd}", "Take the report.json as it was published.")
    for name in ("figures", "turns", "verdicts", "scores", "probes"):
        if not isinstance(report.get(name, []), list):
            raise RunError(f"{place}: {name}: not a list", "Give a run folder or a report.json.")
    return report


def _lines_of(records: list[Any], place: str) -> Iterator[bytes]:
    """The lines of a run's file, as the records in a report make them."""
    for number, record in enumerate(records):
        yield _line_of(record, f"{place}[{number}]")


def _line_of(record: object, place: str) -> bytes:
    try:
        return canonical(record)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{place}: {error}", "Take the report.json as it was published.") from None
