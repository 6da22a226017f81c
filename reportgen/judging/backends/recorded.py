"""A judge that was asked before: verdicts are replayed from a file, by turn and by what the judge saw."""

import hashlib
import json
from io import BufferedReader
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from reportgen.errors import JudgeError
from reportgen.judging.contract import BackendReply, Settled, Unanswerable
from reportgen.judging.prompts import JudgeRequest
from reportgen.model.verdict import Judge, Reply, Verdict
from reportgen.reading import find_problem

HEADER = "reportgen/recorded/1"

_NOTE = 1_000
_FIX = "Give a file of recorded verdicts, or the verdicts.jsonl of a run."
_Place = tuple[str, str | None, int]
"""Turn, judge call (None where the line names none) and sample."""


def open_backend(model: str, _effort: str | None, _timeout: float) -> "RecordedBackend":
    """The backend for the file of that path; effort has no meaning here.

    Raises:
        JudgeError: The file is absent or not one of recorded verdicts.
    """
    return RecordedBackend(Path(model))


class RecordedBackend:
    """A file of recorded verdicts; in memory is only where each of them begins."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[_Place, list[int]] = {}
        self._file: BufferedReader
        self._judge = self._read_index()

    @property
    def judge(self) -> Judge:
        """The file by its name and digest; the note tells who spoke."""
        return self._judge

    async def __aenter__(self) -> Self:
        """Opens the file.

        Raises:
            JudgeError: It cannot be read.
        """
        try:
            self._file = self._path.open("rb")
        except OSError as error:
            raise self._unreadable(error) from None
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    async def ask(self, request: JudgeRequest, _max_tokens: int, /) -> BackendReply:
        """The recorded verdict on the turn, the last one first, if it is about this very evidence."""
        places = self._places.get((request.turn, request.call, request.sample))
        places = places or self._places.get((request.turn, None, request.sample))
        if not places:
            raise Unanswerable(f"no verdict on this turn is recorded in {self._path.name}")
        for offset in reversed(places):
            self._file.seek(offset)
            data = json.loads(self._file.readline())
            if data.get("evidence") in (None, request.evidence):
                return BackendReply("", recorded=_read_recorded(data, request.expected.dimensions))
        raise Unanswerable("the recorded verdict was given on other evidence than this turn now holds")

    def _read_index(self) -> Judge:
        """Goes through the file once.

        Raises:
            JudgeError: It cannot be read, or a line is not a recorded verdict.
        """
        hasher, note, judges, offset = hashlib.sha256(), None, set(), 0
        try:
            with self._path.open("rb") as file:
                for number, line in enumerate(file, start=1):
                    hasher.update(line)
                    data = self._read_line(line, number)
                    if data.get("format") == HEADER:
                        note = _read_note(data, number)
                    elif data:
                        judges.add(_read_name(data))
                        self._places.setdefault(_read_place(data), []).append(offset)
                    offset += len(line)
        except OSError as error:
            raise self._unreadable(error) from None
        if not self._places:
            raise JudgeError(f"{self._path} holds no recorded verdict", _FIX)
        speakers = ", ".join(sorted(name for name in judges if name))
        return Judge(
            provider="recorded",
            model=self._path.stem,
            parameters={"sha256": hasher.hexdigest()},
            note=note or (f"as once given by {speakers}" if speakers else None),
        )

    def _read_line(self, line: bytes, number: int) -> dict[str, Any]:
        """The line as an object that names a turn; empty where the line is blank.

        Raises:
            JudgeError: It is neither.
        """
        if not line.strip():
            return {}
        try:
            data = json.loads(line)
        except ValueError:
            raise JudgeError(f"{self._path}, line {number}: not JSON", _FIX) from None
        if not isinstance(data, dict) or not (data.get("format") == HEADER or _names_turn(data)):
            raise JudgeError(f"{self._path}, line {number}: not a recorded verdict with its turn", _FIX)
        return data

    def _unreadable(self, error: OSError) -> JudgeError:
        return JudgeError(f"The recorded verdicts {self._path} cannot be read: {error.strerror}", _FIX)


def _names_turn(data: dict[str, Any]) -> bool:
    return isinstance(data.get("turn"), str) and ("reply" in data or "outcome" in data)


def _read_place(data: dict[str, Any]) -> _Place:
    sample = data.get("sample", 1)
    return data["turn"], data.get("call"), sample if isinstance(sample, int) else 1


def _read_note(header: dict[str, Any], number: int) -> str | None:
    note = header.get("note")
    if note is not None and (not isinstance(note, str) or len(note) > _NOTE):
        raise JudgeError(f"line {number}: the note must be a text of at most {_NOTE} letters", _FIX)
    return note


def _read_name(data: dict[str, Any]) -> str | None:
    """The judge that a stored verdict names."""
    judge = data.get("judge")
    return f"{judge.get('provider')}:{judge.get('model')}" if isinstance(judge, dict) else None


def _read_recorded(data: dict[str, Any], dimensions: tuple[str, ...]) -> Settled:
    """The recorded outcome as it was; a number off the scale is left for the scoring to clamp and note."""
    try:
        if data.get("outcome", "ok") != "ok":
            verdict = Verdict.from_data(data)
            return Settled(verdict.outcome, verdict.reason, text=verdict.text)
        reply = Reply.from_data(data.get("reply"))
    except ValueError as error:
        return Settled("invalid", f"the recorded reply is not of the known form: {find_problem(error)}")
    missing = [name for name in dimensions if name not in reply.scores]
    if missing:
        return Settled("invalid", f"the recorded reply lacks a score of {', '.join(missing)}")
    return Settled("ok", reply=reply)
