"""Turns that come in one by one become a run that is equal to one that a single process judged."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

import reportgen.pipeline.close as closing
from reportgen.archive.journal import Journal
from reportgen.archive.open_runs import create_open, list_open, name_closing
from reportgen.archive.open_turns import list_turns
from reportgen.archive.open_verdicts import list_journals
from reportgen.archive.records import open_records
from reportgen.config import StreamingConfig
from reportgen.errors import ExchangeError, ReportgenError, RunError, StreamingError, TermsError
from reportgen.model.opening import Closing
from reportgen.pipeline import bench
from reportgen.pipeline.allowance import Allowances
from reportgen.pipeline.bench import Bench, Work
from reportgen.pipeline.close import CloseOrder, close_run
from reportgen.pipeline.judge import JudgeOrder, judge_capture
from reportgen.pipeline.opening import OpenOrder, open_run
from reportgen.pipeline.queue_status import count_open
from reportgen.pipeline.stored import read_turn_file
from reportgen.pipeline.submitting import Submitter
from reportgen.pipeline.working import WorkOrder, work
from reportgen.record import canonical
from reportgen.resources import resource
from reportgen.rubrics import load_rubric
from reportgen.verification import check_records
from tests.exchanges import NOW, essence_of, make_exchange

EXAMPLE = resource("examples") / "sql"
JUDGE = f"recorded:{EXAMPLE / 'example-verdicts.jsonl'}"
RUNS = Path("runs")


def clock():
    return datetime.now(UTC)


def tell(done, total, trouble):
    pass


pytestmark = pytest.mark.usefixtures("own_folder")


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The run that one process makes of the example, in the order in which a closed run has its turns."""
    folder = tmp_path_factory.mktemp("alone")
    lines = map(label, (EXAMPLE / "turns.jsonl").read_text().splitlines())
    order = sorted(
        lines, key=lambda line: (datetime.fromisoformat(json.loads(line)["captured_at"]), json.loads(line)["id"])
    )
    (folder / "turns.jsonl").write_text("".join(f"{line}\n" for line in order))
    return judge_capture(make_judging(folder / "runs", folder / "turns.jsonl"), clock, tell).folder


def label(line):
    """The turn with the label that it gets when it is handed in for a collection."""
    turn = json.loads(line)
    return canonical(turn | {"labels": turn["labels"] | {"collection": "desk"}}).decode()


def make_judging(runs=RUNS, source=Path(), **changed):
    return JudgeOrder(
        **{
            "source": source,
            "judge": JUDGE,
            "effort": "medium",
            "rubric": "sql-agent-1",
            "concurrency": 8,
            "rows": 20,
            "runs": runs,
            "run_id": "july",
        }
        | changed
    )


def hand_in(first=0, last=None):
    submitter = Submitter(RUNS, StreamingConfig(collections=("desk",)), clock=lambda: NOW)
    lines = (EXAMPLE / "turns.jsonl").read_bytes().splitlines()[first:last]
    return [submitter.submit(line) for line in reversed(lines)]


def judge_stored(said, **changed):
    order = {"judge": JUDGE, "effort": "medium", "rubric": "sql-agent-1", "rows": 20, "concurrency": 4} | changed
    return asyncio.run(work(WorkOrder(RUNS, "desk", is_patient=False, **order), clock, said.append, asyncio.Event()))


def close(said, *, finish=False, **changed):
    return close_run(CloseOrder("desk", "2026-07", finish, make_judging(**changed)), clock, tell, said.append).folder


def test_turns_that_were_handed_in_and_judged_one_by_one_make_the_run_that_one_process_makes(alone, said):
    hand_in(0, 30)
    assert judge_stored(said) == 30
    hand_in(30)
    assert judge_stored(said) == 36
    assert [(s.handed_in, s.judged, s.given_up) for s in count_open(RUNS)] == [(66, 66, 0)]
    folder = close(said)
    assert essence_of(folder) == essence_of(alone)
    assert list(check_records(open_records(folder))) == []
    assert said == []
    assert count_open(RUNS)[0].became == "july"
    assert sorted(path.name for path in (RUNS / "open/desk/2026-07").iterdir() if path.name != ".lock") == [
        "closing.json",
        "opening.json",
        "terms.json",
    ]


def test_what_is_handed_in_again_after_closing_is_known_and_what_is_not_in_the_run_is_refused(said):
    hand_in()
    judge_stored(said)
    (RUNS / "open/desk/2026-07/turns").rename(RUNS / "open/desk/2026-07/turns-frozen")
    assert {(receipt.state, receipt.note) for receipt in hand_in(0, 1)} == {("known", None)}
    (RUNS / "open/desk/2026-07/turns-frozen").rename(RUNS / "open/desk/2026-07/turns")
    close(said)
    assert {(receipt.state, receipt.note) for receipt in hand_in()} == {("known", "it is in the run july")}
    changed = json.loads((EXAMPLE / "turns.jsonl").read_text().splitlines()[0]) | {"labels": {"other": "x"}}
    with pytest.raises(ExchangeError, match="is closed as the run july"):
        Submitter(RUNS, StreamingConfig(collections=("desk",)), clock=lambda: NOW).submit(changed)


def test_a_verdict_on_other_content_under_the_id_of_a_turn_does_not_count(said):
    hand_in(0, 2)
    judge_stored(said)
    (run,) = list_open(RUNS)
    path = min(list_turns(run), key=lambda path: json.loads(path.read_bytes())["id"])
    turn = json.loads(path.read_bytes())
    path.write_bytes(canonical(turn | {"question": "Corrected?"}) + b"\n")
    assert [(status.handed_in, status.judged) for status in count_open(RUNS)] == [(2, 1)]
    with pytest.raises(StreamingError, match="1 turn of 2 for desk 2026-07 have no verdict yet"):
        close(said)


def test_verdicts_by_other_terms_in_folders_that_were_copied_do_not_count(said):
    hand_in(0, 9)
    judge_stored(said)
    # The machine that has the turns has no terms, where workers do not see its archive.
    (RUNS / "open/desk/2026-07/terms.json").unlink()
    with pytest.raises(StreamingError, match=r"turns? of 9 for desk 2026-07 have no verdict yet"):
        close(said, rows=1)
    assert close(said).name == "july"


def test_a_worker_lets_go_of_the_journal_of_a_run_that_was_closed(said, monkeypatch):
    held, rubric = [], load_rubric("sql-agent-1")

    class Watched(Journal):
        def __enter__(self):
            held.append(self._folder.parent.parent.name)
            return super().__enter__()

        def __exit__(self, *exc):
            held.remove(self._folder.parent.parent.name)
            super().__exit__(*exc)

    monkeypatch.setattr(bench, "Journal", Watched)
    hand_in(0, 1)
    (july,) = list_open(RUNS)
    june = create_open(RUNS, july.opening.model_copy(update={"period": "2026-06"}))
    turn = read_turn_file(next(list_turns(july))).turn
    judge_stored(said)
    terms = july.terms

    async def take():
        with Bench(RUNS, "w", rubric, terms, Allowances(said.append)) as taking:
            for run in (june, july):
                taking.take(Work(run.opening, turn, *[lambda: None] * 3))
            assert held == ["2026-06", "2026-07"]
            name_closing(july, Closing(run="x"))
            # What the judge is asked about the turn of June is not answered yet, so its journal stays.
            august = create_open(RUNS, july.opening.model_copy(update={"period": "2026-08"}))
            taking.take(Work(august.opening, turn, *[lambda: None] * 3))
            assert held == ["2026-06", "2026-08"]

    asyncio.run(take())
    assert held == []


def test_turns_are_taken_in_while_closing_counts_and_those_that_came_meanwhile_are_counted_too(said, monkeypatch):
    done = closing.freeze_turns

    def freeze(run):
        hand_in(1, 2)
        done(run)

    monkeypatch.setattr(closing, "freeze_turns", freeze)
    hand_in(0, 1)
    with pytest.raises(StreamingError, match="1 turn of 1 for desk"):
        close(said)
    judge_stored(said)
    with pytest.raises(StreamingError, match="1 turn of 2 for desk"):
        close(said)
    assert hand_in(2, 3)[0].state == "stored"


def test_interrupting_closing_while_it_counts_opens_the_intake_again(said, monkeypatch):
    hand_in(0, 1)
    judge_stored(said)
    with monkeypatch.context() as patched:
        patched.setattr(closing, "_choose_id", interrupt)
        with pytest.raises(KeyboardInterrupt):
            close(said)
    assert hand_in(1, 2)[0].state == "stored"


def test_a_disk_that_is_full_while_closing_is_told_with_the_way_on(said, monkeypatch):
    hand_in(0, 2)
    with monkeypatch.context() as full:
        full.setattr(Journal, "_write", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(RunError, match="No space left") as refused:
            close(said, finish=True)
    assert "--resume" not in refused.value.fix, "closing has no such option"
    assert "go on with the same `reportgen close`" in refused.value.fix
    assert close(said).name == "july"


def test_a_turn_that_another_user_has_handed_in_is_named_with_the_remedy(said, monkeypatch):
    hand_in(0, 1)
    (path,) = list_turns(list_open(RUNS)[0])

    def refuse(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(StreamingError, match=f"{path.name} cannot be read: Permission denied") as refused:
        judge_stored(said)
    assert "run as one user" in refused.value.fix


def test_what_has_no_verdict_keeps_a_run_open_unless_it_is_to_be_judged_now(alone, said):
    hand_in(0, 3)
    judge_stored(said)
    hand_in(3, 5)
    with pytest.raises(StreamingError, match="2 turns of 5 for desk 2026-07 have no verdict yet"):
        close(said)
    hand_in(5)
    assert len((close(said, finish=True) / "turns.jsonl").read_text().splitlines()) == 69
    assert essence_of(RUNS / "july") == essence_of(alone)


@pytest.mark.parametrize(("period", "zone"), [("2026", "UTC"), ("2026-07-31", "UTC"), ("2026-07", "Europe/London")])
def test_a_period_that_overlaps_one_that_is_open_is_refused(said, period, zone):
    open_run(make_opening(), NOW)
    with pytest.raises(StreamingError, match="overlaps 2026-07"):
        open_run(make_opening(period=period, timezone=zone), NOW)
    assert [str(run.opening) for run in list_open(RUNS)] == ["desk 2026-07"]
    open_run(make_opening(period="2026-08"), NOW)
    hand_in(0, 1)
    close(said, finish=True)
    open_run(make_opening(period="2026-07-31"), NOW)


def test_an_open_run_without_turns_and_one_that_is_not_there_cannot_be_closed(said):
    with pytest.raises(StreamingError, match="There is no open run of desk for 2026-07"):
        close(said)
    open_run(make_opening(), NOW)
    with pytest.raises(StreamingError, match="No turn was handed in"):
        close(said)
    hand_in(0, 1)
    assert close(said, finish=True).name == "july"
    with pytest.raises(StreamingError, match="closed as the run july"):
        close(said)
    with pytest.raises(StreamingError, match="closed as the run july"):
        open_run(make_opening(), NOW)


@pytest.mark.parametrize(
    "step", ["freeze_turns", "name_closing", "write_whole", "merge_journals", "judge_capture", "load_run"]
)
def test_closing_that_is_cut_off_at_any_step_goes_on(alone, said, monkeypatch, step):
    hand_in()
    judge_stored(said)
    done = getattr(closing, step)

    def cut_off(*arguments, **named):
        done(*arguments, **named)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(closing, step, cut_off)
        with pytest.raises(KeyboardInterrupt):
            close(said)
    # Whatever was to be called differently the second time: the run that was named first is the one.
    assert close(said).name == "july"
    assert essence_of(RUNS / "july") == essence_of(alone)
    assert list((RUNS / "open/desk/2026-07").glob("*.jsonl")) == []


def make_opening(**changed):
    order = {"judge": JUDGE, "effort": "medium", "rubric": "sql-agent-1", "rows": 20, "period": "2026-07"}
    return OpenOrder(**{"runs": RUNS, "collection": "desk", "timezone": "UTC"} | order | changed)


def test_whoever_judges_by_other_terms_is_refused_with_both_values(said):
    open_run(make_opening(), NOW)
    hand_in(0, 2)
    for attempt in (
        lambda: judge_stored(said, rows=10),
        lambda: open_run(make_opening(rows=10), NOW),
        lambda: close(said, finish=True, rows=10),
    ):
        with pytest.raises(TermsError) as refused:
            attempt()
        assert "'rows': 10" in refused.value.what
        assert "pinned to" in refused.value.what
        assert "'rows': 20" in refused.value.what
    assert close(said, finish=True).name == "july"


def test_of_another_rubric_the_refusal_names_no_digest_and_says_what_the_run_was_opened_with():
    open_run(make_opening(), NOW)
    with pytest.raises(TermsError) as refused:
        open_run(make_opening(rubric="rag-1"), NOW)
    assert refused.value.what.endswith("terms: rubric is rag-1, but the run is pinned to sql-agent-1")
    assert "rubric sql-agent-1, 20 rows of evidence" in refused.value.fix


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"judge": "anthropic:claude-opus-5-5"}, "There is no API key"),
        ({"judge": "nobody"}, "does not name a judge"),
        ({"rubric": "rag-1"}, "is judged by other terms"),
        ({"rows": 10}, "is judged by other terms"),
    ],
)
def test_who_cannot_judge_does_not_close_the_intake(said, monkeypatch, changed, problem):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    hand_in(0, 1)
    judge_stored(said)
    hand_in(1, 2)
    with pytest.raises(ReportgenError, match=problem):
        close(said, **changed)
    assert hand_in(2, 3)[0].state == "stored"
    assert count_open(RUNS)[0].becoming is None


def test_a_run_whose_closing_was_cut_off_says_so_in_the_queue(said, monkeypatch, reportgen):
    hand_in(0, 1)
    with monkeypatch.context() as context:
        context.setattr(closing, "judge_capture", interrupt)
        with pytest.raises(KeyboardInterrupt):
            close(said, finish=True)
    ended = reportgen("queue")
    assert "closing as july has begun; no turn is taken: `reportgen close` again goes on with it" in ended.out
    left = RUNS / "open/desk/2026-07/.closing.json.4711-0.part"
    left.write_text("half of what a process that was killed wr")
    close(said, finish=True)
    assert "closed as july" in reportgen("queue").out
    assert not left.exists()


def test_an_indented_turn_is_handed_in_and_a_list_of_turns_is_explained(reportgen):
    Path("one.json").write_text(json.dumps(make_exchange(), indent=2))
    reportgen("open", "--collection", "desk", "--period", "2026-07", "--judge", JUDGE, "--effort", "medium")
    assert reportgen("submit", "one.json", "--collection", "desk", "--no-judging").code == 0
    Path("list.json").write_text(json.dumps([make_exchange()], indent=2))
    ended = reportgen("submit", "list.json", "--collection", "desk", "--no-judging")
    assert ended.code != 0
    assert "jq -c '.[]' list.json" in ended.err


def test_identical_refusals_are_summed_with_the_line_of_the_first(reportgen):
    Path("config.yaml").write_text("streaming: {collections: [desk]}")
    Path("turns.jsonl").write_text('\n{"id": 1\n[]\n[]\n')
    ended = reportgen("submit", "turns.jsonl", "--no-judging")
    told = ended.out + ended.err
    assert "line 2: The exchange is refused" in told
    assert "line 3: The exchange is refused: it is not a JSON object" in told
    assert "line 4" not in told
    assert "2 times: The exchange is refused: it is not a JSON object" in told
    assert "3 of 3 exchanges were refused" in told
    assert "What is refused is kept in runs/open" in told


def test_a_backlog_is_refused_in_one_line_a_period_with_the_command_that_opens_a_run_for_it(reportgen):
    Path("config.yaml").write_text("streaming: {collections: [desk]}")
    turns = [make_exchange(number, captured_at=f"2026-01-0{number}T08:00:00Z") for number in (1, 2, 3)]
    Path("turns.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    ended = reportgen("submit", "turns.jsonl", "--no-judging")
    assert ended.err.count("`reportgen open --collection desk --period 2026-01` opens one") == 2
    assert "3 times: The exchange is refused" in ended.err


def test_where_nothing_was_handed_in_this_is_said(reportgen):
    Path("turns.jsonl").write_text("\n")
    ended = reportgen("submit", "turns.jsonl", "--collection", "desk", "--no-judging")
    assert "nothing was handed in" in ended.err


def test_a_worker_for_a_collection_that_is_neither_configured_nor_open_is_refused(reportgen):
    ended = reportgen("worker", "--collection", "typo", "--judge", JUDGE)
    assert ended.code != 0
    assert "typo is not in streaming.collections, and no run of it is open in runs" in ended.err


def interrupt(*_arguments):
    raise KeyboardInterrupt


def test_an_open_run_that_cannot_be_read_stops_no_other(said, reportgen):
    hand_in(0, 1)
    damaged = RUNS / "open/desk/2026-09"
    damaged.mkdir()
    (damaged / "opening.json").write_text('{"format": ')
    assert hand_in(1, 2)[0].state == "stored"
    assert judge_stored(said) == 2
    assert said[0].startswith(f"left out: {damaged}/opening.json")
    assert f"cannot be read: {damaged}/opening.json" in reportgen("queue").out
    with pytest.raises(StreamingError, match=r"could not be stored, and is not: .*2026-09/opening\.json"):
        Submitter(RUNS, StreamingConfig(), clock=lambda: NOW).submit(
            make_exchange(1) | {"captured_at": "2026-09-02T00:00:00Z"}, "desk"
        )


def test_a_worker_pins_a_run_that_opened_by_itself(said):
    hand_in(0, 1)
    assert list_open(RUNS)[0].terms is None
    judge_stored(said)
    assert list_open(RUNS)[0].terms.rubric == "sql-agent"
    with pytest.raises(TermsError, match="evidence"):
        open_run(make_opening(rows=10), NOW)


@pytest.mark.parametrize("name", ["../desk", "Desk", ""])
def test_a_collection_with_a_path_for_a_name_is_refused(said, name):
    with pytest.raises(StreamingError, match="cannot be the name of a collection"):
        close_run(CloseOrder(name, "2026-07", False, make_judging()), clock, tell, said.append)


def test_a_run_id_that_is_taken_does_not_close_the_intake(said):
    hand_in(0, 1)
    (RUNS / "july").mkdir()
    for run_id, problem in [("july", "There is a run july already"), ("open", "open runs are kept there")]:
        with pytest.raises(ReportgenError, match=problem):
            close(said, finish=True, run_id=run_id)
    assert hand_in(0, 1)[0].state == "known"


def test_half_a_turn_that_a_power_cut_left_is_no_turn_of_the_run(said):
    hand_in(0, 2)
    (RUNS / "open/desk/2026-07/turns" / ("0" * 64)).write_bytes(b'{"id":')
    judge_stored(said)
    assert count_open(RUNS)[0].handed_in == 2
    assert len((close(said) / "turns.jsonl").read_text().splitlines()) == 2
    assert said == ["1 turn had not been accepted yet when the power went, and are left out"]


def test_a_turn_on_which_the_judge_was_given_up_is_asked_about_once_more_when_the_run_is_closed(alone, said):
    hand_in()
    judge_stored(said)
    (journal,) = list_journals(list_open(RUNS)[0])
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    lines[5] |= {"outcome": "gave_up", "reason": "no answer"}
    del lines[5]["reply"]
    journal.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert judge_stored(said) == 0
    assert [(s.judged, s.given_up) for s in count_open(RUNS)] == [(65, 1)]
    with pytest.raises(StreamingError, match="1 turn of 66"):
        close(said)
    folder = close(said, finish=True)
    assert essence_of(folder) == essence_of(alone)
    verdicts = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text().splitlines()]
    assert sorted(len(verdict["attempts"]) for verdict in verdicts) == [1] * 68 + [2]


def test_two_workers_do_not_judge_from_one_archive(said):
    from reportgen.archive.lock import locked

    hand_in(0, 1)
    with locked(RUNS / "open/desk"), pytest.raises(StreamingError, match="Another worker judges the turns of desk"):
        judge_stored(said)
    assert len(list(list_turns(list_open(RUNS)[0]))) == 1


def test_the_commands_without_redis_say_that_they_judge_inline(reportgen):
    Path("config.yaml").write_text(json.dumps({"judge": JUDGE, "streaming": {"collections": ["desk"]}}))
    assert reportgen("open", "--collection", "desk", "--period", "2026-07").code == 0
    lines = (EXAMPLE / "turns.jsonl").read_text().splitlines(keepends=True)
    Path("three.jsonl").write_text("".join(lines[:3]) + "{\n")
    ended = reportgen("submit", "three.jsonl")
    assert ended.code == 1
    assert ended.out.splitlines() == ["3 accepted and stored, but not in the queue", "3 judged here"]
    assert "not in the queue: no Redis is configured" in ended.err
    assert "error[exchange]: 1 of 4 exchanges were refused" in ended.err
    Path("one.jsonl").write_text(lines[3])
    assert reportgen("submit", "one.jsonl", "--no-judging").out == "1 accepted and stored, but not in the queue\n"
    shown = reportgen("queue").out.splitlines()
    assert shown[0].startswith("desk 2026-07  4 handed in, 3 judged, 1 to judge, recorded:example-verdicts")
    assert "no Redis is configured" in shown[1]
    assert shown[2] == "1 refused, with the reasons, in runs/open/aside.jsonl"
    ended = reportgen("close", "--collection", "desk", "--period", "2026-07", "--finish", "--run-id", "july")
    assert (ended.code, ended.out) == (0, "run: runs/july\n")
    assert reportgen("verify", "runs/july").code == 0
    assert reportgen("queue").out.splitlines()[0] == "desk 2026-07  closed as july"


def test_a_judge_that_cannot_be_asked_leaves_what_was_handed_in_safe(reportgen):
    Path("config.yaml").write_text(json.dumps({"judge": "recorded:none.jsonl", "streaming": {"collections": ["desk"]}}))
    turn = json.loads((EXAMPLE / "turns.jsonl").read_text().splitlines()[0])
    Path("one.json").write_text(json.dumps(turn | {"captured_at": clock().isoformat()}))
    ended = reportgen("submit", "one.json")
    assert ended.code == 0
    assert "they are stored, but could not be judged here" in ended.err
    assert count_open(RUNS)[0].handed_in == 1
