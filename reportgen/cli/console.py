"""What a person sees while a command works: results, progress, details."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial

import click

_LINES = 20
"""Without a terminal, progress is told in about this many lines."""

Tell = Callable[[int, int], None]


class Console:
    """Prints results to standard output, everything else to standard error, as `-v` and `-q` ask."""

    def __init__(self, verbose: bool = False, quiet: bool = False) -> None:
        self._verbose = verbose
        self._quiet = quiet

    def result(self, text: str) -> None:
        """Prints a line of the result."""
        click.echo(text)

    def say(self, text: str) -> None:
        """Prints a line for a person, unless `-q` asked for none."""
        if not self._quiet:
            click.echo(text, err=True)

    def detail(self, text: str) -> None:
        """Prints a line of detail, where `-v` asked for it."""
        if self._verbose:
            click.echo(text, err=True)

    @contextmanager
    def progress(self, what: str) -> Iterator[Tell]:
        """A progress bar on a terminal, plain lines elsewhere; to be told how many are done, and of how many."""
        if self._quiet:
            yield lambda _done, _total: None
        elif sys.stderr.isatty():
            with closing(_Bar(what)) as bar:
                yield bar.show
        else:
            yield partial(_tell_plainly, what)


class _Bar:
    """A progress bar that appears with the first news."""

    def __init__(self, what: str) -> None:
        from tqdm import tqdm

        self._bar = tqdm(desc=what, unit="turn", delay=0.2)

    def show(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def _tell_plainly(what: str, done: int, total: int) -> None:
    if done == total or done % max(total // _LINES, 1) == 0:
        click.echo(f"{what} {done} of {total}", err=True)
