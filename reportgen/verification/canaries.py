"""Are the canaries those that follow, and were they passed as stated?"""

from collections.abc import Iterator

from reportgen.archive.records import Records
from reportgen.archive.store import TURNS
from reportgen.judging.canaries import build_canaries, check_canary, seed_of
from reportgen.model.canary import Canary
from reportgen.verification.differences import Difference, differ
from reportgen.verification.verdicts import build_prompts, check_verdict


def check_canaries(records: Records) -> Iterator[Difference]:
    """The canaries: those that follow from the seed, verdicts on their evidence, and whether they were passed."""
    prompts = build_prompts(records)
    yield from _check_seed(records)
    yield from _check_made(records)
    for canary in records.run.canaries or ():
        place = f"run.json: canary {canary.turn.id}"
        for verdict in canary.verdicts:
            yield from check_verdict(place, canary.turn, verdict, prompts, records)
        expected = check_canary(canary, canary.verdicts, records.run.rubric, records.run.manifest.judge.name)
        yield from differ(place, canary.to_data(), expected.to_data())


def _check_seed(records: Records) -> Iterator[Difference]:
    """Nobody chose the seed: it follows from the id of the run and from its turns as they were judged.

    A rescored run keeps that of the run whose verdicts it takes.
    """
    manifest = records.run.manifest
    if manifest.seed is None or manifest.is_rescored:
        return
    own = (erasure.files for erasure in manifest.erasures or () if erasure.files)
    turns = next(own, records.run.files).get(TURNS, "")
    yield from differ("run.json: manifest.seed", manifest.seed, seed_of(manifest.run_id, turns))


def _check_made(records: Records) -> Iterator[Difference]:
    """The canaries are those that the seed and the turns give; none is left out and none expects something else."""
    run = records.run
    if run.canaries is None or run.manifest.panel or run.manifest.derived:
        return
    if run.manifest.seed is None:
        yield Difference("run.json: canaries", "canaries", "none, since there is no seed to draw them from")
        return
    count = sum(1 for _ in records.turns())
    made = build_canaries(run.manifest.seed, records.turns(), count, run.rubric)
    stated, expected = ([_identity(canary) for canary in canaries] for canaries in (run.canaries, made))
    yield from differ("run.json: canaries", stated, expected)


def _identity(canary: Canary) -> dict[str, object]:
    """What a canary is and expects, without what the judge said of it."""
    return {"kind": canary.kind, "turn": canary.turn.to_data(), "expects": canary.expects.to_data()}
