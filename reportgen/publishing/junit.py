"""The gates of a run as JUnit XML, which build servers read: one test case a gate."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC
from xml.etree import ElementTree as ET

from reportgen.analysis.gates import GateResult, State
from reportgen.model.run import RunFile
from reportgen.publishing.gates import say_demand, say_finding
from reportgen.publishing.text import clean

_OUTCOMES: dict[State, str] = {"failed": "failure", "undecided": "error"}


def render_junit(run: RunFile, results: Sequence[GateResult]) -> bytes:
    """The file: a gate that failed is a failure, one that could not be decided an error."""
    states = Counter(result.state for result in results)
    suites = ET.Element("testsuites")
    suite = ET.SubElement(suites, "testsuite", _describe_suite(run, len(results), states))
    _add_properties(suite, run)
    for result in results:
        _add_case(suite, result, run)
    for name in ("system-out", "system-err"):
        ET.SubElement(suite, name)
    ET.indent(suites, " ")
    body: bytes = ET.tostring(suites, encoding="UTF-8", xml_declaration=True)
    return body + b"\n"


def _describe_suite(run: RunFile, tests: int, states: Counter[State]) -> dict[str, str]:
    """What the schema asks for; a gate takes no time worth telling, and the machine is no matter."""
    moment = (run.manifest.finished_at or run.manifest.started_at).astimezone(UTC)
    return {
        "id": "0",
        "package": "reportgen",
        "name": "reportgen.gates",
        "timestamp": f"{moment:%Y-%m-%dT%H:%M:%S}",
        "hostname": "localhost",
        "tests": str(tests),
        "failures": str(states["failed"]),
        "errors": str(states["undecided"]),
        "time": "0",
    }


def _add_properties(suite: ET.Element, run: RunFile) -> None:
    manifest = run.manifest
    facts = {
        "run": manifest.run_id,
        "seal": run.seal,
        "rubric": f"{manifest.rubric}-{manifest.rubric_version}",
        "rubric_digest": manifest.rubric_digest,
        "judge": manifest.judge.name,
    }
    properties = ET.SubElement(suite, "properties")
    for name, value in facts.items():
        ET.SubElement(properties, "property", {"name": name, "value": clean(value)})


def _add_case(suite: ET.Element, result: GateResult, run: RunFile) -> None:
    names = {"name": say_demand(result), "classname": f"reportgen.gates.{result.gate}", "time": "0"}
    case = ET.SubElement(suite, "testcase", names)
    finding = say_finding(result, run.rubric)
    if outcome := _OUTCOMES.get(result.state):
        trouble = ET.SubElement(case, outcome, {"message": finding, "type": result.state})
        trouble.text = f"{names['name']}: {finding}"
