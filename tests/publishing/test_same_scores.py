"""What a report says where all turns were found alike: nothing that holds of a spread alone."""

import html
import re

from reportgen.model.turn import Answer
from reportgen.publishing.browser.html import render_html
from tests.publishing.conftest import make_report, make_turn, make_verdict


def _answer(scores):
    return Answer(not_captured="elsewhere") if None in scores else Answer(text="17 lamps.")


def read(section, *scores):
    """The text of a section of a report on turns with these subscores, without its marks."""
    turns = [
        make_turn(number, answer=_answer(given), conversation=None) for number, given in enumerate(scores, start=1)
    ]
    cases = [(turn, make_verdict(turn, given)) for turn, given in zip(turns, scores, strict=True)]
    page = "".join(render_html(make_report(cases), ["cover", section]))
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page.partition("</nav>")[2])).split())


def test_one_score_is_not_counted_as_different_ones_and_one_scale_not_as_two():
    alike, apart = (read("distribution", *found) for found in ([(5,) * 4] * 3, [(5,) * 4, (9, 9, 9, 1)]))
    assert "There is one score, 50.0, that of 3 of 3 scored turns" in alike
    assert "There are 2 different scores; the most frequent, " in apart
    assert "Two scales in one" not in alike + apart
    assert "Two scales in one" in read("distribution", (5,) * 4, (5, 5, 5, None))


def test_scores_that_no_weights_can_move_are_said_to_stay():
    alike, apart = (read("limitations", *found) for found in ([(5,) * 4] * 3, [(5,) * 4, (9, 9, 9, 1)]))
    assert "with caps applied again. No score moves. No turn changes" in alike
    assert "By these settings the mean stays 50.0." in alike
    assert "By these settings the mean lies between" in apart


def test_the_way_that_is_never_switched_off_is_named_where_all_answers_are_alike():
    assert "is switched off, except that of an equal cell. In this run none is." in read("figures", *[(9,) * 4] * 3)
