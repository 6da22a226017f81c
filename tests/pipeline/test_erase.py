"""Texts that are erased on request: gone from every byte of the archive, and every score still follows."""

import hashlib
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reportgen.archive import store
from reportgen.archive.digests import seal_of
from reportgen.archive.records import open_records
from reportgen.archive.store import load_run
from reportgen.pipeline import erasing
from reportgen.pipeline.erase import EraseOrder, erase_turns
from reportgen.verification import check_records

NOW = datetime(2026, 8, 4, 9, 0, tzinfo=UTC)
DIMENSIONS = ("intent-understood", "sql-quality", "result-relevance", "answer-faithfulness")
SECRETS = tuple(f"Zq{number}secret" for number in range(9))


def make_turn(number, secrets=("plain",) * 9, **fields):
    question, comment, cell, column, answer, output, error, note, rule = secrets
    return {
        "id": f"t-{number}",
        "conversation": f"c-{number % 2}",
        "captured_at": f"2026-07-01T09:0{number}:00Z",
        "question": f"Who is {question}?",
        "labels": {"client": "Lowmoor", "surface": "web", "region": "eu" if number % 2 else "us"},
        "trajectory": [
            {
                "kind": "sql",
                "text": f"SELECT 1 -- {comment}",
                "status": "ok",
                "columns": [column, "n"],
                "rows": [[cell, number]],
                "row_count": 1,
            },
            {"kind": "tool", "name": "look", "arguments": {"a": output}, "status": "ok", "output": output},
            {"kind": "sql", "text": "SELECT 2", "status": "error", "error": error},
            {"kind": "guardrail", "rule": "no-names", "message": rule},
        ],
        "answer": {"text": f"It is {answer}, {number}."},
        "agent": {"name": "depot-assistant"},
        "notes": [note],
        **fields,
    }


def make_line(number, explanation, quotes=()):
    scores = dict.fromkeys(DIMENSIONS, 4 + number)
    reply = {"quotes": list(quotes), "explanation": explanation, "scores": scores}
    return {"turn": f"t-{number}", "reply": {**reply, "verdict": "good", "addressed_judge": False}}


@pytest.fixture
def archive(monkeypatch, tmp_path, reportgen):
    """A run, the same verdicts scored again, and a run for one client; secrets stand in turn 1 and in nothing else."""
    monkeypatch.chdir(tmp_path)
    turns = [make_turn(number) for number in (2, 3, 4, 5)]
    turns.insert(1, make_turn(1, SECRETS))
    text = "".join(json.dumps(turn) + "\n" for turn in turns) + json.dumps({"id": "t-1", "question": SECRETS[0]})
    Path("turns.jsonl").write_text(text + "\n")
    lines = [{"format": "reportgen/recorded/1", "note": "By hand."}]
    lines += [make_line(number, "Right.") for number in (2, 3, 5)] + [make_line(1, f"Of {SECRETS[0]}.", SECRETS[:3])]
    Path("said.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    Path("key").write_text("5a" * 32)
    options = ["--judge", "recorded:said.jsonl", "--run-id", "first", "--skip-bad", "--quiet"]
    assert reportgen("judge", "turns.jsonl", *options).code == 0
    assert reportgen("probe", "first", "length").code == 0
    assert reportgen("rescore", "first", "--rubric", "sql-agent-1", "--run-id", "again").code == 0
    ended = reportgen("derive", "first", "--client", "Lowmoor", "--key", "key", "--run-id", "ours")
    assert ended.code == 0, ended.err
    assert reportgen("report", "first", "--format", "json").code == 0
    return Path("runs/first")


@pytest.fixture
def erase(archive, reportgen):
    def call(*turns, run="first", reason="Request of 4 August"):
        return reportgen("erase", run, *(turns or ("t-1",)), "--reason", reason)

    return call


def everything(folder):
    return "".join(path.read_text("utf-8") for path in sorted(folder.rglob("*")) if path.is_file())


def differences(folder):
    return [str(difference) for difference in check_records(open_records(folder))]


def test_nothing_of_the_turn_is_left_in_any_byte_of_the_archive(archive, erase):
    before = everything(Path("runs"))
    assert [secret for secret in SECRETS if secret not in before] == []
    ended = erase()
    assert ended.code == 0, ended.err
    left = everything(Path("runs"))
    assert [secret for secret in SECRETS if secret in left] == []
    assert ended.out.count("erased  t-1 from ") == 3
    assert "reports, 1 so far" in ended.err
    assert not list(Path("runs").rglob("erasing.json"))


def test_scores_summary_and_all_other_lines_stay(archive, erase):
    before = {path.name: path.read_bytes().split(b"\n") for path in archive.glob("*.jsonl")}
    summary = load_run(archive).summary
    assert erase().code == 0
    assert load_run(archive).summary == summary
    assert (archive / "scores.jsonl").read_bytes().split(b"\n") == before["scores.jsonl"]
    for name in ("turns.jsonl", "verdicts.jsonl"):
        after = (archive / name).read_bytes().split(b"\n")
        assert [place for place, line in enumerate(before[name]) if line != after[place]] == [1]


@pytest.mark.parametrize("run", ["first", "again", "ours"])
def test_each_run_verifies_says_erased_on_request_and_knows_its_seal_of_before(archive, erase, reportgen, run):
    before = load_run(Path("runs", run)).seal
    assert erase().code == 0
    ended = reportgen("verify", f"runs/{run}", "--seal", before)
    assert ended.code == 0, ended.out
    assert "erased on request  t-1, at 20" in ended.out
    assert "Request of 4 August" in ended.out
    assert f"follow from the seal of before: {before}" in " ".join(ended.out.split())
    assert load_run(Path("runs", run)).seal != before
    assert reportgen("verify", f"runs/{run}", "--seal", "0" * 64).code == 4


def test_a_report_after_an_erasure_says_so_and_verifies_and_is_a_revision_of_its_own(archive, erase, reportgen):
    assert erase().code == 0
    assert reportgen("report", "first", "--format", "html,json").code == 0
    page = Path("reports/first/report.html").read_text("utf-8")
    assert page.count("The texts of this turn were erased on request on ") == 1
    assert "The texts of 1 turn were erased on request; its score stays." in page
    assert "Seal before: " in page
    report = json.loads(Path("reports/first/report.json").read_text("utf-8"))
    assert report["revision"]["number"] == 2
    assert "erased" in [caveat["slug"] for caveat in report["findings"]["caveats"]]
    ended = reportgen("verify", "reports/first/report.json")
    assert (ended.code, "erased on request  t-1" in ended.out) == (0, True)


def reseal(folder, change=lambda content: None):
    path = folder / "run.json"
    content = json.loads(path.read_text("utf-8"))
    content["files"] = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in content["files"]}
    change(content)
    content["seal"] = seal_of(content)
    path.write_text(json.dumps(content))


def edit_line(folder, name, place, change):
    path = folder / name
    lines = path.read_text("utf-8").splitlines()
    data = json.loads(lines[place])
    change(data)
    lines[place] = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    path.write_text("\n".join(lines) + "\n", "utf-8")


def test_scores_that_were_changed_along_with_the_texts_are_named(archive, erase):
    """The forger has the whole arithmetic follow; the seal from before does not."""
    assert erase().code == 0
    edit_line(archive, "verdicts.jsonl", 1, lambda data: data["reply"]["scores"].update(dict.fromkeys(DIMENSIONS, 9)))
    from reportgen.analysis.summary import build_summary
    from reportgen.archive.store import save_lines
    from reportgen.pipeline.finish import _score_all

    run, rows = load_run(archive), []
    save_lines(archive / "scores.jsonl", list(_score_all(archive, run.manifest, run.rubric, rows)))
    reseal(archive, lambda content: content.update(summary=build_summary(rows, run.rubric).to_data()))
    found = differences(archive)
    assert any("erasures[0]: scores.jsonl, which stays" in text for text in found)
    assert any("erasures[0].seal" in text for text in found)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda item: item["files"].update({"turns.jsonl": "0" * 64}), "erasures[0].seal"),
        (lambda item: item.update(seal="0" * 64), "erasures[0].seal"),
        (lambda item: item.update(turns=["t-9"]), "an erased turn t-9"),
        (lambda item: item.update(turns=["t-1", "t-2"]), "turn t-2, which is erased"),
    ],
)
def test_a_record_of_an_erasure_that_does_not_fit_is_named(archive, erase, change, words):
    assert erase().code == 0
    reseal(archive, lambda content: change(content["manifest"]["erasures"][0]))
    assert any(words in text for text in differences(archive))


def test_a_text_that_is_put_back_and_one_that_is_blanked_without_a_record_are_named(archive, erase):
    assert erase().code == 0
    edit_line(archive, "turns.jsonl", 1, lambda data: data.update(question="Who?"))
    edit_line(archive, "verdicts.jsonl", 0, lambda data: data.update(evidence="withheld", key="withheld"))
    reseal(archive)
    found = differences(archive)
    assert any("turn t-1, which is erased.question: states Who?" in text for text in found)
    assert any("turn t-2: evidence: states withheld" in text for text in found)


def test_a_dry_run_says_what_would_be_changed_and_changes_nothing(archive, reportgen):
    before = everything(Path("runs"))
    ended = reportgen("erase", "first", "t-1", "--reason", "x", "--dry-run")
    assert ended.code == 0
    assert ended.out.count("would erase  t-1 from ") == 3
    assert everything(Path("runs")) == before


class KilledError(BaseException):
    """Stands for a kill, which no code outlives."""


def test_killed_before_or_after_any_write_it_is_finished_by_the_same_command(archive, monkeypatch, reportgen):
    shutil.copytree("runs", "start")
    erase_turns(EraseOrder(archive, Path("runs"), ("t-1",), "x"), NOW)
    whole = everything(Path("runs"))
    write, real = 0, erasing.write_whole
    while True:
        shutil.rmtree("runs")
        shutil.copytree("start", "runs")
        if not is_killed(monkeypatch, real, write):
            break
        left = reportgen("verify", "runs/first")
        assert left.code in (0, 1), left.out
        assert left.code == 0 or "Finish it: give the same" in left.err
        erase_turns(EraseOrder(archive, Path("runs"), ("t-1",), "x"), NOW)
        assert everything(Path("runs")) == whole
        write += 1
    assert write > 2 * 3 * 5


def is_killed(monkeypatch, real, write):
    """Erases, and dies at the write of that number, in turns just before and just after it."""
    done = 0

    def write_or_die(path, chunks):
        nonlocal done
        if done == write // 2 and write % 2 == 0:
            raise KilledError
        real(path, chunks)
        if done == write // 2:
            raise KilledError
        done += 1

    with monkeypatch.context() as patched:
        patched.setattr(erasing, "write_whole", write_or_die)
        patched.setattr(store, "write_whole", write_or_die)
        try:
            erase_turns(EraseOrder(Path("runs/first"), Path("runs"), ("t-1",), "x"), NOW)
        except KilledError:
            return True
    return False


def test_a_turn_of_the_same_id_that_was_captured_at_another_time_stays(archive, erase, reportgen):
    other = make_turn(1, ("Stays",) * 9, captured_at="2026-06-01T09:00:00Z")
    Path("june.jsonl").write_text(json.dumps(other) + "\n")
    assert reportgen("judge", "june.jsonl", "--judge", "recorded:said.jsonl", "--run-id", "june", "--quiet").code == 0
    before = everything(Path("runs/june"))
    assert erase().code == 0
    assert everything(Path("runs/june")) == before


def test_an_unfinished_run_that_holds_the_turn_is_named_before_anything_is_changed(archive, erase):
    shutil.copytree("runs/first", "runs/zz-open")
    manifest = json.loads(Path("runs/zz-open/run.json").read_text())["manifest"]
    Path("runs/zz-open/draft.json").write_text(json.dumps(manifest))
    Path("runs/zz-open/run.json").unlink()
    before = everything(Path("runs"))
    ended = erase()
    assert (ended.code, "is unfinished and holds one of the turns" in ended.err) == (1, True)
    assert everything(Path("runs")) == before


def test_the_reason_why_a_turn_has_no_score_is_a_text_too(archive, erase):
    assert load_run(archive).summary.unscored
    assert erase("t-4").code == 0
    assert '"reason":"[text erased]"' in (archive / "scores.jsonl").read_text()
    assert differences(archive) == []


def test_a_label_goes_where_it_is_named_and_that_of_the_client_never(archive, reportgen):
    assert reportgen("erase", "first", "t-1", "--reason", "x", "--label", "client").code == 1
    assert reportgen("erase", "first", "t-1", "--reason", "x", "--label", "region").code == 0
    turn = next(turn for turn in open_records(archive).turns() if turn.id == "t-1")
    assert turn.labels == {"client": "Lowmoor", "surface": "web", "region": "[text erased]"}
    assert differences(archive) == []


def test_what_reports_of_other_runs_quote_of_the_turn_goes_too_with_its_labels(archive, reportgen):
    turns = [json.loads(line) for line in Path("turns.jsonl").read_text().splitlines()[:5]]
    later = [{**turn, "captured_at": turn["captured_at"].replace("-07-", "-08-")} for turn in turns]
    later[1] |= {"labels": {**later[1]["labels"], "region": "elsewhere"}}
    Path("later.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in later))
    said = Path("said.jsonl").read_text().splitlines()
    moved = json.loads(said[-1]) | make_line(1, "Now it is wrong.") | {"turn": "t-1"}
    moved["reply"]["scores"] = dict.fromkeys(DIMENSIONS, 0)
    Path("said.jsonl").write_text("\n".join([*said[:-1], json.dumps(moved)]) + "\n")
    assert reportgen("judge", "later.jsonl", "--judge", "recorded:said.jsonl", "--run-id", "later").code == 0
    ended = reportgen("report", "later", "--format", "json", "--baseline", "first", "--anyway")
    assert ended.code == 0, ended.err
    annex = Path("runs/later/annexes/revisions.jsonl")
    (quoted,) = [turn for turn in json.loads(annex.read_text())["baseline"]["turns"] if turn["id"] == "t-1"]
    assert (SECRETS[0] in quoted["explanation"], quoted["labels"]["region"]) == (True, "eu")
    archive.rename("runs/renamed")
    assert reportgen("erase", "renamed", "t-1", "--reason", "x", "--label", "region").code == 0
    (quoted,) = [turn for turn in json.loads(annex.read_text())["baseline"]["turns"] if turn["id"] == "t-1"]
    assert (quoted["explanation"], quoted["labels"]["region"]) == ("[text erased]", "[text erased]")


def test_what_is_erased_twice_is_erased_once_and_a_second_turn_is_a_second_erasure(archive, erase):
    assert erase().code == 0
    before = everything(Path("runs"))
    ended = erase()
    assert (ended.code, "Nothing is left to erase." in ended.err) == (0, True)
    assert everything(Path("runs")) == before
    assert erase("t-3", "t-1").code == 0
    assert [erasure.turns for erasure in load_run(archive).manifest.erasures] == [("t-1",), ("t-3",)]
    assert differences(archive) == []


def test_a_turn_that_no_run_has_and_an_empty_reason_are_refused(archive, erase):
    assert (erase("t-1", "t-77").code, erase(reason=" ").code) == (1, 2)
    assert "Zq0secret" in everything(archive)


def test_runs_made_after_an_erasure_say_so_too_and_no_judge_is_asked_about_marks(archive, erase, reportgen):
    assert erase().code == 0
    assert reportgen("rescore", "first", "--rubric", "sql-agent-1", "--run-id", "later").code == 0
    assert reportgen("derive", "first", "--client", "Lowmoor", "--key", "key", "--run-id", "theirs").code == 0
    assert reportgen("derive", "first", "--public", "--key", "key", "--run-id", "public").code == 0
    for run in ("later", "theirs", "public"):
        assert differences(Path("runs", run)) == []
    assert load_run(Path("runs/later")).manifest.erasures[0].seal is None
    assert load_run(Path("runs/theirs")).manifest.erasures[0].turns == ("t-1",)
    assert load_run(Path("runs/public")).manifest.erasures is None
    ended = reportgen("rejudge", "first", "--judge", "recorded:said.jsonl", "--run-id", "new")
    assert (ended.code, "were erased; no judge can read them" in ended.err) == (1, True)


def test_commitments_to_all_other_turns_can_be_opened_as_before(archive, erase, reportgen):
    assert erase().code == 0
    assert reportgen("prove", "first", "t-2", "--key", "key", "--out", "t-2.json").code == 0
    assert reportgen("verify", "runs/ours", "--opening", "t-2.json").code == 0
