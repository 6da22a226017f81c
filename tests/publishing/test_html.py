"""The HTML of a report: whole in itself, well formed, and deaf to what its evidence says."""

import hashlib
import itertools
import json
import re
from base64 import b64encode

import pytest

from reportgen.errors import RenderError
from reportgen.publishing.browser.html import render_html
from reportgen.publishing.sections import SECTIONS
from reportgen.publishing.text import turn_anchor
from tests.publishing.conftest import GENERATED, make_failure, make_report, make_turn, make_verdict
from tests.publishing.hostile import make_hostile_cases
from tests.publishing.pages import Page, read_page

SMALL = {
    "no turn": [],
    "one turn": [1],
    "no score": [-1, -2],
    "one score": [1, -2],
}


@pytest.fixture
def page(report) -> Page:
    return read_page(render_html(report))


@pytest.fixture(scope="module")
def hostile_page() -> Page:
    return read_page(render_html(make_report(make_hostile_cases())))


def test_elements_are_nested_well(page):
    assert page.unbalanced == []
    assert page.open_tags == []


def test_nothing_points_outside_the_page(page, hostile_page):
    for found in (page, hostile_page):
        assert all(href.startswith("#") for href in found.values("href"))
        assert not {"src", "srcset", "action", "data", "poster", "style"} & {
            name for _, attrs in found.tags for name in attrs
        }
        assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & found.names()
        assert [attrs for tag, attrs in found.tags if tag == "script"] == [
            {"type": "application/json", "id": "report-data"},
            {},
        ]
        assert not any(name.startswith("on") for _, attrs in found.tags for name in attrs)


def test_style_and_script_ask_for_nothing_and_are_those_that_the_policy_admits(report):
    html = "".join(render_html(report))
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)[1]
    assert set(re.findall(r"url\((.{12})", style)) == {'"data:font/w'}
    assert "@import" not in style
    assert not re.search(
        r"eval|Function\(|innerHTML|outerHTML|insertAdjacent|document\.write|fetch|XMLHttp|://", script
    )
    digests = [b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    policy = next(attrs["content"] for tag, attrs in read_page([html]).tags if attrs.get("http-equiv"))
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )


def test_each_link_has_its_target_and_each_id_is_unique(page, hostile_page):
    for found in (page, hostile_page):
        ids = found.values("id")
        assert len(ids) == len(set(ids))
        assert {href[1:] for href in found.values("href")} <= set(ids)
        assert set(" ".join(found.values("aria-labelledby")).split()) <= set(ids)


def test_patterns_of_charts_refer_to_drawings_that_exist(page):
    uses = {value[5:-1] for value in page.values("fill") if value.startswith("url(#")}
    assert uses
    assert uses <= set(page.values("id"))


def test_headings_descend_one_level_at_a_time(page, hostile_page):
    for found in (page, hostile_page):
        levels = [int(tag[1]) for tag, _ in found.tags if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_every_section_that_the_report_has_something_for_has_its_heading_and_its_place_in_the_contents(page, report):
    text = page.all_text
    for name, section in SECTIONS.items():
        if section.build(report) is None:
            assert f"section-{name}" not in page.values("id")
        elif name != "cover":
            assert f"section-{name}" in page.values("id")
            assert text.count(section.TITLE) >= 2


def test_every_turn_has_an_anchor_made_of_its_id(page, cases):
    assert {turn_anchor(turn.id) for turn, _ in cases} <= set(page.values("id"))


def test_tables_name_their_columns_and_pictures_say_what_they_show(page):
    assert all("scope" in attrs for tag, attrs in page.tags if tag == "th")
    pictures = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert pictures
    ids = set(page.values("id"))
    for picture in pictures:
        named = set((picture.get("aria-labelledby") or "").split())
        assert picture.get("aria-hidden") == "true" or (picture["role"] == "img" and len(named) == 2 and named <= ids)


def test_the_headline_says_what_was_scored_and_what_was_not(page, report):
    text = re.sub(r"\s+", " ", page.all_text)
    assert "11 turns scored of 12 judged" in text
    assert "the judge refused" in text
    assert "Had each of them scored 0" in text
    assert report.run.seal in text
    assert "20 July 2026, 09:30:00 UTC" in text
    assert report.findings.caveats[0].sentence in text


def test_a_turn_is_shown_with_all_that_its_score_follows_from():
    turn = make_turn(1, question="Who was late?")
    text = re.sub(
        r"\s+", " ", read_page(render_html(make_report([(turn, make_verdict(turn, (9, 7, 10, 6)))]))).all_text
    )
    assert "SELECT name, delay FROM trips" in text
    assert "Rows returned: 2; captured: 2; seen by the judge: all; shown here: all." in text
    assert "100 \u00d7 (30 \u00d7 9 + 25 \u00d7 7 + 25 \u00d7 10 + 20 \u00d7 6) ÷ (10 \u00d7 100) = 81.5" in text
    assert "✓ in the evidence" in text
    assert "The judge's own word is good; the arithmetic gives the band good: they agree." in text


def test_a_turn_without_an_answer_says_why_and_shows_the_renormalised_weights(page):
    assert "Not captured: the client's own program answers" in page.all_text
    assert "37.5\u00a0%" in page.all_text
    assert "31.25\u00a0%" in page.all_text


@pytest.mark.parametrize("signs", SMALL.values(), ids=SMALL.keys())
def test_small_runs_render_and_say_so(signs):
    turns = [make_turn(abs(sign)) for sign in signs]
    cases = [
        (turn, make_verdict(turn) if sign > 0 else make_failure(turn)) for turn, sign in zip(turns, signs, strict=True)
    ]
    page = read_page(render_html(make_report(cases)))
    assert page.unbalanced == []
    headline = "".join(page.all_text.split("Contents")[0])
    assert ("No score" in headline) is not any(sign > 0 for sign in signs)
    if "No score" in headline:
        assert "no turns" in headline or "no turn was scored" in headline


def test_two_renderings_are_the_same(report):
    assert "".join(render_html(report)) == "".join(render_html(report))


def test_the_time_of_generation_stands_in_the_head(report):
    head = read_page(render_html(report))
    created = next(attrs["content"] for tag, attrs in head.tags if attrs.get("name") == "dcterms.created")
    assert created == GENERATED.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_hostile_text_is_shown_as_text(hostile_page):
    text = hostile_page.all_text
    for shown in (
        "<script>alert(1)</script>",
        "{{7*7}} {% raw %} [/red]",
        "[click](javascript:alert(2))",
        "onerror=alert(4)",
    ):
        assert shown in text


def test_the_data_in_the_page_ends_no_element_and_hides_no_letter():
    html = "".join(render_html(make_report(make_hostile_cases())))
    carried = re.search(r'id="report-data">(.*?)</script>', html, re.DOTALL)[1]
    assert carried.isascii()
    assert not set("<>&") & set(carried)
    first = json.loads(carried)["turns"][0]
    assert "<script>alert(1)</script>" in first["id"] + first["question"]
    assert not re.search("[\x00-\x1f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", json.dumps(first, ensure_ascii=False))
    assert "__proto__" in first["labels"]


def test_letters_that_act_unseen_are_shown(hostile_page):
    text = hostile_page.all_text
    assert "a[U+202E]gnp.exe[U+2066]b[U+0000][U+0007][U+001B][31m[U+007F][U+009B][U+2028]c[U+FFFE] d[U+E0041]" in text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
    assert "more combining marks]" in text


def test_what_is_shortened_says_so(hostile_page):
    text = hostile_page.all_text
    assert "shortened, 60,000 of 100,000 characters shown" in text
    assert "shortened, 20,000 of 100,007 characters shown" in text
    assert "shortened, 500 of 100,000 characters shown" in text
    assert "300 of 350 events shown: the first 200 and the last 100." in text
    assert "shown as plain text: it is nested" in text


def test_the_judge_is_never_said_to_have_seen_rows_that_it_did_not(hostile_page):
    assert (
        "Rows returned: 5,000; captured: 30; seen by the judge: the first 20; shown here: the first 20."
        in hostile_page.all_text
    )


def test_sections_can_be_chosen(report):
    page = read_page(render_html(report, ["summary", "provenance"]))
    assert page.values("id")[:2] != []
    assert "section-method" not in page.values("id")
    assert [tag for tag, _ in page.tags].count("h1") == 1


def test_an_unknown_section_is_named(report):
    with pytest.raises(RenderError, match="'colophon'"):
        render_html(report, ["colophon"])


def test_numbers_over_bars_stand_on_a_plate_over_the_edges_of_the_bands(report):
    found = "".join(render_html(report))
    histogram = found[found.index('<svg class="chart histogram"') :].partition("</svg>")[0]
    assert 0 < histogram.rindex('class="edge"') < histogram.index('class="plate"') < histogram.index('class="value"')


def test_a_trend_of_days_with_few_turns_says_why_no_point_could_be_tested():
    turns = [make_turn(24 * number) for number in range(1, 9)]
    text = read_page(render_html(make_report([(turn, make_verdict(turn)) for turn in turns]))).all_text
    assert "Here 0 of 8 days have one. A day needs at least 5 scored turns for an interval." in text
