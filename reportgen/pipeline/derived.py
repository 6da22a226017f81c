"""What all runs that are derived from another have in common, be they for a client or for the public."""

import re
from pathlib import Path

from reportgen import __version__
from reportgen.archive.commitments import open_run
from reportgen.archive.records import Records
from reportgen.errors import RunError
from reportgen.model.asked import Predecessor
from reportgen.model.canary import Canary
from reportgen.model.run import Capture, Manifest, Member, RunFile
from reportgen.pipeline.begin import choose_run_id
from reportgen.pipeline.canary_stubs import stub_canaries
from reportgen.pipeline.finish import finish_run
from reportgen.pipeline.renaming import Renaming
from reportgen.record import text_digest
from reportgen.redaction.turns import redact_data

_KINDS = ("internal", "public")


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
        "predecessor": _unname_predecessor(old, renaming),
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


def choose_derived_id(records: Records, runs: Path, client: str | None) -> str:
    """An id of the parent's time, its rubric, and for whom it is; not the judge, whose name may be that of a file."""
    run = records.run
    whom = "public" if client is None else name_client(client)
    judge = run.manifest.judge.model_copy(update={"model": whom})
    return choose_run_id(runs, run.manifest.started_at, run.rubric, judge)


def name_client(client: str) -> str:
    """The name of a client's folder and in ids of its runs, which no other client has, whoever else there is.

    It is the client's own where that can be read from it; others get a part of its digest, since a folder that went to
    one client in July must not be that of another in August.

    >>> name_client("Aktaia Seaways"), name_client("A & B"), name_client("a b")
    ('aktaia-seaways', 'a-b_dff4ec67', 'a-b_c8687a08')
    """
    stem = re.sub(r"[^a-z0-9]+", "-", client.lower()).strip("-")[:30] or "client"
    is_told = stem not in _KINDS and client == " ".join(word.capitalize() for word in stem.split("-"))
    return stem if is_told else f"{stem}_{text_digest(client)[:8]}"


def _unname_predecessor(old: Manifest, renaming: Renaming) -> Predecessor | None:
    """Who was asked before, without the run in which that was."""
    if old.predecessor is None:
        return None
    asked = old.predecessor.asked
    return Predecessor(asked=asked.model_copy(update={"judge": renaming.judge(asked.judge)}))


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
