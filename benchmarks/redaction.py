"""How much of what is to be withheld is found, and how often something innocent is taken for it.

    .venv/bin/python benchmarks/redaction.py

The samples are of our own making: values of common shapes, drawn from a fixed seed or written by hand, within plain
sentences; among them forms that are known to be missed. They show how the program does on such shapes, and not what
share of them a capture holds.
"""

import random
import string
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from reportgen.config import RedactionConfig
from reportgen.redaction.rules import build_rules

_CHANCE = random.Random("redaction")
_LOWER, _DIGITS, _MIXED = string.ascii_lowercase, string.digits, string.ascii_letters + string.digits


@dataclass(frozen=True)
class Result:
    """Of so many samples of a kind of text, in how many something was withheld as it should be, or should not."""

    what: str
    samples: int
    found: int


def draw(letters: str, length: int) -> str:
    """So many letters, drawn."""
    return "".join(_CHANCE.choice(letters) for _ in range(length))


def grouped(text: str, *sizes: int, gap: str = " ") -> str:
    """The text in groups of these sizes."""
    parts, reached = [], 0
    for size in sizes:
        parts.append(text[reached : reached + size])
        reached += size
    return gap.join(part for part in parts if part)


def with_luhn(head: str, length: int) -> str:
    """A number that begins so and ends with the check digit of Luhn."""
    body = head + draw(_DIGITS, length - len(head) - 1)
    doubled = [int(digit) * (2 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(body))]
    return body + str(-sum(value - 9 if value > 9 else value for value in doubled) % 10)


def with_mod97(country: str, account: str) -> str:
    """An IBAN of that country for that account."""
    digits = "".join(str(int(sign, 36)) for sign in f"{account}{country}00")
    return f"{country}{98 - int(digits) % 97:02d}{account}"


def emails() -> Iterator[str]:
    people = ["ada", "j.okafor", "li_wei", "m-dubois", "zoë", "o'brien", "first.last+tag", "x", "a1b2c3", "Σοφία"]
    places = ["mail.example", "dept.corp.example", "bücher.example", "a-b.co.example", "xn--bcher-kva.example"]
    for person in people:
        yield from (f"{person}@{place}" for place in places)
    yield from ("ada%40mail.example", "ADA@MAIL.EXAMPLE")
    yield from ("ada [at] mail.example", "ada@localhost", "ada at mail dot example")  # known to be missed


def phones() -> Iterator[str]:
    for _ in range(8):
        last, local = draw("23456789", 1) + draw(_DIGITS, 3), draw(_DIGITS, 3)
        yield from (f"+1 212-555-{last}", f"(212) 555-{last}", f"212-555-{last}", f"212.555.{last}", f"+1212555{last}")
        yield from (f"020 7946 0{local}", f"+44 20 7946 0{local}", f"0044 20 7946 0{local}", f"+44 (0)20 7946 0{local}")
        yield from (f"07911 12{last}", f"0791112{last}", f"+49 170 123{last}", f"+33 6 12 34 5{last[0]} {last[1:3]}")
        yield from (f"+81 3-5550-{last}", f"+61 2 5550 {last}", f"+55 11 95555-{last}", f"+91 98765 4{last}")
    # Known to be missed: national numbers of countries that are not configured, and digits with no sign of being one.
    yield from ("0170 1234567", "06 12 34 56 78", "5550123", "2125550123", "555-0123", "zero seven nine one one")


def cards() -> Iterator[str]:
    for head, length in [("4", 16), ("51", 16), ("2221", 16), ("6011", 16), ("3530", 16), ("62", 16)] * 5:
        number = with_luhn(head, length)
        yield from (number, grouped(number, 4, 4, 4, 4), grouped(number, 4, 4, 4, 4, gap="-"))
    for head, length in [("34", 15), ("37", 15)] * 4:
        number = with_luhn(head, length)
        yield from (number, grouped(number, 4, 6, 5))
    yield from ("4111 1111 1111 111x", "4111.1111.1111.1111", "ending in 1111")  # known to be missed


def ibans() -> Iterator[str]:
    for _ in range(6):
        accounts = {
            "DE": draw(_DIGITS, 18),
            "GB": "WEST" + draw(_DIGITS, 14),
            "NL": "ABNA0417164300",
            "NO": "86011117947",
        }
        accounts |= {"SE": "50000000058398257466", "AT": draw(_DIGITS, 16), "CH": "00762" + draw(_DIGITS, 12)}
        for country, account in accounts.items():
            number = with_mod97(country, account)
            yield from (number, grouped(number, 4, 4, 4, 4, 4, 4, 4), number.lower())
    yield "DE 89 370 400 44 0532 0130 00"  # written in other groups, known to be missed


def keys() -> Iterator[str]:
    for _ in range(5):
        yield from (f"AKIA{draw(string.ascii_uppercase + '234567', 16)}", f"ghp_{draw(_MIXED, 36)}")
        yield from (f"github_pat_{draw(_MIXED, 22)}_{draw(_MIXED, 59)}", f"glpat-{draw(_MIXED, 20)}")
        yield from (
            f"xoxb-{draw(_DIGITS, 12)}-{draw(_MIXED, 24)}",
            f"AIza{draw(_MIXED, 35)}",
            f"ya29.{draw(_MIXED, 60)}",
        )
        yield from (f"sk_live_{draw(_MIXED, 24)}", f"whsec_{draw(_MIXED, 32)}", f"sk-ant-api03-{draw(_MIXED, 90)}")
        yield from (
            f"sk-proj-{draw(_MIXED, 48)}",
            f"SG.{draw(_MIXED, 22)}.{draw(_MIXED, 43)}",
            f"npm_{draw(_MIXED, 36)}",
        )
        header, body = (b64encode(part).decode().rstrip("=") for part in (b'{"alg":"HS256"}', b'{"sub":"1234567890"}'))
        yield f"{header}.{body}.{draw(_MIXED, 43)}"
        yield f"-----BEGIN RSA PRIVATE KEY-----\n{draw(_MIXED, 64)}\n{draw(_MIXED, 64)}\n-----END RSA PRIVATE KEY-----"
        yield draw("0123456789abcdef", 32)  # a key that is a plain hexadecimal number is known to be missed


def passwords() -> Iterator[str]:
    for _ in range(8):
        word = f"{draw(_LOWER, 6)}{draw(_DIGITS, 2)}"
        yield from (f"postgresql://app:{word}@db.internal:5432/sales", f"mongodb+srv://root:{word}@c0.example/x")
        yield from (f"password={word}", f"pwd: {word}", f'{{"password": "{word}"}}', f"api_key = '{word}x'")
        yield f"Server=db;Uid=sa;Pwd={word};"
    yield from ("my password is hunter", "the passcode: 4711")  # known to be missed


def secrets() -> Iterator[str]:
    for length in (24, 32, 40, 48, 64) * 6:
        yield from (draw(_MIXED, length), draw(_LOWER + _DIGITS, length))
        yield b64encode(_CHANCE.randbytes(length)).decode()
    yield from ("correct-horse-battery-staple", "Tr0ub4dor&3")  # known to be missed


def _said_value(text: str) -> str:
    """Of a sample of a password, the password itself."""
    if "://" in text:
        return text.partition("://")[2].partition(":")[2].partition("@")[0]
    for mark in ('": "', "Pwd=", "= '", "=", "is ", ": "):
        if mark in text:
            return text.partition(mark)[2].rstrip(";'\"}")
    return text


def order_numbers() -> Iterator[str]:
    for _ in range(60):
        yield from (
            f"ORD-{draw(_DIGITS, 8)}",
            f"order {draw('123456789', 1)}{draw(_DIGITS, 15)}",
            f"4{draw(_DIGITS, 15)}",
        )
        yield from (f"PO {grouped(draw(_DIGITS, 16), 4, 4, 4, 4)}", f"SHP/{draw(_DIGITS, 4)}/{draw(_DIGITS, 6)}")


def product_codes() -> Iterator[str]:
    for _ in range(60):
        code = draw(string.ascii_uppercase, 2) + draw(_DIGITS, 2)
        yield from (f"{code} {grouped(draw(_DIGITS, 16), 4, 4, 4, 4)}", f"{code}{draw(_MIXED.upper(), 14)}")
        yield from (f"{code}-{draw(_DIGITS, 4)}-{draw(string.ascii_uppercase, 3)}", f"978-3-16-{draw(_DIGITS, 6)}-0")


def identifiers() -> Iterator[str]:
    for _ in range(60):
        yield from (str(UUID(int=_CHANCE.getrandbits(128), version=4)), sha256(_CHANCE.randbytes(8)).hexdigest())
        yield from (draw("0123456789abcdef", 40), f"t-{draw(_DIGITS, 4)}-{draw(_DIGITS, 2)}")
        yield f"customer_orders_by_region_{draw(_DIGITS, 4)}"
        yield f"GetMonthlyRevenueByRegion{draw(_DIGITS, 4)}ReportV2"
        yield from (f"call_{draw(_MIXED, 24)}", f"chatcmpl-{draw(_MIXED, 29)}", f"tr-{draw('0123456789abcdef', 32)}")
        yield f"01J{draw('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 23)}"


def moments() -> Iterator[str]:
    for _ in range(60):
        year, month, day = _CHANCE.randint(1990, 2035), _CHANCE.randint(1, 12), _CHANCE.randint(1, 28)
        hour, minute, second = _CHANCE.randint(0, 23), _CHANCE.randint(0, 59), _CHANCE.randint(0, 59)
        yield f"{year}-{month:02d}-{day:02d}"
        yield f"{year}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}.123456+02:00"
        yield f"{year}-{month:02d}-{day:02d} {hour:02d}:{minute:02d}:{second:02d}"
        yield from (f"{day:02d}.{month:02d}.{year}", f"{month:02d}/{day:02d}/{year}", f"{day:02d}-{month:02d}-{year}")
        yield from (
            f"{year}{month:02d}{day:02d}{hour:02d}{minute:02d}{second:02d}",
            str(_CHANCE.randint(10**9, 2 * 10**12)),
        )


def figures() -> Iterator[str]:
    for _ in range(60):
        number = _CHANCE.randint(10**6, 10**12)
        yield from (
            f"{number:,}",
            f"{number:,}".replace(",", " "),
            str(number),
            f"{number / 997:.6f}",
            f"€ {number:,}.00",
        )
        yield from (f"[0.00{draw(_DIGITS, 8)},-0.0{draw(_DIGITS, 8)}]", draw("456789", 1) + draw(_DIGITS, 18))
        yield f"{_CHANCE.uniform(-90, 90):.6f}, {_CHANCE.uniform(-180, 180):.6f}"
        yield ".".join(str(_CHANCE.randint(0, 255)) for _ in range(4))
        yield f"v{_CHANCE.randint(0, 20)}.{_CHANCE.randint(0, 99)}.{_CHANCE.randint(0, 9999)}-rc.{draw(_DIGITS, 1)}"
        yield f"rows 1-{_CHANCE.randint(10, 99)} of {number}, page {_CHANCE.randint(1, 999)}/1000"


def words() -> Iterator[str]:
    yield from (
        "The password was reset; the secret is to ask for the period first.",
        "password: required",
        "token_count = 4096",
        "Basic research in 2026",
        "the bearer of this ticket",
        "SELECT email, phone FROM customers WHERE password_hash IS NULL",
        "icons/logo@2x.png",
        "lodash@4.17.21",
        "@ada was here",
        "git@host.example:team/repo.git",
        "a@b",
        "see ISO 8601:2019(en), table 3",
        "https://data.example/v1/orders?from=2026-07-01&to=2026-07-31",
        "ghp_short",
        "sk-learn 1.4.2",
        "risk-adjusted-return-on-capital-2026",
        "AKIA is a prefix",
        "/var/lib/postgresql/16/main/base/16384/2619",
        "s3://bucket/2026/07/part-00000-of-00012.parquet",
        "SUM(s.delay_min <= 10) AS punctual",
        "GROUP BY 1, 2, 3 ORDER BY 4 DESC",
        "4 of 5; 3 of 4; 12 of 13",
        "Norrsund–Granholm | 115 | 109 | 94.8 %",
        "ΔT = 12.5 K",
        "07:30–09:45, 16:15–18:00",
        "EUR 12'345.67",
    )


KINDS = {
    "email": emails,
    "phone": phones,
    "card": cards,
    "iban": ibans,
    "key": keys,
    "password": passwords,
    "secret": secrets,
}
INNOCENT = {
    "order numbers, some like cards": order_numbers,
    "product codes, some like IBANs": product_codes,
    "UUIDs, digests, identifiers": identifiers,
    "dates, times and timestamps": moments,
    "numbers, coordinates, versions, addresses": figures,
    "sentences, SQL and paths": words,
}
SENTENCES = ("{}", "It is {}, as agreed.", "before: {}\nafter", "id 17, {} and 2 more")


def measure() -> tuple[list[Result], list[Result]]:
    """What is found by the default configuration, and what is taken for something that it is not."""
    _CHANCE.seed("redaction")
    finders = build_rules(RedactionConfig()).finders
    hits, alarms = [], []
    for kind, samples in KINDS.items():
        texts = [(sentence, sample) for place, sample in enumerate(samples()) for sentence in [SENTENCES[place % 4]]]
        hits.append(
            Result(kind, len(texts), sum(_is_withheld(sentence, sample, kind, finders) for sentence, sample in texts))
        )
    for what, samples in INNOCENT.items():
        texts = [SENTENCES[place % 4].format(sample) for place, sample in enumerate(samples())]
        alarms.append(Result(what, len(texts), sum(any(list(find(text)) for find in finders) for text in texts)))
    return hits, alarms


def _is_withheld(sentence: str, sample: str, kind: str, finders) -> bool:
    """Whether each letter of the value lies in something that is withheld."""
    text, value = sentence.format(sample), _said_value(sample) if kind == "password" else sample
    start = text.index(value, text.index(sample))
    covered = {place for find in finders for span in find(text) for place in range(span.start, span.end)}
    return covered >= set(range(start, start + len(value)))


def print_table(title: str, head: str, results: list[Result]) -> None:
    """Prints results as a table in Markdown."""
    print(f"| {title} | samples | {head} | share |\n| --- | ---: | ---: | ---: |")
    for result in results:
        print(
            f"| {result.what} | {result.samples:,} | {result.found:,} | {100 * result.found / result.samples:.1f} % |"
        )
    samples, found = sum(result.samples for result in results), sum(result.found for result in results)
    print(f"| all | {samples:,} | {found:,} | {100 * found / samples:.1f} % |\n")


if __name__ == "__main__":
    hits, alarms = measure()
    print_table("what is to be withheld", "withheld", hits)
    print_table("what is innocent", "false alarms", alarms)
