"""What holds for each format of an export."""

import io
import zipfile

import pytest

from reportgen.cli.options import EXPORTS as NAMES
from reportgen.publishing.exports import EXPORTS
from tests.publishing.conftest import make_report
from tests.publishing.exports.conftest import make_export, written
from tests.publishing.hostile import make_hostile_cases


def everything_in(data: bytes) -> str:
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = b"".join(archive.read(name) for name in archive.namelist())
    return data.decode("utf-8", errors="replace")


def test_the_command_offers_each_format_and_no_other():
    assert list(EXPORTS) == list(NAMES)


@pytest.mark.parametrize("name", EXPORTS)
def test_the_same_run_gives_the_same_bytes(cases, name):
    first, second = (written(make_export(make_report(cases)), name) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", EXPORTS)
def test_a_run_without_turns_is_written(name):
    export = make_export(make_report([]))
    if EXPORTS[name].require:
        EXPORTS[name].require(export)
    assert written(export, name)


@pytest.mark.parametrize("name", EXPORTS)
def test_each_file_names_run_rubric_and_judge(export, name):
    text = everything_in(written(export, name))
    for part in (export.run.manifest.run_id, "sql-agent-1", export.run.manifest.rubric_digest[:16], "recorded:by-hand"):
        assert part in text


@pytest.mark.parametrize("name", EXPORTS)
def test_hostile_turns_are_written_and_the_file_stays_open_for_its_owner(name):
    file = io.BytesIO()
    EXPORTS[name].write(make_export(make_report(make_hostile_cases())), file)
    assert not file.closed
    assert file.getvalue()


@pytest.mark.parametrize("name", ["csv", "xlsx", "parquet"])
def test_turns_are_read_one_by_one(cases, name):
    report = make_report(cases)
    export = make_export(report)
    held = []

    def pairs():
        for entry in report.turns():
            held.append(entry.turn.id)
            yield from (pair for pair in export_pairs if pair.turn.id == entry.turn.id)

    export_pairs = list(export.pairs())
    lazy = type(export)(export.run, export.columns, pairs, lambda: pytest.fail("a table needs no findings"))
    assert written(lazy, name) == written(export, name)
    assert len(held) == len(cases)
