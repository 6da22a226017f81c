"""The search of the example: documents are cut into chunks, and BM25 ranks them.

The formula is that of Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with
the inverse document frequency that is never negative. Nothing here is random, and scores are rounded so that the last
digit of a logarithm changes nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log
from pathlib import Path

from reportgen.model.turn import Passage

K1 = 1.2
B = 0.75
_WORD = re.compile(r"[a-z0-9]+(?:\.[0-9]+)?")
_FREQUENT = frozenset(
    _WORD.findall(
        "a about after all also am an and any are as at be been but by can could do does for from get had has have "
        "how i if in into is it its like may me much must my no not of off on one or our out shall she should so than "
        "that the them then there they this those to up us was we were what when where which who will with would you "
        "your"
    )
)
_ENDINGS = ("ations", "ation", "ings", "ing", "ed", "es", "s", "e")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A paragraph of a document, under the title of the document."""

    id: str
    source: str
    text: str


def read_documents(folder: Path, keep_bytes: int | None = None) -> dict[str, str]:
    """The documents of a folder by their names, whole, or only the first bytes of each."""
    paths = sorted(folder.glob("*.md"))
    return {path.name: path.read_bytes()[:keep_bytes].decode("utf-8", "ignore") for path in paths}


def cut(documents: Mapping[str, str], collection: str) -> Iterator[Chunk]:
    """The chunks of all documents: a chunk for each paragraph, headed by the title."""
    for name, text in documents.items():
        title, *paragraphs = (" ".join(block.split()) for block in text.split("\n\n"))
        heading, stem = title.removeprefix("# "), name.removesuffix(".md")
        for number, paragraph in enumerate(paragraphs, start=1):
            yield Chunk(f"{stem}-{number}", f"{collection}/{name}", f"{heading}. {paragraph}")


class Index:
    """Chunks with what BM25 counts of them."""

    def __init__(self, chunks: list[Chunk]) -> None:
        self._chunks = chunks
        self._counts = [Counter(_words(chunk.text)) for chunk in chunks]
        self._in_chunks = Counter(word for counts in self._counts for word in counts)
        self._mean_length = sum(counts.total() for counts in self._counts) / len(chunks)

    def search(self, query: str, top_k: int) -> tuple[Passage, ...]:
        """The best passages for a query, of those that hold one of its words; equal ones in the order of their ids."""
        words = sorted(set(_words(query)))
        pairs = zip(self._chunks, self._counts, strict=True)
        scored = ((round(self._score(words, counts), 3), chunk) for chunk, counts in pairs)
        ranked = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].id))
        return tuple(
            Passage(rank=rank, id=chunk.id, source=chunk.source, score=score, text=chunk.text)
            for rank, (score, chunk) in enumerate(ranked[:top_k], start=1)
        )

    def _score(self, words: list[str], counts: Counter[str]) -> float:
        norm = K1 * (1 - B + B * counts.total() / self._mean_length)
        return sum(self._weight(word) * counts[word] * (K1 + 1) / (counts[word] + norm) for word in words)

    def _weight(self, word: str) -> float:
        holding = self._in_chunks[word]
        return log(1 + (len(self._chunks) - holding + 0.5) / (holding + 0.5))


def _words(text: str) -> Iterator[str]:
    """The words of a text that are searched, without their endings."""
    return (_stem(word) for word in _WORD.findall(text.lower()) if word not in _FREQUENT)


def _stem(word: str) -> str:
    """A word without a common ending, if four letters are left of it."""
    ending = next((ending for ending in _ENDINGS if word.endswith(ending) and len(word) >= len(ending) + 4), "")
    return word.removesuffix(ending)
