"""Keys, tokens and passwords: by their shapes, by what is said before them, and by how random they look."""

import re
from collections.abc import Iterator

from reportgen.redaction.spans import Span

_SHAPES = (
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",  # AWS
    r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255}",  # GitHub
    r"glpat-[\w-]{20,255}",  # GitLab
    r"xox[abeoprs]-[A-Za-z0-9-]{10,255}|xapp-\d-[A-Za-z0-9-]{10,255}",  # Slack
    r"hooks\.slack\.com/services/[A-Za-z0-9/]{20,255}",
    r"AIza[\w-]{35}|ya29\.[\w-]{20,512}|GOCSPX-[\w-]{20,255}",  # Google
    r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{16,255}",  # Stripe
    r"sk-(?=[A-Za-z_\-]{0,60}\d)[\w-]{16,255}",  # Anthropic, OpenAI and those who follow them
    r"SG\.[\w-]{16,255}\.[\w-]{16,255}",  # SendGrid
    r"npm_[A-Za-z0-9]{30,255}|pypi-[\w-]{40,512}|hf_[A-Za-z0-9]{30,255}|dop_v1_[0-9a-f]{40,255}",
    r"eyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{0,2048}",  # a JSON Web Token
)
_KEY = re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(_SHAPES)})")
_PEM = re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)", re.DOTALL)
_BEARER = re.compile(
    r"(?i)(?<!\w)(?:bearer|basic)\s{1,3}((?=[A-Za-z._~+/\-]{0,60}[0-9=])[A-Za-z0-9._~+/\-]{16,4096}={0,2})"
)

_IN_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]{1,20}://[^\s/:@\"'<>]{0,100}:([^\s/\"'<>]{1,200})@")
_SAID = re.compile(
    r"(?i)(?<![A-Za-z])(?:pass(?:word|wd|phrase)|pwd|secret"
    r"|(?:api|access|account|client|private|shared|sharedaccess)[_ -]?"
    r"(?:key|secret|token)|auth[_-]?token|sig)[\"']?\s{0,3}(?::=|=>|=|:|\bis\b)\s{0,3}"
    r"(?:(?P<quote>[\"'])(?P<quoted>[^\"'\s]{4,200})(?P=quote)|(?P<plain>[^\s\"'`,;&<>{}()\[\]]{6,200}))"
)
_PLACEHOLDER = re.compile(r"[*xX.•?%$:_-]+|(?:null|none|true|false|string|text|varchar|redacted|hidden)", re.IGNORECASE)

_RANDOM = re.compile(r"(?<![\w+/=.\-])[A-Za-z0-9_\-+/]{24,512}={0,2}(?![\w+/=\-])")
_JOINT = re.compile(r"[_\-+/]")
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_HEX = re.compile(r"[0-9a-fA-F]+")
_ID = re.compile(
    r"(?:asst|call|chatcmpl|evt|fc|item|msg|msgbatch|req|resp|rs|run|thread|tool|toolu|tooluse|tr)[_-]"
    r"|[0-7][0-9A-HJKMNP-TV-Z]{25}$|c[a-z0-9]{24}$"
)
"""Random ids: what those of model providers and tracers begin with, a ULID, and a CUID."""


def find_keys(text: str) -> Iterator[Span]:
    """Keys and tokens of common shapes, what follows `Bearer` or `Basic`, and private keys in PEM.

    >>> list(find_keys("use AKIAIOSFODNN7EXAMPLE"))
    [Span(start=4, end=24, kind='key')]
    """
    yield from (Span(*match.span(), "key") for match in _KEY.finditer(text))
    yield from (Span(*match.span(1), "key") for match in _BEARER.finditer(text))
    if "-----BEGIN" in text:
        yield from (Span(*match.span(), "key") for match in _PEM.finditer(text))


def find_passwords(text: str) -> Iterator[Span]:
    """Passwords in addresses and connection strings, and what a text says is a password, a secret or a key.

    >>> list(find_passwords("postgres://reader:hunter22@db/x, password: required"))
    [Span(start=18, end=26, kind='password')]
    """
    if "://" in text:
        yield from (Span(*match.span(1), "password") for match in _IN_ADDRESS.finditer(text))
    for match in _SAID.finditer(text):
        group = "quoted" if match["quoted"] else "plain"
        if _is_password(match[group], quoted=group == "quoted"):
            yield Span(*match.span(group), "password")


def _is_password(value: str, *, quoted: bool) -> bool:
    """Whether what is said to be a password can be one: no placeholder, and outside of quotes no plain word."""
    if _PLACEHOLDER.fullmatch(value):
        return False
    return quoted or (any(letter.isdigit() for letter in value) and any(letter.isalpha() for letter in value))


def find_random(text: str) -> Iterator[Span]:
    """Long strings that look random: letters and digits in quick change, of 24 to 512 signs.

    Digests, UUIDs and other hexadecimal numbers are none, nor are ids of calls, or names in words, however long.

    >>> list(find_random("v1 uGz4Qm8ZtR2xLw9KcY7bNf3D 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"))
    [Span(start=3, end=27, kind='secret')]
    """
    yield from (Span(*match.span(), "secret") for match in _RANDOM.finditer(text) if _looks_random(match[0]))


def _looks_random(token: str) -> bool:
    parts = [part for part in _JOINT.split(token.rstrip("=")) if part and not _HEX.fullmatch(part)]
    if not parts or _ID.match(token):
        return False
    longest = max(parts, key=len)
    if len(longest) >= 20 and _changes_often(longest):
        return True
    joined = "".join(parts)
    return len(joined) >= 32 and len(parts) <= 5 and _changes_often(joined)


def _changes_often(token: str) -> bool:
    """Whether words, capitals and digits are as short as if drawn: under four signs each on the average."""
    return sum(map(str.isdigit, token)) >= 2 and len(_PIECE.findall(token)) > 0.27 * len(token)
