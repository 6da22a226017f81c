"""Goes through the turns once: what is counted, and each answer held against rows that it has nothing to do with."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from reportgen.analysis.figure_check.checking import (
    Evidence,
    Way,
    build_evidence,
    has_evidence,
    has_only_passages,
    ways_of,
)
from reportgen.analysis.figure_check.mentions import Mention, find_mentions
from reportgen.model.turn import Turn

PAIRINGS = 10
"""Each answer is held against the rows of at most so many other turns."""

Ways = tuple[Way, ...]
"""All ways in which a figure is met; none where it is not."""


@dataclass(slots=True)
class PairedAnswer:
    """An answer with figures: in which ways each is met in its own rows, and how often in which in others' rows.

    `has_only_passages` says that these are no rows but passages.
    """

    number: int
    turn: str
    conversation: str | None
    figures: tuple[Mention, ...]
    own: Counter[Ways] = field(default_factory=Counter)
    chance: Counter[Ways] = field(default_factory=Counter)
    has_unseen: bool = False
    has_only_passages: bool = False
    paired: int = 0


@dataclass(slots=True)
class Tally:
    """What is counted over the turns; of each answer with figures the counts stay, its figures go."""

    answers: list[PairedAnswer] = field(default_factory=list)
    texts: int = 0
    with_figures: int = 0
    unchecked: int = 0
    unchecked_figures: int = 0
    asked: int = 0
    cut: int = 0
    pairs: int = 0


def tally_turns(turns: Callable[[], Iterator[Turn]]) -> Tally:
    """Counts the figures of all turns, and holds each answer against the rows of others.

    These are the turns that come after it, those of its own conversation left out; after the last turn the first ones
    follow again. No chance is involved.

    Args:
        turns: Gives the turns in the order of the capture, afresh on each call.
    """
    tally = Tally()
    window: deque[PairedAnswer | None] = deque(maxlen=PAIRINGS)
    for number, turn in enumerate(turns()):
        answer, evidence = _take(number, turn, tally)
        _pair(turn, evidence, (one for one in window if one), tally)
        if answer is not None:
            _push(window, answer)
    _pair_again(turns(), window, tally)
    return tally


def _take(number: int, turn: Turn, tally: Tally) -> tuple[PairedAnswer | None, Evidence | None]:
    """Counts the turn's own figures; gives its answer, if it has some, and its rows."""
    mentions, evidence = find_mentions(turn), None
    tally.texts += turn.answer is not None and turn.answer.text is not None
    tally.with_figures += bool(mentions.all)
    tally.cut += mentions.is_cut
    if has_evidence(turn):
        evidence = build_evidence(turn)
    elif mentions.all:
        tally.unchecked += 1
        tally.unchecked_figures += len(mentions.all)
        return None, None
    tally.asked += len(mentions.all) - len(mentions.own)
    if evidence is None or not mentions.own:
        return None, evidence
    answer = PairedAnswer(number, turn.id, turn.conversation_or_bundle, mentions.own)
    answer.own.update(ways_of(figure, evidence) for figure in mentions.own)
    answer.has_unseen = evidence.facts.unseen > 0 or evidence.facts.is_unsure
    answer.has_only_passages = has_only_passages(turn)
    tally.answers.append(answer)
    return answer, evidence


def _pair(turn: Turn, evidence: Evidence | None, answers: Iterable[PairedAnswer], tally: Tally) -> None:
    """Holds the answers against the rows of the turn, if it has any."""
    if evidence is None or not evidence.facts.has_rows:
        return
    for answer in answers:
        is_apart = answer.conversation is None or answer.conversation != turn.conversation_or_bundle
        if is_apart and answer.paired < PAIRINGS:
            answer.paired += 1
            answer.chance.update(ways_of(figure, evidence) for figure in answer.figures)
            tally.pairs += 1


def _pair_again(turns: Iterator[Turn], window: deque[PairedAnswer | None], tally: Tally) -> None:
    """Holds the last answers against the rows of the first turns; those between have had theirs."""
    for number, turn in enumerate(turns):
        if not any(window):
            return
        evidence = build_evidence(turn) if has_evidence(turn) else None
        _pair(turn, evidence, (one for one in window if one and one.number > number), tally)
        if find_mentions(turn).own and evidence is not None:
            _push(window, None)


def _push(window: deque[PairedAnswer | None], answer: PairedAnswer | None) -> None:
    """Adds an answer; the one that falls out at the other end has been paired, and its figures are not kept."""
    if len(window) == PAIRINGS and (oldest := window[0]) is not None:
        oldest.figures = ()
    window.append(answer)
