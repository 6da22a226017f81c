"""What the publisher states of a run for the public, since its readers can no longer recompute it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from reportgen.analysis.caveats import STATED_CAVEATS, check_public
from reportgen.analysis.findings import STATED, Findings, Material, build_findings
from reportgen.analysis.public_tables import build_public_breakdowns
from reportgen.analysis.rows import TurnRow
from reportgen.archive.records import Records
from reportgen.assembly import read_rows
from reportgen.publishing.data import findings_data
from reportgen.redaction.rules import Rules
from reportgen.redaction.turns import redact_data
from reportgen.withheld import CLIENT


def state_findings(records: Records, rules: Rules, labels: Sequence[str], names: Mapping[str, str]) -> dict[str, Any]:
    """What the publisher states of the parent, with the turns under their new names."""
    run = records.run
    rows = read_rows(records)
    given = Material(rows, run.rubric, run.manifest, records.paid(), run.canaries, turns=records.turns)
    found = build_findings(given)
    shown = [label for label in labels if label != CLIENT and not rules.is_label(label)]
    clean = [replace(row, labels=_clean_labels(row, shown, rules)) for row in rows]
    found = replace(found, breakdowns=build_public_breakdowns(clean, shown, run.rubric))
    stated = _rename(found, names, run.manifest.timezone)
    data = findings_data(stated)
    return {name: data[name] for name in STATED}


def _clean_labels(row: TurnRow, labels: Iterable[str], rules: Rules) -> dict[str, str]:
    """The values of these labels, without what the rules withhold."""
    return {label: redact_data(row.labels[label], rules) for label in labels if label in row.labels}


def _rename(found: Findings, names: Mapping[str, str], zone: str | None) -> Findings:
    quotes, figures = found.quotes, found.figures
    return replace(
        found,
        first=found.first and start_of_day(found.first, zone),
        last=found.last and start_of_day(found.last, zone),
        quotes=replace(quotes, turns=_in_order(names[turn] for turn in quotes.turns)),
        figures=replace(figures, turns=_in_order(names[turn] for turn in figures.turns)),
        addressed=tuple(
            sorted(
                (replace(item, turn=names[item.turn]) for item in found.addressed), key=lambda item: _number(item.turn)
            )
        ),
        caveats=(
            *(caveat for caveat in found.caveats if caveat.slug in STATED_CAVEATS),
            *check_public(found.summary.mean),
        ),
    )


def _in_order(turns: Iterable[str]) -> tuple[str, ...]:
    """Turns by their numbers, since the order of the capture would tell."""
    return tuple(sorted(turns, key=_number))


def _number(turn: str) -> int:
    return int(turn.rpartition("-")[2])


def start_of_day(moment: datetime, zone: str | None) -> datetime:
    """The beginning of the day in a time zone, None for UTC; as a time in UTC."""
    day = moment.astimezone(ZoneInfo(zone or "UTC")).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    return day.astimezone(UTC)
