"""What in an answer looks like a number and is none: numbering, code, addresses, versions."""

import re

_NUMBERING = (
    r"^[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+)?(?:#{1,6}[ \t]+)?(?:\*\*|__)?"
    r"\(?[0-9]{1,4}(?:\.[0-9]{1,3}){0,4}[.):]\)?(?=[ \t*_])"
)
_HEADING = r"^#{1,6}[ \t]+[0-9]{1,3}(?:\.[0-9]{1,3}){0,4}(?=[ \t])"
_LABELLED = (
    r"\b(?:[Ss]tep|[Pp]hase|[Oo]ption|[Pp]art|[Ss]ection|[Tt]able|[Ff]igure|[Cc]hapter|[Qq]uestion|[Qq]uery|[Aa]ttempt"
    r"|[Vv]ersion|[Nn]o\.|[Nn]r\.)[ \u00a0]?[0-9]{1,9}(?:\.[0-9]{1,9}){0,4}(?![0-9])|[№#][ ]?[0-9]{1,9}(?![0-9])"
)
_MASKS = re.compile(
    "|".join(
        (
            r"^(?P<fence>```|~~~)[ \t]*+(?P<tag>[\w+-]*+)[^\n]*+\n(?P<body>.*?)(?:^(?P=fence)|\Z)",
            r"`(?P<code>[^`\n]{1,500})`",
            r"https?://[^\s<>)]{1,2000}|\bwww\.[^\s<>)]{1,2000}|&#?\w{1,10};",
            rf"(?P<numbering>{_NUMBERING}|{_HEADING})",
            _LABELLED,
            r"\b[A-Za-z]\w{0,30}(?:[-_]\w{1,30}){1,6}|\b(?![0-9]{4}-[0-9]{2}-[0-9]{2}\b)[0-9]{1,9}(?:-[0-9]{1,9}){2,6}\b",
            r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F-]{4,40}",
            r"\b24/7\b",
        )
    ),
    re.MULTILINE | re.DOTALL,
)
_DIGIT = re.compile(r"[0-9]")
_PLAIN_TAGS = {"", "text", "txt", "csv", "table", "markdown", "md"}
_SQL = re.compile(r"(?is)\b(?:select|insert|update|delete|with|create)\b.*\b(?:from|into|set|as|table)\b")
_DATA = re.compile(r"[^A-Za-z_]*(?:[€$£]|%|[A-Z]{3}(?![-_]))?[^A-Za-z_]*")
_RANKED = re.compile(
    r"^[ \t]*\|[ \t]*(?:#|[Nn]o\.?|[Nn]r\.?|[Rr]ank|[Pp]os(?:ition|\.)?|[Pp]lace)[ \t]*\|", re.MULTILINE
)
_RANK = re.compile(r"(?m)^[ \t]*\|[ \t]*(?:\*\*)?[0-9]{1,4}[.)]?(?:\*\*)?[ \t]*(?=\|)")


def mask(text: str) -> str:
    r"""The text with spaces in the place of what is no figure; each character keeps its place.

    Masked are the numbering of lists, headings, labels such as "Step 2" and rank columns of tables; code, unless it
    is nothing but a value; addresses.

    >>> mask("1. 12 trips, `SKU-7`, step 3")
    '   12 trips,        ,       '
    """
    masked = _MASKS.sub(_blank, text)
    return _RANK.sub(_spaces, masked) if _RANKED.search(masked) else masked


def _blank(match: re.Match[str]) -> str:
    body, code = match["body"], match["code"]
    if body is not None and match["tag"].lower() in _PLAIN_TAGS and not _SQL.search(body[:2_000]):
        return match.group()
    if code is not None and _DATA.fullmatch(code):
        return match.group()
    return _spaces(match) if _DIGIT.search(match.group()) else match.group()


def _spaces(match: re.Match[str]) -> str:
    """As many spaces; ends of lines stay, so that lines stay lines."""
    return re.sub(r"[^\n]", " ", match.group())
