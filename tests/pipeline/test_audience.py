"""`report --audience`: the run for an audience is derived once, and found again for as long as nothing changes."""

import json
from pathlib import Path

import pytest

from reportgen.archive.store import load_run
from reportgen.pipeline.derived import name_client
from tests.pipeline.planted import OURS, bytes_of, make_archive


@pytest.fixture
def archive(monkeypatch, tmp_path, reportgen):
    return make_archive(monkeypatch, tmp_path, reportgen)


@pytest.fixture
def publish(archive, reportgen):
    def call(*options):
        return reportgen("report", archive[0], "--format", "json", *options)

    return call


def made(archive):
    return sorted(path.name for path in Path("runs").iterdir() if path.name != archive[0].name)


def shown_to(folder):
    return json.loads(Path("reports", folder, "report.json").read_text("utf-8"))["run"]["manifest"].get("derived")


def test_the_internal_report_is_of_the_run_itself_and_makes_none(archive, publish):
    assert publish("--audience", "internal").code == 0
    assert made(archive) == []
    assert shown_to(archive[0].name) is None


def test_each_audience_has_a_run_that_is_found_again(archive, publish):
    for _ in range(2):
        assert publish("--audience", "client", "--client", OURS, "--key", "key").code == 0
        assert publish("--audience", "public", "--key", "key").code == 0
        client, public = made(archive)
        assert (client.endswith("-lowmoor-freight"), public.endswith("-public")) == (True, True)
    assert (shown_to(client)["client"], "client" in shown_to(public)) == (OURS, False)
    planted = [
        text
        for text in archive[1]
        if any(text in data for name in (client, public) for _, data in bytes_of(Path("runs", name)))
    ]
    assert planted == []


def test_another_configuration_makes_another_run_and_leaves_the_first(archive, publish):
    assert publish("--audience", "client", "--client", OURS, "--key", "key").code == 0
    (first,) = made(archive)
    seal = load_run(Path("runs", first)).seal
    Path("config.yaml").write_text("redaction: {names: [depot]}\n")
    assert publish("--audience", "client", "--client", OURS, "--key", "key").code == 0
    assert made(archive) == [first, f"{first}-2"]
    assert load_run(Path("runs", first)).seal == seal


def test_no_id_of_a_run_tells_that_another_client_is_named_alike():
    found = [name_client(name) for name in ("Northgate", "northgate", "Public", "public", "North-Gate", "North Gate")]
    assert len(set(found)) == len(found)
    assert "public" not in found


def test_what_a_kill_left_aside_is_removed_and_nothing_stays_aside(archive, publish):
    Path("runs/.derived-left").mkdir()
    assert publish("--audience", "public", "--key", "key").code == 0
    assert [path.name for path in Path("runs").glob(".derived-*")] == []


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--audience", "client", "--key", "key"], 2, "--client goes with --audience client"),
        (["--audience", "public", "--client", OURS, "--key", "key"], 2, "--client goes with --audience client"),
        (["--audience", "public"], 1, "needs the publisher's key"),
        (["--audience", "client", "--client", "Nobody", "--key", "key"], 1, "No turn of the run"),
    ],
)
def test_what_is_missing_is_named_and_nothing_is_made(archive, publish, options, code, words):
    ended = publish(*options)
    assert (ended.code, words in ended.err) == (code, True)
    assert made(archive) == []


def test_runs_for_different_readers_are_not_compared_and_no_trend_of_theirs_names_the_other(archive, publish):
    assert publish("--audience", "public", "--key", "key").code == 0
    (public,) = made(archive)
    ended = publish("--audience", "public", "--key", "key", "--baseline", str(archive[0]))
    assert ended.code == 1
    assert publish("--audience", "public", "--key", "key", "--trend").code == 0
    assert archive[0].name not in Path("reports", public, "report.json").read_text("utf-8")
