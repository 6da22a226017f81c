"""A run of three clients with strings that stand nowhere else, and all the bytes of what is made of it."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pikepdf

from reportgen.publishing.paper.pdf_contents import read_pages
from tests.judge_server import served

JUDGE = "anthropic:claude-opus-5-5"
BEFORE = "anthropic:claude-haiku-5-5"
OURS = "Lowmoor Freight"
PLANTS = count(1000)


def plant(planted, place):
    """A string that stands nowhere else, noted with its place."""
    text = f"Zq{next(PLANTS)}x{place}"
    planted[text] = place
    return text


def others_turn(number, client, planted):
    """A turn of another client with a string of its own in every field."""

    def put(place):
        return plant(planted, place)

    notes = {"notes": [put("event-note")], "duration_ms": 12.25}
    return {
        "id": put("id"),
        "conversation": put("conversation"),
        "captured_at": f"2026-07-02T09:0{number}:00Z",
        "question": f"How many {put('question')} were there?",
        "labels": {"client": client, put("label-name"): put("label"), "surface": put("surface")},
        "trajectory": [
            {
                **notes,
                "kind": "sql",
                "text": f"SELECT 1 -- {put('sql-comment')}",
                "dialect": put("dialect"),
                "status": "ok",
                "columns": [put("column"), "n"],
                "rows": [[put("cell"), 4242424211]],
                "row_count": 98765,
            },
            {**notes, "kind": "sql", "text": put("sql"), "status": "error", "error": put("error")},
            {
                **notes,
                "kind": "tool",
                "name": put("tool"),
                "arguments": {put("argument"): put("value")},
                "status": "ok",
                "output": put("output"),
            },
            {**notes, "kind": "schema", "target": put("target"), "status": "ok", "output": put("schema")},
            {"kind": "guardrail", "rule": put("rule"), "message": put("message")},
            {
                **notes,
                "kind": "retrieval",
                "query": put("query"),
                "strategy": put("strategy"),
                "engine": put("engine"),
                "status": "ok",
                "passages": [{"id": put("passage-id"), "source": put("source"), "score": 0.75, "text": put("passage")}],
            },
        ],
        "answer": {"text": f"There were 4242424211 {put('answer')}."},
        "agent": {"name": put("agent"), "version": put("version")},
        "model": put("model"),
        "latency": {"total_ms": 4242.5},
        "notes": [put("note")],
    }


def our_turn(number, other, **fields):
    rows = [["ada@lowmoor.example", 1200 + number]]
    return {
        "id": f"t-{number}",
        "conversation": f"c-{number % 2}-ada@lowmoor.example",
        "captured_at": f"2026-07-01T09:0{number}:00Z",
        "question": f"How many parcels did depot {number} send?",
        "labels": {"client": OURS, "surface": "web"},
        "trajectory": [
            {"kind": "sql", "text": "SELECT 1", "status": "ok", "columns": ["who", "n"], "rows": rows, "row_count": 1}
        ],
        "answer": {"text": f"Depot {number} sent {1200 + number} parcels, fewer than {other}'s."},
        "agent": {"name": "depot-assistant"},
        **fields,
    }


def plain_turn(number):
    """A turn of ours from which nothing is to be withheld."""
    rows = [[1300 + number]]
    statement = {"kind": "sql", "text": "SELECT 1", "status": "ok", "columns": ["n"], "rows": rows, "row_count": 1}
    return our_turn(number, "", trajectory=[statement], answer={"text": f"{1300 + number} parcels."}, conversation="c")


def make_archive(monkeypatch, tmp_path, reportgen, *, annexed=False):
    """A judged run of three clients, and what is planted in it; the working folder becomes that of the archive.

    With `annexed` it has a run before it by another judge with anchors and a check, and labels and a calibration.
    """
    monkeypatch.chdir(tmp_path)
    planted: dict[str, str] = {}
    clients = [plant(planted, "client-one"), plant(planted, "client-two")]
    turns = [our_turn(1, clients[0]), plain_turn(2), our_turn(3, clients[1])]
    turns += [others_turn(number, clients[number % 2], planted) for number in range(4)]
    bundle = our_turn(4, "others")
    statement = [*bundle.pop("trajectory"), {"kind": "guardrail", "rule": "r"}]
    parts = [{"question": "One?", "events": [0, 1], "answer": bundle.pop("answer")}]
    parts.append({"question": "Two?", "events": [1, 2], "answer": {"text": "None."}})
    turns.append({**bundle, "segments": parts, "trajectory": statement})
    name, run_id = plant(planted, "file"), plant(planted, "run-id")
    Path(f"{name}.jsonl").write_text("".join(json.dumps(turn) + "\n" for turn in turns))
    Path("key").write_text("5a" * 32)
    with served(monkeypatch, manner="honest"):
        if annexed:
            judge_before(f"{name}.jsonl", planted, reportgen)
        options = ["--run-id", run_id, "--repeats", 2, "--repeat-turns", "all", "--quiet"]
        ended = reportgen("judge", f"{name}.jsonl", "--judge", JUDGE, *options)
        assert ended.code == 0, ended.err
        if annexed:
            assert reportgen("anchors", "check", "--judge", JUDGE, "--quiet").code in {0, 4}
            label_all(Path("runs", run_id), turns, planted, reportgen)
    return Path("runs", run_id), planted


def judge_before(file, planted, reportgen):
    """A run by another judge, whose turns are frozen as anchors."""
    before, anchors = plant(planted, "run-before"), plant(planted, "anchors")
    ended = reportgen("judge", file, "--judge", BEFORE, "--run-id", before, "--quiet")
    assert ended.code == 0, ended.err
    ended = reportgen("anchors", "freeze", before, "--n", 4, "--run-id", anchors)
    assert ended.code == 0, ended.err


def label_all(run, turns, planted, reportgen):
    """Two people label all turns, of which a sample was drawn, and the judge is held against them."""
    ended = reportgen("sample", run, "--n", 8, "--seed", plant(planted, "seed"), "--strata", "")
    assert ended.code == 0, ended.err
    file = f"{plant(planted, 'label-file')}.csv"
    rows = ["turn,labeller,date,band,comment," + plant(planted, "label-column")]
    for labeller in (plant(planted, "labeller"), plant(planted, "labeller")):
        whole = [turn["id"] for turn in turns if "segments" not in turn]
        rows += [f"{turn},{labeller},2001-02-03,partial,{plant(planted, 'comment')},7" for turn in whole]
    Path(file).write_text("\n".join(rows))
    for words in (("labels", "import", run, file), ("calibrate", run)):
        ended = reportgen(*words)
        assert ended.code == 0, ended.err


def bytes_of(folder: Path) -> Iterator[tuple[str, str]]:
    """All text of a folder: names, bytes as they are, and JSON without its escapes."""
    for path in sorted(folder.rglob("*")):
        yield f"name of {path}", path.name
        if path.is_file():
            data = path.read_bytes().decode()
            yield str(path), data
            for line in [data] if path.suffix == ".json" else data.splitlines():
                yield f"{path}, unescaped", json.dumps(json.loads(line), ensure_ascii=False)


def bytes_of_pdf(path: Path) -> Iterator[tuple[str, str]]:
    """All text of a PDF: of its pages, and of each object, unpacked: metadata, bookmarks, attachments."""
    for number, text in enumerate(read_pages(path.read_bytes())[0], start=1):
        yield f"page {number}", " ".join(text.split())
    with pikepdf.open(path) as pdf:
        for number, item in enumerate(pdf.objects):
            yield f"object {number}", item.unparse(resolved=True).decode("latin-1")
            yield f"strings of object {number}", "\n".join(strings_in(item))
            if isinstance(item, pikepdf.Stream):
                yield f"stream {number}", item.read_bytes().decode("utf-8", "replace")


def strings_in(item) -> Iterator[str]:
    """The texts that an object of a PDF holds itself, such as titles, in whatever encoding."""
    if isinstance(item, pikepdf.String):
        yield str(item)
    elif isinstance(item, pikepdf.Dictionary | pikepdf.Stream | pikepdf.Array):
        keys = range(len(item)) if isinstance(item, pikepdf.Array) else list(item.keys())
        for part in (item[key] for key in keys):
            if not getattr(part, "is_indirect", False):
                yield from strings_in(part)
