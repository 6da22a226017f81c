"""What is to be withheld: the configuration made ready, or refused."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import translate

from reportgen.config import RedactionConfig
from reportgen.errors import ConfigError
from reportgen.redaction.dictionary import build_dictionary
from reportgen.redaction.finders import FINDERS, Finder, build_finders
from reportgen.redaction.spans import FORGED, Span, find_marks

COLUMN, LABEL, NAME, CLIENT = "column value", "label value", "name", "other client"
"""The kinds of what is withheld by where it stands, and not by its shape."""

_FIX = "docs/redaction.md says what a pattern may be."


@dataclass(frozen=True, slots=True)
class Rules:
    """What is to be withheld.

    `is_column` and `is_label` say it by name, `finders` find it in a text, and a withheld value of `repeats_from`
    letters or more is looked for in all of its turn.
    """

    is_column: Callable[[str], bool]
    is_label: Callable[[str], bool]
    finders: tuple[Finder, ...]
    repeats_from: int


def build_rules(config: RedactionConfig, others: Iterable[str] = ()) -> Rules:
    """The rules that a configuration asks for.

    Args:
        config: The block `redaction` of the configuration.
        others: The names of all other clients; they are withheld wherever they are met.

    Raises:
        ConfigError: A pattern does not compile, meets the empty text, or has the name of a kind that there is; or a
            country is not known.
    """
    _require_regions(config.phone_regions)
    names = {**dict.fromkeys(config.names, NAME), **dict.fromkeys(others, CLIENT)}
    own = (_build_pattern(kind, pattern) for kind, pattern in config.patterns.items())
    finders = (find_marks, build_dictionary(names), *build_finders(config.find, config.phone_regions), *own)
    return Rules(_any_of(config.columns), _any_of(config.labels), finders, config.repeats_from)


def _require_regions(regions: Iterable[str]) -> None:
    from phonenumbers import SUPPORTED_REGIONS

    for region in regions:
        if region not in SUPPORTED_REGIONS:
            what = f"redaction.phone_regions: {region} is no country whose telephone numbers are known"
            raise ConfigError(what, "Give its two letters by ISO 3166, such as GB.")


def _any_of(names: Iterable[str]) -> Callable[[str], bool]:
    """Whether a name is one of these, in which `*` stands for any letters; case does not matter."""
    wanted = [re.compile(translate(name.lower())) for name in names]
    known: dict[str, bool] = {}

    def is_one(name: str) -> bool:
        if name not in known:
            known[name] = any(pattern.match(form) for form in _forms(name) for pattern in wanted)
        return known[name]

    return is_one


def _forms(name: str) -> tuple[str, str]:
    """A name as it stands, and without what it is a part of, such as the table of a column."""
    plain = name[:200].strip().lower()
    return plain, plain.rpartition(".")[2].strip("\"'`[] ")


def _build_pattern(kind: str, pattern: str) -> Finder:
    """What finds a pattern of the user's, by an engine whose time grows with the length of the text, whatever it is."""
    import re2

    if kind in (*FINDERS, NAME, FORGED):
        raise ConfigError(f"redaction.patterns.{kind}: there is a kind of that name already", "Give it another name.")
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as error:
        why = error.args[0].decode() if isinstance(error.args[0], bytes) else error
        raise ConfigError(f"redaction.patterns.{kind} does not compile: {why}", _FIX) from None
    if compiled.search(""):
        raise ConfigError(f"redaction.patterns.{kind} meets the empty text, and so every text", _FIX)

    def find(text: str) -> Iterator[Span]:
        return (
            Span(match.start(), match.end(), kind) for match in compiled.finditer(text) if match.end() > match.start()
        )

    return find


_NAMED = re.compile(
    r"(?<![\w])[\"'`\[]?(\w{1,64})[\"'`\]]?\s{0,3}(?:=>|==?|<>|!=|:|\bI?LIKE\b)\s{0,3}"
    r"(?:'((?:[^']|''){1,2000})'|\"((?:[^\"\\]|\\.){1,2000})\"|(-?\d[\d.,]{0,30}\d|\d))",
    re.IGNORECASE,
)
"""A name and its value, as JSON, SQL or a log writes them."""


def find_named(text: str, rules: Rules) -> Iterator[Span]:
    """Values that a text gives to a column whose values are withheld, such as `"email": "…"` or `dob = '…'`."""
    for match in _NAMED.finditer(text):
        if rules.is_column(match[1]):
            group = next(number for number in (2, 3, 4) if match[number])
            yield Span(*match.span(group), COLUMN)
