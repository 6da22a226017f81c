"""Numbers of payment cards and bank accounts, by their check digits."""

import re
from collections.abc import Iterator

from reportgen.redaction.spans import Span

_GROUPS = re.compile(r"(?<![\w.,])\d+(?:[ \-\u00a0]\d+)*(?!\w)(?!\.\d)")
_GROUP = re.compile(r"\d+")
_SHAPES = {(14,), (15,), (16,), (4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3)}
"""How the digits of a card are written: in one, or in groups of so many. In one, 19 digits are mostly an id."""
_ISSUERS = re.compile(
    r"4(?:\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ \-\u00a0]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])")


def find_cards(text: str) -> Iterator[Span]:
    """Numbers of payment cards: of an issuer, in a usual grouping, and with the check digit of Luhn.

    >>> list(find_cards("order 12 paid by 4111 1111 1111 1111"))
    [Span(start=17, end=36, kind='card')]
    """
    for match in _GROUPS.finditer(text):
        groups = [group.span() for group in _GROUP.finditer(text, *match.span())]
        place = 0
        while place < len(groups):
            taken = _card_at(text, groups, place)
            if taken:
                yield Span(groups[place][0], groups[place + taken - 1][1], "card")
            place += taken or 1


def _card_at(text: str, groups: list[tuple[int, int]], place: int) -> int:
    """How many groups of digits, from that place on, make a card; 0 where they make none."""
    from stdnum import luhn

    for size in (5, 4, 3, 1):
        spans = groups[place : place + size]
        if tuple(end - start for start, end in spans) in _SHAPES:
            number = "".join(text[start:end] for start, end in spans)
            if _ISSUERS.fullmatch(number) and luhn.is_valid(number):
                return len(spans)
    return 0


def find_ibans(text: str) -> Iterator[Span]:
    """International bank account numbers: of a known country, of its length, and with the check digits of ISO 7064.

    >>> list(find_ibans("to DE89 3704 0044 0532 0130 00 AT ONCE"))
    [Span(start=3, end=30, kind='iban')]
    """
    from stdnum import iban

    for match in _IBAN.finditer(text):
        number = match[0]
        while number:
            if iban.is_valid(number):
                yield Span(match.start(), match.start() + len(number), "iban")
                break
            # What follows may have been taken for a further group.
            number = number[: max(number.rfind(gap) for gap in " -\u00a0")] if re.search(r"[ \-\u00a0]", number) else ""
