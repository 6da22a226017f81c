"""The page recomputes its own scores, and what was changed in it stands out."""

import json
import random
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from reportgen.model.turn import Answer
from reportgen.publishing.browser.retracing import describe_turn
from reportgen.publishing.printing import print_exact, print_score
from reportgen.resources import resource
from reportgen.rubrics import load_rubric
from reportgen.scoring.composite import score_turn
from reportgen.scoring.rounding import print_number
from tests.publishing.conftest import JUDGE, make_report, make_statement, make_turn, make_verdict


def recompute(page):
    """What the page says after recomputing, and the marks on the turns in full."""
    page.click("#check button")
    page.wait_for_selector("#check [role=status]:not(:empty)")
    marks = page.locator("article .mark").all_text_contents()
    return page.text_content("#check [role=status]"), marks


def change(source, tmp_path, before, after, begin="<body"):
    """A copy of the page in which one place is changed, the first after `begin`."""
    head, mark, tail = source.read_text("utf-8").partition(begin)
    assert before in tail
    path = tmp_path / "changed.html"
    path.write_text(head + mark + tail.replace(before, after, 1), "utf-8")
    return path


def test_every_score_of_the_example_agrees_and_so_does_the_mean(open_page, example, demo_run):
    summary = json.loads((demo_run / "run.json").read_text("utf-8"))["summary"]
    says, marks = recompute(open_page(example).page)
    assert says.startswith(f"{summary['scored']} scores recomputed. All agree with what is printed.")
    assert re.search(r"The mean, recomputed: \d+\.\d, as printed\.", says)
    assert len(marks) == summary["turns"]
    assert all(re.match(r"✓ recomputed: \d+\.\d, as printed", mark) for mark in marks)


def test_the_index_of_a_folder_recomputes_all_and_each_page_its_own(open_page, folder):
    says, _ = recompute(open_page(folder / "index.html").page)
    assert re.match(r"69 scores recomputed\. All agree with what is printed\. The mean, recomputed", says)
    says, marks = recompute(open_page(folder / "turns/0002.html").page)
    assert says == "19 scores recomputed. All agree with what is printed."
    assert len(marks) == 19


def test_a_turn_without_a_score_is_counted_apart(open_page, small):
    says, marks = recompute(open_page(small).page)
    assert says.startswith("4 scores recomputed. All agree with what is printed. 1 turn without a score.")
    assert marks[4] == "✓ no verdict to compute a score from"


CHANGES = {
    "a printed score": (
        "<article",
        'class="score" data-printed="score">88.0',
        'class="score" data-printed="score">98.0',
    ),
    "the score in the list": ("turn-index", 'data-printed="score">88.0', 'data-printed="score">98.0'),
    "a verdict in the data": ("report-data", '[["10"],["8"],["8"],["9"]]', '[["10"],["9"],["8"],["9"]]'),
    "a subscore in the breakdown": ("<article", 'data-printed="given">8<', 'data-printed="given">7<'),
    "a used subscore": ("<article", 'data-printed="used">8<', 'data-printed="used">9<'),
    "a weight in the breakdown": ("<article", 'data-printed="weight">30', 'data-printed="weight">31'),
    "an effective weight": ("<article", 'data-printed="effective">30', 'data-printed="effective">33'),
    "what a dimension adds": ("<article", 'data-printed="adds">30', 'data-printed="adds">33'),
    "a raw score": ("<article", 'data-printed="raw">88', 'data-printed="raw">98'),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_of_one_turn_is_marked_on_that_turn_alone(open_page, small, tmp_path, what):
    begin, before, after = CHANGES[what]
    page = open_page(change(small, tmp_path, before, after, begin)).page
    says, marks = recompute(page)
    assert "Of 1 turn the page or its data states something else." in says
    assert [mark[0] for mark in marks] == ["✗", "✓", "✓", "✓", "✓"]
    assert page.locator(".differing li").count() == 1
    assert page.locator("#turn-index .differs").count() == 1


def test_a_changed_band_and_a_changed_headline_are_marked(open_page, small, tmp_path):
    mean = re.search(r'data-printed="mean">([0-9.]+)<', small.read_text("utf-8"))[1]
    says, _ = recompute(open_page(change(small, tmp_path, f'"mean">{mean}<', '"mean">99.9<')).page)
    assert f"The mean, recomputed: {mean}; the page prints {mean}, 99.9, {mean}." in says
    page = open_page(change(small, tmp_path, '"band":"good"', '"band":"partial"')).page
    _, marks = recompute(page)
    assert "the page states partial" in marks[0]


def test_other_weights_show_what_would_change_and_say_that_it_is_no_figure_of_the_report(open_page, small):
    page = open_page(small).page
    page.click("#weights summary")
    for place, weight in enumerate((0, 100, 0, 0)):
        page.fill(f"#weight-{place}", str(weight))
    says = page.locator("#weights [role=status]")
    says.filter(
        has_text="With these weights the mean would be 65.0 instead of 84.3, and 3 turns would change"
    ).wait_for()
    rubric = load_rubric("sql-agent-1")
    assert "not the report’s figures" in page.text_content("#weights caption")
    assert page.locator("#weights .changed li").count() == 3
    assert "turn-2: " in page.text_content("#weights .changed")
    page.click("text=Back to the rubric’s weights")
    assert page.input_value("#weight-1") == str(rubric.dimensions[1].weight)
    assert page.locator("#weights .changed").count() == 0


def test_weights_that_are_none_are_refused(open_page, small):
    page = open_page(small).page
    page.click("#weights summary")
    says = page.locator("#weights [role=status]")
    for weights in (("", "25", "25", "20"), ("0", "0", "0", "0"), ("1.5", "25", "25", "20")):
        for place, weight in enumerate(weights):
            page.fill(f"#weight-{place}", weight)
        says.filter(has_text="whole number from 0 to 100").wait_for()
        assert page.locator("#weights table").count() == 0
        page.click("text=Back to the rubric’s weights")
        says.filter(has_text="the rubric’s again").wait_for()


def test_going_back_to_the_rubrics_weights_holds_though_a_change_was_just_typed(open_page, small):
    page = open_page(small).page
    page.click("#weights summary")
    says = page.evaluate(
        """async () => {
          const input = document.getElementById("weight-0");
          input.value = "99";
          input.dispatchEvent(new Event("input", { bubbles: true }));
          document.querySelector("#weights button").click();
          await new Promise((resolve) => setTimeout(resolve, 400));
          return document.querySelector("#weights [role=status]").textContent;
        }"""
    )
    assert says == "The weights are the rubric’s again."


def run_script(chromium, call, data):
    """What the page's own functions give for these data."""
    folder = resource("templates") / "script"
    source = "\n".join((folder / f"{name}.js").read_text("utf-8") for name in ("exact", "scoring"))
    page = chromium.new_page()
    try:
        return page.evaluate(f"(data) => {{ {source}\n return data.map({call}); }}", data)
    finally:
        page.close()


def make_cases(count: int):
    """Turns with one reading, several, or a panel of judges; off the scale, left out, capped."""
    draw = random.Random(7)
    values = [0, 1, 3, 5, 7, 8, 9, 10, 6.5, 7.25, 9.99, 3.3333333333333335, -1, 11, 0.1]
    silent = make_turn(1, answer=Answer(not_captured="elsewhere"))
    failed = make_turn(1, trajectory=(make_statement(status="error", error="no", columns=None, rows=None),))
    pattern = make_verdict(silent)
    for _ in range(count):
        judges, samples = draw.choice([(1, 1), (1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 2)])
        verdicts = []
        for judge in range(judges):
            for sample in range(1, samples + 1):
                reply = pattern.reply.model_copy(
                    update={"scores": {name: draw.choice(values) for name in pattern.reply.scores}}
                )
                named = JUDGE.model_copy(update={"model": f"judge-{judge}"})
                verdicts.append(pattern.model_copy(update={"reply": reply, "judge": named, "sample": sample}))
                if draw.random() < 0.1:
                    verdicts[-1] = verdicts[-1].model_copy(update={"outcome": "refused", "reply": None})
        yield draw.choice([make_turn(1), silent, failed]), tuple(verdicts)


def test_the_page_computes_as_the_program_does(chromium):
    rubric = load_rubric("sql-agent-1")
    entry = next(iter(make_report([(turn := make_turn(1), make_verdict(turn))]).turns()))
    cases, expected = [], []
    for turn, verdicts in make_cases(400):
        score = score_turn(turn, verdicts, rubric, JUDGE.name)
        described = describe_turn(replace(entry, turn=turn, verdicts=verdicts, score=score), rubric)
        cases.append(described)
        exact = score.score
        expected.append(exact and [f"{exact.numerator}/{exact.denominator}", print_score(exact, rubric), score.band])
    arithmetic = {
        "scale": rubric.scale.maximum,
        "dimensions": [{"weight": item.weight} for item in rubric.dimensions],
        "bands": [{"id": band.id, "atLeast": band.at_least} for band in rubric.bands],
        "caps": [{"ceiling": cap.ceiling} for cap in rubric.caps],
    }
    call = (
        f"(turn) => {{ const rubric = {json.dumps(arithmetic)};"
        "const found = scoreTurn(turn, rubric, ownWeights(rubric));"
        "return found && [`${found.score.top}/${found.score.bottom}`, printScore(found.score, rubric), found.band]; }"
    )
    assert run_script(chromium, call, cases) == expected
    assert 0 < expected.count(None) < 100


def test_the_page_prints_as_the_program_does(chromium):
    draw = random.Random(11)
    numbers = [Fraction(draw.randint(-20, 10_020), draw.choice([1, 2, 3, 7, 20, 100, 997])) for _ in range(400)]
    numbers += [Fraction(text) for text in ("99.95", "99.96", "74.95", "74.96", "0.04", "0.05", "49.99", "75", "87.25")]
    data = [[str(number.numerator), str(number.denominator)] for number in numbers]
    call = "([top, bottom]) => printNumber(makeFraction(BigInt(top), BigInt(bottom)), 1, [0, 50, 75, 100])"
    assert run_script(chromium, call, data) == [print_number(number, 1, (0, 50, 75, 100)) for number in numbers]
    call = "([top, bottom]) => printExact(makeFraction(BigInt(top), BigInt(bottom)))"
    assert run_script(chromium, call, data) == [print_exact(number) for number in numbers]


def test_the_page_reads_each_decimal_that_the_program_writes(chromium):
    texts = ["8", "8.5", "-1", "0.1", "1e-7", "1e+21", "3.3333333333333335", "12.50"]
    read = run_script(chromium, "(text) => { const n = readDecimal(text); return `${n.top}/${n.bottom}`; }", texts)
    assert [Fraction(text) for text in read] == [Fraction(text) for text in texts]
    assert run_script(chromium, "(text) => readDecimal(text)", ["", "–", "NaN", "1 2", "0x10"]) == [None] * 5
