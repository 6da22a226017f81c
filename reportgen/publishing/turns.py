"""One turn with all that a reader needs to retrace its score, ready for the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from reportgen.analysis.figure_check.checking import find_figures
from reportgen.model.derivation import Erasure
from reportgen.model.turn import Answer, Latency, Turn
from reportgen.model.verdict import Verdict
from reportgen.publishing.answers import AnswerText, render_answer
from reportgen.publishing.arithmetic import Arithmetic, CapLine, build_arithmetic, build_cap_lines
from reportgen.publishing.figures import FigureTable, build_figure_table
from reportgen.publishing.metric_lines import MetricLine, build_metric_lines, say_corner
from reportgen.publishing.outcomes import OUTCOMES
from reportgen.publishing.printing import plural, print_day, print_duration, print_moment, print_score, print_seconds
from reportgen.publishing.report import Quote, Report, TurnEntry
from reportgen.publishing.text import Shown, clean, shorten, turn_anchor
from reportgen.publishing.trajectory import Trajectory, build_trajectory
from reportgen.scoring.caps import empty_answer, has_answer

QUESTION_SHOWN = 4_000
_EXPLANATION_SHOWN = 6_000
_QUOTE_SHOWN = 1_500
LABEL_SHOWN = 200
_LABELS_SHOWN = 30

_STEPS = {
    "sql": "SQL statement",
    "tool": "tool call",
    "schema": "schema look-up",
    "guardrail": "guardrail",
    "retrieval": "retrieval",
}


@dataclass(frozen=True, slots=True)
class QuoteText:
    """A quote of the judge and whether a program found it in the evidence."""

    shown: Shown
    supported: bool


@dataclass(frozen=True, slots=True)
class VerdictText:
    """A verdict as displayed: the judge's words, or why there are none and what came instead."""

    title: str
    explanation: Shown | None
    category: str | None
    failure: Shown | None
    raw_reply: Shown | None
    addressed: bool
    account: str
    evidence: str
    key: str


@dataclass(frozen=True, slots=True)
class TurnText:
    """One turn as displayed; `score` and `band` are None where it has no score.

    Where its texts are withheld, `steps` says what there was in the place of all that held text.
    """

    number: str
    id: str
    anchor: str
    question: Shown
    question_source: str
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    trajectory: Trajectory
    answer: AnswerText | None
    no_answer: str | None
    figures: FigureTable | None
    verdicts: tuple[VerdictText, ...]
    quotes: tuple[QuoteText, ...]
    agreement: str | None
    arithmetic: Arithmetic | None
    metrics: tuple[MetricLine, ...]
    corner: str | None
    caps: tuple[CapLine, ...]
    score: str | None
    band: str | None
    unscored: str | None
    first_weak: str | None
    cuts: tuple[str, ...]
    steps: str | None
    erased: str | None


def build_turn(entry: TurnEntry, report: Report) -> TurnText:
    """The turn as it stands in the report."""
    turn, score, run = entry.turn, entry.score, report.run
    return TurnText(
        number=str(entry.number),
        id=str(shorten(turn.id, LABEL_SHOWN)),
        anchor=turn_anchor(turn.id),
        question=shorten(turn.question, QUESTION_SHOWN),
        question_source=say_question_source(turn),
        facts=tuple(list_facts(turn)),
        notes=list_notes(turn),
        trajectory=build_trajectory(turn.trajectory, run.manifest.evidence, entry.cuts),
        answer=show_answer(turn.answer),
        no_answer=say_no_answer(turn.answer),
        figures=build_figure_table(find_figures(turn, report.findings.figures.off)),
        verdicts=tuple(_verdict(verdict, len(entry.verdicts), report) for verdict in entry.verdicts),
        quotes=tuple(_quotes(entry.quotes)),
        agreement=_agreement(entry),
        arithmetic=build_arithmetic(score, run.rubric),
        metrics=build_metric_lines(score, run.rubric),
        corner=say_corner(score, run.rubric),
        caps=build_cap_lines(score, run.rubric),
        score=None if score.score is None else print_score(score.score, run.rubric),
        band=score.band,
        unscored=say_unscored(entry),
        first_weak=run.rubric.dimension(entry.first_weak).name if entry.first_weak else None,
        cuts=tuple(clean(cut) for cut in entry.cuts if not cut.startswith("event ")) if report.has_texts else (),
        steps=None if report.has_texts else say_steps(turn),
        erased=_say_erased(run.manifest.erased.get(turn.id)),
    )


def say_unscored(entry: TurnEntry) -> str | None:
    """Why the turn has no score; None where it has one."""
    if entry.score.unscored is None:
        return None
    why = OUTCOMES.get(entry.score.unscored, entry.score.unscored)
    return f"No score: {why}. {shorten(entry.score.reason or '', _EXPLANATION_SHOWN)}".strip()


def list_notes(turn: Turn) -> tuple[str, ...]:
    """What was noted on the turn when it was captured."""
    return tuple(str(shorten(note, LABEL_SHOWN * 5)) for note in turn.notes)


def say_question_source(turn: Turn) -> str:
    """Whose words the question is in."""
    if turn.question_source == "verbatim":
        return "the user's own words"
    return "relayed: not the user's own words, but what another program passed on"


def list_facts(turn: Turn) -> list[tuple[str, str]]:
    """When it was captured, of which assistant, with which labels."""
    time = print_moment(turn.captured_at)
    version = f" {turn.agent.version}" if turn.agent.version else ""
    facts = [
        ("Captured", f"{time} (assumed, not captured)" if turn.captured_at_assumed else time),
        ("Assistant", f"{turn.agent.name}{version}"),
        *([("Model", turn.model)] if turn.model else []),
        *_time_facts(turn.latency),
        *islice(turn.labels.items(), _LABELS_SHOWN),
    ]
    if (more := len(turn.labels) - _LABELS_SHOWN) > 0:
        facts.append(("More labels", f"{plural(more, 'label')} not shown here; the data of the report holds them"))
    if turn.conversation:
        facts.append(("Conversation", turn.conversation))
    if turn.part_of:
        part = turn.part_of
        facts.append(("Part", f"{part.number} of {part.count} of the captured turn {part.turn}"))
    return [(str(shorten(name, LABEL_SHOWN)), str(shorten(value, LABEL_SHOWN))) for name, value in facts]


def _time_facts(latency: Latency | None) -> list[tuple[str, str]]:
    """How long it took, of what is known of that."""
    if latency is None:
        return []
    named = (("Total time", latency.total_ms), ("Retrieval", latency.retrieval_ms), ("Answer", latency.generation_ms))
    return [(name, print_duration(value)) for name, value in named if value is not None]


def show_answer(answer: Answer | None) -> AnswerText | None:
    """The answer for the page; None where it was not captured."""
    return None if answer is None or answer.text is None else render_answer(answer.text)


def say_no_answer(answer: Answer | None) -> str | None:
    """Why there is nothing to read: it was not captured, or it is blank."""
    if answer is None:
        return "The turn has no answer of its own."
    if answer.not_captured is not None:
        return f"Not captured: {shorten(answer.not_captured, QUESTION_SHOWN)}"
    return None if (answer.text or "").strip() else "The answer was captured, and it is empty."


def _say_erased(erasure: Erasure | None) -> str | None:
    """That the texts of the turn were erased, when and why."""
    if erasure is None:
        return None
    reason = shorten(erasure.reason, _EXPLANATION_SHOWN)
    return (
        f"The texts of this turn were erased on request on {print_day(erasure.at)}; its score stays. Reason: {reason}"
    )


def say_steps(turn: Turn) -> str:
    """What the assistant did and whether it answered, in a sentence, from the statuses alone."""
    steps = [f"{_STEPS[event.kind]}: {getattr(event, 'status', 'blocked')}" for event in turn.trajectory]
    told = "; ".join(steps) if steps else "no step"
    if not has_answer(turn):
        return f"{told}; the answer was not captured."
    return f"{told}; {'an empty answer' if empty_answer(turn) else 'an answer'}."


def _verdict(verdict: Verdict, count: int, report: Report) -> VerdictText:
    reply = verdict.reply
    sample = f", sample {verdict.sample}" if verdict.sample > 1 else ""
    failure = None if verdict.outcome == "ok" else _failure(verdict)
    return VerdictText(
        title=f"Judge call {verdict.call}{sample}" if count > 1 else "",
        explanation=shorten(reply.explanation, _EXPLANATION_SHOWN) if reply and report.has_texts else None,
        category=reply.verdict if reply else None,
        failure=failure,
        raw_reply=shorten(verdict.text, _EXPLANATION_SHOWN) if verdict.text else None,
        addressed=bool(reply and reply.addressed_judge),
        account=_account(verdict),
        evidence=verdict.evidence,
        key=verdict.key,
    )


def _failure(verdict: Verdict) -> Shown:
    why = OUTCOMES.get(verdict.outcome, verdict.outcome)
    return shorten(f"{why}: {verdict.reason}" if verdict.reason else why, _EXPLANATION_SHOWN)


def _account(verdict: Verdict) -> str:
    """Who judged, how often it was asked and how long that took."""
    if not verdict.attempts or verdict.judge.provider == "recorded":
        return clean(verdict.judge.name)
    seconds = print_seconds(attempt.seconds for attempt in verdict.attempts)
    models = dict.fromkeys(attempt.model for attempt in verdict.attempts if attempt.model)
    named = f", answering as {', '.join(models)}" if models else ""
    return clean(f"{verdict.judge.name}{named}; {plural(len(verdict.attempts), 'request')}, {seconds}")


def _quotes(quotes: Sequence[Quote]) -> list[QuoteText]:
    return [QuoteText(shorten(quote.text, _QUOTE_SHOWN), quote.supported) for quote in quotes]


def _agreement(entry: TurnEntry) -> str | None:
    score = entry.score
    if score.verdict is None or score.band is None:
        return None
    if score.agrees:
        return f"The judge's own word is {score.verdict}; the arithmetic gives the band {score.band}: they agree."
    return f"The judge's own word is {score.verdict}, but the arithmetic gives the band {score.band}."
