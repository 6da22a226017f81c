"""HTML -> PDF by WeasyPrint in a process of its own, with limits, since hostile input can crash or stall it."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from reportgen.errors import RenderError

_INSTALL = "apt-get install -y --no-install-recommends libpangoft2-1.0-0 libharfbuzz-subset0"
_NO_GLYPH = re.compile(r"\.notdef glyph rendered for Unicode string unsupported by fonts: (.+)", re.DOTALL)
_FEWER = "Publish fewer turns, or only --format html,json; or raise the limit."


@dataclass(frozen=True, slots=True)
class Limits:
    """What a rendering may take: seconds of waiting and of computing each, and bytes of memory."""

    seconds: int = 1800
    memory: int = 8 * 1024**3


@dataclass(frozen=True, slots=True)
class PdfOutcome:
    """What became of a rendering.

    `blocked` counts addresses that something in the page asked for and that were not fetched; `warnings` are the
    different ones that the engine gave, such as letters that no installed font has.
    """

    pages: int
    blocked: int
    warnings: tuple[str, ...]


def render_pdf(
    html: Iterable[str], limits: Limits | None = None, on_outcome: Callable[[PdfOutcome], None] | None = None
) -> bytes:
    """The PDF of a report.

    Args:
        html: What `render_html` gave, in one piece or several.
        limits: Of time and memory; None takes the usual ones.
        on_outcome: Is told what became of it, such as letters that no font has.

    Raises:
        RenderError: The engine or a library that it needs is missing, it crashed, or it went beyond a limit.
    """
    with tempfile.TemporaryDirectory(prefix="reportgen-pdf-") as folder:
        page, made = Path(folder) / "page.html", Path(folder) / "page.pdf"
        page.write_text(add_soft_breaks("".join(html)), "utf-8")
        outcome = _run_engine(page, made, limits or Limits())
        if on_outcome:
            on_outcome(outcome)
        return made.read_bytes()


def _run_engine(page: Path, made: Path, limits: Limits) -> PdfOutcome:
    command = [sys.executable, "-m", "reportgen.publishing.pdf_engine", str(page), str(made)]
    command += [str(limits.seconds), str(limits.memory)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(  # noqa: S603 - our own module, no shell
            command, env=environment, capture_output=True, timeout=limits.seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise RenderError(f"The PDF was not ready after {limits.seconds} seconds", _FEWER) from None
    if done.returncode != 0 or not made.exists():
        raise _explain(done, limits)
    answer = json.loads(done.stdout)
    return PdfOutcome(answer["pages"], answer["blocked"], tuple(map(_reword, answer["warnings"])))


def _reword(warning: str) -> str:
    """The engine's warning, in plain words where it is a common one.

    >>> _reword('.notdef glyph rendered for Unicode string unsupported by fonts: "中" (U+4E2D)')
    'the PDF has an empty box in place of "中" (U+4E2D), which no installed font has'
    """
    letter = _NO_GLYPH.fullmatch(warning)
    return f"the PDF has an empty box in place of {letter[1]}, which no installed font has" if letter else warning


def _explain(done: subprocess.CompletedProcess[bytes], limits: Limits) -> RenderError:
    """The error that says why the engine gave no PDF."""
    said = done.stderr.decode("utf-8", "replace").strip()
    last = said.splitlines()[-1] if said else "it said nothing"
    if "cannot load library" in said:
        return RenderError(f"WeasyPrint misses a system library: {last}", f"Install it: {_INSTALL}")
    if "No module named 'weasyprint'" in said:
        return RenderError("WeasyPrint is not installed", "Install reportgen with its dependencies.")
    if "MemoryError" in said or "Cannot allocate memory" in said or "failed to allocate" in said:
        return RenderError(f"The PDF needs more than {limits.memory // 1024**2} MiB of memory", _FEWER)
    if done.returncode == -signal.SIGXCPU:
        return RenderError(f"The PDF took more than {limits.seconds} seconds of computing", _FEWER)
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        return RenderError(
            f"WeasyPrint crashed ({name}; {last})",
            "Where no font is installed it always does: apt-get install -y fonts-dejavu-core. Otherwise report it.",
        )
    return RenderError(f"WeasyPrint failed: {last}", "Publish --format html,json, and report it with the run.")


RUN = 32
"""After so many letters without a place to break, one is put in; a digest then breaks in the middle."""

_PIECE = re.compile(
    r"""<(?P<raw>style|title)\b.*?</(?P=raw)>|<!--.*?-->|<(?:[^>"']|"[^"]*"|'[^']*')*>|[^<]+""", re.DOTALL
)
_LETTER = r"(?:&[#\w]+;|[^\s&\u200b])"
_LONG = re.compile(rf"({_LETTER}{{{RUN}}})(?={_LETTER})")


def add_soft_breaks(html: str) -> str:
    """The HTML with a U+200B in each long run of letters; the engine takes quadratic time for a line without.

    >>> add_soft_breaks("<p title='" + 40 * "x" + "'>" + 40 * "y" + "</p>").count(chr(0x200B))
    1
    """
    return _PIECE.sub(lambda piece: piece[0] if piece[0][0] == "<" else _LONG.sub("\\1\u200b", piece[0]), html)
