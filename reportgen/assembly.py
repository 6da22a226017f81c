"""A finished run -> the data of its report: rows for the analysis, entries for the pages."""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Final

from reportgen.analysis.addressing import find_addresses
from reportgen.analysis.diagnosis import first_weak
from reportgen.analysis.findings import Material, build_findings
from reportgen.analysis.retrieving import list_knobs
from reportgen.analysis.rows import TurnRow
from reportgen.archive.records import Records
from reportgen.capture.segments import looks_bundled
from reportgen.judging.evidence import Evidence, build_evidence
from reportgen.judging.quotes import find_quotes
from reportgen.model.revision import Revision
from reportgen.model.rubric import Rubric
from reportgen.model.run import WITHHELD, EvidenceLimits
from reportgen.model.score import Score
from reportgen.model.standing import Standing
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.publishing.look.look import Look
from reportgen.publishing.report import Quote, Report, TurnEntry
from reportgen.record import digest
from reportgen.redaction.spans import mark_of
from reportgen.scoring.caps import has_answer
from reportgen.scoring.composite import score_turn
from reportgen.scoring.readings import split_by_judge

QUOTE: Final = mark_of("quote")
"""Stands in a derived run for a quote of which the redacted evidence would tell another thing than the original."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the judge saw and quoted of one turn, over all its calls."""

    quotes: tuple[Quote, ...]
    cuts: tuple[str, ...]


def assemble_report(
    records: Records, revision: Revision, title: str, look: Look, standing: Standing | None = None
) -> Report:
    """The data of the report of a run, as that revision states it: without probes that came after it."""
    run, probes = records.run, records.probes[: revision.probes or 0]
    given = Material(
        read_rows(records), run.rubric, run.manifest, records.paid(), run.canaries, probes, records.turns, revision
    )
    entries = partial(read_entries, records)
    return Report(run, build_findings(given), revision, entries, title, probes, look=look, standing=standing)


def read_rows(records: Records) -> list[TurnRow]:
    """What the analysis needs of each turn of a run."""
    return [entry.row for entry in read_entries(records)]


def read_entries(records: Records) -> Iterator[TurnEntry]:
    """The turns of a run one by one, each with its verdicts, its score and the checks on them."""
    run, verdicts = records.run, VerdictGroups(records.verdicts())
    limits = run.manifest.evidence
    pairs = zip(records.turns(), records.scores(), strict=True)
    for number, (turn, score) in enumerate(pairs, start=1):
        yield build_entry(number, turn, verdicts.take(turn.id), score, run.rubric, limits, run.manifest.erased)


class VerdictGroups:
    """Hands out verdicts, which stand in the order of the turns, turn by turn."""

    def __init__(self, verdicts: Iterable[Verdict]) -> None:
        self._groups = groupby(verdicts, key=lambda verdict: verdict.turn)
        self._next = next(self._groups, None)

    def take(self, turn: str) -> tuple[Verdict, ...]:
        """The verdicts on that turn; none where the next ones are on another."""
        if self._next is None or self._next[0] != turn:
            return ()
        group = tuple(self._next[1])
        self._next = next(self._groups, None)
        return group

    def rest(self) -> str | None:
        """The turn of the first verdict that was not taken."""
        return self._next[0] if self._next else None


def build_entry(  # noqa: PLR0917 - a turn and all that belongs to it
    number: int,
    turn: Turn,
    verdicts: tuple[Verdict, ...],
    score: Score,
    rubric: Rubric,
    limits: EvidenceLimits,
    erased: Container[str] = (),
) -> TurnEntry:
    """One turn with all that a reader needs to retrace its score; how long an erased answer was is not known."""
    evidence = {call.id: build_evidence(turn, call, limits) for call in rubric.calls}
    seen = _check_seen(verdicts, evidence)
    row = _build_row(turn, verdicts, score, seen, rubric, limits)
    if turn.id in erased:
        row = replace(row, answer_length=None)
    return TurnEntry(number, turn, verdicts, score, row, seen.quotes, seen.cuts, first_weak(score, rubric))


def _check_seen(verdicts: tuple[Verdict, ...], evidence: dict[str, Evidence]) -> _Seen:
    quotes: list[Quote] = []
    for verdict in verdicts:
        if verdict.reply and verdict.call in evidence:
            given = [quote for quote in verdict.reply.quotes if quote != QUOTE or verdict.evidence != WITHHELD]
            quotes += map(Quote, given, find_quotes(given, evidence[verdict.call].text))
    cuts = dict.fromkeys(cut for item in evidence.values() for cut in item.cuts)
    return _Seen(tuple(quotes), tuple(cuts))


def _build_row(  # noqa: PLR0917 - likewise
    turn: Turn, verdicts: tuple[Verdict, ...], score: Score, seen: _Seen, rubric: Rubric, limits: EvidenceLimits
) -> TurnRow:
    statements, alone = turn.statements, _score_alone(turn, verdicts, rubric)
    returned = [item.row_count or len(item.rows or ()) for item in statements]
    return TurnRow(
        id=turn.id,
        conversation=turn.conversation_or_bundle,
        captured_at=turn.captured_at,
        time_assumed=turn.captured_at_assumed,
        labels=turn.labels,
        score=score,
        relayed=turn.question_source == "relayed",
        answered=has_answer(turn),
        looks_bundled=looks_bundled(turn),
        split=turn.part_of is not None,
        statements=len(statements),
        beyond_sample=sum(count > limits.rows for count in returned),
        unknown_count=sum(item.status == "ok" and item.row_count is None for item in statements),
        cuts=len(seen.cuts),
        quotes=len(seen.quotes),
        unsupported=sum(not quote.supported for quote in seen.quotes),
        addressed_judge=any(verdict.reply is not None and verdict.reply.addressed_judge for verdict in verdicts),
        retrievals=len(turn.retrievals),
        addresses=find_addresses(turn),
        answer_length=len(turn.answer.text) if turn.answer and turn.answer.text is not None else None,
        by_judge=tuple(item.score for item in alone),
        scores_by_judge=() if rubric.has_composite else alone,
        drawn=turn.drawn,
        agent=name_agent(turn),
        latency=turn.latency,
        knobs=list_knobs(turn),
        content=digest_content(turn),
    )


def digest_content(turn: Turn) -> str:
    """The same for two turns that differ in nothing but id, time, labels and conversation."""
    return digest(turn.model_dump(mode="json", include={"question", "trajectory", "answer"}))


def name_agent(turn: Turn) -> str:
    """How the assistant calls itself: its name, its version, and the label `model` where there is one."""
    return " ".join(filter(None, (turn.agent.name, turn.agent.version, turn.labels.get("model"))))


def _score_alone(turn: Turn, verdicts: tuple[Verdict, ...], rubric: Rubric) -> tuple[Score, ...]:
    """What each judge of a panel gives alone, in the order of the panel; nothing where there is one judge."""
    judges = split_by_judge(verdicts)
    if len(judges) < 2:
        return ()
    return tuple(score_turn(turn, group, rubric, judge.name) for judge, group in judges)
