"""What a test harness writes into a stream, told from what the user, the tools and the assistant wrote.

The rules are literal and few, so that text of a real user is not taken for that of a harness. Each caller
counts what it cuts.
"""

import re
from dataclasses import dataclass
from itertools import takewhile

_NOTE_BEGINS = "[SYSTEM NOTE"
_NOTE = re.compile(r"\[SYSTEM NOTE\b[^\[\]]*\]?")
_BUDGET_LINE = re.compile(r"Budget remaining: -?[0-9.]+ bird-coins?")
_FOLLOW_UP = "Follow-up question:"
_AFTER_FOLLOW_UP = ("Budget remaining:", "Reward:", _NOTE_BEGINS)
_WRAPPER = re.compile(
    r"\A(?P<head>(?:(?:Database|Task ID): [^\n]*\n)+)\s*User Query:[ \t]*\n(?P<question>.*?)"
    r"(?P<tail>\n[ \t]*\nYou have a budget of [^\n]*bird-coins?\b.*)?\Z",
    re.DOTALL,
)
_NOTICE = re.compile(
    r"(?:Task (?:completed|finished|ended)"
    r"|(?:Budget exhausted|Maximum (?:interaction )?turns reached)\. Task ended)[.!]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """A user's message without the harness's text; `cut` names the pieces that were cut, if any."""

    question: str
    cut: tuple[str, ...] = ()


def unwrap_question(message: str) -> Unwrapped:
    """The question in a message that a harness wrapped.

    A wrapper is there only if the message begins with lines "Database: ..." or "Task ID: ...", followed by
    a line "User Query:". The question is what follows, up to a last paragraph that begins "You have a
    budget of" and speaks of bird-coins. Any other message is the question as it stands.
    """
    match = _WRAPPER.match(message)
    if match is None:
        return Unwrapped(message)
    names = [line.split(":", 1)[0] for line in match["head"].splitlines()]
    cut = (*(f'the line "{name}"' for name in names), 'the line "User Query"')
    return Unwrapped(match["question"].strip(), (*cut, "the paragraph on the budget") if match["tail"] else cut)


def cut_notes(text: str) -> tuple[str, int]:
    """A tool's result without the notes on the budget at its end, and how many there were.

    Notes are `[SYSTEM NOTE ...]` and a line "Budget remaining: ... bird-coins". They are cut at the end
    alone: the same words within a result may be data.
    """
    count = 0
    while (start := _find_trailing_note(text)) is not None:
        text = text[:start].rstrip("\n")
        count += 1
    return text, count


def _find_trailing_note(text: str) -> int | None:
    bare = text.rstrip()
    line = bare.rfind("\n") + 1
    if _BUDGET_LINE.fullmatch(bare, line):
        return line
    start = bare.rfind(_NOTE_BEGINS)
    begins_line = start == 0 or (start > 0 and bare[start - 1] == "\n")
    return start if begins_line and _NOTE.fullmatch(bare, start) else None


def is_notice(text: str) -> bool:
    """Whether a final text is only the harness's notice that the run is over, such as "Task completed."."""
    return bool(_NOTICE.fullmatch(text.strip()))


def find_follow_up(result: str) -> str | None:
    """The question that a harness put to the assistant in the result of one of its tools, if any."""
    lines = result.splitlines()
    first = next((place for place, line in enumerate(lines) if line.startswith(_FOLLOW_UP)), None)
    if first is None:
        return None
    rest = takewhile(lambda line: not line.startswith(_AFTER_FOLLOW_UP), lines[first + 1 :])
    return "\n".join([lines[first].removeprefix(_FOLLOW_UP), *rest]).strip() or None
