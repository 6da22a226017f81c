"""Exports of small runs made by hand."""

import io

import pytest

from reportgen.publishing.exports import EXPORTS
from reportgen.publishing.exports.export import Export
from reportgen.publishing.exports.table import Pair, build_columns
from tests.publishing.conftest import make_report


def make_export(report, gates=(), with_text=True) -> Export:
    return Export(
        run=report.run,
        columns=build_columns(report.run, (entry.turn for entry in report.turns()), with_text=with_text),
        pairs=lambda: (Pair(entry.turn, entry.score) for entry in report.turns()),
        conclude=lambda: (report.findings, tuple(gates)),
    )


def written(export, name) -> bytes:
    file = io.BytesIO()
    EXPORTS[name].write(export, file)
    return file.getvalue()


@pytest.fixture
def export(cases) -> Export:
    return make_export(make_report(cases))
