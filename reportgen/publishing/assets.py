"""Styles and scripts, as the pages carry them: inside, admitted by their digest, or as files beside the pages."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from reportgen.publishing.look.fonts import font_faces
from reportgen.publishing.look.look import Look
from reportgen.publishing.look.overrides import read_template
from reportgen.resources import resource

_BROWSER = ("base", "screen", "controls", "print")
_PAPER = ("base", "print")
_SCRIPTS = ("exact", "scoring", "elements", "turns", "find", "check", "weights", "reach", "start")


def dress_for_paper(look: Look) -> dict[str, Any]:
    """What the templates need of style on paper, where no script runs."""
    style = _join_styles(_PAPER, look)
    return {"style": _inside(style), "script": None, "root": None, "policy": _admit(look, style=_digest(style))}


def dress_inside(look: Look) -> dict[str, Any]:
    """What the templates need of style and script in a page that carries both."""
    style, script = read_style(look), read_script()
    policy = _admit(look, style=_digest(style), script=_digest(script))
    return {"style": _inside(style), "script": _inside(script), "root": None, "policy": policy}


def dress_beside(root: str, look: Look) -> dict[str, Any]:
    """What the templates need where style and script are files of the folder `root`, seen from the page.

    No digest can stand in the policy of such a page: browsers check none for files that are opened from a disk.
    """
    return {"style": None, "script": None, "root": root, "policy": _admit(look, style="self", script="self")}


def dress_labelling(look: Look) -> dict[str, Any]:
    """What the templates need of style and script in a labelling page, which carries both."""
    style = f"{font_faces()}{_join_styles((*_BROWSER, 'labelling'), look)}"
    script = _wrap((resource("templates") / "script" / "labelling.js").read_text("utf-8"))
    policy = _admit(look, style=_digest(style), script=_digest(script))
    return {"style": _inside(style), "script": _inside(script), "root": None, "policy": policy}


def dress_site(look: Look) -> dict[str, Any]:
    """What the templates need of style in the page of a site, which has its style beside it and no script."""
    return {"style": None, "script": None, "root": "", "policy": _admit(look, style="self")}


def read_site_style(look: Look) -> str:
    """The style sheet of a site: that of reports, and its own."""
    return f"\n{font_faces()}{_join_styles((*_BROWSER, 'site'), look)}"


def read_style(look: Look) -> str:
    """The style sheets of a page in a browser, with its fonts; the PDF engine is given those as files."""
    return f"\n{font_faces()}{_join_styles(_BROWSER, look)}"


@cache
def read_script() -> str:
    """The script of a page in a browser: one function, so that it leaves no name behind."""
    folder = resource("templates") / "script"
    parts = "\n".join((folder / f"{name}.js").read_text("utf-8") for name in _SCRIPTS)
    return _wrap(parts)


def _wrap(script: str) -> str:
    return f'\n(() => {{\n"use strict";\n{script}\n}})();\n'


@cache
def _join_styles(names: tuple[str, ...], look: Look) -> str:
    """The sheets in their order; the colours of the brand come last, so that they hold."""
    sheets = [read_template(f"style/{name}.css", look.overrides) for name in names]
    return "\n" + "\n".join([*sheets, look.brand.style])


def _admit(look: Look, **sources: str) -> str:
    """The policy of a page: nothing is loaded, run or sent but what is named here, and fonts and a logo inside it.

    >>> _admit(Look(), style="self")
    "default-src 'none'; style-src 'self'; font-src data:; base-uri 'none'; form-action 'none'"
    """
    admitted = [f"{kind}-src '{source}'" for kind, source in sources.items()]
    carried = ["font-src data:", *(["img-src data:"] if look.brand.logo else [])]
    return "; ".join(["default-src 'none'", *admitted, *carried, "base-uri 'none'", "form-action 'none'"])


def _inside(text: str) -> Markup:
    return Markup(text)  # noqa: S704 - our own file


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
