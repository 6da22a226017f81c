"""What a person sees while a command works: results, progress, details."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any, Protocol

import click

from reportgen.publishing.plain_json import write_plain_json

_LINES = 10
"""Without a terminal, progress is told in about this many lines."""


class Tell(Protocol):
    """Takes how many are done, of how many, and what just went wrong, if anything."""

    def __call__(self, done: int, total: int, trouble: str | None = None) -> None:
        """Shows it."""


class Console:
    """Prints results to standard output, everything else to standard error, as `-v` and `-q` ask."""

    def __init__(self, verbose: bool = False, quiet: bool = False) -> None:
        self._verbose = verbose
        self._quiet = quiet
        self._bar: _Bar | None = None

    def result(self, text: str) -> None:
        """Prints a line of the result."""
        click.echo(make_plain(text))

    def data(self, value: Any, indent: int = 1) -> None:
        """Prints a result as JSON, in which what a terminal would obey stands as its escape, so that it reads back."""
        click.echo(write_plain_json(value, indent))

    def say(self, text: str) -> None:
        """Prints a line for a person, unless `-q` asked for none."""
        if not self._quiet:
            (self._bar.write if self._bar else _tell)(text)

    def detail(self, text: str) -> None:
        """Prints a line of detail, where `-v` asked for it."""
        if self._verbose:
            _tell(text)

    @contextmanager
    def progress(self, what: str) -> Iterator[Tell]:
        """A progress bar on a terminal, plain lines elsewhere."""
        shown = _Quiet() if self._quiet else _Bar(what) if _is_terminal() else _Lines(what)
        with closing(shown):
            self._bar = shown if isinstance(shown, _Bar) else None
            try:
                yield shown.show
            finally:
                self._bar = None


def _is_terminal() -> bool:
    """Whether a person watches; standard error may be closed."""
    return sys.stderr is not None and sys.stderr.isatty()


class _Quiet:
    """Shows nothing."""

    def show(self, done: int, total: int, trouble: str | None = None) -> None:
        pass

    def close(self) -> None:
        pass


class _Bar:
    """A progress bar that appears with the first news."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._bar: Any = None

    def show(self, done: int, total: int, trouble: str | None = None) -> None:
        from tqdm import tqdm

        if self._bar is None:
            self._bar = tqdm(desc=self._what, unit="turn", total=total, initial=done, dynamic_ncols=True)
        self._bar.update(done - self._bar.n)
        self._bar.set_postfix_str(trouble or "", refresh=trouble is not None)

    def write(self, text: str) -> None:
        """A line above the bar."""
        self._bar.write(make_plain(text), file=sys.stderr)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def make_plain(text: str) -> str:
    """The text without anything that a terminal would obey; captured ids and stated values are in it."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "\ufffd" for letter in text)


def _tell(text: str) -> None:
    """Prints a line to standard error; a reader who has gone is no reason to stop the work."""
    with suppress(BrokenPipeError):
        click.echo(make_plain(text), err=True)


class _Lines:
    """About ten lines over the whole of the work, and one for each kind of trouble."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._last = -1
        self._told: set[str] = set()

    def show(self, done: int, total: int, trouble: str | None = None) -> None:
        if trouble and trouble not in self._told:
            self._told.add(trouble)
            _tell(f"{self._what} {done} of {total}: {trouble}")
        step = max(total // _LINES, 1)
        if done // step > self._last // step or (done == total and done > self._last):
            self._last = done
            _tell(f"{self._what} {done} of {total}")

    def close(self) -> None:
        pass
