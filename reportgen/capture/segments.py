"""Bundles: a captured turn that holds several questions becomes one turn a question."""

import re

from reportgen.model.turn import PartOf, Segment, Turn

_LOOKED_AT = 5_000
"""So much of a question is looked at: marks that are never closed would make more of it slow."""
_QUOTED = re.compile(
    r"```.*?```"
    r"|`[^`\n]*`"
    r'|"[^"\n]*"|“[^”\n]*”|«[^»\n]*»'
    # An apostrophe is no quotation mark: one begins a quotation only after white space or a bracket.
    r"|(?<![^\s(\[])'[^'\n]*'(?=[\s.,;:!?)\]]|$)"
    r"|https?://\S+",
    re.DOTALL,
)
_SENTENCE_END = re.compile(r"(?<![!?؟])[!?؟]+[)\]]*(?=\s|$)|？")  # noqa: RUF001 - as Chinese writes it
_LIST_ITEM = re.compile(r"^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+(\S.*)$", re.MULTILINE)
_ASKS = re.compile(
    r"(?:what|which|how|who|whom|whose|when|where|why|is|are|was|were|do|does|did|can|could|will|would|should"
    r"|has|have|had)\b",
    re.IGNORECASE,
)


def segment_ids(turn: Turn) -> tuple[str, ...]:
    """The ids that the turns of a bundle get, `<id>#1`, `<id>#2`, ...; empty for a turn without segments."""
    return tuple(f"{turn.id}#{number}" for number in range(1, len(turn.segments) + 1))


def split_segments(turn: Turn) -> tuple[Turn, ...]:
    """One turn for each question of a bundle; a turn without segments as it is.

    Each part has the question, the events and the answer of its segment and inherits all else but the latency,
    which is that of the whole. `part_of`
    names the turn that it came from.

    Raises:
        pydantic.ValidationError: An id grows too long; reading refuses such turns beforehand.
    """
    if not turn.segments:
        return (turn,)
    parts = zip(segment_ids(turn), turn.segments, strict=True)
    return tuple(_build_part(turn, name, segment, number) for number, (name, segment) in enumerate(parts, start=1))


def looks_bundled(turn: Turn) -> bool:
    """Whether an unmarked turn looks like several questions in one; it is then flagged, never split.

    The rule looks at the text of the question alone, and leaves out what stands in quotation marks, in
    backticks or in a URL. It holds where at least two question marks each end a sentence (white space or
    the end of the text follows; "??" and "?!" count once), or where a numbered or bulleted list has at
    least two items that are questions: they contain such a question mark, or begin with an English question
    word or auxiliary ("how", "which", "does"). Requests without a question mark, such as "Show A. Show B.",
    are not found.
    """
    if turn.segments or turn.part_of is not None:
        return False
    text = _QUOTED.sub(_keep_end, turn.question[:_LOOKED_AT])
    asking = [item for item in _LIST_ITEM.findall(text) if _ASKS.match(item) or _count_marks(item)]
    return _count_marks(text) >= 2 or len(asking) >= 2


def _count_marks(text: str) -> int:
    ends: list[str] = _SENTENCE_END.findall(text)
    return sum(end.rstrip(")]") != "!" * len(end.rstrip(")]")) for end in ends)


def _keep_end(match: re.Match[str]) -> str:
    """What is left of a quotation or a URL: nothing but the punctuation that ends a URL's sentence."""
    text = match[0]
    return " " + text[len(text.rstrip("?!.,;:)")) :] if text.startswith("http") else " "


def _build_part(turn: Turn, id: str, segment: Segment, number: int) -> Turn:
    first, end = segment.events
    return Turn(
        id=id,
        conversation=turn.conversation,
        captured_at=turn.captured_at,
        captured_at_assumed=turn.captured_at_assumed,
        question=segment.question,
        question_source=segment.question_source or turn.question_source,
        labels=turn.labels,
        trajectory=turn.trajectory[first:end],
        answer=segment.answer,
        agent=turn.agent,
        model=turn.model,
        part_of=PartOf(turn=turn.id, number=number, count=len(turn.segments)),
        drawn=turn.drawn,
        notes=turn.notes,
    )
