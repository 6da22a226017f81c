"""A run for one client: nothing of anybody else in any byte, verifiable, and committed to the run it comes from."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.archive.commitments import check_opening, commit_turns, open_turn, read_opening
from reportgen.archive.digests import seal_of
from reportgen.archive.records import open_records
from reportgen.archive.store import load_run
from reportgen.assembly import read_entries
from reportgen.model.turn import Turn
from reportgen.pipeline.client import _other_clients
from reportgen.verification import check_records
from tests.judge_server import KEY, served
from tests.pipeline.planted import JUDGE, OURS, bytes_of, bytes_of_pdf, make_archive, our_turn, plain_turn


@pytest.fixture
def archive(monkeypatch, tmp_path, reportgen, request):
    return make_archive(monkeypatch, tmp_path, reportgen, annexed=getattr(request, "param", False))


@pytest.fixture
def derive(archive, reportgen):
    """Derives a run for a client; returns how it ended."""

    def call(*more, client=OURS, key="key"):
        return reportgen("derive", archive[0], "--client", client, "--key", key, "--run-id", "ours", *more)

    return call


@pytest.fixture
def ours(derive):
    ended = derive()
    assert ended.code == 0, ended.err
    return Path("runs/ours")


@pytest.mark.parametrize("archive", [True], indirect=True, ids=["annexed"])
def test_nothing_of_another_client_is_in_any_byte_of_the_run_or_of_its_report(archive, ours, reportgen):
    parent, planted = archive
    assert reportgen("report", ours).code == 0
    printed = list(bytes_of_pdf(Path("reports/ours/report.pdf")))
    assert {where.split()[0] for where, data in printed if OURS in data} >= {"page", "strings", "stream"}
    assert [(text, where) for where, data in printed for text in [*planted, "4242424211"] if text in data] == []
    places = list(bytes_of(ours))
    files = [path for path in Path("reports/ours").rglob("*") if path.is_file() and path.suffix != ".pdf"]
    places += [(str(path), path.read_text("utf-8")) for path in files]
    assert len(places) > 10
    hidden = [*planted, "4242424211", "98765", "12.25", "2026-07-02"]
    found = [(text, where) for where, data in places for text in hidden if text.lower() in data.lower()]
    assert found == []
    everything = "".join(data for _, data in bytes_of(parent.parent))
    assert [text for text, place in planted.items() if place != "file" and text not in everything] == []


def test_nothing_is_in_the_run_by_which_withheld_text_could_be_tried_out(archive, ours):
    parent, _ = archive
    old = load_run(parent)
    data = "".join(text for _, text in bytes_of(ours))
    told = [old.seal, old.manifest.seed, *old.files.values(), old.manifest.sources[0].sha256, KEY, "5a" * 8]
    told += [canary.turn.id for canary in old.canaries]
    kept = {verdict.evidence for verdict in open_records(ours).verdicts()}
    for verdict in open_records(parent).verdicts():
        told += [] if verdict.turn in ("t-2", "t-4#2") else [verdict.evidence, verdict.key]
        told += [attempt.request_id for attempt in verdict.attempts]
    assert [text for text in told if text and text in data] == []
    assert (
        len(kept) == 3
    )  # that of the plain turn, that of the plain half of the bundle, and the word that stands for the others


def test_what_is_personal_is_withheld_from_turns_and_verdicts_and_counted(ours, archive):
    data = "".join(text for _, text in bytes_of(ours))
    assert "ada@" not in data
    derived = load_run(ours).manifest.derived
    counts = {(item.kind, item.place): item.count for item in derived.withheld}
    assert counts["email", "trajectory.rows"] == 3
    assert counts["other client", "answer.text"] == 2
    assert derived.evidence_withheld == 2 * 3


def test_the_run_verifies_and_says_in_words_what_it_is_and_what_was_not_recomputed(ours, reportgen):
    ended = reportgen("verify", ours)
    assert ended.code == 0, ended.out
    for words in (
        f"for the client {OURS} and redacted",
        "9 × email",
        "what the judge saw, of 6 verdicts",
        "the parent's 9 turns",
    ):
        assert words in " ".join(ended.out.split()), words


def test_scores_are_those_of_the_parent_and_the_summary_is_of_the_clients_turns(archive, ours):
    before = {score.turn: score for score in open_records(archive[0]).scores()}
    after = list(open_records(ours).scores())
    assert [score.turn for score in after] == ["t-1", "t-2", "t-3", "t-4#1", "t-4#2"]
    assert [score.score for score in after] == [before[score.turn].score for score in after]
    run = load_run(ours)
    assert run.summary.turns == len(after)
    assert run.manifest.capture.to_data() == {
        "captured": 4, "set_aside": 0, "beyond_limit": 0, "bundles": 1, "turns": 5,
    }  # fmt: skip
    assert run.manifest.repeats.turns == len(after)


def test_turns_of_one_conversation_stay_together_under_a_number(archive, ours):
    before = [turn.conversation for turn in open_records(archive[0]).turns() if turn.labels["client"] == OURS]
    after = [turn.conversation for turn in open_records(ours).turns()]
    assert before[0] == before[2] != before[3]
    assert after == ["conversation 1", "conversation 2", "conversation 1", "conversation 3", "conversation 3"]


def test_a_turn_of_another_client_put_in_afterwards_is_named(ours):
    path = ours / "turns.jsonl"
    path.write_text(path.read_text("utf-8").replace(f'"client":"{OURS}"', '"client":"Else"', 1), "utf-8")
    assert any("turn t-1: labels.client: states Else" in difference for difference in differences(ours))


def test_the_check_of_an_opening_in_the_documentation_accepts_a_true_one_and_no_other(archive, reportgen):
    assert reportgen("prove", archive[0], "t-1", "--key", "key", "--out", "opening.json").code == 0
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
    (recipe,) = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert subprocess.run(["sh", "-c", recipe], capture_output=True, text=True, check=True).stdout == "True\n"
    Path("opening.json").write_text(Path("opening.json").read_text().replace("depot 1 send", "depot 2 send"))
    assert subprocess.run(["sh", "-c", recipe], capture_output=True, text=True, check=True).stdout == "False\n"


def test_canaries_say_what_the_judge_made_of_them_and_nothing_else(archive, ours):
    old, new = load_run(archive[0]).canaries, load_run(ours).canaries
    assert [(item.kind, item.passed, item.raw) for item in new] == [(item.kind, item.passed, item.raw) for item in old]
    assert {text for item in new for verdict in item.verdicts for text in verdict.reply.quotes} <= {"[text withheld]"}


def test_the_same_parent_key_and_configuration_give_the_same_bytes(ours, derive):
    before = {path.name: path.read_bytes() for path in ours.iterdir()}
    shutil.rmtree(ours)
    assert derive().code == 0
    assert {path.name: path.read_bytes() for path in ours.iterdir()} == before


def test_another_key_gives_other_commitments(archive, ours):
    run = load_run(archive[0])
    turns = list(open_records(archive[0]).turns())
    stated = load_run(ours).manifest.derived.commitments
    assert commit_turns(b"Z" * 32, run.seal, turns) == stated
    assert not set(commit_turns(b"Y" * 32, run.seal, turns)) & set(stated)
    assert len(stated) == len(turns)


def test_the_commitment_to_a_turn_can_be_opened_alone(archive, ours, reportgen):
    parent, _ = archive
    assert reportgen("prove", parent, "t-1", "--key", "key", "--out", "t-1.json").code == 0
    ended = reportgen("verify", ours, "--opening", "t-1.json")
    assert ended.code == 0
    assert "t-1.json is of the run" in ended.out
    opening = read_opening(Path("t-1.json"))
    assert "ada@lowmoor.example" in opening.model_dump_json()
    others = [open_turn(b"Z" * 32, load_run(parent).seal, turn) for turn in open_records(parent).turns()]
    assert [other.key for other in others].count(opening.key) == 1
    assert "5a" * 32 not in Path("t-1.json").read_text()


def test_the_commitment_to_the_parent_can_be_opened_without_any_turn(archive, ours, reportgen):
    assert reportgen("prove", archive[0], "--key", "key", "--out", "parent.json").code == 0
    opening = read_opening(Path("parent.json"))
    assert (opening.origin.run, opening.origin.seal) == (archive[0].name, load_run(archive[0]).seal)
    assert reportgen("verify", ours, "--opening", "parent.json").code == 0
    Path("parent.json").write_text(Path("parent.json").read_text().replace(archive[0].name, "another"))
    assert reportgen("verify", ours, "--opening", "parent.json").code == 4


def test_the_report_says_on_its_cover_what_was_withheld(ours, reportgen):
    assert reportgen("report", ours, "--format", "html").code == 0
    page = Path("reports/ours/report.html").read_text("utf-8")
    assert "email: 9, other client: " in page
    assert "What the judge saw cannot be checked for 6 of its verdicts." in page


@pytest.mark.parametrize("part", ["turn", "key", "commitment"])
def test_an_opening_that_was_changed_proves_nothing(archive, ours, reportgen, part):
    parent, _ = archive
    turn = next(open_records(parent).turns())
    forged = open_turn(b"Z" * 32, load_run(parent).seal, turn)
    other = {"turn": turn.model_copy(update={"question": "Else?"}), "key": "0" * 64, "commitment": "0" * 64}
    changed = forged.model_copy(update={part: other[part]})
    assert check_opening(forged, load_run(ours).manifest.derived) is None
    assert check_opening(changed, load_run(ours).manifest.derived)
    Path("forged.json").write_text(changed.model_dump_json(exclude_none=True))
    assert reportgen("verify", ours, "--opening", "forged.json").code == 4


@given(st.permutations([plain_turn(number) for number in range(5)]))
def test_the_order_of_the_commitments_tells_nothing_of_that_of_the_turns(order):
    turns = [Turn.from_data(data) for data in order]
    assert commit_turns(b"Z" * 32, "0" * 64, turns) == commit_turns(
        b"Z" * 32, "0" * 64, sorted(turns, key=lambda turn: turn.id)
    )


def test_a_turn_of_another_run_is_not_proved(ours):
    turn = Turn.from_data(plain_turn(7))
    opening = open_turn(b"Z" * 32, "0" * 64, turn)
    assert "none of the run's" in check_opening(opening, load_run(ours).manifest.derived)


def test_a_commitment_is_what_the_documentation_says(archive):
    parent, _ = archive
    opening = open_turn(b"Z" * 32, load_run(parent).seal, next(open_records(parent).turns()))
    text = json.dumps(opening.turn.to_data(), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    inner = hashlib.sha256(bytes(value ^ 0x36 for value in bytes.fromhex(opening.key).ljust(64, b"\0")) + text).digest()
    outer = hashlib.sha256(bytes(value ^ 0x5C for value in bytes.fromhex(opening.key).ljust(64, b"\0")) + inner)
    assert opening.commitment == outer.hexdigest()


def differences(folder):
    return [str(difference) for difference in check_records(open_records(folder))]


def change_run(folder, change):
    """Changes run.json and seals it again, as a forger would."""
    path = folder / "run.json"
    content = json.loads(path.read_text("utf-8"))
    change(content)
    content["seal"] = seal_of(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda derived: derived["withheld"].pop(), "derived.withheld"),
        (lambda derived: derived["withheld"][0].update(count=99), "derived.withheld"),
        (lambda derived: derived.update(evidence_withheld=0), "derived.evidence_withheld"),
        (lambda derived: derived["commitments"].reverse(), "derived.commitments"),
        (lambda derived: derived.update(commitments=derived["commitments"][:2]), "derived.commitments"),
    ],
)
def test_what_the_derivation_says_of_itself_is_held_against_the_marks(ours, change, place):
    change_run(ours, lambda content: change(content["manifest"]["derived"]))
    assert any(place in difference for difference in differences(ours))


def test_a_digest_may_be_withheld_only_where_text_was(ours):
    path = ours / "verdicts.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for line in lines:
        line.update(evidence="withheld", key="withheld")
    path.write_text(
        "".join(json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)
    )
    found = differences(ours)
    assert any("turn t-2: evidence: states withheld" in text for text in found)


def test_a_run_that_was_not_derived_may_withhold_no_digest(archive):
    parent, _ = archive
    path = parent / "verdicts.jsonl"
    first, *rest = path.read_text("utf-8").splitlines()
    line = json.loads(first)
    line["evidence"] = "withheld"
    path.write_text("\n".join([json.dumps(line), *rest]) + "\n")
    assert any(": evidence: states withheld" in difference for difference in differences(parent))


@pytest.mark.parametrize(
    ("name", "is_withheld"),
    [
        ("Moor", True),
        ("Freigh", True),
        ("ou", True),
        ("Freight", False),
        ("LOWMOOR", False),
        ("lowmoor freight", False),
    ],
)
def test_another_client_is_withheld_unless_ours_holds_its_name_as_a_whole_word(name, is_withheld):
    turns = [
        Turn.from_data({**plain_turn(1), "format": "reportgen/turn/1", "labels": {"client": client}})
        for client in (OURS, name)
    ]
    records = SimpleNamespace(turns=lambda: iter(turns), place="here")
    assert _other_clients(records, OURS) == [name] * is_withheld


def test_a_client_that_no_turn_bears_is_refused_with_those_that_there_are(derive):
    ended = derive(client="lowmoor freight")
    assert ended.code == 1
    assert "No turn of the run" in ended.err
    assert OURS in ended.err
    assert not Path("runs/ours").exists()


def test_a_key_that_others_can_read_is_told(derive):
    for mode, is_told in ((0o600, False), (0o640, True)):
        Path("key").chmod(mode)
        ended = derive("--run-id", f"ours-{mode}")
        assert ended.code == 0
        assert ("can be read by others" in ended.err) == is_told


def test_a_key_without_end_is_refused(derive):
    assert derive(key="/dev/zero").code == 1


@pytest.mark.parametrize("content", [None, "", "5a" * 31, "5a" * 33, "zz" * 32, "\x00\xff"])
def test_a_key_that_is_none_is_refused(derive, content):
    if content is not None:
        Path("other-key").write_bytes(content.encode("latin-1"))
    ended = derive(key="other-key")
    assert ended.code == 1
    assert "openssl rand -hex 32" in ended.err


def test_the_key_file_may_be_named_by_the_environment(archive, reportgen, monkeypatch):
    arguments = ["derive", archive[0], "--client", OURS, "--run-id", "ours"]
    assert reportgen(*arguments).code == 2
    monkeypatch.setenv("REPORTGEN_KEY_FILE", "key")
    assert reportgen(*arguments).code == 0


def test_a_key_that_lies_among_the_runs_is_refused(derive):
    shutil.copyfile("key", "runs/key")
    ended = derive(key="runs/key")
    assert (ended.code, "lies among the runs" in ended.err) == (1, True)


def test_a_pattern_of_the_configuration_is_applied_and_a_wrong_one_leaves_nothing(derive):
    Path("config.yaml").write_text("redaction: {patterns: {depot: 'depot [0-9]'}, columns: [n]}\n")
    assert derive().code == 0
    assert load_run(Path("runs/ours")).manifest.derived.withheld[0].kind == "column value"
    assert "[depot withheld]" in Path("runs/ours/turns.jsonl").read_text()
    shutil.rmtree("runs/ours")
    Path("config.yaml").write_text("redaction: {patterns: {depot: 'depot ('}}\n")
    ended = derive()
    assert (ended.code, "error[config]: redaction.patterns.depot" in ended.err) == (1, True)
    assert not Path("runs/ours").exists()


def test_what_a_column_gave_away_is_withheld_in_later_turns_of_the_conversation_only(monkeypatch, tmp_path, reportgen):
    monkeypatch.chdir(tmp_path)
    first = our_turn(1, "others", conversation="c-1")
    first["trajectory"][0]["rows"] = [["Okonkwo", 1201]]
    later = {**plain_turn(2), "question": "And Okonkwo again?", "conversation": "c-1"}
    turns = [first, {**later, "id": "t-other", "conversation": "c-2"}, later]
    Path("turns.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    scores = dict.fromkeys(("intent-understood", "sql-quality", "result-relevance", "answer-faithfulness"), 10)
    reply = {"quotes": [], "explanation": "x", "scores": scores, "verdict": "good", "addressed_judge": False}
    lines = [{"format": "reportgen/recorded/1", "note": "x"}, *({"turn": turn["id"], "reply": reply} for turn in turns)]
    Path("said.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    Path("key").write_text("5a" * 32)
    Path("config.yaml").write_text("redaction: {columns: [who]}\n")
    assert reportgen("judge", "turns.jsonl", "--judge", "recorded:said.jsonl", "--run-id", "all", "--quiet").code == 0
    derive_and_verify(reportgen, "all")
    questions = [turn.question for turn in open_records(Path("runs/derived")).turns()]
    assert questions[1:] == ["And Okonkwo again?", "And [column value withheld] again?"]


def test_a_derived_run_is_no_parent_of_another(ours, reportgen):
    ended = reportgen("derive", ours, "--client", OURS, "--key", "key")
    assert ended.code == 1
    assert "was derived for a client itself" in ended.err


def test_a_run_whose_verdicts_are_on_other_evidence_is_not_derived_from(archive, derive):
    parent, _ = archive
    path = parent / "turns.jsonl"
    path.write_text(path.read_text("utf-8").replace("depot 1 send", "depot 9 send"), "utf-8")

    def reseal(content):
        content["files"]["turns.jsonl"] = hashlib.sha256(path.read_bytes()).hexdigest()

    change_run(parent, reseal)
    ended = derive()
    assert ended.code == 1
    assert "is not on the turn t-1 as it is" in ended.err
    assert not Path("runs/ours").exists()


def test_an_opening_means_nothing_with_a_run_that_was_not_derived(archive, reportgen):
    parent, _ = archive
    assert reportgen("prove", parent, "t-1", "--key", "key", "--out", "t-1.json").code == 0
    assert reportgen("verify", parent, "--opening", "t-1.json").code == 2
    assert reportgen("prove", parent, "t-99", "--key", "key", "--out", "t-99.json").code == 1


@pytest.fixture
def judged(archive, reportgen, monkeypatch):
    """Judges the turns of the archive again, by another judge."""

    def call(run_id, judge):
        with served(monkeypatch, manner="honest"):
            ended = reportgen("rejudge", archive[0], "--judge", judge, "--run-id", run_id, "--quiet")
        assert ended.code == 0, ended.err

    return call


def derive_and_verify(reportgen, parent):
    ended = reportgen("derive", parent, "--client", OURS, "--key", "key", "--run-id", "derived")
    assert ended.code == 0, ended.err
    assert differences(Path("runs/derived")) == []
    return load_run(Path("runs/derived")).manifest, "".join(data for _, data in bytes_of(Path("runs/derived")))


def test_a_panel_keeps_its_judges_and_commits_to_their_runs(archive, judged, reportgen):
    judged("zq-one", JUDGE)
    judged("zq-two", "anthropic:claude-haiku-5-5")
    assert reportgen("panel", "zq-one", "zq-two", "--run-id", "zq-panel").code == 0
    manifest, data = derive_and_verify(reportgen, "zq-panel")
    assert [(member.run, member.judge.model) for member in manifest.panel] == [
        ("member-1", "claude-opus-5-5"),
        ("member-2", "claude-haiku-5-5"),
    ]
    seals = [load_run(Path("runs", name)).seal for name in ("zq-one", "zq-two", "zq-panel")]
    assert [text for text in ("zq-", *seals) if text in data] == []


def test_a_rescored_run_is_derived_as_one(archive, reportgen):
    parent, planted = archive
    assert reportgen("rescore", parent, "--rubric", "sql-agent-1", "--run-id", "zq-again").code == 0
    manifest, data = derive_and_verify(reportgen, "zq-again")
    assert manifest.is_rescored
    assert manifest.parent is None
    assert [text for text in [*planted, "zq-again"] if text in data] == []


def test_a_replay_names_no_file_that_bears_the_name_of_another_client_and_no_digest_of_it(archive, reportgen):
    parent, planted = archive
    other = next(text for text, place in planted.items() if place == "client-one")
    shutil.copyfile(parent / "verdicts.jsonl", f"for-{other}.jsonl")
    options = ["--judge", f"recorded:for-{other}.jsonl", "--run-id", "zq-replay", "--quiet"]
    name = next(text for text, place in planted.items() if place == "file")
    assert reportgen("judge", f"{name}.jsonl", *options).code == 0
    digest = load_run(Path("runs/zq-replay")).manifest.judge.parameters["sha256"]
    manifest, data = derive_and_verify(reportgen, "zq-replay")
    assert manifest.judge.model == "for-[other client withheld]"
    assert [text for text in (other, digest) if text in data] == []


def test_two_replays_that_differ_in_their_digest_only_stay_two(archive, reportgen):
    parent, planted = archive
    name = next(text for text, place in planted.items() if place == "file")
    lines = [json.loads(line) for line in (parent / "verdicts.jsonl").read_text("utf-8").splitlines()]
    for number, folder in enumerate(("a", "b")):
        for line in lines:
            line["reply"]["scores"]["sql-quality"] = 4 + 4 * number
        Path(folder).mkdir()
        Path(folder, "said.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        options = ["--judge", f"recorded:{folder}/said.jsonl", "--run-id", f"zq-{folder}", "--quiet"]
        assert reportgen("judge", f"{name}.jsonl", *options).code == 0
    assert reportgen("panel", "zq-a", "zq-b", "--run-id", "zq-both").code == 0
    manifest, _ = derive_and_verify(reportgen, "zq-both")
    assert [member.judge.parameters["sha256"] for member in manifest.panel] == ["file 1", "file 2"]
    before = {score.turn: score.score for score in open_records(Path("runs/zq-both")).scores()}
    assert all(score.score == before[score.turn] for score in open_records(Path("runs/derived")).scores())


def test_a_quote_counts_as_it_did_before_or_is_withheld(archive, reportgen):
    parent, _ = archive
    path = parent / "verdicts.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    mail, part, other = "ada@lowmoor.example", "ada@low", "bob@lowmoor.example"
    for line in lines:
        if line["turn"] == "t-1":
            line["reply"]["quotes"] = [mail, part, other, "made up", f"who: {mail}, n: 1201"]
    path.write_text("".join(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in lines))

    def reseal(content):
        content["files"]["verdicts.jsonl"] = hashlib.sha256(path.read_bytes()).hexdigest()

    change_run(parent, reseal)
    _, data = derive_and_verify(reportgen, parent)
    assert "ada@" not in data
    records = open_records(Path("runs/derived"))
    verdict = next(verdict for verdict in records.verdicts() if verdict.turn == "t-1")
    hidden, shown = "[quote withheld]", "[email withheld]"
    assert verdict.reply.quotes == (shown, hidden, hidden, "made up", f"who: {shown}, n: 1201")
    entry = next(read_entries(records))
    assert [quote.supported for quote in entry.quotes] == [True, False, True] * 2


def test_batches_and_requests_of_the_provider_are_not_named(archive, reportgen):
    parent, _ = archive
    path = parent / "verdicts.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for number, line in enumerate(lines):
        line["attempts"][0].update(batch=f"msgbatch_01Hk{number % 2}Tz9qLw3Xb7Rf5Nd2Yc8", request_id=f"req_{number}")
    path.write_text("".join(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in lines))

    def reseal(content):
        content["files"]["verdicts.jsonl"] = hashlib.sha256(path.read_bytes()).hexdigest()
        content["manifest"]["batches"] = 2

    change_run(parent, reseal)
    manifest, data = derive_and_verify(reportgen, parent)
    assert manifest.batches == 2
    assert [text for text in ("msgbatch_", "req_") if text in data] == []
