"""What is asked for -> the bytes of the answer, made whole aside before the first of them is sent."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any, Protocol
from urllib.parse import quote

from reportgen.errors import ReportgenError
from reportgen.model.standing import Standing
from reportgen.pipeline.collection import Collection, find_collection, measure_collection, render_collection
from reportgen.pipeline.current_report import CurrentReport, render_current
from reportgen.publishing.plain_json import write_plain_json
from reportgen.publishing.raw_rows import bound_page
from reportgen.publishing.statistics import print_time
from reportgen.serving.catalogue import Archive, Catalogue, Shelved
from reportgen.serving.problems import RefusalError, no_archive, no_collection, no_report

FORMAT = "reportgen/reports/1"
_ATTEMPTS = 3
_CHUNK = 64 * 1024
_IN_MEMORY = 1024 * 1024
_MOST_KEPT = 64
"""Statistics that are kept until the archive changes, each some ten kilobytes."""
_KEPT_REPORTS = 64 * 1024 * 1024
"""Bytes of all reports that are kept until their runs change; a larger one is worked out each time."""


class _File(Protocol):
    """What is used of a temporary file."""

    def read(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer: its length in bytes, and the file that holds it."""

    length: int
    file: _File

    def pieces(self) -> Iterator[bytes]:
        """Its bytes; afterwards it is gone."""
        try:
            while piece := self.file.read(_CHUNK):
                yield piece
        finally:
            self.file.close()


@dataclass(frozen=True, slots=True)
class _Plan:
    """What an answer is made of, and the runs that it rests on."""

    pieces: Iterable[bytes]
    folders: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was found out about one state of the archive."""

    archive: Archive
    collections: dict[str, Collection] = field(default_factory=dict)
    statistics: dict[tuple[str, str], bytes] = field(default_factory=dict)


class Desk:
    """Answers questions about the archive as it is at that moment.

    Args:
        catalogue: Knows the archive.
        tell: Takes a line for the one who runs the server.
    """

    def __init__(self, catalogue: Catalogue, tell: Callable[[str], None]) -> None:
        self._catalogue, self._tell = catalogue, tell
        self._kept = _Kept(Archive({}))
        self._reports: dict[str, tuple[Shelved, bytes]] = {}

    def statistics(self, collection: str, zone: str) -> Answer:
        """The statistics of a collection, with days in that time zone.

        Raises:
            RefusalError: There is no such collection, or a run cannot be read.
        """
        return self._answer(lambda archive: self._plan_statistics(archive, collection, zone))

    def rows(self, collection: str, offset: int, limit: int) -> Answer:
        """A page of the rows of a collection.

        Raises:
            RefusalError: Likewise.
        """

        def plan(archive: Archive) -> _Plan:
            found = self._find(archive, collection)
            pieces = render_collection(found, offset, limit)
            return _Plan(map(str.encode, pieces), tuple(index.folder for index in found.runs))

        return self._answer(plan)

    def reports(self, offset: int, limit: int) -> Answer:
        """A page of the list of reports.

        Raises:
            RefusalError: A run cannot be read.
        """
        return self._answer(lambda archive: _Plan([_list_reports(_require_sound(archive), offset, limit)], ()))

    def report(self, name: str) -> Answer:
        """The report of a run that stands; it is kept for the next request. Only one thread at a time may ask.

        Raises:
            RefusalError: There is none, it was withdrawn, or the run cannot be read.
        """

        def plan(archive: Archive) -> _Plan:
            item = _require_report(archive, name)
            # Let go of what has changed, so that no text that was erased stays in memory.
            self._reports = {key: kept for key, kept in self._reports.items() if archive.shelf.get(key) == kept[0]}
            if name in self._reports:
                return _Plan([self._reports[name][1]], (item.folder,))
            return _Plan(self._keep_report(item, render_current(item.folder)), (item.folder,))

        return self._answer(plan)

    def _keep_report(self, item: Shelved, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces of a report, which is kept once all of it was given, in the place of those kept longest."""
        content, size = [], 0
        for piece in pieces:
            size += len(piece)
            if size <= _KEPT_REPORTS:
                content.append(piece)
            yield piece
        if size > _KEPT_REPORTS:
            return
        while sum(len(kept) for _, kept in self._reports.values()) + size > _KEPT_REPORTS:
            del self._reports[next(iter(self._reports))]
        self._reports[item.folder.name] = item, b"".join(content)

    def _answer(self, ask: Callable[[Archive], _Plan]) -> Answer:
        """The answer; made again where a run was changed meanwhile, as by an erasure."""
        trouble = ""
        for _ in range(_ATTEMPTS):
            try:
                archive = self._catalogue.look()
                plan = ask(archive)
                answer = _write(plan.pieces)
            except (ReportgenError, OSError) as error:
                trouble = error.what if isinstance(error, ReportgenError) else str(error)
                continue
            if archive.is_unchanged(plan.folders):
                return answer
            answer.file.close()
            trouble = "a run is being changed"
        self._tell(f"A request failed: {trouble}")
        raise no_archive()

    def _plan_statistics(self, archive: Archive, name: str, zone: str) -> _Plan:
        found, kept = self._find(archive, name), self._keep(archive).statistics
        if (name, zone) not in kept:
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            kept[name, zone] = write_plain_json(measure_collection(found, zone)).encode() + b"\n"
        return _Plan([kept[name, zone]], tuple(index.folder for index in found.runs))

    def _find(self, archive: Archive, name: str) -> Collection:
        kept = self._keep(_require_sound(archive)).collections
        if name not in kept:
            found = find_collection(name, archive.originals())
            if found is None:
                raise no_collection()
            kept[name] = found
        return kept[name]

    def _keep(self, archive: Archive) -> _Kept:
        """What is kept of this state of the archive; that of an earlier one is let go."""
        kept = self._kept
        if kept.archive is not archive:
            kept = self._kept = _Kept(archive)
        return kept


def _require_sound(archive: Archive) -> Archive:
    """Makes sure that every run can be read: what a damaged one bears nobody knows."""
    if archive.troubles:
        raise no_archive()
    return archive


def _write(pieces: Iterable[bytes]) -> Answer:
    """Writes an answer aside: a small one to memory, a large one to a file without a name."""
    file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - it is closed once it has been sent
    try:
        length = sum(map(file.write, pieces))
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return Answer(length, file)


def _list_reports(archive: Archive, offset: int, limit: int) -> bytes:
    found = archive.reports()
    bounds = bound_page(len(found), offset, limit)
    rows = [_describe(item, item.report) for item in found[offset : offset + limit] if item.report]
    return write_plain_json({"format": FORMAT, "total": len(found), **bounds, "reports": rows}).encode() + b"\n"


def _describe(item: Shelved, report: CurrentReport) -> dict[str, Any]:
    return {
        "run": report.run_id,
        "seal": report.seal,
        "rubric": report.rubric,
        "judge": report.judge,
        "turns": report.turns,
        "scored": report.scored,
        "revision": report.revision,
        "generated_at": print_time(report.generated_at),
        "state": report.standing.state if report.standing else "current",
        "path": f"/reports/{quote(item.folder.name, safe='')}",
    }


def _require_report(archive: Archive, name: str) -> Shelved:
    """The run whose report is asked for, found by comparing names and never made of one."""
    item = archive.shelf.get(name)
    if item is not None and item.trouble:
        raise no_archive()
    if item is None or item.report is None:
        raise no_report()
    if item.report.standing is not None:
        raise _gone(item.report.standing)
    return item


def _gone(standing: Standing) -> RefusalError:
    by = f"; the report of the run {json.dumps(standing.run)} takes its place" if standing.run else ""
    detail = f"This report no longer stands: it was {standing.state}{by}."
    return RefusalError(410, detail, "Do not use its figures; `reportgen revisions RUN` says why.")
