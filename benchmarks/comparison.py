"""How long all figures, a comparison and a trend over 10,000 turns take, and how often they raise a false alarm.

    .venv/bin/python benchmarks/comparison.py             # both; a few minutes
    .venv/bin/python benchmarks/comparison.py time        # one part: time, alarms

The figures of the second part stand in docs/methods.md.
"""

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

from reportgen.analysis.comparison.comparing import compare_runs
from reportgen.analysis.comparison.sides import Side, build_turn
from reportgen.analysis.findings import Material, build_findings
from reportgen.analysis.intervals import mean_interval
from reportgen.analysis.rows import TurnRow
from reportgen.analysis.trend.days import build_days
from reportgen.analysis.trend.series import judge_series
from reportgen.archive.records import open_records
from reportgen.assembly import read_rows
from reportgen.model.instrument import Instrument, instrument_of
from reportgen.model.revision import Baseline, BaselineTurn, Revision
from reportgen.model.run import Estimate, EvidenceLimits
from reportgen.model.score import Score
from reportgen.model.verdict import Judge
from reportgen.rubrics import load_rubric

SCORES = (100, 97, 95, 92, 88, 80, 70, 45)
RUBRIC = load_rubric("sql-agent-1")
INSTRUMENT = Instrument(
    rubric="sql-agent-1",
    rubric_digest=RUBRIC.digest,
    prompts={},
    judge=Judge(provider="recorded", model="made-up"),
    evidence=EvidenceLimits(),
)
COPIES = 1_000
BEGIN = datetime(2026, 5, 1, 9, tzinfo=UTC)


def main() -> None:
    """Runs the parts that were asked for."""
    parts = {"time": measure_time, "alarms": count_alarms}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="which parts; both if none is named")
    for name in parser.parse_args().parts or parts:
        parts[name]()


def make_turns(source: random.Random, count: int, clients: int) -> tuple[list[BaselineTurn], list[BaselineTurn]]:
    """Turns with the scores of one reading, and the same with those of another by the same judge."""
    before, after = [], []
    for number in range(count):
        score, labels = source.choice(SCORES), {"client": f"c{number % clients}", "surface": f"s{number // 7 % 3}"}
        for side in (before, after):
            read = Fraction(min(100, max(0, score + source.choice((-5, -2, 0, 0, 2, 5)))))
            band = "good" if read >= 75 else "partial" if read >= 50 else "poor"
            subscores = {dimension.id: read / 10 for dimension in RUBRIC.dimensions}
            side.append(BaselineTurn(id=str(number), labels=labels, score=read, band=band, subscores=subscores))
    return before, after


def compare(before: list[BaselineTurn], after: list[BaselineTurn]):
    baseline = Baseline(run="a", seal=64 * "0", instrument=INSTRUMENT, turns=tuple(before))
    return compare_runs(baseline, Side(INSTRUMENT, (), tuple(after)), RUBRIC)


def measure_time() -> None:
    """One comparison of each kind over 10,000 turns, and the trend over their days."""
    before, after = make_turns(random.Random(1), 10_000, 40)
    others = [turn.model_copy(update={"id": f"other {turn.id}"}) for turn in after]
    rows = [make_row(turn, number) for number, turn in enumerate(after)]
    works = (
        ("paired", lambda: compare(before, after)),
        ("two periods", lambda: compare(before, others)),
        ("trend over 90 days", lambda: build_days(rows)),
        ("all figures of a report, compared with a baseline", prepare_findings(10_000)),
    )
    for name, work in works:
        began = time.perf_counter(), time.process_time()
        work()
        clock, busy = time.perf_counter() - began[0], time.process_time() - began[1]
        print(f"{name}, 10,000 turns: {clock:.2f} s, of which {busy:.2f} s at work")


def prepare_findings(count: int) -> Callable[[], object]:
    """All figures of a run of turns like the example's, of 40 clients over 60 days, compared with a reading before."""
    (folder,) = Path("runs").glob("*-example-verdicts")
    records, source = open_records(folder), random.Random(1)
    seen, manifest = read_rows(records), records.run.manifest
    rows = [spread_row(source.choice(seen), number) for number in range(count)]
    turns = tuple(build_turn(row.id, row.labels, row.conversation, row.score) for row in rows)
    baseline = Baseline(run="before", seal=64 * "0", instrument=instrument_of(manifest), turns=turns)
    revision = Revision(number=1, seal=records.run.seal, generated_at=BEGIN, program="benchmark", baseline=baseline)
    material = Material(rows, records.run.rubric, manifest, revision=revision)
    return lambda: build_findings(material)


def spread_row(row: TurnRow, number: int) -> TurnRow:
    labels = {**row.labels, "client": f"c{number % 40}"}
    moment, conversation = BEGIN + timedelta(days=number % 60), f"talk {number // 3}"
    return replace(
        row, id=str(number), conversation=conversation, captured_at=moment, labels=labels, content=str(number)
    )


def make_row(turn: BaselineTurn, number: int) -> TurnRow:
    moment = BEGIN + timedelta(days=number % 90)
    counts = dict.fromkeys(("statements", "beyond_sample", "unknown_count", "cuts", "quotes", "unsupported"), 0)
    facts = dict.fromkeys(("time_assumed", "relayed", "looks_bundled", "split", "addressed_judge"), False)
    score = Score(turn=turn.id, judge="j", rubric="r", score=turn.score, band=turn.band)
    return TurnRow(
        id=turn.id,
        conversation=None,
        captured_at=moment,
        labels=turn.labels,
        score=score,
        answered=True,
        **counts,
        **facts,
    )


def count_alarms() -> None:
    """Copies that were judged again, and series that did not fall."""
    source, changed, marked = random.Random(7), 0, 0
    for _ in range(COPIES):
        found = compare(*make_turns(source, 60, 6))
        changed += found.outcome != "no-difference-found"
        marked += any(line.change.differs for label in found.labels if label.label == "client" for line in label.strata)
    print(
        f"judged again, {COPIES:,} copies: mean called changed {changed / COPIES:.1%}, a client {marked / COPIES:.1%}"
    )
    for wander in (0, 3):
        alarms = sum(raises_alarm(source, wander) for _ in range(COPIES))
        print(f"{COPIES:,} series of ten points that wander by {wander}: an alarm in {alarms / COPIES:.1%}")


def raises_alarm(source: random.Random, wander: float) -> bool:
    means = []
    for _ in range(10):
        shift = source.gauss(0, wander)
        scores = [min(100, max(0, source.choice((100, 100, *SCORES)) + shift)) for _ in range(25)]
        interval = mean_interval(scores, range(25))
        mean = sum(map(Fraction, scores)) / 25
        means.append(Estimate(value=mean, low=interval.low, high=interval.high, n=25, df=interval.df))
    return any(item is not None and item.fell for item in judge_series(means, [0] * 10))


if __name__ == "__main__":
    main()
