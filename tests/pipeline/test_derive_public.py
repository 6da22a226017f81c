"""A run for the public: no text of any turn in any byte, no small group, and every score recomputable."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from reportgen.archive.digests import seal_of
from reportgen.archive.records import open_records
from reportgen.archive.store import load_run
from reportgen.verification import check_records
from tests.judge_server import served
from tests.pipeline.planted import JUDGE, OURS, bytes_of, bytes_of_pdf, make_archive, our_turn, plant


@pytest.fixture
def archive(monkeypatch, tmp_path, reportgen):
    parent, planted = make_archive(monkeypatch, tmp_path, reportgen)
    name = plant(planted, "config-name")
    Path("config.yaml").write_text(f"redaction: {{names: [{name}], patterns: {{{name.lower()}: {name}}}}}\n")
    return parent, planted


@pytest.fixture
def derive(archive, reportgen):
    def call(*more):
        return reportgen("derive", archive[0], "--public", "--key", "key", "--run-id", "all", *more)

    return call


@pytest.fixture
def shown(derive):
    ended = derive()
    assert ended.code == 0, ended.err
    return Path("runs/all")


def differences(folder):
    return [str(difference) for difference in check_records(open_records(folder))]


def texts_of(parent):
    """Every text that the turns and verdicts of a run hold, and every number and time that is captured."""
    records = open_records(parent)
    found = set()

    def gather(value, name=""):
        if isinstance(value, dict):
            for key, item in value.items():
                gather(item, key)
        elif isinstance(value, list):
            for item in value:
                gather(item, name)
        elif isinstance(value, str) and name not in ("status", "kind", "format", "question_source", "call", "outcome"):
            found.add(value)

    for turn in records.turns():
        gather({**turn.to_data(), "labels": {**turn.labels, "surface": ""}})
        found |= {name for event in turn.statements for name in event.columns or ()}
    for verdict in records.verdicts():
        data = verdict.to_data()
        gather({name: data.get(name) for name in ("key", "evidence", "reason", "text")})
        gather([[attempt["request_id"], attempt["asked_at"]] for attempt in data["attempts"]])
        gather([verdict.reply.explanation, *verdict.reply.quotes])
    return {text for text in found if len(text) > 6 and text != JUDGE.partition(":")[2]}


def test_no_text_of_any_turn_is_in_any_byte_of_the_run_or_of_its_report(archive, shown, reportgen):
    parent, planted = archive
    assert reportgen("report", shown).code == 0
    places = [*bytes_of(shown), *bytes_of_pdf(Path("reports/all/report.pdf"))]
    files = [path for path in Path("reports/all").rglob("*") if path.is_file() and path.suffix != ".pdf"]
    places += [(str(path), path.read_text("utf-8")) for path in files]
    assert len(places) > 20
    hidden = {*planted, *texts_of(parent), OURS, "4242424211", "98765", "T09:0", "09:00:00", "parcels"}
    assert len(hidden) > 100
    assert [(text, where) for where, data in places for text in hidden if text.lower() in data.lower()] == []
    assert [where for where, data in bytes_of(shown) if "12.25" in data] == []
    everything = "".join(data for _, data in bytes_of(parent))
    elsewhere = ("file", "config-name")
    assert [text for text, place in planted.items() if place not in elsewhere and text not in everything] == []


def test_every_score_and_the_mean_are_those_of_the_parent(archive, shown):
    before, after = load_run(archive[0]).summary, load_run(shown).summary
    names = ("turns", "scored", "bands", "mean", "caps", "at_maximum", "agreements", "bound_low", "bound_high")
    assert [getattr(after, name) for name in names] == [getattr(before, name) for name in names]
    scores = [sorted(str(score.score) for score in open_records(folder).scores()) for folder in (archive[0], shown)]
    assert scores[0] == scores[1]


def test_it_verifies_as_a_run_as_json_and_as_pdf_and_says_what_is_stated(shown, reportgen):
    assert reportgen("report", shown, "--format", "json,pdf").code == 0
    for path in (shown, "reports/all/report.json", "reports/all/report.pdf"):
        ended = reportgen("verify", path)
        assert ended.code == 0, ended.out
        assert "derived  for the public: no text of any turn is shown" in ended.out
        assert "stated by the publisher and not recomputed: " in ended.out
        assert "limitations, quotes, spending" in ended.out


def test_turns_stand_in_an_order_and_at_a_time_that_tell_nothing(archive, shown):
    turns = list(open_records(shown).turns())
    tag = turns[0].id.partition("-")[0]
    assert [turn.id for turn in turns] == [f"{tag}-{number}" for number in range(1, len(turns) + 1)]
    assert (len(tag), tag.isalnum()) == (6, True)
    assert {turn.captured_at.isoformat() for turn in turns} == {"2026-07-01T00:00:00+00:00"}
    conversations = [turn.conversation for turn in turns if turn.conversation]
    assert list(dict.fromkeys(conversations)) == [
        f"conversation {number}" for number in range(1, len(set(conversations)) + 1)
    ]
    before = [score.score for score in open_records(archive[0]).scores()]
    assert sorted(before) == sorted(score.score for score in open_records(shown).scores())


def test_the_same_key_gives_the_same_bytes_and_another_key_another_order(shown, derive, reportgen, archive):
    before = {path.name: path.read_bytes() for path in shown.iterdir()}
    shutil.rmtree(shown)
    assert derive().code == 0
    assert {path.name: path.read_bytes() for path in shown.iterdir()} == before
    Path("other-key").write_text("3c" * 32)
    ended = reportgen("derive", archive[0], "--public", "--key", "other-key", "--run-id", "other")
    assert ended.code == 0
    assert Path("runs/other/turns.jsonl").read_bytes() != before["turns.jsonl"]


@pytest.mark.parametrize("options", [[], ["--public", "--client", OURS]])
def test_a_run_is_derived_for_a_client_or_for_the_public_and_not_for_both(archive, reportgen, options):
    ended = reportgen("derive", archive[0], "--key", "key", *options)
    assert (ended.code, "either --client NAME or --public" in ended.err) == (2, True)


def test_fewer_than_five_turns_are_refused(archive, reportgen, monkeypatch):
    Path("few.jsonl").write_text("".join(json.dumps(our_turn(number, "others")) + "\n" for number in range(4)))
    with served(monkeypatch, manner="honest"):
        assert reportgen("judge", "few.jsonl", "--judge", JUDGE, "--run-id", "few", "--quiet").code == 0
    ended = reportgen("derive", "few", "--public", "--key", "key", "--run-id", "all")
    assert (ended.code, "fewer than 5 are never shown" in ended.err) == (1, True)
    assert not Path("runs/all").exists()


def test_a_public_run_is_no_parent_of_another(shown, reportgen):
    for whom in (["--public"], ["--client", OURS]):
        ended = reportgen("derive", shown, *whom, "--key", "key")
        assert (ended.code, "was derived for the public itself" in ended.err) == (1, True)


def reseal(folder, change):
    """Changes run.json and seals it again with the files as they are, as a forger would."""
    path = folder / "run.json"
    content = json.loads(path.read_text("utf-8"))
    change(content)
    content["files"] = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in content["files"]}
    content["seal"] = seal_of(content)
    path.write_text(json.dumps(content))


def set_stated(content, name, value):
    content["manifest"]["derived"]["stated"][name] = value


def add_table(content, label, turns):
    tables = content["manifest"]["derived"]["stated"]["breakdowns"]
    estimate = {"n": 0, "undefined": "x"}
    figures = {"mean": estimate, "median": estimate, "best": estimate, "rest": {"difference": estimate}}
    lines = [{"value": str(n), "turns": n, "scored": n, **figures, "rank": None, "bands": None} for n in turns]
    tables.append({"label": label, "strata": lines})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda content: add_table(content, "region", [6, 3]), "by region, 3: states 3 turns"),
        (lambda content: add_table(content, "client", [9]), "results by client"),
        (lambda content: add_table(content, "region", [6, 6]), "by region: turns: states 12"),
        (lambda content: set_stated(content, "first", "2026-06-01T00:00:00Z"), "captured_at"),
        (lambda content: set_stated(content, "quotes", {"quotes": "many"}), "manifest.derived.stated"),
        (lambda content: content["manifest"]["derived"]["stated"].pop("caveats"), "manifest.derived.stated"),
    ],
)
def test_what_a_public_run_states_must_be_of_its_form_and_show_no_small_group(shown, reportgen, change, words):
    reseal(shown, change)
    ended = reportgen("verify", shown)
    assert ended.code in (1, 4)
    assert words in ended.out + ended.err


def better(content, table):
    """A table of one line that is better than the whole run; its bands are shown where `table` says so."""
    add_table(content, "region", [9])
    (line,) = content["manifest"]["derived"]["stated"]["breakdowns"][-1]["strata"]
    line |= table


ADDRESSED = [{"turn": "000000-1", "places": [], "reported": True}]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda content: better(content, {"mean": {"n": 9, "value": "99.8"}}), "by region: the means together: states"),
        (lambda content: better(content, {"bands": {"good": 9}}), "by region: good: states 9 turns"),
        (lambda content: set_stated(content, "addressed", ADDRESSED), "stated.addressed: reported"),
        (lambda content: set_stated(content, "addressed", ADDRESSED), "stated.caveats: judge-addressed: states False"),
        (
            lambda content: set_stated(content, "quotes", {"quotes": 9, "supported": 1, "turns": []}),
            "stated.caveats: unsupported-quotes: states False, but True follows",
        ),
    ],
)
def test_what_a_public_run_states_must_not_contradict_what_follows_from_it(shown, change, words):
    set_quotes = {"quotes": 0, "supported": 0, "turns": []}
    reseal(shown, lambda content: [set_stated(content, "caveats", []), set_stated(content, "quotes", set_quotes)])
    reseal(shown, change)
    assert any(words in difference for difference in differences(shown)), differences(shown)


def test_a_public_run_from_which_turns_are_missing_does_not_have_its_number_of_commitments(shown):
    reseal(shown, lambda content: content["manifest"]["derived"]["commitments"].append("f" * 64))
    assert any("commitments: how many: states 10, but 9 follows" in difference for difference in differences(shown))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"question":"[text withheld]"', '"question":"Who is ill?"'),
        ('"labels":{}', '"labels":{"region":"eu"}'),
        ('"captured_at":"2026-07-01T00:00:00Z"', '"captured_at":"2026-07-01T09:01:00Z"'),
    ],
)
def test_a_text_a_label_or_a_time_put_in_afterwards_is_named(shown, old, new):
    path = shown / "turns.jsonl"
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    reseal(shown, lambda content: None)
    assert any("-1" in difference and "turns.jsonl, turn " in difference for difference in differences(shown))


def test_the_report_reads_without_texts(shown, reportgen):
    assert reportgen("report", shown, "--format", "html").code == 0
    page = Path("reports/all/report.html").read_text("utf-8")
    body = page.partition("<body")[2]
    assert "withheld]" not in body
    assert body.count("Texts are withheld from this report.") == 1
    assert '<dt>Audience</dt><dd dir="auto">Public</dd>' in body
    assert "SQL statement: ok" in body
    assert '<th scope="col">Question</th>' not in body
