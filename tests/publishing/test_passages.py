"""Passages on the page: all that is known of them, cut with a note, and marked where the judge did not see them."""

from reportgen.model.run import EvidenceLimits
from reportgen.model.turn import Latency, Passage, Retrieval
from reportgen.publishing.browser.html import render_html
from reportgen.publishing.passages import build_passages
from reportgen.publishing.trajectory import build_trajectory
from tests.publishing.conftest import make_report, make_turn, make_verdict
from tests.publishing.pages import read_page

FULL = Passage(rank=3, id="d-1", source="hours.md", score=0.8250001, text="It opens at nine.")


def retrieve(*passages, **changes):
    return Retrieval(**{"status": "ok", "passages": passages, **changes})


def test_a_passage_shows_what_is_known_of_it():
    shown = build_passages(retrieve(FULL, Passage(id="d-2"), Passage(text="x" * 5_000)), 50)
    assert shown.passages[0].facts == ("rank 3", "score 0.825", "id d-1", "source hours.md", "17 characters")
    assert shown.passages[1].text is None
    assert shown.passages[2].text.note == "shortened, 4,000 of 5,000 characters shown"
    assert shown.account == "Passages captured: 3; seen by the judge: all; shown here: all."


def test_passages_beyond_those_that_the_judge_saw_are_marked():
    event = retrieve(*(Passage(text=f"passage {number}") for number in range(30)))
    cut = "event 1: passages: showing the first 2 of 30 captured"
    (shown,) = build_trajectory([event], EvidenceLimits(), [cut]).events
    assert [passage.seen for passage in shown.passages.passages[:3]] == [True, True, False]
    assert shown.passages.account == (
        "Passages captured: 30; seen by the judge: the first 2; shown here: the first 20. "
        "Passages marked † were not seen by the judge."
    )
    assert shown.cuts == ("passages: showing the first 2 of 30 captured",)


def test_no_passage_and_none_captured_are_told_apart():
    assert build_passages(retrieve(), 50).account == "No passage was retrieved."
    assert build_passages(retrieve().model_copy(update={"passages": None}), 50) is None


def test_the_page_folds_the_passages_and_tells_model_and_latencies():
    turn = make_turn(
        1,
        trajectory=(retrieve(FULL, Passage(id="d-2"), query="lamp hours", strategy="hybrid", top_k=4),),
        model="gpt-5",
        latency=Latency(total_ms=2310, generation_ms=1904),
    )
    page = read_page(render_html(make_report([(turn, make_verdict(turn))])))
    text = " ".join(" ".join(page.text).split())
    for told in ("lamp hours", "strategy hybrid", "top-k 4", "The capture holds no text of this passage.", "gpt-5"):
        assert told in text
    assert "Total time 2.3 s Answer 1.9 s" in text
    assert [
        attrs.get("open", "closed") for tag, attrs in page.tags if tag == "details" and attrs.get("class") == "passage"
    ] == [
        "closed",
        "closed",
    ]
