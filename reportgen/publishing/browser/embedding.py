"""Data inside a page: JSON that can end no element, start no comment and hold no letter that a parser stumbles on."""

import json

from markupsafe import Markup

_ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def embed_json(data: object) -> Markup:
    r"""The data as JSON in plain ASCII, fit for a `script` element and for a script file alike.

    >>> print(embed_json(["</script>", "a\u2028b"]))
    ["\u003c/script\u003e","a\u2028b"]

    Raises:
        ValueError: A number is not finite.
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(_ESCAPED))  # noqa: S704 - nothing is left in it that HTML reads as markup
