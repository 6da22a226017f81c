"""What the judge wrote of a turn, over all of its calls."""

from collections.abc import Iterable, Mapping

from reportgen.model.rubric import Rubric
from reportgen.model.verdict import Verdict


def join_explanations(verdicts: Iterable[Verdict], rubric: Rubric) -> str | None:
    """For each judge call the first reply, under the name of the call where there are several; None without any."""
    found: dict[str, str] = {}
    for verdict in verdicts:
        if verdict.reply is not None:
            found.setdefault(verdict.call, verdict.reply.explanation)
    return _join(found, several=len(rubric.calls) > 1) or None


def _join(found: Mapping[str, str], *, several: bool) -> str:
    return "\n".join(f"{call}: {words}" if several else words for call, words in found.items())
