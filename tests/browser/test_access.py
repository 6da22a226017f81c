"""The pages can be read by everyone: by machine's measure, by keyboard alone, and at 400 % zoom."""

from importlib.resources import files

import pytest

from tests.browser.conftest import NARROW, WIDE

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PAGES = ["varied", "index.html", "turns/0002.html", "lists/all.html"]


@pytest.fixture
def path_of(varied, metrics, small_folder):
    """Where a page lies."""
    ways = {"varied": varied, "metrics": metrics}
    return lambda name: ways.get(name, small_folder / name)


DRAW_ALL = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.turn { content-visibility: visible !important }');
  document.adoptedStyleSheets = [sheet];
}"""


def open_everything(page):
    """All that a reader may open stands open, and everything is drawn, so that everything is measured."""
    page.evaluate(DRAW_ALL)
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    if page.locator("#check").count():
        page.click("#check button")
        page.wait_for_selector("#check [role=status]:not(:empty)")
    if page.locator("#weights").count():
        page.fill("#weight-0", "0")
        page.wait_for_selector("#weights table")


def violations(page, rules):
    """The rules that are violated, each with a place and what is wrong there."""
    return page.evaluate(
        "run => axe.run(document, run).then(({ violations }) => violations.map("
        "({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120)), nodes[0].failureSummary]))",
        {"runOnly": rules, "resultTypes": ["violations"]},
    )


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("name", [*PAGES, "metrics"])
def test_no_rule_of_wcag_is_violated(open_page, path_of, name, size):
    page = open_page(path_of(name), viewport=size).page
    open_everything(page)
    page.evaluate(AXE)
    assert violations(page, {"type": "tag", "values": TAGS}) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert violations(page, {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}) == []


SPILLED = """() => {
  const width = document.documentElement.clientWidth;
  const scrolls = (element) => element && (
    ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) && element !== document.body
    || scrolls(element.parentElement));
  const isInline = (element) => getComputedStyle(element).display === 'inline';
  const blockOf = (element) => isInline(element) ? blockOf(element.parentElement) : element;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const spilled = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const inside = node.parentElement;
    if (!node.data.trim() || inside.closest('script, style, .skip, caption') || scrolls(inside)) {
      continue;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, width: own } = range.getBoundingClientRect();
    const block = blockOf(inside);
    const isWide = block.scrollWidth > block.clientWidth + 1 || block.getBoundingClientRect().right > width + 1;
    if (own && isWide && (right > width + 1 || left < -1)) {
      spilled.push([inside.className || inside.tagName, node.data.trim().slice(0, 60), right]);
    }
  }
  return spilled;
}"""


@pytest.mark.parametrize("name", [*PAGES, "metrics"])
def test_at_400_percent_nothing_is_cut_off_and_the_page_does_not_scroll_sideways(open_page, path_of, name):
    page = open_page(path_of(name), viewport=NARROW).page
    open_everything(page)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= NARROW["width"]
    assert page.evaluate(SPILLED) == []


WHERE = """() => {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return {
    tag: element.tagName.toLowerCase(),
    id: element.id,
    href: element.getAttribute('href'),
    region: element.getAttribute('role') === 'region',
    turn: element.closest('article')?.id ?? null,
    outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    seen: box.bottom > 0 && box.top < innerHeight && box.width > 0,
    place: [...document.querySelectorAll('*')].indexOf(element),
  };
}"""


def walk(page, most=600):
    """Where the focus goes as the tabulator is pressed, until it leaves the page."""
    stops = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = page.evaluate(WHERE)
        if stop["tag"] == "body":
            return stops
        stops.append(stop)
    raise AssertionError("the focus never leaves the page")


@pytest.mark.parametrize("name", ["varied", "index.html", "turns/0002.html"])
def test_the_keyboard_alone_reaches_everything_in_its_order(open_page, path_of, name):
    page = open_page(path_of(name)).page
    stops = walk(page)
    assert stops[0]["href"] == "#content"
    places = [stop["place"] for stop in stops]
    assert places == sorted(places)
    assert all(stop["outlined"] for stop in stops), next(stop for stop in stops if not stop["outlined"])
    assert all(stop["seen"] for stop in stops), next(stop for stop in stops if not stop["seen"])
    wanted = "a[href], button, input, select, summary, [tabindex='0']"
    shown = page.evaluate(f'[...document.querySelectorAll("{wanted}")].filter((e) => e.checkVisibility()).length')
    assert len(stops) == shown
    turns = page.locator("article.turn").count()
    assert len({stop["turn"] for stop in stops if stop["turn"] and stop["region"]}) >= turns // 2


def test_controls_are_worked_by_keyboard(open_page, small):
    page = open_page(small).page
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#content")
    page.focus("#check button")
    page.keyboard.press("Space")
    page.wait_for_selector("#check [role=status]:not(:empty)")
    page.focus("#weights summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector("#weights table")
    assert page.input_value("#weight-0") == "31"
    page.focus("#find-band")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#find [role=status]:not(:empty)")
    assert page.input_value("#find-band") == "0"
