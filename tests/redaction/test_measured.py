"""The rates in the documentation are those that are measured."""

import re
from pathlib import Path

from benchmarks.redaction import measure

TEXT = (Path(__file__).parents[2] / "docs" / "redaction.md").read_text("utf-8")


def test_the_documented_rates_of_hits_and_false_alarms_are_the_measured_ones():
    stated = re.findall(r"^\| ([^|]+) \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) % \|$", TEXT, re.MULTILINE)
    hits, alarms = measure()
    expected = []
    for results in (hits, alarms):
        rows = [(result.what, result.samples, result.found) for result in results]
        rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows)))
        expected += [
            (what, f"{samples:,}", f"{found:,}", f"{100 * found / samples:.1f}") for what, samples, found in rows
        ]
    assert stated == expected


def test_the_test_set_holds_what_is_missed_and_what_is_mistaken():
    hits, alarms = measure()
    assert all(result.found < result.samples for result in hits)
    assert sum(result.found for result in alarms) > 0
    assert all(result.found >= 0.85 * result.samples for result in hits)
    assert all(result.found <= 0.05 * result.samples for result in alarms)
