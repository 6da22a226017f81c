"""What all runs that are derived from another have in common, be they for a client or for the public."""

import re
from pathlib import Path

from reportgen import __version__
from reportgen.archive.commitments import open_run
from reportgen.archive.records import Records
from reportgen.errors import RunError
from reportgen.model.canary import Canary
from reportgen.model.run import Capture, Manifest, Member, RunFile
from reportgen.pipeline.begin import choose_run_id
from reportgen.pipeline.canary_stubs import stub_canaries
from reportgen.pipeline.finish import finish_run
from reportgen.pipeline.renaming import Renaming
from reportgen.redaction.turns import redact_data


def require_plain(records: Records) -> None:
    """Makes sure that a run is none that was derived itself.

    Raises:
        RunError: It is.
    """
    if (derived := records.run.manifest.derived) is not None:
        whom = "the public" if derived.is_public else "a client"
        raise RunError(f"The run {records.place} was derived for {whom} itself", "Name the run that it came from.")


def take_canaries(records: Records, renaming: Renaming) -> list[Canary] | None:
    """The canaries without their texts; None where the judge was not tested."""
    run = records.run
    if run.canaries is None:
        return None
    judge = renaming.judge(run.manifest.judge)
    stubs = stub_canaries(run.canaries, run.rubric, judge, run.manifest.started_at, renaming.judge)
    return [
        stub.model_copy(update={"verdicts": tuple(renaming.rename_attempts(verdict) for verdict in stub.verdicts)})
        for stub in stubs
    ]


def draft_manifest(records: Records, renaming: Renaming, key: bytes, run_id: str) -> Manifest:
    """The manifest without all that speaks of the whole run or of its files."""
    old = records.run.manifest
    changed = {
        "run_id": run_id,
        "program": f"reportgen {__version__}",
        "judge": renaming.judge(old.judge),
        "sources": (),
        "capture": Capture(captured=0, turns=0),
        "finished_at": None,
        "parent": None,
        "fixed_clock": redact_data(old.fixed_clock, renaming.rules) if old.fixed_clock else None,
        "seed": None,
        "erasures": None,
        "panel": _unname_members(old, renaming, key),
    }
    return old.model_copy(update=changed)


def finish_derived(folder: Path, manifest: Manifest, parent: RunFile, canaries: list[Canary] | None) -> None:
    """Scores and seals the new run, at the time at which its parent was finished."""
    finished_at = parent.manifest.finished_at or parent.manifest.started_at
    finish_run(folder, manifest, parent.rubric, parent.system_prompts, finished_at, canaries)


def choose_derived_id(records: Records, runs: Path, whom: str) -> str:
    """An id of the parent's time, its rubric, and for whom it is; not the judge, whose name may be that of a file."""
    run = records.run
    name = re.sub(r"[^a-z0-9]+", "-", whom.lower()).strip("-")[:40] or "client"
    judge = run.manifest.judge.model_copy(update={"model": name})
    return choose_run_id(runs, run.manifest.started_at, run.rubric, judge)


def _unname_members(old: Manifest, renaming: Renaming, key: bytes) -> tuple[Member, ...] | None:
    """The judges of a panel; in the place of the seal of each one's run stands a commitment to it."""
    if old.panel is None:
        return None
    return tuple(
        Member(
            run=f"member-{number}",
            seal=open_run(key, member.run, member.seal).commitment,
            judge=renaming.judge(member.judge),
        )
        for number, member in enumerate(old.panel, start=1)
    )
