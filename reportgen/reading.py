"""Reading what people write: YAML files, and the first thing that is wrong with what stands in one."""

from itertools import chain
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

_MOST = 100_000
"""So many values a file may stand for, aliases followed."""


class _Loader(yaml.SafeLoader):
    """YAML of a bounded size: a few lines of aliases may stand for more values than any memory holds."""

    def get_single_node(self) -> yaml.Node | None:
        node = super().get_single_node()
        if node is not None and _count_values(node, {}) > _MOST:
            raise yaml.YAMLError(f"its aliases stand for more than {_MOST:,} values")
        return node


def _count_values(node: yaml.Node, known: dict[int, int]) -> int:
    """For how many values a node stands, itself included; too many where it is a part of itself."""
    if id(node) not in known:
        known[id(node)] = _MOST
        parts = chain.from_iterable(node.value) if isinstance(node, yaml.MappingNode) else node.value
        inner = () if isinstance(node, yaml.ScalarNode) else parts
        known[id(node)] = 1 + sum(_count_values(part, known) for part in inner)
    return known[id(node)]


class _TextLoader(_Loader):
    """In which decimals and dates stay the text that they are, so that 0.10 is exactly a tenth."""


_TYPED = ("tag:yaml.org,2002:float", "tag:yaml.org,2002:timestamp")
_TextLoader.yaml_implicit_resolvers = {
    letter: [pair for pair in pairs if pair[0] not in _TYPED]
    for letter, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read_yaml(path: Path, *, as_text: bool = False) -> Any:
    """What stands in a YAML file.

    Args:
        path: The file.
        as_text: Whether decimals and dates are left as the text that they are.

    Raises:
        OSError: It cannot be read.
        ValueError: It is not YAML in UTF-8, is nested too deeply, or stands for too many values.
    """
    text = path.read_text("utf-8")
    try:
        # Both know fewer types than SafeLoader.
        return yaml.load(text, _TextLoader if as_text else _Loader)  # noqa: S506
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def find_problem(error: Exception) -> str:
    """The first thing that is wrong with a value that does not fit, and where: `rows.0.in: Input should be …`."""
    if not isinstance(error, ValidationError):
        return str(error)
    problem = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in problem["loc"])
    unknown = problem["type"] == "extra_forbidden"
    what = "there is no such key" if unknown else problem["msg"].removeprefix("Value error, ")
    return f"{place}: {what}" if place else what
