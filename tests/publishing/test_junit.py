"""Gates as JUnit XML, as build servers read it."""

import re
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from reportgen.analysis.gates import Demand, GateResult
from reportgen.model.run import Estimate
from reportgen.publishing.gates import say_demand, say_finding
from reportgen.publishing.junit import render_junit
from tests.publishing.hostile import ALL

AT_LEAST = Demand("at least", Fraction(80), "score", "value")


def of_value(value, demand=AT_LEAST, state="failed", **estimate):
    figure = Estimate(value=Fraction(value), n=9, **estimate)
    return GateResult("mean_at_least", "mean score", state, None, demand, figure)


@pytest.fixture
def results():
    return [
        of_value(90, state="passed", low=85.0, high=95.0),
        of_value("79.96", low=70.25, high=88.0),
        GateResult("no_failed_canary", "no failed canary", "undecided", "no canary was judged"),
    ]


def test_each_gate_is_a_test_case_with_its_outcome(report, results):
    suites = ET.fromstring(render_junit(report.run, results))
    (suite,) = suites
    assert (suites.tag, suite.tag) == ("testsuites", "testsuite")
    assert [child.tag for child in suite] == ["properties", *["testcase"] * 3, "system-out", "system-err"]
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "time")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "time": "0",
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp"))
    assert [[child.tag for child in case] for case in suite.findall("testcase")] == [[], ["failure"], ["error"]]
    assert suite.find("testcase/failure").get("message") == "79.96, 95 % interval 70.3 to 88.0"
    assert suite.find("testcase/error").get("message") == "no canary was judged"
    assert {item.get("name") for item in suite.iter("property")} >= {"run", "seal", "rubric", "judge"}


def test_the_attributes_are_those_that_the_schema_knows(report, results):
    (suite,) = ET.fromstring(render_junit(report.run, results))
    known = {"id", "package", "name", "timestamp", "hostname", "tests", "failures", "errors", "time"}
    assert set(suite.attrib) == known
    for case in suite.findall("testcase"):
        assert set(case.attrib) == {"name", "classname", "time"}
        assert all(set(child.attrib) == {"message", "type"} for child in case)


def test_the_same_run_gives_the_same_bytes(report, results):
    assert render_junit(report.run, results) == render_junit(report.run, results)


def test_hostile_labels_are_text_and_hold_nothing_that_xml_forbids(report):
    evil = ALL + "]]>\x00\x0b\ufffe"
    result = GateResult("strata", f"mean score for client {evil}", "failed", evil)
    data = render_junit(report.run, [result])
    (suite,) = ET.fromstring(data)
    (case,) = suite.findall("testcase")
    assert case.get("name").startswith("mean score for client </script>")
    assert "[U+0000]" in case.get("name")
    assert len(list(case)) == 1
    assert not re.search("[\x00-\x08\x0b-\x1f\ufffe\uffff]", data.decode())


def test_figures_and_limits_are_said_in_their_unit(report):
    rubric = report.run.rubric
    share = Demand("at most", Fraction("0.1"), "share", "interval")
    result = of_value("0.1001", share, low=0.05, high=0.2)
    assert say_demand(result) == "mean score at most 10 %, by its interval"
    assert say_finding(result, rubric) == "10.01 %, 95 % interval 5.0 % to 20.0 %"
    assert say_finding(of_value("79.999", low=79.0, high=81.0), rubric).startswith("79.999,")
    assert say_finding(of_value(90, undefined="one turn gives no interval"), rubric) == (
        "90.0, no interval: one turn gives no interval"
    )
