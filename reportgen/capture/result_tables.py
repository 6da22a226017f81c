"""Results of SQL as tools hand them over, read into columns and rows: for certain, or not at all."""

import json
import re
from collections.abc import Sequence
from itertools import pairwise

from reportgen.capture.result_json import Table, decode_result, read_json
from reportgen.model.turn import Cell

CUT = "the result was cut off in the capture; the row count is unknown"
HALF_ROW = "its last row, which may not be whole, is left out"
UNREADABLE = "columns and rows could not be told for certain; the text stands in one cell, as it was captured"
REJOINED = "line breaks were lost in the capture; rows were put back, since each can end in one place only"

_EMPTY = re.compile(
    r"(?:query executed[,.;:]? ?)?(?:empty result set|no rows(?: returned| found)?|\(?0 rows\)?)\.?",
    re.IGNORECASE,
)
_RULE_MARKS = frozenset("-+|=: ")
_BOX_EDGE = re.compile(r"\+[-+=]+\+")
_COUNT_LINE = re.compile(r"\((\d+) rows?\)")
_FLAT = re.compile(r"(?P<head>\S.*?) -{3,} (?P<body>.*)", re.DOTALL)
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_NULL_WORDS = frozenset({"None", "NULL", "null", ""})


def read_result(value: object) -> Table | None:
    """The table that a result holds; None where the result is none, such as a mere confirmation.

    Text tables are read in the styles of psql, MySQL, Markdown, "a | b" over a line of dashes, and columns
    aligned by blanks. Cells are stripped of the blanks around them and otherwise kept as text, except that
    a column of nothing but plain numbers that read back exactly becomes numbers ("37.6", but neither "007"
    nor "8.10"), and that the words None and NULL, or an empty cell, are null in a column whose other cells
    are all plain numbers. In a column of text they stay text, for there "None" may be a value.

    A result that ends in "..." was cut: its last row goes, and the row count is unknown. A cut result whose
    line breaks are lost is read only where every row can end in one place only. What has the look of a
    table or of JSON, but cannot be read for certain, becomes one cell of text with a note.
    """
    if not isinstance(value, str):
        return read_json(value) or _as_text(json.dumps(value, ensure_ascii=False))
    text = value.strip("\n")
    if _EMPTY.fullmatch(text.strip()):
        return Table((), (), 0)
    looks_like_json = text.lstrip().startswith(("[", "{"))
    if looks_like_json and (decoded := decode_result(text)) is not None:
        return read_json(decoded) or _as_text(text)
    whole = _strip_cut_mark(text)
    cut = whole != text
    table = _read_lines(whole, cut=cut) or _read_flat(whole, cut=cut)
    if table is not None:
        return table
    looks_tabular = looks_like_json or cut or "\n" in text or " | " in text
    return _as_text(text, CUT if cut else None) if looks_tabular else None


def looks_like_table(text: str) -> bool:
    """Whether a text begins as a table does: a header over a line of dashes."""
    lines = text.strip("\n").split("\n", 2)
    return len(lines) > 1 and (_is_rule(lines[1]) or bool(_BOX_EDGE.fullmatch(lines[0])))


def convert_column(cells: Sequence[str]) -> tuple[Cell, ...]:
    """Cells of one column as numbers and nulls, where the whole column shows that they are.

    >>> convert_column(["37.6", "None", "12"]), convert_column(["8.10", "None"])
    ((37.6, None, 12), ('8.10', None))
    >>> convert_column(["High", "None"]), convert_column(["007", "12"])
    (('High', 'None'), ('007', '12'))
    """
    words = [cell for cell in cells if cell not in _NULL_WORDS]
    if not words or not all(_PLAIN_NUMBER.fullmatch(word) for word in words):
        return tuple(cells)
    exact = all(str(_to_number(word)) == word for word in words)
    return tuple(None if cell in _NULL_WORDS else _to_number(cell) if exact else cell for cell in cells)


def _is_rule(line: str) -> bool:
    return "-" in line and _RULE_MARKS.issuperset(line)


def _strip_cut_mark(text: str) -> str:
    bare = text.rstrip().removesuffix("<truncated>")
    for mark in ("...", "…"):
        if bare.endswith(mark):
            return bare.removesuffix(mark).rstrip()
    return text


def _to_number(word: str) -> int | float:
    # Beyond 300 digits int() may refuse and float() overflow; such a cell is no number to anyone.
    if len(word) > 300:
        return 0
    return float(word) if "." in word else int(word)


def _as_text(text: str, *notes: str | None) -> Table:
    return Table(("result",), ((text,),), None, (*(note for note in notes if note), UNREADABLE))


def _build_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], count: int | None, notes: tuple[str, ...] = ()
) -> Table:
    converted = [convert_column([row[place] for row in rows]) for place in range(len(columns))]
    return Table(tuple(columns), tuple(zip(*converted, strict=True)), count, notes)


def _read_lines(text: str, *, cut: bool) -> Table | None:
    lines = text.split("\n")
    if _BOX_EDGE.fullmatch(lines[0].strip()):
        lines = [line for line in lines if not _BOX_EDGE.fullmatch(line.strip())]
        lines.insert(1, "---")
    if len(lines) < 2 or not _is_rule(lines[1]):
        return None
    counted = _COUNT_LINE.fullmatch(lines[-1].strip()) if len(lines) > 2 else None
    body = lines[2 : -1 if counted else None]
    grid = _split_grid(lines[0], lines[1], body[:-1] if cut else body)
    if grid is None:
        return None
    columns, rows = grid
    if cut:
        return _build_table(columns, rows, None, (CUT, HALF_ROW))
    return _build_table(columns, rows, _full_count(counted, len(rows)))


def _full_count(counted: re.Match[str] | None, captured: int) -> int | None:
    if counted is None:
        return captured
    return int(counted[1]) if int(counted[1]) >= captured else None


def _split_grid(head: str, rule: str, body: Sequence[str]) -> tuple[list[str], list[list[str]]] | None:
    """Header and rows in the one style in which every line has as many cells as the header."""
    if "|" not in head:
        return _split_aligned(head, rule, body)
    for mark in ("|", " | "):
        rows = [[cell.strip() for cell in _inside(line).split(mark)] for line in (head, *body)]
        if len({len(row) for row in rows}) == 1:
            return rows[0], rows[1:]
    return None


def _inside(line: str) -> str:
    line = line.rstrip()
    return line[1:-1] if line.startswith("|") and line.endswith("|") and len(line) > 1 else line


def _split_aligned(head: str, rule: str, body: Sequence[str]) -> tuple[list[str], list[list[str]]] | None:
    """Columns that stand under groups of dashes; with one group there is one column."""
    spans = [match.span() for match in re.finditer(r"[-=]+", rule)]
    if len(spans) == 1:
        if "  " in head.strip() or "\t" in head:
            return None
        return [head.strip()], [[line.strip()] for line in body]
    edges = [*(start for start, _ in spans), None]
    gaps = [(end, start) for (_, end), (start, _) in pairwise(spans)]
    if any(line[end:start].strip() for line in (head, *body) for end, start in gaps):
        return None
    cells = [[line[start:end].strip() for start, end in pairwise(edges)] for line in (head, *body)]
    return cells[0], cells[1:]


def _read_flat(text: str, *, cut: bool) -> Table | None:
    """A table whose lines were joined by blanks, so that the ends of two rows stand in one piece."""
    match = _FLAT.fullmatch(text)
    if match is None or "\n" in text or "|" not in match["head"]:
        return None
    columns = [cell.strip() for cell in match["head"].split("|")]
    pieces = [cell.strip() for cell in match["body"].split("|")]
    rows = _split_flat(pieces, len(columns), cut=cut)
    if rows is None:
        return None
    if cut:
        return _build_table(columns, rows, None, (REJOINED, CUT, HALF_ROW))
    return _build_table(columns, rows, len(rows), (REJOINED,))


def _split_flat(pieces: Sequence[str], width: int, *, cut: bool) -> list[list[str]] | None:
    rows: list[list[str]] = []
    row = [pieces[0]]
    for place, piece in enumerate(pieces[1:], start=1):
        if len(row) < width - 1:
            row.append(piece)
            continue
        if place == len(pieces) - 1:
            return rows if cut else [*rows, [*row, piece]]
        joint = _split_joint(piece)
        if joint is None:
            return None
        rows.append([*row, joint[0]])
        row = [joint[1]]
    return rows if cut else None


def _split_joint(piece: str) -> tuple[str, str] | None:
    """The end of one row and the beginning of the next; None unless there is one way only to part them.

    Two words part between them, and an object in braces ends with its brace; three words part in two ways.
    """
    if piece.startswith(("{", "[")):
        end = max(piece.rfind("} "), piece.rfind("] "))
        inside = piece[1:end]
        sure = end > 0 and not any(mark in inside for mark in "{}[]") and " " not in piece[end + 2 :]
        return (piece[: end + 1], piece[end + 2 :]) if sure else None
    words = piece.split(" ")
    return (words[0], words[1]) if len(words) == 2 else None
