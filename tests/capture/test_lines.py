"""The same turns out of each kind of file."""

import gzip
import json
from datetime import UTC, datetime

import pyarrow as pa
import pytest
from pyarrow import parquet

from reportgen.capture import lines
from reportgen.capture.lines import read_lines
from reportgen.capture.turns import read_turns
from reportgen.errors import CaptureError

TURN = {
    "id": "t-1",
    "captured_at": "2026-03-29T09:30:00Z",
    "question": "[1] How many lamps were sold?",
    "labels": {"client": "Lowmoor"},
    "trajectory": [
        {"kind": "sql", "text": "select 1, null", "status": "ok", "columns": ["n", "m"], "rows": [[1, None]]}
    ],
    "answer": {"text": "12"},
    "agent": {"name": "lampbot"},
}
JSONL = b"\xef\xbb\xbf" + json.dumps(TURN).encode() + b"\r\n\n"
ZIPPED = gzip.compress(JSONL, mtime=0)


@pytest.fixture
def plain(tmp_path):
    path = tmp_path / "turns.jsonl"
    path.write_bytes(JSONL)
    return path


def write_parquet(path, **changes):
    columns = {name: json.dumps(value) if isinstance(value, dict | list) else value for name, value in TURN.items()}
    columns |= {"captured_at": datetime(2026, 3, 29, 9, 30, tzinfo=UTC)} | changes
    parquet.write_table(pa.table({name: [value] for name, value in columns.items()}), path)
    return path


def test_a_gzip_file_holds_the_same_turns_whatever_it_is_called(plain, tmp_path):
    zipped = tmp_path / "capture.dat"
    zipped.write_bytes(gzip.compress(JSONL))
    assert list(read_turns(zipped)) == list(read_turns(plain))
    assert list(read_lines(zipped)) == list(read_lines(plain))


def test_a_parquet_file_holds_the_same_turns_with_nested_fields_as_json(plain, tmp_path):
    path = write_parquet(tmp_path / "turns.parquet")
    assert list(read_turns(path)) == list(read_turns(plain))


def test_a_parquet_file_may_hold_structs_and_lists(plain, tmp_path):
    path = write_parquet(tmp_path / "turns.parquet", answer={"text": "12"}, agent={"name": "lampbot"})
    assert list(read_turns(path)) == list(read_turns(plain))


def test_a_row_of_a_parquet_file_that_is_no_turn_is_named_by_its_number(tmp_path):
    path = write_parquet(tmp_path / "turns.parquet", captured_at=datetime(2026, 3, 29, 9, 30))  # noqa: DTZ001
    with pytest.raises(CaptureError, match="line 1: captured_at has no time zone"):
        list(read_turns(path))


@pytest.mark.parametrize(
    "damage",
    [ZIPPED[:-9], ZIPPED[:20], b"\x1f\x8b no", b"PAR1 no"],
    ids=["gzip without its end", "gzip cut off", "no gzip", "no Parquet"],
)
def test_a_damaged_file_is_an_error_and_no_end(tmp_path, damage):
    path = tmp_path / "turns"
    path.write_bytes(damage)
    with pytest.raises(CaptureError, match="cannot be read"):
        list(read_turns(path))


def test_without_the_library_for_parquet_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    path = tmp_path / "turns.parquet"
    path.write_bytes(b"PAR1PAR1")
    with pytest.raises(CaptureError, match=r"reportgen\[parquet\]"):
        list(read_lines(path))


def test_a_line_that_unpacks_to_more_than_any_turn_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "_LONGEST", 100_000)
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(b"x" * 1_000_000))
    with pytest.raises(CaptureError, match="line 1 is longer than 100,000 bytes"):
        list(read_lines(bomb))


@pytest.mark.parametrize(
    "cells",
    [
        pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"]).buffers()),
        pa.array([2**62], pa.timestamp("us")),
        pa.array([1_751_328_000_000_000_123], pa.timestamp("ns")),
    ],
    ids=["broken UTF-8", "a year that there is not", "parts of a microsecond"],
)
def test_a_cell_that_cannot_be_read_is_an_error_of_the_file(tmp_path, cells):
    path = tmp_path / "turns.parquet"
    parquet.write_table(pa.table({"id": cells}), path)
    with pytest.raises(CaptureError, match="that cannot be read"):
        list(read_lines(path))


def test_json_that_is_nested_too_deeply_for_its_cell_is_a_bad_row(tmp_path):
    path = write_parquet(tmp_path / "turns.parquet", labels="[" * 100_000)
    with pytest.raises(CaptureError, match="labels must be an object"):
        list(read_turns(path))
