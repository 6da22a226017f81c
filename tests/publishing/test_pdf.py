"""The PDF: readable, reproducible, and an engine in trouble is a clear error."""

import re
import signal
import sys
import zlib

import pytest

from reportgen.errors import RenderError
from reportgen.publishing.paper.children import Limits, explain
from reportgen.publishing.paper.documents import render_whole
from tests.publishing.conftest import make_report
from tests.publishing.hostile import make_hostile_cases
from tests.publishing.pages import render_pdf


def render(html, **settings):
    """The PDF and what was said of it."""
    outcomes = []
    data = render_pdf(html, on_outcome=outcomes.append, **settings)
    return data, outcomes[0]


def inflate(data):
    """What stands in the PDF, its compressed streams opened: names, dates, bookmarks, addresses, drawing commands."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
    opened = []
    for stream in streams:
        try:
            opened.append(zlib.decompress(stream))
        except zlib.error:
            opened.append(stream)
    assert any(b"/Type /Page" in part or b"/Type/Page" in part for part in [data, *opened])
    return b"\n".join([data, *opened])


@pytest.fixture(scope="module")
def hostile_pdf():
    return render(render_whole(make_report(make_hostile_cases())))


def test_a_report_becomes_a_pdf_without_a_warning_and_twice_the_same(report):
    first, outcome = render(render_whole(report))
    second, _ = render("".join(render_whole(report)))
    assert first == second
    assert outcome.warnings == ()
    assert outcome.blocked == 0
    inside = inflate(first)
    assert outcome.pages > 15
    assert len(re.findall(rb"/Type ?/Page\b(?!s)", inside)) == outcome.pages
    for bookmark in (b"(1 Summary)", b"(16 Turn by turn)", b"(Turn 12 turn-12)"):
        assert bookmark in inside
    dates = re.findall(rb"/(CreationDate|ModDate) ?\(D:([0-9]+)", inside)
    assert sorted(dates) == [(b"CreationDate", b"20260720093000"), (b"ModDate", b"20260720093000")]


def test_hostile_turns_become_a_pdf_that_fetches_nothing_and_leads_nowhere(hostile_pdf):
    data, outcome = hostile_pdf
    assert outcome.blocked == 0
    assert outcome.pages > 30
    inside = inflate(data)
    assert b"/GoTo" in inside or b"/Dest" in inside
    for action in (b"/URI", b"/JavaScript", b"/Launch", b"/EmbeddedFile", b"/SubmitForm"):
        assert action not in inside


def test_what_a_page_asks_for_is_counted_and_not_fetched(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    html = f'<img src="http://127.0.0.1:9/x"><link rel=attachment href="{secret.as_uri()}"><p>x'
    data, outcome = render(html)
    assert outcome.blocked == 2
    assert b"secret" not in inflate(data)


def test_too_little_memory_is_named():
    with pytest.raises(RenderError, match="more than 60 MiB of memory"):
        render_pdf("<p>x", Limits(memory=60 * 1024**2))


def test_a_rendering_that_takes_too_long_is_ended_and_named():
    html = "<table>" + f"<tr>{'<td>x' * 40}" * 3000 + "</table>"
    with pytest.raises(RenderError, match=r"(after|than) 1 seconds"):
        render_pdf(html, Limits(seconds=1))


@pytest.mark.parametrize(
    ("code", "said", "message", "fix"),
    [
        (
            1,
            "OSError: cannot load library 'libpangoft2-1.0-0'",
            "system library",
            "libpangoft2-1.0-0 libharfbuzz-subset0",
        ),
        (1, "ModuleNotFoundError: No module named 'weasyprint'", "not installed", "Install"),
        (-signal.SIGSEGV, "Pango-CRITICAL", "SIGSEGV", "report it"),
        (-signal.SIGXCPU, "", "computing", "turns"),
        (1, "MemoryError", "memory", "turns"),
        (1, "ValueError: odd", "ValueError: odd", "report it"),
    ],
)
def test_trouble_of_the_engine_says_what_to_do(code, said, message, fix):
    error = explain(code, said, Limits())
    assert message in error.what
    assert fix in error.fix


def test_a_crash_of_the_engine_is_an_error_here_and_no_crash(monkeypatch, tmp_path):
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\nkill -SEGV $$\n")
    fake.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(fake))
    with pytest.raises(RenderError, match="SIGSEGV"):
        render_pdf("<p>x")
