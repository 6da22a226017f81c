"""Who was asked and what they were told; and who was asked in the run before, so that a change of the judge shows."""

from collections.abc import Iterator
from typing import Final

from reportgen.model.derivation import Digest
from reportgen.model.verdict import Judge
from reportgen.record import Record

PANEL: Final = "panel"
"""The provider of a judge that stands for several; its note names each with its effort."""


class Asked(Record):
    """A judge with the system prompts that it was given, by the judge calls of a rubric.

    `rubric` is the rubric's id with its version, `prompts` the SHA-256 of the prompt of each call.
    """

    judge: Judge
    prompts: dict[str, Digest]
    rubric: str
    rubric_digest: Digest

    def differs(self, other: "Asked") -> tuple[str, ...]:
        """In what the judge or its prompts are not those of the other; empty where both were asked alike."""
        pairs = zip(self._keys(), other._keys(), strict=True)
        return tuple(name for (name, one), (_, another) in pairs if one != another)

    def _keys(self) -> Iterator[tuple[str, object]]:
        judge = self.judge
        yield "model", (judge.name, judge.note if judge.provider == PANEL else None)
        yield "effort", judge.effort
        yield "parameters", judge.parameters
        yield "prompts", self.prompts


class Predecessor(Record):
    """The last run of the same rubric that was in the archive when a run began, and who was asked in it.

    In a run that was derived for others, `run` and `seal` are None: they would name a run that its readers do not have.
    """

    run: str | None = None
    seal: Digest | None = None
    asked: Asked
