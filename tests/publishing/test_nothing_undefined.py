"""A report never prints a number that is none: what cannot be computed is absent, with the reason."""

import json
import re

import pytest

from reportgen.publishing.browser.html import render_html
from reportgen.publishing.data import render_json
from tests.publishing.conftest import make_failure, make_report, make_turn, make_verdict
from tests.publishing.metric_cases import make_metric_cases, make_metric_report

NO_NUMBER = re.compile(r"\b(nan|NaN|inf|Infinity|undefined|None(?! [a-z]))\b")


def make_cases(kind):
    turns = [make_turn(number) for number in range(1, 13)]
    if kind == "no turn":
        return []
    if kind == "one turn":
        return [(turns[0], make_verdict(turns[0]))]
    if kind == "none scored":
        return [(turn, make_failure(turn)) for turn in turns]
    if kind == "all equal":
        return [(turn, make_verdict(turn, (8, 8, 8, 8))) for turn in turns]
    if kind == "one conversation":
        return [(same, make_verdict(same)) for turn in turns if (same := turn.model_copy(update={"conversation": "c"}))]
    return [(turn, make_verdict(turn, (9, 9, number % 10, 8))) for number, turn in enumerate(turns)]


METRICS = {
    "no turn": [],
    "one turn": make_metric_cases()[:1],
    "one metric": [case for case in make_metric_cases() if "refused" in {verdict.outcome for verdict in case[1]}],
    "many": make_metric_cases(),
}


@pytest.mark.parametrize("kind", METRICS)
def test_neither_does_a_report_of_metrics(kind):
    require_numbers(make_metric_report(METRICS[kind]))


def printed(html):
    """The text of a page without its script, its style and the data that it carries."""
    bare = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", " ", bare)


@pytest.mark.parametrize("kind", ["no turn", "one turn", "one client", "one conversation", "none scored", "all equal"])
def test_nothing_prints_a_number_that_is_none(kind):
    require_numbers(make_report(make_cases(kind)))


def require_numbers(report):
    text = printed("".join(render_html(report)))
    assert [text[found.start() - 60 : found.end() + 60] for found in NO_NUMBER.finditer(text)] == []
    data = json.loads(b"".join(render_json(report)), parse_constant=pytest.fail)
    assert lacking(data["findings"]) == []


def lacking(value, place="findings"):
    """The estimates without a value or an interval that do not say why."""
    if isinstance(value, list):
        return [found for number, item in enumerate(value) for found in lacking(item, f"{place}[{number}]")]
    if not isinstance(value, dict):
        return []
    is_estimate = {"value", "low", "high", "n", "undefined"} <= value.keys()
    here = [place] if is_estimate and value["low"] is None and not value["undefined"] else []
    return here + [found for name, item in value.items() for found in lacking(item, f"{place}.{name}")]


def test_the_sight_for_what_is_no_number_is_not_blind():
    assert NO_NUMBER.search("mean nan of")
    assert lacking({"value": None, "low": None, "high": None, "n": 0, "undefined": None}) == ["findings"]
