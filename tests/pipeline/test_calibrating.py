"""From the labels of a run to its calibration, its report, and what may be claimed."""

import csv
import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from reportgen.analysis.calibration.results import gate_of, measure_calibration
from reportgen.archive.annexes import read_annex
from reportgen.archive.records import open_records
from reportgen.assembly import read_rows
from reportgen.model.calibration import Calibration
from reportgen.model.label import CalibrationSample
from reportgen.record import canonical

DIMENSIONS = ("intent-understood", "sql-quality", "result-relevance", "answer-faithfulness")


@pytest.fixture
def run(demo_run, tmp_path, monkeypatch):
    """A run of its own, of which 60 turns are to be labelled."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(demo_run, "runs/july")
    shutil.rmtree("runs/july/annexes", ignore_errors=True)
    return Path("runs/july")


@pytest.fixture
def sampled(reportgen, run):
    ended = reportgen("sample", "july", "--n", "60")
    assert ended.code == 0, ended.err
    return run


def label(reportgen, run, labeller, say):
    """Imports what `say` makes of each sampled turn: subscores by dimension, with `band`; None leaves the turn out."""
    records = open_records(run)
    sampled = {turn.turn for turn in read_annex(CalibrationSample, run, records.run.seal)[-1].turns}
    rows = []
    for score in records.scores():
        said = say(score) if score.turn in sampled else None
        if said is not None:
            rows.append({"turn": score.turn, "labeller": labeller, "date": "2026-08-01", **said})
    with Path(f"{labeller}.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, ["turn", "labeller", "date", *DIMENSIONS, "band"])
        table.writeheader()
        table.writerows(rows)
    ended = reportgen("labels", "import", "july", f"{labeller}.csv")
    assert ended.code == 0, ended.err


def as_the_judge(score):
    """The same subscores; nothing for a dimension that does not apply."""
    return {item.dimension: "N/A" if item.used is None else int(item.used) for item in score.subscores}


def stricter(score):
    """Four points less on each dimension of turns that the judge found good, for every third of them."""
    given = as_the_judge(score)
    if score.band == "good" and int(score.turn.encode().hex(), 16) % 3 == 0:
        return {name: value if value == "N/A" else max(0, value - 5) for name, value in given.items()}
    return given


def calibrate(reportgen):
    ended = reportgen("calibrate", "july", "--format", "json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)["calibration"]


def test_people_who_say_what_the_judge_says_pass_the_gate_and_correct_nothing(reportgen, sampled):
    label(reportgen, sampled, "anna", as_the_judge)
    found = calibrate(reportgen)
    use = found["production"]
    assert (found["gate"], found["turns"], found["scored"], found["covered"]) == ("pass", 60, 60, 1.0)
    assert (use["bands"]["kappa"]["value"], use["scores"]["bias"]["mean"]["value"]) == (1, 0)
    assert use["scores"]["rho"]["value"] == pytest.approx(1)
    people = found["people_find"]
    assert people["mean"]["value"] == pytest.approx(people["judge_mean"], abs=0.1)
    assert found["worst"] == []


def test_a_calibration_is_kept_once_and_a_new_label_makes_a_new_one(reportgen, sampled):
    label(reportgen, sampled, "anna", as_the_judge)
    first = calibrate(reportgen)
    again = reportgen("calibrate", "july")
    assert "the newest calibration in the annexes says the same" in again.out
    label(reportgen, sampled, "ben", stricter)
    second = calibrate(reportgen)
    seal = open_records(sampled).run.seal
    assert len(read_annex(Calibration, sampled, seal)) == 2
    assert (first["ceiling"], second["labellers"]) == (None, 2)
    assert second["ceiling"]["units"] == 60
    assert -1 < second["ceiling"]["kappa"] < 1


def test_all_figures_can_be_made_again_from_the_record_alone_and_it_names_nobody(reportgen, sampled):
    label(reportgen, sampled, "anna", stricter)
    found = calibrate(reportgen)
    records = open_records(sampled)
    (kept,) = read_annex(Calibration, sampled, records.run.seal)
    assert Calibration.from_data(kept.to_data()) == kept
    assert b"anna" not in canonical(kept.to_data())
    again = measure_calibration(kept, records.run.rubric, read_rows(records))
    assert (again.gate, again.production.bands.kappa.value) == (
        found["gate"],
        found["production"]["bands"]["kappa"]["value"],
    )
    assert gate_of(kept, records.run.rubric)[0] == found["gate"]


def test_labelled_turns_are_weighted_by_what_they_stand_for(reportgen, sampled):
    label(reportgen, sampled, "anna", stricter)
    calibrate(reportgen)
    records = open_records(sampled)
    (kept,) = read_annex(Calibration, sampled, records.run.seal)
    (sample,) = read_annex(CalibrationSample, sampled, records.run.seal)
    assert sum((pair.weight for pair in kept.pairs), Fraction(0)) == sum(item.population for item in sample.strata)
    probability = {turn.turn: turn.probability for turn in sample.turns}
    assert all(pair.weight * probability[pair.turn] == 1 for pair in kept.pairs)


def test_a_turn_without_a_label_is_stood_for_by_the_others_of_its_stratum(reportgen, sampled):
    dropped = []

    def most(score):
        if score.band == "good" and len(dropped) < 5:
            dropped.append(score.turn)
            return None
        return as_the_judge(score)

    label(reportgen, sampled, "anna", most)
    assert (calibrate(reportgen)["turns"], len(dropped)) == (55, 5)
    (kept,) = read_annex(Calibration, sampled, open_records(sampled).run.seal)
    for pair in kept.pairs:
        stratum = kept.strata[pair.stratum]
        assert pair.weight == Fraction(stratum.population, stratum.labelled)
    assert sum(stratum.labelled for stratum in kept.strata) == 55


def test_labels_with_a_band_alone_count_for_the_bands_and_nothing_else(reportgen, sampled):
    label(reportgen, sampled, "anna", lambda score: {"band": score.band})
    found = calibrate(reportgen)
    assert (found["turns"], found["scored"]) == (60, 0)
    assert found["production"]["bands"]["kappa"]["value"] == 1
    assert found["production"]["scores"]["rho"]["undefined"] == "no turn has both"
    assert found["people_find"]["mean"]["undefined"] == "people gave no subscores"


def test_labels_with_some_subscores_and_no_band_are_left_out_and_counted(reportgen, sampled):
    def some(score):
        given = as_the_judge(score)
        return {"sql-quality": given["sql-quality"]} if score.band == "poor" else given

    label(reportgen, sampled, "anna", some)
    found = calibrate(reportgen)
    assert list(found["left_out"]) == ["neither all subscores nor a band"]
    assert found["turns"] + found["left_out"]["neither all subscores nor a band"] == 60
    assert (found["gate"], found["covered"] < 1) == ("not-estimable", True)
    assert found["people_find"]["mean"]["value"] is None


def test_a_generous_judge_fails_and_the_furthest_turns_are_named(reportgen, sampled):
    def harsh(score):
        given = as_the_judge(score)
        return {name: value if value == "N/A" else max(0, value - 4) for name, value in given.items()}

    label(reportgen, sampled, "anna", harsh)
    found = calibrate(reportgen)
    assert found["gate"] in {"fail", "not-estimable"}
    assert found["production"]["scores"]["bias"]["mean"]["low"] > 0
    assert found["people_find"]["mean"]["high"] < found["people_find"]["judge_mean"]
    assert (len(found["worst"]), found["far_apart"] > 10) == (10, True)
    text = reportgen("calibrate", "july").out
    assert f"10 points or more apart: {found['far_apart']} of 60 turns; the 10 furthest" in text
    assert text.index("labelled turns, judge by line") < text.index(
        "by the weights of the sample, which stand for the run"
    )


def test_turns_that_lie_a_few_points_apart_are_not_listed(reportgen, sampled):
    def lower(score):
        given = as_the_judge(score)
        return {**given, "intent-understood": max(0, given["intent-understood"] - 1)}

    label(reportgen, sampled, "anna", lower)
    found = calibrate(reportgen)
    assert found["production"]["scores"]["bias"]["mean"]["value"] > 1
    assert (found["far_apart"], found["worst"]) == (0, [])
    assert "10 points or more apart: 0 of 60 turns\n" in reportgen("calibrate", "july").out


def test_without_labels_there_is_nothing_to_calibrate(reportgen, run):
    ended = reportgen("calibrate", "july")
    assert (ended.code, ended.err.startswith("error[calibration]:")) == (1, True)
    assert reportgen("weights", "july").code == 1


def test_the_weights_are_reviewed_and_too_few_labels_decide_nothing(reportgen, sampled):
    label(reportgen, sampled, "anna", lambda score: {**as_the_judge(score), "band": score.band})
    ended = reportgen("weights", "july", "--format", "json")
    assert ended.code == 0, ended.err
    data = json.loads(ended.out)
    assert (data["format"], data["state"]) == ("reportgen/weight-review/1", "not-estimable")
    assert "Weights are never changed" in reportgen("weights", "july").out


def test_the_weights_are_reviewed_by_files_of_labels_too_which_are_not_recorded(reportgen, sampled):
    label(reportgen, sampled, "anna", lambda score: {**as_the_judge(score), "band": score.band})
    recorded = json.loads(reportgen("weights", "july", "--format", "json").out)
    shutil.rmtree("runs/july/annexes")
    rows = Path("anna.csv").read_text("utf-8").splitlines(keepends=True)
    Path("one.csv").write_text("".join(rows[:20]))
    Path("two.csv").write_text("".join([rows[0], *rows[20:]]))
    ended = reportgen("weights", "july", "--labels", "one.csv", "--labels", "two.csv", "--format", "json")
    assert (ended.code, json.loads(ended.out)) == (0, recorded), ended.err
    assert not Path("runs/july/annexes").exists()
    Path("one.csv").write_text("turn,labeller,date,band\nt-unknown,anna,2026-08-01,good\n")
    refused = reportgen("weights", "july", "--labels", "one.csv")
    assert (refused.code, "error[label" in refused.err) == (1, True)


def test_the_report_takes_the_calibration_in_and_is_verified_from_itself_alone(reportgen, sampled):
    reportgen("report", "july", "--format", "json", "--out", "before")
    label(reportgen, sampled, "anna", stricter)
    calibrate(reportgen)
    ended = reportgen("report", "july", "--format", "json", "--out", "after")
    assert ended.code == 0, ended.err
    before, after = (json.loads(Path(name, "report.json").read_text()) for name in ("before", "after"))
    assert (before["findings"]["calibration"], before["findings"]["limitations"]["calibrated"]) == (None, False)
    assert after["findings"]["calibration"]["turns"] == 60
    assert after["findings"]["limitations"]["human_labels"] == 60
    assert (before["revision"]["number"], after["revision"]["number"]) == (1, 2)
    verified = reportgen("verify", "after/report.json")
    assert verified.code == 0, verified.out
    assert "what people said of 60 turns" in verified.out


def test_a_report_whose_calibration_was_changed_is_found_out(reportgen, sampled):
    label(reportgen, sampled, "anna", stricter)
    calibrate(reportgen)
    reportgen("report", "july", "--format", "json", "--out", "out")
    data = json.loads(Path("out/report.json").read_text())
    pair = data["revision"]["calibration"]["pairs"][0]
    pair["judge_score"] = "12.5"
    pair["people"][0]["score"] = "99"
    Path("forged.json").write_text(json.dumps(data))
    ended = reportgen("verify", "forged.json")
    assert ended.code == 4
    said = ended.out + ended.err
    assert f"calibration, turn {pair['turn']}: judge_score" in said
    assert f"calibration, turn {pair['turn']}: score of labeller 1" in said


def test_the_page_shows_the_gate_the_figures_and_what_they_rest_on(reportgen, sampled):
    label(reportgen, sampled, "anna", stricter)
    label(reportgen, sampled, "ben", as_the_judge)
    calibrate(reportgen)
    ended = reportgen("report", "july", "--format", "html", "--out", "out")
    assert ended.code == 0, ended.err
    page = next(Path("out").rglob("*.html")).read_text("utf-8")
    section = page.partition('id="section-calibration"')[2].partition("<section")[0]
    assert "60 turns of this run were labelled by 2 people" in section
    assert "Kappa of the bands" in section
    assert "The run as people would have it" in section
    assert "anna" not in section


def test_without_a_calibration_the_page_says_that_there_is_none(reportgen, run):
    reportgen("report", "july", "--format", "html", "--out", "out")
    page = next(Path("out").rglob("*.html")).read_text("utf-8")
    assert "No labels of people were held against the judge of this run" in page


def test_a_calibration_in_the_annexes_that_was_changed_is_found_out(reportgen, sampled):
    label(reportgen, sampled, "anna", stricter)
    calibrate(reportgen)
    assert reportgen("verify", "runs/july").code == 0
    path = sampled / "annexes/calibrations.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"judge_band":"poor"', b'"judge_band":"good"', 1))
    ended = reportgen("verify", "runs/july")
    assert ended.code == 4
    assert "judge_band: states good, but poor follows" in ended.out + ended.err


def more_weight(data):
    data["pairs"][0]["weight"] = "4900"


def larger_stratum(data):
    """A stratum and all its turns stand for more, so that the two agree."""
    data["strata"][0]["population"] = "490"
    for pair in (pair for pair in data["pairs"] if pair["stratum"] == 0):
        pair["weight"] = f"490/{data['strata'][0]['labelled']}"


def without_a_labeller(data):
    for pair in data["pairs"]:
        del pair["people"][1:]


def speaks_twice(data):
    data["pairs"][0]["people"][1]["labeller"] = 1


def fewer_pairs(data):
    """Turns are left out, and the others of their stratum stand for them too, as if they had not been labelled."""
    gone = [pair for pair in data["pairs"] if pair["stratum"] == 2][:5]
    data["pairs"] = [pair for pair in data["pairs"] if pair not in gone]
    data["strata"][2]["labelled"] -= 5
    for pair in (pair for pair in data["pairs"] if pair["stratum"] == 2):
        pair["weight"] = "2"


def other_words(data):
    """A labeller said what the judge said, and the score follows from it."""
    pair = next(pair for pair in data["pairs"] if pair["people"][0]["score"] != pair["judge_score"])
    pair["people"][0] |= {
        "subscores": pair["judge_subscores"],
        "score": pair["judge_score"],
        "band": pair["judge_band"],
    }


@pytest.mark.parametrize(
    ("forge", "what"),
    [
        (more_weight, "weight: states 4900"),
        (larger_stratum, "population of the strata of band good: states "),
        (without_a_labeller, "calibration: labellers: states 2, but 1 follows"),
        (speaks_twice, "verdicts of labeller 1: states 2, but 1 follows"),
        (fewer_pairs, "calibration 1 in the annexes does not follow from the labels and samples there"),
        (other_words, "calibration 1 in the annexes does not follow from the labels and samples there"),
    ],
)
def test_what_turns_stand_for_and_who_said_what_cannot_be_changed_unnoticed(reportgen, sampled, forge, what):
    label(reportgen, sampled, "anna", stricter)
    label(reportgen, sampled, "ben", as_the_judge)
    calibrate(reportgen)
    label(reportgen, sampled, "carl", stricter)
    path = sampled / "annexes/calibrations.jsonl"
    assert reportgen("verify", "runs/july").code == 0
    data = json.loads(path.read_text())
    forge(data)
    path.write_bytes(canonical(data) + b"\n")
    ended = reportgen("verify", "runs/july")
    assert ended.code == 4
    assert what in ended.out + ended.err


def test_the_summary_says_of_each_state_what_is_known_of_peoples_agreement_and_contradicts_nothing(reportgen, sampled):
    def say():
        assert reportgen("report", "july", "--format", "html", "--out", "out").code == 0
        return " ".join(next(Path("out").rglob("*.html")).read_text("utf-8").split())

    unknown = "Whether people would agree with the judge was not measured: no labels of people were held against it."
    assert unknown in say()
    label(reportgen, sampled, "anna", stricter)
    assert unknown in say()
    assert calibrate(reportgen)["gate"] != "pass"
    assert "It does not show that people would agree with the judge: they labelled 60 turns, and" in say()
    label(reportgen, sampled, "anna", as_the_judge)
    assert calibrate(reportgen)["gate"] == "pass"
    page = say()
    assert "People labelled 60 turns, and by these the judge’s bands agree with theirs well enough to pass" in page
    assert "does not show that people" not in page
