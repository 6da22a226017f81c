"""Provenance: all that the run was made with, and how to retrace it."""

import json
from typing import Any

from reportgen.analysis.sampling import Sampling
from reportgen.analysis.strata import NO_LABEL
from reportgen.model.derivation import Erasure
from reportgen.model.run import Manifest, RunFile
from reportgen.publishing.denominators import build_denominators
from reportgen.publishing.printing import plural, print_count, print_moment
from reportgen.publishing.report import Report
from reportgen.publishing.spending import build_spending_table, say_in_short, say_spending
from reportgen.publishing.text import clean, shorten

TITLE = "Provenance"

_PROMPT_SHOWN = 100_000
_TURNS_NAMED = 20


def build(report: Report) -> dict[str, Any]:
    """What the run was made with, its digests, its prompts, and the command that retraces it."""
    run = report.run
    manifest = run.manifest
    return {
        "facts": [{"name": name, "value": clean(value)} for name, value in _facts(report)],
        "spending": build_spending_table(report.findings.spending),
        "denominators": _denominators(report),
        "sources": [{"name": str(shorten(item.name, 200)), "digest": item.sha256} for item in manifest.sources],
        "strata": _strata(report.findings.sampling),
        "files": [{"name": clean(name), "digest": digest} for name, digest in run.files.items()],
        "overrides": [{"name": clean(file.name), "digest": file.digest} for file in report.look.overrides.files],
        "prompts": _prompts(run),
        "seal": run.seal,
        "on_paper": report.paper is not None,
        "command": f"reportgen verify runs/{clean(manifest.run_id)} --seal {run.seal}",
        "command_data": f"reportgen verify report.json --seal {run.seal}",
    }


def _denominators(report: Report) -> list[dict[str, str]]:
    capture, scored = report.run.manifest.capture, report.findings.summary.scored
    is_whole = report.run.rubric.has_composite
    return build_denominators(capture, scored, report.findings.sampling, has_composite=is_whole)


def _facts(report: Report) -> list[tuple[str, str]]:
    manifest, rubric = report.run.manifest, report.run.rubric
    judge = manifest.judge
    facts = [
        ("Run", manifest.run_id),
        ("Report generated", print_moment(report.generated_at)),
        *_times(manifest),
        ("Program", manifest.program),
        ("Judge", judge.name),
        ("Judge's effort", judge.effort or "not set"),
        ("Judge's parameters", json.dumps(judge.parameters, ensure_ascii=False) if judge.parameters else "none"),
        ("Rubric", f"{rubric.id}, version {rubric.version}: {rubric.title}"),
        ("Rubric digest (SHA-256)", manifest.rubric_digest),
    ]
    return [
        *facts,
        *_conditions(manifest),
        *_draw(report.findings.sampling),
        *say_spending(report.findings.spending),
        *_probes(report),
        *_kinship(report),
    ]


def _strata(sampling: Sampling | None) -> list[dict[str, str]]:
    if sampling is None:
        return []
    return [
        {
            "values": str(shorten(", ".join(value or NO_LABEL for value in stratum.values) or "all", 200)),
            "population": print_count(stratum.population),
            "drawn": print_count(stratum.drawn),
        }
        for stratum in sampling.strata
    ]


def _draw(sampling: Sampling | None) -> list[tuple[str, str]]:
    """What the draw of a sample can be repeated by."""
    if sampling is None:
        return []
    source = sampling.source or "withheld"
    return [
        ("Drawn by", " and ".join(sampling.labels) or "chance alone"),
        ("Seed of the draw", sampling.seed if sampling.seed != sampling.source else "the digest of the capture"),
        ("Capture that was drawn from (SHA-256)", source),
    ]


def _times(manifest: Manifest) -> list[tuple[str, str]]:
    """When the judge was asked; of a rescored run only when it was scored, since nobody was asked."""
    ended = print_moment(manifest.finished_at) if manifest.finished_at else "not recorded"
    if manifest.is_rescored:
        return [("Scored again", f"{ended}, by the verdicts of the run below; no judge was asked")]
    return [("Judging began", print_moment(manifest.started_at)), ("Judging ended", ended)]


def _conditions(manifest: Manifest) -> list[tuple[str, str]]:
    """What is worth a line only where it is so."""
    facts = []
    if manifest.judge.note:
        facts.append(("Note on the judge", manifest.judge.note))
    if manifest.parent:
        parent = manifest.parent
        facts.append(("Made from", f"run {parent.run}, {parent.relation}, seal {parent.seal}"))
    if manifest.batches:
        facts.append(("Batches in which the judge was asked", print_count(manifest.batches)))
    facts += [("Erased on request", _say_erasure(erasure)) for erasure in manifest.erasures or ()]
    if manifest.fixed_clock:
        facts.append(("Times", manifest.fixed_clock))
    return facts


def _say_erasure(erasure: Erasure) -> str:
    """Which texts, when and why; and the seal that the run had before, if it is this one's."""
    turns = f"{', '.join(erasure.turns[:_TURNS_NAMED])}{', …' if len(erasure.turns) > _TURNS_NAMED else ''}"
    before = f" Seal before: {erasure.seal}" if erasure.seal else ""
    return f"{plural(len(erasure.turns), 'turn')} ({turns}), {print_moment(erasure.at)}: {erasure.reason}{before}"


def _probes(report: Report) -> list[tuple[str, str]]:
    """What was spent on probes once the run was finished; its own figures do not have it."""
    return [
        (f"Probe of the {probe.kind}, beside the above", say_in_short(probe.spending))
        for probe in report.findings.probes
        if probe.spending is not None and probe.spending.asked
    ]


def _kinship(report: Report) -> list[tuple[str, str]]:
    """Whose models judge and assistant are, as far as their names tell."""
    kinship = report.findings.kinship
    told = [f"{vendor} in {plural(turns, 'turn')}" for vendor, turns in kinship.assistants.items()]
    if kinship.untold or not told:
        told.append(f"not told in {plural(kinship.untold, 'turn')}")
    return [
        ("Vendor of the judge's model, by its name", "; ".join(kinship.judges) or "not told"),
        ("Vendor of the assistant's model, by its name", "; ".join(told)),
    ]


def _prompts(run: RunFile) -> list[dict[str, str]]:
    digests = run.manifest.prompts
    return [
        {"name": clean(name), "text": str(shorten(text, _PROMPT_SHOWN)), "digest": digests.get(name, "not recorded")}
        for name, text in run.system_prompts.items()
    ]
