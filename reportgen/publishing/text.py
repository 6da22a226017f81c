"""Hostile text made fit for display: nothing invisible acts, nothing is cut without saying so."""

import re
from dataclasses import dataclass
from hashlib import sha256

_MAX_MARKS = 8
"""More combining marks than this on one letter climb over the lines around it."""

_ODD = re.compile(
    "(?P<flag>\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f)"
    "|(?P<surrogate>[\ud800-\udfff])"
    "|(?P<named>[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f])"
    "|(?P<private>[\ue000-\uf8ff\U000f0000-\U0010ffff])"
    "|(?P<marks>[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{9,})"
)

_LONGEST_WORD = 40
_WORD_BEGUN = re.compile(r"\s+\S*\Z")
"""Space, and what stands after it of a word."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as it is displayed; `note` says how much of it is left out, None if nothing is."""

    text: str
    note: str | None = None

    def __str__(self) -> str:
        return f"{self.text} … [{self.note}]" if self.note else self.text


def clean(text: str) -> str:
    r"""The text with each character that would act unseen replaced by one that can be seen.

    Control characters, those that turn the direction of writing and other invisible ones become their code in
    brackets, which every font can show, and so do those of private use, which each font shows differently; lone
    surrogates, which no file can hold, become the replacement character.

    >>> clean("a\x00b\u202ec\r\nd")
    'a[U+0000]b[U+202E]c\nd'
    """
    return _ODD.sub(_replace, text.replace("\r\n", "\n"))


def _replace(match: re.Match[str]) -> str:
    found = match.group()
    kind = match.lastgroup
    if kind == "flag":
        return found
    if kind == "surrogate":
        return "\ufffd"
    if kind in ("named", "private"):
        return f"[U+{ord(found):04X}]"
    return f"{found[:_MAX_MARKS]}[{len(found) - _MAX_MARKS} more combining marks]"


def shorten(text: str, limit: int) -> Shown:
    """The text made fit for display, cut between two of its first words where it is longer than the limit.

    A word that is longer than some forty characters is cut within.

    >>> print(shorten("abcdef", 3))
    abc … [shortened, 3 of 6 characters shown]
    >>> print(shorten("five short words stand here", 14))
    five short … [shortened, 10 of 27 characters shown]
    """
    if len(text) <= limit:
        return Shown(clean(text))
    kept = _cut_between_words(text, limit)
    return Shown(clean(kept), f"shortened, {len(kept):,} of {len(text):,} characters shown")


def _cut_between_words(text: str, limit: int) -> str:
    begun = _WORD_BEGUN.search(text, max(limit - _LONGEST_WORD, 0), limit + 1)
    return text[: begun.start()] if begun and begun.start() else text[:limit]


def end_sentence(text: str) -> str:
    """The text with a full stop, unless it has an end of its own, as one that was cut off has.

    >>> end_sentence("Also changed: client Norrsund"), end_sentence("Also changed: client Norr…")
    ('Also changed: client Norrsund.', 'Also changed: client Norr…')
    """
    return text if text.endswith((".", "…", "!", "?")) else f"{text}."


def turn_anchor(turn_id: str) -> str:
    """The anchor of a turn: readable, safe in any document, and the same in each report.

    >>> turn_anchor("Fleet 012#2")
    'turn-fleet-012-2-59f9f1ac71b629c8'
    """
    slug = re.sub(r"[^a-z0-9]+", "-", turn_id.lower()).strip("-")[:40].strip("-")
    mark = sha256(turn_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return "-".join(filter(None, ("turn", slug, mark)))
