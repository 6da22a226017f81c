"""Text for the cells of a spreadsheet: nothing in it acts, and nothing in it is taken for a formula."""

import re

from reportgen.publishing.text import clean

_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212"
"""With these a formula begins, also in their full-width and small forms."""
_SKIPPED = r"""(?:[^\S\t\n]|[\u00ad\u115f\u1160\u180e\u200b-\u200f\u2060-\u2065\u3164\ufe00-\ufe0f\ufeff"'])*"""
"""What a program may pass over before it looks for one: blanks, what cannot be seen, and quotes."""
_FORMULA = re.compile(rf"^(?=[\t\n]|{_SKIPPED}[{_SIGNS}])|(?<=[;\t\n])(?={_SKIPPED}[{_SIGNS}])")


def make_inert(text: str) -> str:
    r"""The text made fit for a cell of a CSV file: an apostrophe stands before all that could be taken for a formula.

    That is a sign with which one begins, or a tab or line break, at the start of the text; and such a sign after a
    semicolon, a tab or a line break, where a program that splits by these would begin another cell. Of what was made
    inert, one apostrophe taken from each such place gives the text again.

    >>> make_inert("=1+1"), make_inert("a;  @x"), make_inert("5 - 3 = 2"), make_inert("'=1")
    ("'=1+1", "a;'  @x", '5 - 3 = 2', "''=1")
    """
    return _FORMULA.sub("'", clean(text))
