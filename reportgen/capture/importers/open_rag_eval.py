"""CSV files of open-rag-eval -> turns: a row a passage, the rows of one run of a query one after the other.

The columns are `query_id`, `query`, `query_run`, `passage_id`, `passage` and `generated_answer`, the last of which is
filled in one row of a run only. One run of a query is one turn with one retrieval; `query_run` becomes a label. A run
whose answer is empty in every row has no captured answer, since the file cannot tell an empty answer from none. The
format has no times: they are the option's, marked as assumed.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from reportgen.capture.drafts import build_turn, choose_id, count_left, read_time, refuse_empty, require_zone
from reportgen.capture.importers import ImportOptions, ImportReport
from reportgen.capture.json_values import LONGEST
from reportgen.capture.lines import read_lines
from reportgen.errors import CaptureError
from reportgen.model.turn import Agent, Answer, Passage, Retrieval, Turn

NO_ANSWER = "the file holds no text of an answer for this run of the query"
_COLUMNS = ("query_id", "query", "query_run", "passage_id", "passage", "generated_answer")
_FIX = "Check that the file is the CSV of open-rag-eval as it was exported."
_LONGEST_FIELD = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    fields: dict[str, str]

    @property
    def run(self) -> tuple[str, str]:
        return self.fields["query_id"], self.fields["query_run"]


def read_turns(path: Path, options: ImportOptions, report: ImportReport) -> Iterator[Turn]:
    """The turns of the file, in its order.

    Raises:
        CaptureError: The file cannot be read as such, the rows of a run do not stand together or differ in the query,
            or there is no time.
    """
    require_zone(options)
    ids: set[str] = set()
    done: set[tuple[str, str]] = set()
    for run, grouped in groupby(_read_rows(path, report), key=lambda row: row.run):
        rows = _hold(path, grouped)
        if run in done:
            raise CaptureError(f"{path}, line {rows[0].line}: the rows of query {run[0]!r} do not stand together", _FIX)
        done.add(run)
        if not rows[0].fields["query"].strip():
            report.left["runs without a query"] += 1
            continue
        yield _build(path, rows, ids, (options, report))
    if not ids:
        raise refuse_empty(path, report)


def _hold(path: Path, rows: Iterable[_Row]) -> list[_Row]:
    room, held = LONGEST, []
    for row in rows:
        room -= sum(map(len, row.fields.values()))
        if room < 0:
            raise CaptureError(
                f"{path}, line {row.line}: the rows of one query have more than {LONGEST:,} characters", _FIX
            )
        held.append(row)
    return held


def _read_rows(path: Path, report: ImportReport) -> Iterator[_Row]:
    reader = csv.reader(_read_text(path), strict=True)
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        header = next(reader, [])
        missing = [name for name in _COLUMNS if name not in header]
        if missing:
            raise CaptureError(f"{path}, line 1: there is no column {missing[0]}", _FIX)
        for name in sorted(set(header) - set(_COLUMNS)):
            count_left("columns that are no part of a turn", name, report)
        for cells in reader:
            if len(cells) != len(header):
                what = f"{path}, line {reader.line_num}: there are {len(cells)} cells for {len(header)} columns"
                raise CaptureError(what, _FIX)
            yield _Row(reader.line_num, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise CaptureError(f"{path}, line {reader.line_num}: {error}", _FIX) from None
    finally:
        csv.field_size_limit(before)


def _read_text(path: Path) -> Iterator[str]:
    """The lines with their ends, which may stand within a cell; blank ones, which may too, are kept by their number."""
    last = 0
    for number, raw in read_lines(path):
        yield from ("\n" for _ in range(number - last - 1))
        last = number
        try:
            yield f"{raw.decode()}\n"
        except UnicodeDecodeError as error:
            raise CaptureError(f"{path}, line {number} is not UTF-8: byte {error.start + 1}", _FIX) from None


def _build(path: Path, rows: list[_Row], ids: set[str], source: tuple[ImportOptions, ImportReport]) -> Turn:
    options, report = source
    first, place = rows[0].fields, f"{path}, line {rows[0].line}"
    for row in rows:
        if row.fields["query"] != first["query"]:
            raise CaptureError(f"{path}, line {row.line}: the query differs from that of the rows before it", _FIX)
    moment, notes = read_time(None, place, options, report)
    passages = tuple(
        Passage(id=row.fields["passage_id"] or None, text=row.fields["passage"] or None)
        for row in rows
        if row.fields["passage_id"] or row.fields["passage"]
    )
    report.taken["turns"] += 1
    report.taken["retrievals"] += 1
    report.taken["passages"] += len(passages)
    return build_turn(
        place,
        {
            "id": choose_id("-".join(filter(None, rows[0].run)), ids, report),
            "captured_at": moment,
            "captured_at_assumed": True,
            "question": first["query"],
            "labels": {**({"query_run": first["query_run"]} if first["query_run"] else {}), **options.labels},
            "trajectory": (Retrieval(status="ok", passages=passages),),
            "answer": _read_answer(rows, report),
            "agent": Agent(name="unknown"),
            "notes": notes,
        },
    )


def _read_answer(rows: list[_Row], report: ImportReport) -> Answer:
    answers = dict.fromkeys(text for row in rows if (text := row.fields["generated_answer"]))
    if not answers:
        report.left["turns without an answer in the file"] += 1
        return Answer(not_captured=NO_ANSWER)
    if len(answers) > 1:
        report.left["further answers of the same run of a query"] += len(answers) - 1
    report.taken["answers"] += 1
    return Answer(text=next(iter(answers)))
