"""The report for paper: in one piece, and as a front and parts that say the same."""

from dataclasses import replace

from reportgen.publishing.paper.documents import render_front, render_part, render_whole
from reportgen.publishing.text import turn_anchor
from tests.publishing.pages import read_page


def test_front_and_parts_hold_together_what_the_whole_holds(report):
    entries = list(report.turns())
    pages = [render_front(report), render_part(report, entries[:5]), render_part(report, entries[5:])]
    apart = [read_page(page) for page in pages]
    whole = read_page(render_whole(report))
    assert sorted(whole.values("id")) == sorted(set().union(*(page.values("id") for page in apart)))
    assert all(page.unbalanced == [] and page.open_tags == [] for page in [whole, *apart])
    assert turn_anchor("turn-6") not in apart[0].values("id") + apart[1].values("id")


def test_links_to_turns_lead_where_the_report_says_that_they_stand(report):
    elsewhere = replace(report, href=lambda turn: f"elsewhere.html#{turn_anchor(turn)}")
    to_turns = {href for href in read_page(render_front(elsewhere)).values("href") if "turn-turn" in href}
    assert to_turns == {f"elsewhere.html#{turn_anchor(entry.turn.id)}" for entry in report.turns()}


def test_paper_carries_no_style_for_screens(report):
    assert "@media screen" not in "".join(render_whole(report))
