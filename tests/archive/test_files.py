"""Files are whole or absent."""

import pytest

from reportgen.archive.files import write_whole
from reportgen.errors import RunError


def test_a_file_is_replaced_only_by_a_whole_one(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def broken():
        yield b"new"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_whole(path, broken())
    assert [item.name for item in tmp_path.iterdir()] == ["a"]
    assert path.read_bytes() == b"old"
    write_whole(path, [b"n", b"ew"])
    assert path.read_bytes() == b"new"


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RunError, match="cannot be written"):
        write_whole(tmp_path / "file" / "a", [b"x"])
