"""The archive site opens from the disk, asks for nothing beyond its folder, and can be read by everyone."""

import pytest

from reportgen.cli import end_of, reportgen
from tests.browser.conftest import NARROW, WIDE
from tests.browser.test_access import AXE, SPILLED, TAGS, violations, walk
from tests.publications import make_archive


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    folder = make_archive(tmp_path_factory.mktemp("site"))
    arguments = ["site", str(folder / "runs"), "--out", str(folder / "site"), "--format", "html,json"]
    withdraw = ["withdraw", str(folder / "runs" / "june"), "--reason", "The capture lacked a week."]
    for call in (withdraw, arguments):
        assert end_of(lambda call=call: reportgen.main(call, "reportgen", standalone_mode=False)) == 0
    return folder / "site" / "index.html"


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_no_rule_of_wcag_is_violated_and_nothing_spills(open_page, site, size):
    page = open_page(site, viewport=size).page
    page.evaluate(AXE)
    assert violations(page, {"type": "tag", "values": TAGS}) == []
    assert page.evaluate("document.scrollingElement.scrollWidth") <= size["width"]
    assert page.evaluate(SPILLED) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}) == []


def test_the_page_asks_for_its_style_alone_and_complains_of_nothing(open_page, site):
    opened = open_page(site)
    assert opened.requests == [site.as_uri(), site.with_name("style.css").as_uri()]
    assert (opened.refused, opened.complaints) == ([], [])


def test_the_keyboard_reaches_each_link_and_a_lowest_turn_opens_in_its_report(open_page, site):
    page = open_page(site).page
    stops = walk(page)
    assert stops[0]["href"] == "#content"
    assert all(stop["outlined"] and stop["seen"] for stop in stops)
    href = next(stop["href"] for stop in stops if "#turn-" in (stop["href"] or ""))
    page.click(f'a[href="{href}"]')
    page.wait_for_load_state("load")
    assert page.locator("article.turn:target").count() == 1
