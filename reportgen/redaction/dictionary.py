"""Known values in a text: all of them in one pass, however many there are."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from unicodedata import normalize

from reportgen.redaction.spans import Span

LONGEST = 2_000
"""Longer values are withheld where they stand but not looked for elsewhere."""

_AGAIN = 200
"""Of a match that is cut by a word's edge, so many letters are looked through for a shorter one."""
_ALIKE = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2010": "-", "\u2011": "-", "\u2019": "'"})


def build_dictionary(values: Mapping[str, str]) -> Callable[[str], Iterator[Span]]:
    """What finds these values, each with its kind: as whole words, in any case, with any kind of space.

    >>> find = build_dictionary({"Ada Lovelace": "name"})
    >>> list(find("to ADA LOVELACE, not to Adam"))
    [Span(start=3, end=15, kind='name')]
    """
    import ahocorasick

    words = {
        _fold(form): (len(form), kind)
        for value, kind in values.items()
        for form in (value, normalize("NFC", value), normalize("NFD", value))
        if 0 < len(form) <= LONGEST
    }
    if not words:
        return lambda _text: iter(())
    automaton = ahocorasick.Automaton()
    for word, entry in words.items():
        automaton.add_word(word, entry)
    automaton.make_automaton()

    def find(text: str) -> Iterator[Span]:
        folded = _fold(text)
        for last, (length, kind) in automaton.iter_long(folded):
            start, end = last - length + 1, last + 1
            if _is_whole(folded, start, end):
                yield Span(start, end, kind)
            else:
                yield from _shorter(folded, start, end)

    def _shorter(folded: str, start: int, end: int) -> Iterator[Span]:
        """Whole words within a match that is not one itself."""
        for last, (length, kind) in automaton.iter(folded[start : min(end, start + _AGAIN)]):
            span = Span(start + last - length + 1, start + last + 1, kind)
            if _is_whole(folded, span.start, span.end):
                yield span

    return find


def _fold(text: str) -> str:
    """The text in one case and with one kind of spaces, letter for letter."""
    lower = text.lower()
    if len(lower) != len(text):
        lower = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    return lower.translate(_ALIKE)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word is cut at either end. Scripts that write no spaces have no such ends."""
    return not (_joins(text[start - 1 : start], text[start])) and not _joins(text[end : end + 1], text[end - 1])


def _joins(outer: str, inner: str) -> bool:
    return outer.isalnum() and inner.isalnum() and outer < "\u0e00" and inner < "\u0e00"


def write_forms(value: object) -> Iterable[str]:
    """How a value may be written where it is repeated: a number also with its thousands set apart.

    >>> sorted(write_forms(1234))
    ['1 234', "1'234", '1,234', '1.234', '1234']
    """
    if isinstance(value, str):
        return {value, value.strip()}
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ()
    plain = [f"{value:,}"] if isinstance(value, int) else [f"{value:,}", f"{value:,.2f}"]
    return {form for text in plain for form in chain(_regroup(text), (str(value),))}


def _regroup(text: str) -> Iterator[str]:
    whole, point, rest = text.partition(".")
    for apart, mark in ((",", "."), ("", "."), (" ", "."), ("'", "."), (".", ","), (" ", ","), ("", ",")):
        yield whole.replace(",", apart) + (mark if point else "") + rest
