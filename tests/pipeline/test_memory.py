"""Reading what somebody sent takes no more memory than a run or report of its size does."""

import resource
from pathlib import Path

import pytest

from reportgen.errors import RunError
from reportgen.pipeline import memory
from reportgen.pipeline.memory import bounded_memory

MIB = 1024**2


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A small file, for which there are 64 MiB."""
    monkeypatch.setattr(memory, "BASE", 64 * MIB)
    path = tmp_path / "report.json"
    path.write_text("{}")
    return path


def test_what_takes_more_is_an_error_in_words_and_the_limit_is_as_before(small):
    before = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(RunError, match=r"report\.json takes more than 64 MiB of memory"), bounded_memory(small):
        bytearray(512 * MIB)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    bytearray(512 * MIB)


def test_a_larger_file_or_folder_may_take_more(small):
    (small.parent / "turns.jsonl").write_bytes(bytes(40 * MIB))
    for path in (small.parent, small.parent / "turns.jsonl"):
        with bounded_memory(path):
            bytearray(512 * MIB)


@pytest.mark.usefixtures("own_folder")
def test_values_that_fill_the_memory_are_refused(reportgen, monkeypatch):
    monkeypatch.setattr(memory, "BASE", 64 * MIB)
    monkeypatch.setattr(memory, "FOR_A_BYTE", 1)
    Path("report.json").write_text('{"figures": [' + "[]," * (6 * MIB) + "[]]}")
    ended = reportgen("verify", "report.json")
    assert (ended.code, "of memory, as no run or report of its size does" in ended.err) == (1, True)
