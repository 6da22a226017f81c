"""report.json carries the run whole, so that everything can be computed again from it."""

import hashlib
import json

import jsonschema

from reportgen.model.run import RunFile
from reportgen.publishing.data import findings_data, render_json, report_schema
from reportgen.record import canonical, digest
from tests.publishing.conftest import make_report
from tests.publishing.hostile import make_hostile_cases


def read(report):
    return json.loads(b"".join(render_json(report)))


def test_the_digests_of_the_runs_files_follow_from_the_report(report):
    data = read(report)
    for name, stated in data["run"]["files"].items():
        lines = b"".join(canonical(record) + b"\n" for record in data[name.removesuffix(".jsonl")])
        assert hashlib.sha256(lines).hexdigest() == stated


def test_the_seal_follows_from_the_report(report):
    content = read(report)["run"]
    seal = content.pop("seal")
    assert seal == digest(content) == report.run.seal


def test_the_run_reads_back_as_the_same(report):
    assert RunFile.from_data(read(report)["run"]) == report.run


def test_each_record_stands_on_a_line_of_its_own(report):
    lines = b"".join(render_json(report)).splitlines()
    assert canonical(next(report.turns()).turn.to_data()) in [line.rstrip(b",") for line in lines]


def test_the_report_follows_its_schema(report):
    schema = report_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(read(report), schema)
    jsonschema.validate(read(make_report([])), schema)
    jsonschema.validate(read(make_report(make_hostile_cases())), schema)


def test_exact_numbers_are_text(report):
    mean = read(report)["findings"]["summary"]["mean"]["value"]
    assert isinstance(mean, str)
    assert mean == findings_data(report.findings)["summary"]["mean"]["value"]


def test_two_renderings_are_the_same(report):
    assert b"".join(render_json(report)) == b"".join(render_json(report))
