"""`reportgen calibrate` on a table of ratings, made up and real."""

import csv
import json
from collections import Counter

import pytest


def write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["unit", "rater", "value"])
        table.writerows(rows)
    return path


@pytest.fixture
def calibrate(reportgen, tmp_path):
    """Gives the command a table of these rows, and takes its JSON."""

    def call(rows, *arguments):
        ended = reportgen("calibrate", write(tmp_path / "ratings.csv", rows), *arguments, "--format", "json")
        assert ended.code == 0, ended.err
        return json.loads(ended.out)

    return call


ROWS = [("u3", "judge", "3.0"), ("u1", "ann", "1"), ("u2", "judge", "2"), ("u1", "judge", "1"), ("u2", "ann", "3")]


def test_ratings_are_joined_by_unit_whatever_their_order(calibrate):
    rows = [*ROWS, ("u3", "ann", "3"), ("u4", "ann", "2"), ("u5", "judge", "2")]
    chosen = ("--judge", "judge", "--reference", "ann", "--scale", "1,2,3")
    found = calibrate(rows, *chosen)
    assert (found["both"], found["only_judge"], found["only_reference"]) == (3, 1, 1)
    assert found["categories"]["table"]["2"] == {"1": 0, "2": 0, "3": 1}
    assert calibrate(rows[::-1], *chosen) == found


def test_what_is_off_the_scale_or_not_applicable_is_left_out_and_counted_by_its_value(calibrate):
    rows = [
        *ROWS,
        ("u3", "ann", "0"),
        ("u4", "judge", "garbage"),
        ("u5", "judge", ""),
        ("u6", "ann", "7"),
        ("u6", "bob", "9"),
    ]
    found = calibrate(rows, "--judge", "judge", "--reference", "ann", "--scale", "1,2,3", "--not-applicable", "0")
    assert found["not_applicable"] == {"ann": {"0": 1}}
    assert found["off_scale"] == {"judge": {"": 1, "garbage": 1}, "ann": {"7": 1}}
    assert found["both"] == 2


def test_the_majority_of_the_others_is_what_most_say_and_a_tie_is_counted(calibrate):
    votes = {"u1": "112", "u2": "333", "u3": "123", "u4": "22"}
    rows = [(unit, f"r{place}", vote) for unit, given in votes.items() for place, vote in enumerate(given)]
    rows += [(unit, "judge", "2") for unit in votes]
    found = calibrate(rows, "--judge", "judge", "--majority", "--scale", "1,2,3")
    assert (found["reference"], found["both"], found["no_majority"]) == ("majority of the others", 3, 1)
    assert found["ceiling"]["raters"] == ["r0", "r1", "r2"]


def test_the_text_holds_what_was_left_out_the_table_and_the_figures(reportgen, tmp_path):
    path = write(
        tmp_path / "ratings.csv", [*ROWS, ("u3", "ann", "x\x1b[31m"), ("u4", "judge", "3"), ("u4", "ann", "3")]
    )
    ended = reportgen("calibrate", path, "--judge", "judge", "--reference", "ann", "--scale", "1,2,3")
    assert ended.code == 0, ended.err
    assert "judge against ann: 3 units rated by both" in ended.out
    assert "left out, off the scale: ann: x" in ended.out
    assert "\x1b" not in ended.out
    assert "kappa, quadratic weights" in ended.out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"unit,rater\nu,r\n", "has no column value"),
        (b"", "has no column unit, rater, value"),
        (b"unit,rater,value\nu,judge,1\nu,judge,2\n", "again, after line 2"),
        (b"unit,rater,value\n,judge,1\n", "line 2: unit or rater is empty"),
        (b"unit,rater,value\nu,judge,\xff\n", "is not in UTF-8"),
        (b"unit,rater,value\nu,bob,1\n", "has no rater 'judge'"),
        (b"unit,rater,value,value\nu,judge,1,2\nu,bob,1,2\n", "has the column value twice"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_the_place(reportgen, tmp_path, text, says):
    (tmp_path / "ratings.csv").write_bytes(text)
    ended = reportgen("calibrate", tmp_path / "ratings.csv", "--judge", "judge", "--reference", "bob", "--scale", "1,2")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("error[calibration]:")
    assert says in ended.err


def test_a_number_too_large_to_be_a_rating_is_off_the_scale_and_takes_no_time(reportgen, tmp_path):
    huge = "".join(
        f"u{number},judge,{value}\n" for number, value in enumerate(["1e99999999", "1e-99999999", "9" * 9999])
    )
    path = tmp_path / "ratings.csv"
    path.write_text(f"unit,rater,value\n{huge}a,judge,1E+00\na,bob,1\nb,judge,2\nb,bob,1e308\n")
    words = ["calibrate", path, "--judge", "judge", "--reference", "bob", "--format", "json"]
    found = json.loads(reportgen(*words, "--scale", "1,2,3").out)
    assert (found["both"], sum(found["off_scale"]["judge"].values())) == (1, 3)
    for scale in ("1,1e308", "1,1e-200,inf", "1,nan"):
        found = json.loads(reportgen(*words, "--scale", scale).out)
        assert found["values"] is None


def test_json_for_other_programs_holds_no_letter_that_acts_and_reads_back(reportgen, tmp_path):
    value = "\x1b[31m\x9b\u202e"
    path = tmp_path / "ratings.csv"
    path.write_text(f"unit,rater,value\nu,judge,{value}\nu,bob,1\n", "utf-8")
    ended = reportgen("calibrate", path, "--judge", "judge", "--reference", "bob", "--scale", "1,2", "--format", "json")
    assert all(letter.isprintable() or letter == "\n" for letter in ended.out)
    assert json.loads(ended.out)["off_scale"]["judge"] == {value: 1}


def test_a_table_without_a_judge_a_scale_or_a_reference_is_wrong_use(reportgen, tmp_path):
    path = write(tmp_path / "ratings.csv", ROWS)
    assert reportgen("calibrate", path).code == 2
    assert reportgen("calibrate", path, "--judge", "judge", "--scale", "1,2,3").code == 2
    assert reportgen("calibrate", path, "--judge", "judge", "--majority", "--scale", "1,1,3").code == 2


def read_tsv(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def rubric_rows(folder, criterion, judge_file, column):
    """People's ratings of a criterion, and a judge's."""
    people = read_tsv(folder / "human_judges_real_convs_FIXED_ANON.tsv")
    yield from ((line["text_id"], "person", line[criterion]) for line in people)
    judge = read_tsv(folder / judge_file)
    yield from ((line["text_id"], "judge", line[column]) for line in judge if line["criterion"] == criterion)


SCALE = ("--judge", "judge", "--reference", "person", "--scale", "1,2,3,4", "--not-applicable", "0")
near = lambda value: pytest.approx(value, abs=1e-6)  # noqa: E731


@pytest.mark.real_data
def test_agreement_on_the_whole_conversation_of_llm_rubric_is_reproduced(calibrate, shared):
    folder = shared / "data" / "llm_rubric"
    file = "gpt-3.5-turbo-16k_real_evaluations_FIXED.tsv"
    found = calibrate(list(rubric_rows(folder, "Q0", file, "sample_llm")), *SCALE)
    categories = found["categories"]
    assert found["both"] == 223
    assert found["values"]["rho"]["value"] == near(0.038656)
    assert [categories[name]["value"] for name in ("kappa", "kappa_linear", "kappa_quadratic")] == [
        near(0.025081),
        near(0.046826),
        near(0.076934),
    ]


@pytest.mark.real_data
def test_a_constant_judge_of_llm_rubric_has_no_rho_and_a_kappa_of_0(calibrate, shared):
    folder = shared / "data" / "llm_rubric"
    found = calibrate(list(rubric_rows(folder, "Q5", "real_convs_machine_baselines.tsv", "argmax_llm")), *SCALE)
    assert (found["values"]["rho"]["value"], found["categories"]["kappa"]["value"]) == (None, 0)
    assert found["values"]["rho"]["undefined"] == "one side is the same for all"
    assert found["not_applicable"] == {"person": {"0": 77}}


def pandalm(folder):
    """Items by their id, since nothing is joined by line order."""
    people = json.loads((folder / "testset-v1.json").read_text("utf-8"))
    judge = json.loads((folder / "gpt-3.5-turbo-testset-v1.json").read_text("utf-8"))
    names = ("annotator1", "annotator2", "annotator3")
    rows = [(item["idx"], name, item[name]) for item in people for name in names]
    return rows + [(item["idx"], "gpt", {"Tie": "0"}.get(item["gpt_result"], item["gpt_result"])) for item in judge]


@pytest.mark.real_data
def test_the_agreement_of_two_annotators_of_pandalm_is_reproduced(calibrate, shared):
    rows = pandalm(shared / "data" / "pandalm")
    found = calibrate(rows, "--judge", "annotator1", "--reference", "annotator2", "--scale", "0,1,2", "--nominal")
    assert (found["both"], found["categories"]["kappa"]["value"]) == (999, near(0.852023))


@pytest.mark.real_data
def test_the_agreement_of_the_majority_of_pandalm_with_its_judge_is_reproduced(calibrate, shared):
    rows = pandalm(shared / "data" / "pandalm")
    assert Counter(value for _, rater, value in rows if rater == "gpt")["garbage"] == 25
    found = calibrate(rows, "--judge", "gpt", "--majority", "--scale", "0,1,2", "--nominal")
    assert found["off_scale"] == {"gpt": {"garbage": 25}}
    assert (found["both"], found["no_majority"]) == (974, 0)
    assert found["categories"]["kappa"]["value"] == near(0.492865)
