"""A report takes the place of an earlier report, and of nothing else."""

import shutil

import pikepdf
import pytest

from reportgen.pipeline.making_room import find_volumes

MINE = b"<p>mine, %PDF- and not yours"


def write(reportgen, run, out, form, *options):
    return reportgen("report", run, "--out", out, "--format", form, *options)


@pytest.fixture
def as_folder(tmp_path):
    """A configuration by which each HTML is a folder."""
    path = tmp_path / "folder.yaml"
    path.write_text("report: {one_file_up_to: 0}", "utf-8")
    return "--config", path


@pytest.mark.parametrize("form", ["html", "pdf", "json"])
def test_a_file_of_somebody_elses_is_neither_overwritten_nor_deleted(reportgen, demo_run, tmp_path, form):
    mine = tmp_path / f"report.{form}"
    mine.write_bytes(MINE)
    ended = write(reportgen, demo_run, tmp_path, form)
    assert ended.code == 1
    assert "is in the way and was not made by reportgen" in ended.err
    assert [mine.read_bytes(), len(list(tmp_path.iterdir()))] == [MINE, 1]


@pytest.mark.parametrize("form", ["html", "json"])
def test_an_earlier_report_and_an_empty_file_make_way(reportgen, demo_run, tmp_path, form):
    path = tmp_path / f"report.{form}"
    path.write_bytes(b"")
    assert write(reportgen, demo_run, tmp_path, form).code == 0
    first = path.read_bytes()
    assert write(reportgen, demo_run, tmp_path, form).code == 0
    assert path.read_bytes() == first


@pytest.mark.parametrize("name", ["turns/notes.txt", "data/0001.csv", "lists/mine.html", "turns/deep/0001.html"])
def test_a_folder_with_a_file_of_somebody_elses_at_any_depth_stays(reportgen, demo_run, as_folder, tmp_path, name):
    out = tmp_path / "out"
    assert write(reportgen, demo_run, out, "html", *as_folder).code == 0
    mine = out / "report" / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_bytes(MINE)
    assert write(reportgen, demo_run, out, "html", *as_folder).code == 1
    assert mine.read_bytes() == MINE
    assert write(reportgen, demo_run, out, "html").code == 0
    assert mine.read_bytes() == MINE


def test_a_link_within_the_folder_is_not_taken_for_a_part_of_the_report(reportgen, demo_run, as_folder, tmp_path):
    out, mine = tmp_path / "out", tmp_path / "mine"
    assert write(reportgen, demo_run, out, "html", *as_folder).code == 0
    shutil.copytree(out / "report" / "lists", mine)
    shutil.rmtree(out / "report" / "lists")
    (out / "report" / "lists").symlink_to(mine)
    assert write(reportgen, demo_run, out, "html", *as_folder).code == 1
    assert list(mine.iterdir())


def test_only_volumes_of_earlier_reports_are_to_be_removed(tmp_path):
    names = ["report-volume-2024-draft.pdf", "report-volume-2.pdf", "report-volume-3.pdf", "report-volume-4.pdf"]
    creators = ["reportgen 0.1", None, "another program", "reportgen 0.1"]
    for name, creator in zip(names, creators, strict=True):
        (tmp_path / name).write_bytes(MINE)
        if creator:
            with pikepdf.new() as pdf:
                pdf.docinfo["/Creator"] = creator
                pdf.save(tmp_path / name)
    assert [path.name for path in find_volumes(tmp_path)] == ["report-volume-4.pdf"]
