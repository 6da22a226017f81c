"""What RFC 4287 asks of a feed, as far as a parser does not see to it."""

import re
from datetime import datetime
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

ATOM = "{http://www.w3.org/2005/Atom}"
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_ONCE_IN_FEED = ("id", "title", "updated")
_FEED = {*_ONCE_IN_FEED, "author", "category", "contributor", "generator", "icon", "link", "logo", "rights", "subtitle"}
_ENTRY = {
    *_ONCE_IN_FEED,
    "author",
    "category",
    "content",
    "contributor",
    "link",
    "published",
    "rights",
    "source",
    "summary",
}


def parse_feed(data: bytes) -> ET.Element:
    """The feed, which fulfils section 4 of RFC 4287."""
    feed = ET.fromstring(data)
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    _check_children(feed, _FEED | {"entry"})
    assert feed.find(f"{ATOM}author/{ATOM}name").text.strip(), "4.1.1: a feed has an author, unless each entry has one"
    for entry in entries:
        _check_children(entry, _ENTRY)
        alternates = [link for link in entry.findall(f"{ATOM}link") if link.get("rel", "alternate") == "alternate"]
        assert len(alternates) == 1, "4.1.2: an entry without content has an alternate link, and one of each type"
    ids = [element.text for element in (feed.find(f"{ATOM}id"), *feed.findall(f"{ATOM}entry/{ATOM}id"))]
    assert len(set(ids)) == len(ids), "4.1.1: entries have ids of their own"
    return feed


def _check_children(element: ET.Element, allowed: set[str]) -> None:
    for child in element:
        assert child.tag.startswith(ATOM)
        assert child.tag.removeprefix(ATOM) in allowed, child.tag
    for name in _ONCE_IN_FEED:
        assert len(element.findall(f"{ATOM}{name}")) == 1, f"4.1: exactly one {name}"
    assert urlsplit(element.find(f"{ATOM}id").text).scheme, "4.2.6: an id is a whole IRI"
    updated = element.find(f"{ATOM}updated").text
    assert _DATE.fullmatch(updated), "3.3: RFC 3339, with T and Z in capitals"
    datetime.fromisoformat(updated)
    for link in element.findall(f"{ATOM}link"):
        assert link.get("href"), "4.2.7: a link has an address"
        assert " " not in link.get("href")
    for text in element.findall(f"{ATOM}title") + element.findall(f"{ATOM}summary"):
        assert text.get("type", "text") in ("text", "html", "xhtml")
        assert not list(text), "3.1.1.1: plain text has no children"
