"""The last touch on the bytes of a PDF: no data of a stream ends in a carriage return.

Such an end, which one stream in 256 has by chance, reads like a part of the line end that follows; strict checks then
find the stream too long by one. One more byte after the compressed data, which every reader passes over, avoids that.
"""

import re
import zlib
from itertools import pairwise
from typing import Any

_TAIL = b"\r\nendstream\nendobj\n"
_START = re.compile(rb"startxref\n(\d+)\n%%EOF\n\Z")
_LENGTH = re.compile(rb"/Length (\d+)")
_WIDTHS = re.compile(rb"/W \[ (\d+) (\d+) (\d+) \]")
_PREDICTION = re.compile(rb"/DecodeParms << [^>]*>>")
_COLUMNS = re.compile(rb"/Columns (\d+)")
_UP = 2
"""Says that a row was written as its difference from the one above."""

_IN_FILE = 1
"""The kind of an entry whose object stands in the file itself, at an offset."""


def mend_streams(data: bytes) -> bytes:
    """The PDF, as qpdf wrote it with object streams, in which no stream's data ends in a carriage return."""
    import numpy as np

    found = _START.search(data)
    if found is None:
        raise ValueError("not a PDF as qpdf writes it")
    table = int(found[1])
    head, rows = _read_table(data[table:])
    in_file = rows[:, 0] == _IN_FILE
    places = np.union1d(rows[in_file & (rows[:, 1] < table), 1], table)
    pieces = [_mend(data[place:end]) for place, end in pairwise(places)]
    moved = places[0] + np.cumsum([0, *map(len, pieces)])
    rows[in_file, 1] = moved[np.searchsorted(places, rows[in_file, 1])]
    end = b"startxref\n%d\n%%%%EOF\n" % moved[-1]
    return b"".join([data[: places[0]], *pieces, _write_table(head, rows), end])


def _mend(item: bytes) -> bytes:
    """One object as it stands in the file."""
    if not item.endswith(_TAIL):
        return item
    longer = _LENGTH.sub(lambda length: b"/Length %d" % (int(length[1]) + 1), item, count=1)
    return longer[: -len(_TAIL)] + b"\r\n" + _TAIL[1:]


def _read_table(item: bytes) -> tuple[bytes, Any]:
    """What stands before the entries of the cross-reference stream, and the entries, each of three numbers."""
    import numpy as np

    head, _, rest = item.partition(b"stream\n")
    content = zlib.decompressobj().decompress(rest)
    widths = [int(width) for width in _WIDTHS.search(head).groups()]  # type: ignore[union-attr]
    if columns := _COLUMNS.search(head):
        content = _undo_prediction(content, int(columns[1]))
    digits = np.frombuffer(content, np.uint8).reshape(-1, sum(widths)).astype(np.int64)
    numbers = np.split(digits, np.cumsum(widths)[:-1], axis=1)
    return head, np.stack([_read_number(number) for number in numbers], axis=1)


def _read_number(digits: Any) -> Any:
    """The numbers that the rows of bytes spell, the highest byte first."""
    import numpy as np

    return digits @ (256 ** np.arange(digits.shape[1])[::-1])


def _undo_prediction(content: bytes, columns: int) -> bytes:
    """Each row was written as its difference from the row above, after a byte that says so."""
    import numpy as np

    rows = np.frombuffer(content, np.uint8).reshape(-1, columns + 1)[:, 1:]
    return np.cumsum(rows, axis=0, dtype=np.uint8).tobytes()


def _predict(content: bytes, columns: int) -> bytes:
    """Each row as its difference from the row above, which packs well."""
    import numpy as np

    rows = np.frombuffer(content, np.uint8).reshape(-1, columns)
    differences = np.diff(rows, axis=0, prepend=np.zeros((1, columns), np.uint8))
    return np.insert(differences, 0, _UP, axis=1).tobytes()


def _write_table(head: bytes, rows: Any) -> bytes:
    import numpy as np

    widths = [1, *((int(most).bit_length() + 7) // 8 or 1 for most in rows[:, 1:].max(axis=0))]
    digits = [rows[:, [place]] >> np.arange(0, 8 * width, 8)[::-1] for place, width in enumerate(widths)]
    content = np.concatenate(digits, axis=1).astype(np.uint8).tobytes()
    packed = zlib.compress(_predict(content, sum(widths)), 9)
    packed += b"\n" if packed.endswith(b"\r") else b""
    head = _PREDICTION.sub(b"/DecodeParms << /Columns %d /Predictor 12 >>" % sum(widths), head)
    head = _WIDTHS.sub(b"/W [ %d %d %d ]" % tuple(widths), _LENGTH.sub(b"/Length %d" % len(packed), head, count=1))
    return head + b"stream\n" + packed + b"\nendstream\nendobj\n\n"
