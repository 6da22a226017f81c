"""What is read back from a table is what was exported."""

import csv
import io
import zipfile
from datetime import UTC, datetime, timedelta, timezone

import openpyxl
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportgen.errors import RenderError
from reportgen.model.turn import Answer
from reportgen.publishing.exports import parquet, workbook
from reportgen.publishing.exports.cells import make_inert
from reportgen.publishing.exports.table import MOST_LABELS
from reportgen.publishing.text import clean
from tests.publishing.conftest import make_failure, make_report, make_turn, make_verdict
from tests.publishing.exports.conftest import make_export, written
from tests.publishing.exports.test_cells import DANGEROUS, INSIDE
from tests.publishing.hostile import make_hostile_cases

FIXED = ["turn", "captured_at", "conversation"]


def export_of(*turns, **options):
    return make_export(make_report([(turn, make_verdict(turn)) for turn in turns]), **options)


def read_csv(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def read_sheet(data: bytes):
    return openpyxl.load_workbook(io.BytesIO(data)).worksheets[0]


def read_xlsx(data: bytes) -> list[dict[str, object]]:
    head, *rows = read_sheet(data).iter_rows(values_only=True)
    return [dict(zip(head, row, strict=True)) for row in rows]


def read_parquet(data: bytes) -> list[dict[str, object]]:
    return pyarrow.parquet.read_table(io.BytesIO(data)).to_pylist()


def test_a_scored_turn_stands_in_each_format_with_numbers_as_numbers(export):
    (line, *_), (cells, *_), (row, *_) = (
        read_csv(written(export, "csv")),
        read_xlsx(written(export, "xlsx")),
        read_parquet(written(export, "parquet")),
    )
    expected = {"turn": "turn-1", "score": 93.0, "band": "good", "raw_score": 93.0, "subscore.sql-quality": 9.0}
    expected |= {"verdict": "good", "agrees": True, "label.client": "Harbour Lines", "rubric": "sql-agent-1"}
    expected |= {"judge": "recorded:by-hand", "seal": f"sha256:{export.run.seal}"}
    assert {name: row[name] for name in expected} == expected
    assert {name: cells[name] for name in expected} == expected
    as_text = {"score": "93", "raw_score": "93", "subscore.sql-quality": "9", "agrees": "true"}
    assert {name: line[name] for name in expected} == expected | as_text
    assert row["captured_at"] == datetime(2026, 7, 1, 10, tzinfo=UTC)
    assert cells["captured_at"] == datetime(2026, 7, 1, 10)  # noqa: DTZ001 - a sheet knows no zones
    assert line["captured_at"] == "2026-07-01T10:00:00Z"


def test_the_columns_stand_in_the_documented_order(export):
    assert list(read_csv(written(export, "csv"))[0]) == [
        *FIXED,
        *("label.client", "label.region", "score", "band", "raw_score"),
        *("subscore.intent-understood", "subscore.sql-quality"),
        *("subscore.result-relevance", "subscore.answer-faithfulness"),
        *("caps", "caps_lowered", "verdict", "agrees", "unscored"),
        *("judge", "judge_effort", "rubric", "rubric_digest", "run", "seal", "question", "answer", "reason"),
    ]


def test_without_text_no_word_of_a_turn_is_exported(cases):
    export = make_export(make_report(cases), with_text=False)
    assert not {"question", "answer", "reason"} & {column.name for column in export.columns}
    assert b"Which two lines" not in written(export, "csv")


def test_an_unscored_turn_and_a_dimension_that_does_not_apply_are_empty_and_never_0(export):
    for rows, empty in (
        (read_csv(written(export, "csv")), ""),
        (read_xlsx(written(export, "xlsx")), None),
        (read_parquet(written(export, "parquet")), None),
    ):
        silent, failed, refused = rows[9:]
        assert (refused["score"], refused["band"], refused["agrees"]) == (empty, empty, empty)
        assert (refused["unscored"], refused["reason"]) == ("refused", "The judge declined.")
        assert silent["subscore.answer-faithfulness"] == empty
        assert silent["score"] != empty
        assert silent["answer"] == empty
        assert failed["caps_lowered"] == "all-sql-failed"


def test_a_number_never_shows_an_edge_that_it_does_not_reach():
    turn = make_turn()
    export = make_export(make_report([(turn, make_verdict(turn, (10, 10, 10, 9.9999999999999)))]))
    assert read_csv(written(export, "csv"))[0]["score"] == "99.999999999999"
    assert read_xlsx(written(export, "xlsx"))[0]["score"] < 100
    assert read_parquet(written(export, "parquet"))[0]["score"] < 100


def test_no_cell_of_a_workbook_is_a_formula_or_a_link():
    texts = [*DANGEROUS, *INSIDE, "http://evil.example", "mailto:a@b.example", "<r><t>x</t></r>", "<r>"]
    export = export_of(
        *(
            make_turn(number, question=text, answer=Answer(text=text), labels={text[:200]: text})
            for number, text in enumerate(texts)
        )
    )
    data = written(export, "xlsx")
    sheet = read_sheet(data)
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n", "b", "d", "inlineStr"}
    assert [row["question"].lstrip(" ") for row in read_xlsx(data)] == [clean(text).lstrip(" ") for text in texts]
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")
        assert not [name for name in archive.namelist() if "externalLinks" in name or "sheet1.xml.rels" in name]
        assert b"quotePrefix" in archive.read("xl/styles.xml")


def test_what_looks_like_rich_text_of_the_library_is_written_as_text():
    markup = '<r><t>x</t></r></is></c><c r="A9" t="str"><f>1+1</f></c><c><is><r></r>'
    (row,) = read_xlsx(written(export_of(make_turn(question=markup)), "xlsx"))
    assert row["question"] == f" {markup}"


def test_no_cell_of_a_csv_file_begins_like_a_formula():
    texts = [*DANGEROUS, *INSIDE]
    turns = (make_turn(number, question=text, labels={f"l{number}": text}) for number, text in enumerate(texts))
    rows = read_csv(written(export_of(*turns), "csv"))
    assert [row["question"] for row in rows] == [make_inert(text) for text in texts]
    for row in rows:
        assert not [value for value in row.values() if value[:1] in [*"=+-@\t\r\n"] and value]


def test_csv_follows_rfc_4180_with_a_byte_order_mark(export):
    data = written(export, "csv")
    assert data.startswith(b"\xef\xbb\xbfturn,")
    assert data.endswith(b"\r\n")
    assert data.count(b"\r\n") == 13


def test_labels_that_collide_keep_a_column_each():
    labels = {"score": "a", "Client": "b", "client": "c", "label.client": "d", "x\x00": "e", "x[U+0000]": "f"}
    export = export_of(make_turn(labels=labels))
    for rows in (
        read_csv(written(export, "csv")),
        read_xlsx(written(export, "xlsx")),
        read_parquet(written(export, "parquet")),
    ):
        (row,) = rows
        found = {name: value for name, value in row.items() if name.startswith("label.")}
        assert sorted(found.values()) == ["a", "b", "c", "d", "e", "f"]
        assert len({name.casefold() for name in row}) == len(row)
        assert found["label.score"] == "a"


def test_more_labels_than_columns_share_one():
    common = make_turn(1, labels={"common": "yes"})
    odd = make_turn(2, labels={f"label {number:03}": "=x" for number in range(MOST_LABELS + 1)} | {"common": "yes"})
    first, second = read_csv(written(export_of(common, odd), "csv"))
    assert first["label.common"] == second["label.common"] == "yes"
    assert second["other_labels"] == '{"label 099":"=x","label 100":"=x"}'
    assert first["other_labels"] == ""


def test_a_text_beyond_the_limit_of_a_cell_is_cut_in_excel_alone_and_says_so():
    for letter, kept in (("W", 32_600), ("😀", 16_300)):
        export = export_of(make_turn(question=letter * 100_000))
        assert read_csv(written(export, "csv"))[0]["question"] == letter * 100_000
        assert read_parquet(written(export, "parquet"))[0]["question"] == letter * 100_000
        cell = read_xlsx(written(export, "xlsx"))[0]["question"]
        assert cell.startswith(letter * kept + " … [shortened")
        assert f"{kept:,} of 100,000 characters shown" in cell
        assert len(cell.encode("utf-16-le")) // 2 <= workbook.MOST_UNITS


def test_more_turns_than_a_sheet_holds_are_refused_before_anything_is_written(export, monkeypatch):
    monkeypatch.setattr(workbook, "MOST_ROWS", 12)
    with pytest.raises(RenderError, match=r"12 turns.*holds 11"):
        workbook.require_rows(export)
    monkeypatch.setattr(workbook, "MOST_ROWS", 13)
    workbook.require_rows(export)


def test_a_time_before_the_calendar_of_excel_is_text():
    early = datetime(1900, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=2)))
    export = export_of(make_turn(captured_at=early))
    assert read_xlsx(written(export, "xlsx"))[0]["captured_at"] == "1899-12-31T22:30:00+00:00"
    assert read_parquet(written(export, "parquet"))[0]["captured_at"] == early


def test_parquet_has_types_row_groups_and_the_run_in_its_metadata(export, monkeypatch):
    monkeypatch.setattr(parquet, "_ROWS", 5)
    file = pyarrow.parquet.ParquetFile(io.BytesIO(written(export, "parquet")))
    assert [file.metadata.row_group(number).num_rows for number in range(3)] == [5, 5, 2]
    assert str(file.schema_arrow.field("score").type) == "double"
    assert str(file.schema_arrow.field("agrees").type) == "bool"
    assert str(file.schema_arrow.field("captured_at").type) == "timestamp[us, tz=UTC]"
    assert file.schema_arrow.metadata[b"reportgen.seal"] == export.run.seal.encode()
    monkeypatch.setattr(parquet, "_LETTERS", 1)
    assert pyarrow.parquet.ParquetFile(io.BytesIO(written(export, "parquet"))).metadata.num_row_groups == 12


def test_parquet_without_its_library_names_the_extra(export, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(RenderError, match=r"reportgen\[parquet\]"):
        parquet.require_pyarrow(export)


def test_hostile_turns_read_back_in_each_format():
    export = make_export(make_report(make_hostile_cases()))
    questions = [pair.turn.question for pair in export.pairs()]
    assert [row["question"] for row in read_parquet(written(export, "parquet"))] == questions
    assert [row["question"] for row in read_csv(written(export, "csv"))] == list(map(make_inert, questions))
    cells = [row["question"] for row in read_xlsx(written(export, "xlsx"))]
    assert all(cell.startswith(clean(question)[:1000]) for cell, question in zip(cells, questions, strict=True))


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@settings(max_examples=60)
@given(words, words, st.dictionaries(names, words, max_size=3), st.lists(st.integers(0, 10), min_size=4, max_size=4))
def test_what_is_read_back_is_what_was_exported_but_for_what_is_made_inert(question, answer, labels, scores):
    turn = make_turn(question=question, answer=Answer(text=answer), labels=labels)
    export = make_export(make_report([(turn, make_verdict(turn, scores))]))
    (pair,) = export.pairs()
    (row,) = read_parquet(written(export, "parquet"))
    (line,) = read_csv(written(export, "csv"))
    (cells,) = read_xlsx(written(export, "xlsx"))
    assert (row["question"], row["answer"]) == (question, answer)
    assert (line["question"], line["answer"]) == (make_inert(question), make_inert(answer))
    for name, text in (("question", question), ("answer", answer)):
        assert (cells[name] or "").removeprefix(" ") == clean(text).removeprefix(" ")
    exported = sorted(value for name, value in row.items() if name.startswith("label.") and value is not None)
    assert exported == sorted(labels.values())
    assert row["score"] == float(line["score"]) == cells["score"] == float(pair.score.score)


def test_a_failed_run_of_one_turn_is_exported():
    turn = make_turn()
    export = make_export(make_report([(turn, make_failure(turn))]))
    assert read_csv(written(export, "csv"))[0]["unscored"] == "refused"
