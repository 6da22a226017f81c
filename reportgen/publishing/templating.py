"""The templates' environment: escaping on, nothing undefined, and no number that was not printed before."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    FunctionLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateSyntaxError,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from reportgen.errors import RenderError
from reportgen.publishing.look.overrides import Overrides, place
from reportgen.publishing.text import clean
from reportgen.resources import resource

_PIECES_AT_ONCE = 500
_PROGRAM = "program"
"""Under this name a template of a user reaches the program's own of any name."""


def render_template(name: str, context: Mapping[str, Any], overrides: Overrides) -> Iterator[str]:
    """What the template of that name makes of the context, piece by piece.

    Raises:
        RenderError: A template of the user's own is wrong.
    """
    pieces = _render(name, context, overrides)
    return _blame(pieces, overrides) if overrides.files else pieces


def _render(name: str, context: Mapping[str, Any], overrides: Overrides) -> Iterator[str]:
    stream = _environment(overrides).get_template(name).stream(context)
    stream.enable_buffering(_PIECES_AT_ONCE)
    yield from stream


def _blame(pieces: Iterator[str], overrides: Overrides) -> Iterator[str]:
    """The pieces; an error that comes from a template of the user's own names it."""
    try:
        yield from pieces
    except Exception as error:
        found = _find_override(error, overrides)
        if found is None:
            raise
        file, line = found
        raise RenderError(f"{file}, line {line}: {error}", "Correct the template, or take it out.") from error


def _find_override(error: Exception, overrides: Overrides) -> tuple[Path, int] | None:
    """The place in a user's template at which an error came up; the last, if there are several."""
    places = {str(place(overrides, file.name)): place(overrides, file.name) for file in overrides.files}
    if isinstance(error, TemplateSyntaxError) and error.filename in places:
        return places[error.filename], error.lineno
    trace, found = error.__traceback__, None
    while trace is not None:
        if (name := trace.tb_frame.f_code.co_filename) in places:
            found = places[name], trace.tb_lineno
        trace = trace.tb_next
    return found


@cache
def _environment(overrides: Overrides) -> Environment:
    return build_environment(overrides, autoescape=True, show=clean)


def build_environment(
    overrides: Overrides, *, autoescape: bool, show: Callable[[str], str] | None = None
) -> Environment:
    """An environment in which a user's templates go before the program's; theirs reach nothing of Python.

    With `show` its templates may put out text only, which goes through that first unless it is markup already.
    """
    kind = ImmutableSandboxedEnvironment if overrides.files else Environment
    return kind(
        loader=_build_loader(overrides),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=show and partial(_finish, show),
    )


def _build_loader(overrides: Overrides) -> BaseLoader:
    program = FileSystemLoader(resource("templates"))
    if not overrides.files:
        return program

    def find(name: str) -> tuple[str, str, None] | None:
        file = overrides.find(name)
        return (file.text, str(place(overrides, name)), None) if file else None

    return ChoiceLoader([FunctionLoader(find), program, PrefixLoader({_PROGRAM: program})])


def _finish(show: Callable[[str], str], value: object) -> object:
    """What a template may put out: text. Numbers are printed before, so that each is printed by the same rules.

    Raises:
        TypeError: A template puts out something else.
    """
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        return show(value)
    raise TypeError(f"a template may put out text only, not {type(value).__name__}: {value!r}")
