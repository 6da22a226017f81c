"""The family of finders: each looks through a text for values of one kind, in a time that grows with its length."""

from collections.abc import Callable, Iterable, Iterator

from reportgen.redaction.finders.contacts import find_emails, find_phones
from reportgen.redaction.finders.payments import find_cards, find_ibans
from reportgen.redaction.finders.secrets import find_keys, find_passwords, find_random
from reportgen.redaction.spans import Span

Finder = Callable[[str], Iterable[Span]]


def build_finders(kinds: Iterable[str], regions: Iterable[str]) -> tuple[Finder, ...]:
    """The finders of these kinds; national telephone numbers are looked for in these countries."""
    countries = tuple(regions)

    def find_numbers(text: str) -> Iterator[Span]:
        return find_phones(text, countries)

    finders: dict[str, Finder] = {**FINDERS, "phone": find_numbers}
    return tuple(finders[kind] for kind in finders if kind in set(kinds))


FINDERS: dict[str, Finder] = {
    "email": find_emails,
    "phone": lambda text: find_phones(text, ()),
    "card": find_cards,
    "iban": find_ibans,
    "key": find_keys,
    "password": find_passwords,
    "secret": find_random,
}
