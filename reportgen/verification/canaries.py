"""Are the canaries those that follow, and were they passed as stated?"""

from collections.abc import Iterator

from reportgen.archive.records import Records
from reportgen.judging.canaries import build_canaries, check_canary
from reportgen.model.canary import Canary
from reportgen.verification.differences import Difference, differ
from reportgen.verification.verdicts import build_prompts, check_verdict


def check_canaries(records: Records) -> Iterator[Difference]:
    """The canaries: those that follow from the seed, verdicts on their evidence, and whether they were passed."""
    prompts = build_prompts(records)
    yield from _check_made(records)
    for canary in records.run.canaries or ():
        place = f"run.json: canary {canary.turn.id}"
        for verdict in canary.verdicts:
            yield from check_verdict(place, canary.turn, verdict, prompts, records)
        expected = check_canary(canary, canary.verdicts, records.run.rubric, records.run.manifest.judge.name)
        yield from differ(place, canary.to_data(), expected.to_data())


def _check_made(records: Records) -> Iterator[Difference]:
    """The canaries are those that the seed and the turns give; none is left out and none expects something else."""
    run = records.run
    if run.canaries is None or run.manifest.panel or run.manifest.seed is None:
        return
    made = build_canaries(run.manifest.seed, records.turns(), run.manifest.capture.turns, run.rubric)
    stated, expected = ([_identity(canary) for canary in canaries] for canaries in (run.canaries, made))
    yield from differ("run.json: canaries", stated, expected)


def _identity(canary: Canary) -> dict[str, object]:
    """What a canary is and expects, without what the judge said of it."""
    return {"kind": canary.kind, "turn": canary.turn.to_data(), "expects": canary.expects.to_data()}
