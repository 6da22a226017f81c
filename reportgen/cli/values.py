"""What the user gave an option -> its value, or a plain refusal."""

import re
from datetime import UTC, datetime
from fractions import Fraction

import click


def split_list(_context: click.Context, _option: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """What stands between commas, each once; None where nothing was given."""
    if value is None:
        return None
    return tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))


def split_formats(
    known: tuple[str, ...], context: click.Context, option: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    """Some of the known formats; None where nothing was given."""
    formats = split_list(context, option, value)
    if formats is not None and (not formats or set(formats) - set(known)):
        raise click.BadParameter(f"{value!r} is not a list of {', '.join(known)}")
    return formats


def parse_moment(_context: click.Context, _option: click.Parameter, value: str | None) -> datetime | None:
    """A time with its zone, in UTC."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a time such as 2026-07-20T09:00:00Z") from None
    if moment.tzinfo is None:
        raise click.BadParameter(f"{value!r} has no time zone; write {value}Z for UTC")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise click.BadParameter(f"{value!r} is out of range") from None


def parse_money(_context: click.Context, _option: click.Parameter, value: str | None) -> Fraction | None:
    """A sum of US dollars above 0."""
    if value is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", value) or not Fraction(value):
        raise click.BadParameter(f"{value!r} is not a sum of US dollars above 0, such as 5 or 0.50")
    return Fraction(value)


def parse_number_or_all(_context: click.Context, _option: click.Parameter, value: str) -> int | None:
    """A number; None for all."""
    if value == "all":
        return None
    if not re.fullmatch(r"[1-9][0-9]{0,8}", value):
        raise click.BadParameter(f"{value!r} is neither a whole number above 0 nor `all`")
    return int(value)
