"""Text from outside is fit for display, whatever it holds."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.publishing.answers import render_answer
from reportgen.publishing.paper.pdf import RUN, add_soft_breaks
from reportgen.publishing.text import clean, shorten, turn_anchor

ANY_TEXT = st.text(st.characters(), max_size=60)


@given(ANY_TEXT)
def test_a_cleaned_text_can_be_stored_and_cleaning_it_again_changes_nothing(text):
    shown = clean(text)
    shown.encode()
    assert clean(shown) == shown


def test_a_lone_surrogate_is_replaced():
    assert clean("a\ud800b") == "a\ufffdb"


def test_the_flag_of_a_country_is_left_whole():
    flag = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    assert clean(flag) == flag


def test_a_text_of_just_the_limit_is_not_shortened():
    assert shorten("x" * 10, 10).note is None
    assert shorten("x" * 11, 10).note == "shortened, 10 of 11 characters shown"


@given(st.text(min_size=1, max_size=200))
def test_an_anchor_is_safe_and_differs_where_the_id_does(name):
    assert re.fullmatch(r"turn(-[a-z0-9]+)+", turn_anchor(name))
    assert turn_anchor(name) != turn_anchor(name + "x")


def test_an_answer_keeps_its_tables_lists_and_emphasis():
    html = str(render_answer("**a**\n\n- b\n\n| c | d |\n| --- | ---: |\n| 1 | 2 |\n").html)
    assert "<strong>a</strong>" in html
    assert "<li>b</li>" in html
    assert '<td align="right">2</td>' in html


def test_headings_of_an_answer_are_no_headings_of_the_report():
    assert str(render_answer("# Title\n\ntext\n\nOther\n=====").html).count("<p><strong>") == 2


def test_links_images_and_definitions_stay_as_they_were_written():
    source = "[a](http://x.example) ![b](c.png) <d@e.example>\n\n[f]: http://y.example"
    html = str(render_answer(source).html)
    assert "<a" not in html
    assert "<img" not in html
    for part in ("[a](http://x.example)", "![b](c.png)", "&lt;d@e.example&gt;", "[f]: http://y.example"):
        assert part in html


@given(ANY_TEXT)
def test_no_answer_gets_an_element_or_attribute_that_acts(text):
    html = str(render_answer(f"<script>{text}</script> [x]({text}) <img src={text}>").html)
    assert not re.search(r"<(?!/?(p|br|hr|strong|em|code|pre|blockquote|ul|ol|li|table|thead|tbody|tr|th|td)\b)", html)
    assert "href" not in re.sub(r">[^<]*<", "><", html)


def test_what_is_too_long_too_deep_or_too_wide_is_shown_as_plain_text():
    for text in (
        "x" * 50_001,
        "> " * 30 + "x",
        "a\n===\n" * 2000,
        "|".join("abcdefghijklmno") + "\n" + "|".join(["---"] * 15),
    ):
        answer = render_answer(text)
        assert answer.html is None
        assert answer.source == text
        assert answer.note


@pytest.mark.parametrize("text", [" - ", "***", "#", "> "])
def test_an_answer_that_is_a_mere_mark_of_markdown_is_shown_as_it_was_given(text):
    answer = render_answer(text)
    assert (answer.html, answer.source) == (None, text)
    assert "nothing of it would be seen" in answer.note


@given(st.integers(1, 300))
def test_no_run_of_letters_on_paper_is_longer_than_allowed(length):
    text = add_soft_breaks(f"<p>{'y' * length}</p>").removeprefix("<p>").removesuffix("</p>")
    assert text.replace("\u200b", "") == "y" * length
    assert max(map(len, text.split("\u200b"))) <= RUN


def test_soft_breaks_spare_tags_references_titles_and_styles():
    long = "z" * 100
    html = f'<title>{long}</title><style>{long}</style><a title="{long}>" href="#{long}">{"&amp;" * 40}</a>'
    broken = add_soft_breaks(html)
    assert broken.replace("\u200b", "") == html
    assert broken.count("\u200b") == 1
    assert "&\u200b" not in broken


def test_letters_of_private_use_and_byte_order_marks_become_their_codes():
    assert clean("a\ue000b\ufeffc\U0010fffdd") == "a[U+E000]b[U+FEFF]c[U+10FFFD]d"


def test_a_text_is_cut_between_words_unless_a_word_is_very_long():
    assert str(shorten("The judge was not tested", 12)) == "The judge … [shortened, 9 of 24 characters shown]"
    assert str(shorten("The judge was", 9)).startswith("The judge … [shortened, 9 ")
    assert str(shorten("x" * 100, 50)).startswith("x" * 50 + " …")
