"""Price files: the one that comes with the program, and a user's own that takes its place row by row."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from reportgen.errors import ConfigError
from reportgen.model.price import Price, PriceFile
from reportgen.reading import find_problem, read_yaml
from reportgen.resources import resource

_FIX = "docs/prices.md explains the fields of a price file."


def load_prices(path: Path | None = None) -> tuple[Price, ...]:
    """The prices that come with the program; for models that the user's file names, those of that file alone.

    Raises:
        ConfigError: The file cannot be read, or a row of it is wrong.
    """
    bundled = _read(resource("prices.yaml"))
    if path is None:
        return bundled
    own = _read(path)
    named = {(row.provider, row.model) for row in own}
    return (*own, *(row for row in bundled if (row.provider, row.model) not in named))


def _read(path: Path) -> tuple[Price, ...]:
    try:
        rows = PriceFile.from_data(read_yaml(path, as_text=True)).rows
    except ValidationError as error:
        raise ConfigError(f"{path}: {find_problem(error)}", _FIX) from None
    except (OSError, TypeError, ValueError) as error:
        raise ConfigError(f"The prices {path} cannot be read: {error}", _FIX) from None
    _require_single(path, rows)
    return rows


def _require_single(path: Path, rows: Sequence[Price]) -> None:
    """Makes sure that no model has two prices from the same day on.

    Raises:
        ConfigError: One has.
    """
    for (provider, model, starts), count in Counter((row.provider, row.model, row.starts) for row in rows).items():
        if count > 1:
            raise ConfigError(f"{path}: {provider}:{model} has {count} prices from {starts} on", _FIX)
