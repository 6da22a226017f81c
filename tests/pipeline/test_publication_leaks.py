"""Nothing of anybody else in any file that a publication gives to a client, and no text in what it gives to all.

The PDFs are the same reports; `test_derive_client` and `test_derive_public` search theirs.
"""

import zipfile
from pathlib import Path

import pytest
from pyarrow import parquet

from tests.pipeline.planted import OURS, make_archive, plant

CONFIG = """\
redaction: {{names: [{name}]}}
report: {{title: Answers, formats: [html, json]}}
publish:
  audiences: [internal, client, public]
  clients: [{client}]
  exports: [csv, xlsx, parquet, md]
gates: {{strata: [{{label: client, mean_at_least: 1}}]}}
"""


OF_LABELS = {"seed", "labeller", "comment", "label-file", "label-column"}
"""What stands with the labels of a run, and in nothing that is published of it, also not for the publisher."""


@pytest.fixture
def published(monkeypatch, tmp_path, reportgen):
    """A publication of a run in which each field of other clients holds a string of its own, and these strings."""
    parent, planted = make_archive(monkeypatch, tmp_path, reportgen, annexed=True)
    Path("config.yaml").write_text(CONFIG.format(name=plant(planted, "config-name"), client=OURS))
    Path("ours.md").write_text(f"For us alone: {plant(planted, 'notes')}.")
    options = ["--period", "2026-07", "--run", parent.name, "--key", "key"]
    ended = reportgen("publish", *options, "--notes", "ours.md", "--signed", plant(planted, "signed"))
    assert ended.code == 0, ended.err
    return Path("publications"), planted


def contents(path):
    """All that a file holds, unpacked."""
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as file:
            return [(name, file.read(name).decode()) for name in file.namelist()]
    if path.suffix == ".parquet":
        table = parquet.read_table(path)
        return [("rows", str(table.to_pylist())), ("schema", str(table.schema) + str(parquet.read_metadata(path)))]
    return [("text", path.read_text("utf-8"))]


def test_no_client_and_no_reader_of_public_reports_is_given_anything_of_others(published):
    out, planted = published
    places = [out / "2026-07/clients", out / "2026-07/public", out / "site/clients", out / "site/public"]
    files = [path for place in places for path in place.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".html", ".json", ".csv", ".xlsx", ".parquet", ".md", ".xml"}
    hidden = [*planted, "4242424211", "4242.5", "2001-02-03", "ada@lowmoor"]
    found = [
        (text, path, where)
        for path in files
        for where, data in [("name", str(path)), *contents(path)]
        for text in [*hidden, *([OURS] if "public" in path.parts else [])]
        if text.lower() in data.lower()
    ]
    assert found == []
    labels = [text for text, place in planted.items() if place in OF_LABELS]
    kept = [path for path in out.rglob("*") if path.suffix in {".html", ".json", ".csv", ".md", ".xml"}]
    assert [(text, path) for path in kept for text in labels if text in path.read_text("utf-8")] == []


def test_statistics_and_rows_of_what_is_given_to_others_tell_nothing_more(published, reportgen):
    out, planted = published
    given = [path for place in ("clients", "public") for path in (out / "2026-07" / place).rglob("report.json")]
    assert len(given) == 2
    for path in given:
        for command in ("stats", "records"):
            ended = reportgen(command, path)
            assert ended.code == 0, ended.err
            told = ended.out + ended.err
            assert [text for text in [*planted, "4242424211", "4242.5", "ada@lowmoor"] if text in told] == []


def test_what_is_planted_is_in_what_the_publisher_keeps(published):
    out, planted = published
    kept = "".join(path.read_text("utf-8") for path in out.glob("2026-07/internal/*.*ml"))
    kept += (out / "2026-07/internal/report.json").read_text("utf-8")
    nowhere = {"config-name", "file", *OF_LABELS}
    assert {place for text, place in planted.items() if text not in kept} <= nowhere
