"""Whose models judge and assistant are, as far as their names say: a judge may favour text of its own kind."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reportgen.analysis.rows import TurnRow
from reportgen.model.run import Manifest
from reportgen.model.verdict import Judge

VENDORS: dict[str, tuple[str, ...]] = {
    "Anthropic": ("anthropic", "claude"),
    "OpenAI": ("openai", "gpt", "chatgpt"),
    "Google": ("google", "gemini", "gemma", "palm"),
    "Meta": ("llama", "codellama"),
    "Mistral": ("mistral", "mistralai", "mixtral", "codestral", "ministral", "magistral"),
    "Alibaba": ("qwen", "qwq"),
    "DeepSeek": ("deepseek",),
    "xAI": ("xai", "grok"),
    "Cohere": ("cohere",),
    "Moonshot": ("moonshot", "moonshotai", "kimi"),
    "Zhipu": ("zhipu", "chatglm", "glm"),
}
"""Each vendor with the words that name it or its models. A word counts as a whole, in any case; digits end it."""

_OPENAI_O = re.compile(r"\bo[1-9](-mini|-pro|-preview)?\b")
"""The models of OpenAI whose name is one letter and a digit, such as o3-mini."""


_GIVEN_BY = "as once given by "
"""How the note on replayed verdicts begins where they name the judge that gave them."""


@dataclass(frozen=True, slots=True)
class Kinship:
    """Whose models judge and assistant are.

    `judges` are the vendors that the names of the judges tell; `assistants` counts turns by the vendors that the names
    of their assistants and models tell, `untold` those whose do not. `common` are the vendors of both, `shared` counts
    the turns whose assistant or model is of one of these.
    """

    judges: tuple[str, ...]
    assistants: dict[str, int]
    untold: int
    common: tuple[str, ...]
    shared: int


def find_vendors(text: str) -> frozenset[str]:
    """The vendors that a text names, or whose models it names.

    >>> sorted(find_vendors("GPT-5.2 behind a claude-haiku-4-5 router")), find_vendors("harbour-assistant 4.2")
    (['Anthropic', 'OpenAI'], frozenset())
    """
    lowered = text.lower()
    words = set(re.findall(r"[^\W\d_]+", lowered))
    found = {vendor for vendor, names in VENDORS.items() if not words.isdisjoint(names)}
    return frozenset(found | ({"OpenAI"} if _OPENAI_O.search(lowered) else set()))


def vendor_of_judge(judge: Judge) -> str | None:
    """The vendor whose model judged: by the model's name, else by the provider's; None where neither tells one.

    A model of one family may be served by another provider, so the model's name goes first. Replayed verdicts are
    those of the judge that their note names.
    """
    texts = [judge.note or ""] if judge.provider == "recorded" else [judge.model, judge.provider]
    if judge.provider == "recorded" and not texts[0].startswith(_GIVEN_BY):
        return None
    if judge.provider == "openai":
        # It stands for any endpoint that speaks OpenAI's protocol, whosever model is behind it.
        texts = [judge.model]
    return next((min(found) for text in texts if len(found := find_vendors(text)) == 1), None)


def measure_kinship(rows: Sequence[TurnRow], judges: Iterable[Judge]) -> Kinship:
    """Whose models judges and assistant are, turn by turn."""
    vendors = {vendor for judge in judges if (vendor := vendor_of_judge(judge)) is not None}
    named = [find_vendors(f"{row.agent} {row.knobs.get('model', '')}") for row in rows]
    counts = Counter(found for told in named for found in told)
    return Kinship(
        judges=tuple(sorted(vendors)),
        assistants=dict(sorted(counts.items())),
        untold=sum(not told for told in named),
        common=tuple(sorted(vendors & set(counts))),
        shared=sum(not told.isdisjoint(vendors) for told in named),
    )


def judges_of(manifest: Manifest) -> list[Judge]:
    """The judges of a run: one, or those of a panel."""
    return [member.judge for member in manifest.panel or ()] or [manifest.judge]
