"""Pages in a real browser: Chromium, driven by Playwright, with all that a page asks for and complains of noted."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from reportgen.model.turn import Answer
from reportgen.pipeline.publish import ReportOrder, publish_report
from reportgen.pipeline.revising import Terms
from reportgen.publishing.browser import sheets
from reportgen.publishing.browser.folder import render_folder
from reportgen.publishing.browser.html import render_html
from tests.publishing.conftest import Case, make_failure, make_report, make_statement, make_turn, make_verdict
from tests.publishing.hostile import make_hostile_cases
from tests.publishing.metric_cases import make_metric_cases, make_metric_report

WIDE = {"width": 1280, "height": 1024}
NARROW = {"width": 320, "height": 256}
"""What is left of 1280 × 1024 at 400 % zoom."""

_NAMES = ("chromium", "chromium-browser", "google-chrome")


@dataclass
class Opened:
    """A page with the addresses that it asked for, what it complained of, and what was refused to it and why."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    @property
    def files(self) -> list[str]:
        """The names of the files that were asked for; anything but a file stands there in full."""
        return [Path(url).name if url.startswith("file://") else url for url in self.requests]


@pytest.fixture(scope="module")
def chromium(demo_run) -> Iterator[Browser]:
    """The browser; where it is missing that is a failure, since without it these promises are not checked.

    While its driver runs no other event loop can, so the example run is made before, and it ends with the module.
    """
    named = os.environ.get("REPORTGEN_CHROMIUM")
    path = named or next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        pytest.fail("Chromium is missing: apt-get install chromium, or name yours by REPORTGEN_CHROMIUM", pytrace=False)
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=quiet)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """Opens a file as a reader would, in a window of its own."""
    contexts = []

    def open_file(path: Path, anchor: str = "", **settings: Any) -> Opened:
        context = chromium.new_context(**({"viewport": WIDE} | settings))
        contexts.append(context)
        opened = Opened(context.new_page())
        opened.page.on("request", lambda request: opened.requests.append(request.url))
        opened.page.on("requestfailed", lambda request: opened.refused.append(f"{request.failure}: {request.url}"))
        opened.page.on("console", lambda message: opened.complaints.append(message.text))
        opened.page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        opened.page.goto(path.as_uri() + anchor)
        return opened

    yield open_file
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def example(demo_run, tmp_path_factory) -> Path:
    """The example report as one file."""
    return publish(demo_run, tmp_path_factory, 500)


@pytest.fixture(scope="session")
def folder(demo_run, tmp_path_factory) -> Path:
    """The example report as a folder of pages."""
    return publish(demo_run, tmp_path_factory, 0).parent


def publish(run: Path, tmp_path_factory, one_file_up_to: int) -> Path:
    from reportgen.pipeline.demo import EXAMPLES

    moment, out = EXAMPLES["sql"].moment, tmp_path_factory.mktemp("browser")
    order = ReportOrder(("html",), "Answer quality report", out, terms=Terms(moment), one_file_up_to=one_file_up_to)
    (path,) = publish_report(run, order, moment).files
    return path


@pytest.fixture(scope="session")
def small(tmp_path_factory) -> Path:
    """A report of few turns: good and weak ones, one without an answer's text, one without a score."""
    cases = [(turn := make_turn(number), make_verdict(turn, (10, 9 - number, 8, 9))) for number in range(1, 5)]
    refused = make_turn(5)
    return write(tmp_path_factory, [*cases, (refused, make_failure(refused))])


@pytest.fixture(scope="session")
def varied(tmp_path_factory) -> Path:
    """Some sections, and a turn of each kind: good, without an answer's text, failed, unscored, hostile, wide."""
    return write(tmp_path_factory, make_varied_cases(), ["cover", "summary", "caps", "turns"])


@pytest.fixture(scope="session")
def metrics(tmp_path_factory) -> Path:
    """A report by a rubric without a composite: a turn in each corner, and one of which a call failed."""
    report = make_metric_report(make_metric_cases()[17:26])
    return put(tmp_path_factory, report, ["cover", "summary", "metrics", "quadrants", "turns"])


@pytest.fixture(scope="session")
def small_folder(tmp_path_factory) -> Path:
    """The same turns as a folder, two on a page."""
    folder = tmp_path_factory.mktemp("browser")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sheets, "_TURNS_AT_MOST", 2)
        for name, pieces in render_folder(make_report(make_varied_cases())):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text("".join(pieces), "utf-8")
    return folder


def make_varied_cases() -> list[Case]:
    silent = make_turn(2, answer=Answer(not_captured="the client's own program answers"))
    failed = make_turn(3, trajectory=(make_statement(status="error", error="no such table", columns=None, rows=None),))
    refused = make_turn(4)
    harm = make_hostile_cases()
    wide = make_turn(6, trajectory=(make_statement(columns=tuple(map(str, range(40))), rows=(tuple(range(40)),)),))
    return [
        (good := make_turn(1), make_verdict(good)),
        (silent, make_verdict(silent, (9, 7, 6, None))),
        (failed, make_verdict(failed, (8, 5, 3, 6))),
        (refused, make_failure(refused)),
        (harm[0][0].model_copy(update={"id": "harm"}), harm[0][1].model_copy(update={"turn": "harm"})),
        (wide, make_verdict(wide, (5, 5, 5, 5))),
    ]


@pytest.fixture(scope="session")
def hostile(tmp_path_factory) -> Path:
    """A report of turns that mean harm."""
    return write(tmp_path_factory, make_hostile_cases())


def write(tmp_path_factory, cases, names=None) -> Path:
    return put(tmp_path_factory, make_report(cases), names)


def put(tmp_path_factory, report, names) -> Path:
    path = tmp_path_factory.mktemp("browser") / "report.html"
    path.write_text("".join(render_html(report, names)), "utf-8")
    return path
