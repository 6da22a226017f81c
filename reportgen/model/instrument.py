"""The instrument: all that must be the same before scores of two runs may be compared."""

from reportgen.model.derivation import Digest
from reportgen.model.run import EvidenceLimits, Manifest
from reportgen.model.verdict import Judge
from reportgen.record import Record


class Instrument(Record):
    """What scores were made with: rubric, prompts, judge, evidence, and how often the judge was asked.

    `rubric` is the rubric's id with its version, such as `sql-agent-1`; its digest stands for dimensions, weights, caps
    and bands. `samples` is how many readings a turn had at most. `rescored` says that the verdicts were given before
    that rubric was.
    """

    rubric: str
    rubric_digest: Digest
    prompts: dict[str, Digest]
    judge: Judge
    evidence: EvidenceLimits
    samples: int = 1
    rescored: bool = False


def instrument_of(manifest: Manifest) -> Instrument:
    """The instrument that a run was made with."""
    return Instrument(
        rubric=f"{manifest.rubric}-{manifest.rubric_version}",
        rubric_digest=manifest.rubric_digest,
        prompts=manifest.prompts,
        judge=manifest.judge,
        evidence=manifest.evidence,
        samples=manifest.repeats.samples if manifest.repeats else 1,
        rescored=manifest.is_rescored,
    )
