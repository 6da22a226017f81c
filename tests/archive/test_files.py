"""Files are whole or absent."""

import subprocess
import sys

import pytest

from reportgen.archive.files import folder_aside, write_folder, write_together, write_whole
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


def test_two_processes_do_not_write_to_one_place_at_once(tmp_path):
    with folder_aside(tmp_path / "site"):
        with pytest.raises(RunError, match="site is in use by another process"), folder_aside(tmp_path / "site"):
            pass
        with folder_aside(tmp_path / "other"):
            pass
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_a_killed_process_left_is_removed_and_nobody_elses(tmp_path):
    kept = [".site.1.part.d", ".site.x.part", ".other.1.part", "site.1.part"]
    for name in (*kept, ".site.1.part", ".site.22.old", "site"):
        (tmp_path / name).mkdir()
    (tmp_path / ".site.3.part").symlink_to(tmp_path / "site")
    with folder_aside(tmp_path / "site"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*kept, ".site.3.part", "site"])


def test_long_names_with_one_beginning_are_places_of_their_own(tmp_path):
    with folder_aside(tmp_path / ("x" * 120 + "a")), folder_aside(tmp_path / ("x" * 120 + "b")):
        assert len(list(tmp_path.iterdir())) == 4


KILLED = """
import os, pathlib, signal, sys
from reportgen.archive.files import folder_aside, replace_folder

place, moment = pathlib.Path(sys.argv[1]), sys.argv[2]
move = pathlib.Path.replace

def die_at(path, target):
    if moment in path.name:
        os.kill(os.getpid(), signal.SIGKILL)
    return move(path, target)

pathlib.Path.replace = die_at
with folder_aside(place) as aside:
    (aside / "new").touch()
    replace_folder(aside, place, lambda folder: True)
"""


@pytest.mark.parametrize(("moment", "is_gone"), [("site", False), (".part", True)])
def test_a_folder_whose_place_was_to_be_taken_when_the_process_was_killed_is_back(tmp_path, moment, is_gone):
    place = tmp_path / "site"
    write_folder(place, [("old", [b"old"])], always)
    environment = {"PYTHONPATH": ":".join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", KILLED, place, moment], env=environment, check=False)
    assert (ended.returncode, place.exists()) == (-9, not is_gone)
    assert any(path.suffix == ".part" for path in tmp_path.iterdir())
    with folder_aside(place):
        assert [path.name for path in place.iterdir()] == ["old"]
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
