"""A panel: the verdicts of several finished runs over the same turns, combined into a run of its own."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import combinations
from pathlib import Path

from reportgen import __version__
from reportgen.archive.records import Records, open_records
from reportgen.archive.store import TURNS, VERDICTS, save_lines
from reportgen.assembly import VerdictGroups
from reportgen.errors import RunError
from reportgen.model.asked import PANEL, Predecessor
from reportgen.model.batch import count_batches
from reportgen.model.canary import Canary
from reportgen.model.run import Manifest, Member, RunFile
from reportgen.model.verdict import Judge, Verdict
from reportgen.pipeline.begin import begin_folder, choose_run_id, require_unchanged_rubric
from reportgen.pipeline.finish import finish_run
from reportgen.pipeline.predecessor import find_predecessor
from reportgen.scoring.readings import is_same

_SHOWN = 20


def combine_runs(parents: Sequence[Path], runs: Path, run_id: str | None, clock: Callable[[], datetime]) -> Path:
    """Combines finished runs into a panel that names them as its members.

    The verdicts are taken over as they are, each with its judge; scores are made anew from the medians of the judges'
    subscores.

    Raises:
        RunError: The runs do not fit together, or the new one cannot be written.
    """
    members = [open_records(parent) for parent in parents]
    _require_fit([member.run for member in members])
    first, now = members[0].run, clock()
    require_unchanged_rubric(runs, first.rubric)
    judge = _name_panel([member.run for member in members])
    before = find_predecessor(runs, first.rubric.id, judge)
    manifest = _panel_manifest(members, judge, run_id or choose_run_id(runs, now, first.rubric, judge), now, before)
    with begin_folder(runs, manifest) as folder:
        shutil.copyfile(parents[0] / TURNS, folder / TURNS)
        save_lines(folder / VERDICTS, _interleave(members))
        finish_run(folder, manifest, first.rubric, first.system_prompts, clock(), _all_canaries(members))
    return folder


def _require_fit(runs: Sequence[RunFile]) -> None:
    """Makes sure that the runs are over the same turns and evidence, by one rubric and by different judges.

    Raises:
        RunError: They are not; each key that differs is named with its values.
    """
    if len(runs) < 2:
        raise RunError("A panel needs two runs or more", "Name the runs of all its judges.")
    for run in runs:
        _require_plain(run)
    for other in runs[1:]:
        if different := list(_differences(runs[0], other)):
            names = f"{runs[0].manifest.run_id} and {other.manifest.run_id}"
            raise RunError(
                f"The runs {names} cannot be combined: {'; '.join(different)}",
                "A panel judges the same turns by the same rubric; make the missing run by `reportgen rejudge`.",
            )
    for one, other in combinations(runs, 2):
        if is_same(one.manifest.judge, other.manifest.judge):
            names = f"{one.manifest.run_id} and {other.manifest.run_id}"
            raise RunError(
                f"The runs {names} are by one judge, {one.manifest.judge.name}",
                "A panel is of different judges; to ask one judge several times, use --repeats.",
            )


def _require_plain(run: RunFile) -> None:
    manifest = run.manifest
    if manifest.panel or manifest.is_rescored:
        kind = "a panel itself" if manifest.panel else "an earlier run scored again"
        raise RunError(f"The run {manifest.run_id} is {kind}", "Name the runs in which the judges were asked.")


def _differences(one: RunFile, other: RunFile) -> Iterator[str]:
    """Each key that must be equal and is not, with both values."""
    for (key, first), (_, second) in zip(_keys(one), _keys(other), strict=True):
        if first != second:
            yield f"{key} is {_shorten(first)} in the one and {_shorten(second)} in the other"


def _keys(run: RunFile) -> Iterator[tuple[str, object]]:
    manifest = run.manifest
    yield "the rubric", f"{manifest.rubric}-{manifest.rubric_version}"
    yield "the rubric's digest", manifest.rubric_digest
    yield "the digest of turns.jsonl", run.files.get(TURNS)
    for name, value in manifest.evidence.to_data().items():
        yield f"evidence.{name}", value


def _shorten(value: object) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[:12]}…"


def _name_panel(runs: Sequence[RunFile]) -> Judge:
    judges = [run.manifest.judge for run in runs]
    efforts = [f"{judge.name} with effort {judge.effort}" if judge.effort else judge.name for judge in judges]
    note = f"A panel of {len(judges)} judges: {', '.join(efforts)}."
    return Judge(provider=PANEL, model="+".join(judge.model for judge in judges), note=note)


def _panel_manifest(
    members: Sequence[Records], judge: Judge, run_id: str, now: datetime, predecessor: Predecessor | None
) -> Manifest:
    first = members[0].run.manifest
    manifests = [member.run.manifest for member in members]
    prices = {price.model_dump_json(): price for manifest in manifests for price in manifest.prices or ()}
    changed = {
        "run_id": run_id,
        "program": f"reportgen {__version__}",
        "judge": judge,
        "started_at": now,
        "finished_at": None,
        "parent": None,
        "predecessor": predecessor,
        "prices": tuple(prices.values()) or None,
        "batches": count_batches(verdict for member in members for verdict in member.paid()),
        "seed": None,
        "repeats": None,
        "erasures": first.inherited_erasures,
        "panel": tuple(
            Member(run=member.run.manifest.run_id, seal=member.run.seal, judge=member.run.manifest.judge)
            for member in members
        ),
    }
    return first.model_copy(update=changed)


def _interleave(members: Sequence[Records]) -> Iterator[Verdict]:
    """Turn by turn the verdicts of each member, in the order of the members."""
    groups = [VerdictGroups(member.verdicts()) for member in members]
    for turn in members[0].turns():
        for group in groups:
            yield from group.take(turn.id)


def _all_canaries(members: Sequence[Records]) -> list[Canary] | None:
    """The canaries of all members, each with the verdict of the judge that it was put to; None where none has any."""
    tested = [member.run.canaries for member in members if member.run.canaries is not None]
    return [canary for canaries in tested for canary in canaries] if tested else None
