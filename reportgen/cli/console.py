"""What a person sees while a command works: results, progress, details."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, Protocol

import click

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
        click.echo(text)

    def say(self, text: str) -> None:
        """Prints a line for a person, unless `-q` asked for none."""
        if not self._quiet:
            (self._bar.write if self._bar else _echo)(text)

    def detail(self, text: str) -> None:
        """Prints a line of detail, where `-v` asked for it."""
        if self._verbose:
            click.echo(text, err=True)

    @contextmanager
    def progress(self, what: str) -> Iterator[Tell]:
        """A progress bar on a terminal, plain lines elsewhere."""
        shown = _Quiet() if self._quiet else _Bar(what) if sys.stderr.isatty() else _Lines(what)
        with closing(shown):
            self._bar = shown if isinstance(shown, _Bar) else None
            try:
                yield shown.show
            finally:
                self._bar = None


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
        self._bar.write(text, file=sys.stderr)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _echo(text: str) -> None:
    click.echo(text, err=True)


class _Lines:
    """About ten lines over the whole of the work, and one for each kind of trouble."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._last = -1
        self._told: set[str] = set()

    def show(self, done: int, total: int, trouble: str | None = None) -> None:
        if trouble and trouble not in self._told:
            self._told.add(trouble)
            click.echo(f"{self._what} {done} of {total}: {trouble}", err=True)
        step = max(total // _LINES, 1)
        if done // step > self._last // step or (done == total and done > self._last):
            self._last = done
            click.echo(f"{self._what} {done} of {total}", err=True)

    def close(self) -> None:
        pass
