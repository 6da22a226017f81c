"""Files are whole or absent."""

import pytest

from reportgen.archive.files import write_folder, write_together, write_whole
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


def always(folder):
    return True


def names_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_folder_is_replaced_only_by_a_whole_one(tmp_path):
    folder = tmp_path / "report"
    write_folder(folder, [("index.html", [b"old"]), ("turns/1.html", [b"o", b"ld"])], always)
    assert names_in(folder) == ["index.html", "turns/1.html"]

    def broken():
        yield "index.html", [b"new"]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_folder(folder, broken(), always)
    assert (folder / "index.html").read_bytes() == b"old"
    write_folder(folder, [("index.html", [b"new"])], always)
    assert names_in(folder) == ["index.html"]
    assert [item.name for item in tmp_path.iterdir()] == ["report"]


def test_a_folder_that_is_not_ours_stays(tmp_path):
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "mine.txt").write_bytes(b"mine")
    with pytest.raises(RunError, match="in the way"):
        write_folder(tmp_path / "report", [("index.html", [b"new"])], lambda folder: False)
    assert names_in(tmp_path) == ["report/mine.txt"]


def test_the_old_folder_is_put_back_where_the_new_one_cannot_take_its_place(tmp_path, monkeypatch):
    folder = tmp_path / "report"
    write_folder(folder, [("index.html", [b"old"])], always)
    replace = type(folder).replace

    def fail_for_new(self, target):
        if self.name.endswith(".part"):
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(type(folder), "replace", fail_for_new)
    with pytest.raises(RunError, match="No space left"):
        write_folder(folder, [("index.html", [b"new"])], always)
    assert (folder / "index.html").read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["report"]


def test_of_files_that_belong_together_none_is_there_unless_all_are_whole(tmp_path):
    (tmp_path / "a").write_bytes(b"old")

    def broken(file):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(RunError, match=r"b cannot be written: No space left"):
        write_together({tmp_path / "a": lambda file: file.write(b"new"), tmp_path / "b": broken})
    assert names_in(tmp_path) == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"
    write_together({tmp_path / "a": lambda file: file.write(b"new"), tmp_path / "b": lambda file: file.write(b"b")})
    assert [(tmp_path / name).read_bytes() for name in names_in(tmp_path)] == [b"new", b"b"]
