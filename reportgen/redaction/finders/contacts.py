"""E-mail addresses and telephone numbers."""

import re
from collections.abc import Iterable, Iterator

from reportgen.redaction.spans import Span

_EMAIL = re.compile(
    r"(?<![\w\u0300-\u036f])\w[\w\u0300-\u036f.!#$&'*+?^`{|}~-]{0,63}(?:@|%40)((?:[^\W_][\w-]{0,62}\.){1,8}([^\W\d_]{2,24}|xn--[\w-]{1,59}))(?![\w@])"
)
_FILES = frozenset(
    {"css", "gif", "htm", "html", "jpeg", "jpg", "js", "json", "md", "pdf", "png", "py", "svg", "ts", "webp"}
)
"""What ends the name of a file, such as `logo@2x.png`, and no address."""

_GAP = r"[ .\-/()\u00a0\u2010\u2011\u2013\u202f]"
_INTERNATIONAL = re.compile(rf"(?:(?<![\w+])\+{_GAP}?|(?<![\w.,:/+\-])00 ?)\(?[1-9](?:{_GAP}{{0,2}}\d){{6,14}}(?!\w)")
_NATIONAL = re.compile(
    rf"(?<![\w.,:/+\-])(?:\(\d{{2,5}}\)|0\d{{1,4}})(?:{_GAP}{{0,2}}\d){{4,10}}(?!\w)(?![.\-/:,]\d)"
    r"|(?<![\w.,:/+\-])\d{3}([\-. ])\d{3}\1\d{4}(?!\w)(?![.\-/:,]\d)"
)
_DATE = re.compile(r"\d{1,2}([./\-])\d{1,2}\1\d{2,4}")
_SEVEN = re.compile(r"(?:\d\D{0,3}){7}")


def find_emails(text: str) -> Iterator[Span]:
    """E-mail addresses, also percent-encoded; none without a dot after the `@`.

    >>> list(find_emails("write to ada@mail.example, not to logo@2x.png"))
    [Span(start=9, end=25, kind='email')]
    """
    if "@" in text or "%40" in text:
        for match in _EMAIL.finditer(text):
            if match[2].lower() not in _FILES and not match[0].startswith("git@"):
                yield Span(*match.span(), "email")


def find_phones(text: str, regions: Iterable[str]) -> Iterator[Span]:
    """Telephone numbers that the numbering plans know.

    Args:
        text: Where to look.
        regions: The countries, as two capital letters, whose national numbers are looked for; a number with its
            country code is found whatever they are.
    """
    if _SEVEN.search(text) is None:
        return
    for match in _INTERNATIONAL.finditer(text):
        yield from _valid_part(match)
    for match in _NATIONAL.finditer(text):
        if not _DATE.match(match[0]) and any(_is_national(match[0], region) for region in regions):
            yield Span(*match.span(), "phone")


def _valid_part(match: re.Match[str]) -> Iterator[Span]:
    """The number that a match begins with; groups of digits that only follow it are left out."""
    number = match[0]
    while len(number) > 6:
        if _is_valid("+" + number.lstrip("+0 "), None):
            yield Span(match.start(), match.start() + len(number), "phone")
            return
        number = re.sub(rf"{_GAP}*\d+$", "", number) if re.search(rf"{_GAP}\d+$", number) else ""


def _is_national(number: str, region: str) -> bool:
    """Whether it is a number of that country; digits without any gap only where they are of a mobile phone."""
    from phonenumbers import PhoneNumberType, number_type, parse

    if not _is_valid(number, region):
        return False
    return not number.isdigit() or number_type(parse(number, region)) == PhoneNumberType.MOBILE


def _is_valid(number: str, region: str | None) -> bool:
    from phonenumbers import NumberParseException, is_valid_number, parse

    try:
        return is_valid_number(parse(number, region))
    except NumberParseException:
        return False
