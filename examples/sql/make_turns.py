"""Write the turns of each month: play the scripted conversations against the database and capture what happens.

What was asked and answered, and how long each step took, comes from `script/*/*.yaml`. Rows, row counts, error
texts and schema look-ups are what SQLite really gave back. Two runs give the same bytes.
"""

import argparse
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from database import Database

from reportgen.model.turn import (
    Agent,
    Answer,
    Event,
    GuardrailBlock,
    SchemaLookup,
    Segment,
    SqlStatement,
    ToolCall,
    Turn,
)
from reportgen.record import canonical

HERE = Path(__file__).resolve().parent
MONTHS = {"july": "turns.jsonl", "august": "turns-august.jsonl"}
"""The folder of scripts of each month, and the file of its turns."""
ROWS_KEPT = 50
STEPS_BEFORE_INTERRUPT = 2_000_000
NEW_VERSION_FROM = datetime(2026, 7, 16, tzinfo=UTC)
LISTING = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
DEFINITION = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"


def main() -> None:
    """Play all scripts and write what was captured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE, help="the folder for the turns")
    out = parser.parse_args().out
    for month, file in MONTHS.items():
        lines = [canonical(turn.to_data()) + b"\n" for turn in capture_turns(month)]
        (out / file).write_bytes(b"".join(lines))


def capture_turns(month: str) -> Iterator[Turn]:
    """Play each scripted turn in the order of time, so that the database never knows the future."""
    database = Database()
    for script in sorted(read_scripts(month), key=lambda script: (script["at"], script["id"])):
        database.advance_to(script["at"].astimezone(UTC).date())
        yield capture_turn(script, database.connection)


def read_scripts(month: str) -> Iterator[dict[str, Any]]:
    """The scripted turns of all clients; each file names the client and region that its turns share, or a version."""
    for path in sorted((HERE / "script" / month).glob("*.yaml")):
        shared = yaml.safe_load(path.read_text(encoding="utf-8"))
        for turn in shared["turns"]:
            at = datetime.fromisoformat(turn["at"])
            version = shared.get("version", "4.3.0" if at >= NEW_VERSION_FROM else "4.2.0")
            yield {**turn, "at": at, "version": version, **shared["labels"]}


def capture_turn(script: dict[str, Any], connection: sqlite3.Connection) -> Turn:
    """Play one scripted turn. In a bundle each segment has its own steps, which run one after the other."""
    parts = script.get("segments", [script])
    event_lists = [[capture_step(step, connection) for step in part.get("steps", [])] for part in parts]
    return Turn(
        id=script["id"],
        conversation=script["conversation"],
        captured_at=script["at"],
        question=script["question"],
        question_source=script.get("question_source", "verbatim"),
        labels={name: script[name] for name in ("client", "region", "surface", "topic")},
        trajectory=tuple(event for events in event_lists for event in events),
        answer=None if "segments" in script else read_answer(script),
        agent=Agent(name="harbour-assistant", version=script["version"]),
        segments=tuple(join_segments(script.get("segments", []), event_lists)),
    )


def join_segments(parts: list[dict[str, Any]], event_lists: list[list[Event]]) -> Iterator[Segment]:
    """The segments of a bundle, each with the range of events that it covers."""
    first = 0
    for part, events in zip(parts, event_lists, strict=False):
        end = first + len(events)
        yield Segment(question=part["question"], events=(first, end), answer=read_answer(part))
        first = end


def read_answer(part: dict[str, Any]) -> Answer:
    """The scripted answer of a turn or a segment, or the reason why there is none."""
    return Answer(text=part.get("answer"), not_captured=part.get("not_captured"))


def capture_step(step: dict[str, Any], connection: sqlite3.Connection) -> Event:
    """Play one step of a script: a statement, a schema look-up, another tool or a guardrail."""
    if "sql" in step:
        return capture_statement(step, connection)
    if "schema" in step:
        return look_up(step, connection)
    if "guardrail" in step:
        return GuardrailBlock(rule=step["guardrail"], message=step["message"])
    return ToolCall(
        name=step["tool"],
        arguments=step.get("arguments", {}),
        status="error" if "error" in step else "ok",
        output=step.get("output"),
        error=step.get("error"),
        duration_ms=step["ms"],
    )


def capture_statement(step: dict[str, Any], connection: sqlite3.Connection) -> SqlStatement:
    """Play one statement to the end that the script foresees; an error is never foreseen, it just happens."""
    text, ends = step["sql"].strip(), step.get("ends", "ok")
    if ends == "blocked":
        return SqlStatement(text=text, dialect="sqlite", status="blocked", duration_ms=step["ms"])
    if ends in ("timeout", "cancelled"):
        error = interrupt(text, connection)
        return SqlStatement(text=text, dialect="sqlite", status=ends, error=error, duration_ms=step["ms"])
    try:
        return run(text, step["ms"], connection)
    except sqlite3.Error as error:
        return SqlStatement(text=text, dialect="sqlite", status="error", error=str(error), duration_ms=step["ms"])


def run(text: str, duration_ms: float, connection: sqlite3.Connection) -> SqlStatement:
    """Run a statement and take the snapshot: the first rows, and how many there were in full.

    Raises:
        sqlite3.Error: SQLite refused the statement.
    """
    cursor = connection.execute(text)
    rows = tuple(cursor.fetchall())
    cut = (f"kept the first {ROWS_KEPT} of {len(rows)} rows",) if len(rows) > ROWS_KEPT else ()
    return SqlStatement(
        text=text,
        dialect="sqlite",
        status="ok",
        duration_ms=duration_ms,
        columns=tuple(column[0] for column in cursor.description),
        rows=rows[:ROWS_KEPT],
        row_count=len(rows),
        notes=cut,
    )


def interrupt(text: str, connection: sqlite3.Connection) -> str:
    """Run a statement, abort it while it is at work, and give the driver's message.

    Raises:
        RuntimeError: The statement was done before it could be aborted.
    """
    connection.set_progress_handler(lambda: 1, STEPS_BEFORE_INTERRUPT)
    try:
        connection.execute(text).fetchall()
    except sqlite3.OperationalError as error:
        return str(error)
    finally:
        connection.set_progress_handler(None, 0)
    raise RuntimeError(f"was to be aborted, but ended: {text}")


def look_up(step: dict[str, Any], connection: sqlite3.Connection) -> SchemaLookup:
    """Look up the definition of a table, or with the target `tables` the names of all."""
    target = step["schema"]
    found = connection.execute(LISTING) if target == "tables" else connection.execute(DEFINITION, (target,))
    names = ", ".join(row[0] for row in found) if target == "tables" else "".join(row[0] for row in found)
    if names:
        return SchemaLookup(target=target, status="ok", output=names, duration_ms=step["ms"])
    return SchemaLookup(target=target, status="error", error=f"no table {target}", duration_ms=step["ms"])


if __name__ == "__main__":
    main()
