"""Does a verdict rest on the evidence that it names?"""

from collections.abc import Iterator

from reportgen.analysis.vendors import judges_of
from reportgen.archive.records import Records
from reportgen.judging.prompts import JudgePrompts, build_all_prompts, build_request
from reportgen.model.run import WITHHELD, Manifest
from reportgen.model.turn import Turn
from reportgen.model.verdict import Verdict
from reportgen.scoring.readings import is_same, split_by_judge
from reportgen.verification.differences import Difference, differ


def build_prompts(records: Records) -> list[JudgePrompts]:
    """What each judge of the run was asked."""
    return build_all_prompts(records.run.rubric, judges_of(records.run.manifest))


def check_verdict(
    place: str, turn: Turn, verdict: Verdict, judges: list[JudgePrompts], records: Records
) -> Iterator[Difference]:
    """The judge, the evidence and the request of one verdict."""
    manifest = records.run.manifest
    judge, prompts = next((pair for pair in judges if is_same(pair[0], verdict.judge)), judges[0])
    yield from differ(f"{place}: judge", verdict.judge.to_data(), judge.to_data())
    if verdict.call not in prompts:
        yield Difference(f"{place}: call", verdict.call, "a judge call of the rubric")
        return
    request = build_request(turn, prompts[verdict.call], manifest.evidence, verdict.sample)
    yield from _differ_unless_withheld(f"{place}: evidence", verdict.evidence, request.evidence, manifest, turn)
    if not manifest.is_rescored:
        yield from differ(f"{place}: rubric", verdict.rubric, manifest.rubric_digest)
        yield from _differ_unless_withheld(f"{place}: key", verdict.key, request.key, manifest, turn)


def _differ_unless_withheld(
    place: str, stated: str, found: str, manifest: Manifest, turn: Turn
) -> Iterator[Difference]:
    """Where a digest differs; it may be withheld in a derived run, which has to count that, and of an erased turn."""
    may_be_withheld = manifest.derived is not None or turn.id in manifest.erased
    if stated != WITHHELD or not may_be_withheld:
        yield from differ(place, stated, found)


def check_samples(
    turn: Turn, verdicts: tuple[Verdict, ...], records: Records, *, is_repeated: bool
) -> Iterator[Difference]:
    """Each judge call has the samples that the manifest says; how often a panel's judges asked, theirs say."""
    manifest = records.run.manifest
    if manifest.panel:
        judges = [judge.to_data() for judge, _ in split_by_judge(verdicts)]
        members = [member.judge.to_data() for member in manifest.panel]
        yield from differ(f"verdicts.jsonl, turn {turn.id}: judges", judges, members)
        return
    wanted = manifest.repeats.samples if manifest.repeats and is_repeated else 1
    for call in records.run.rubric.calls:
        samples = [verdict.sample for verdict in verdicts if verdict.call == call.id]
        # One more than there are shows that some are missing, however many a forged manifest wants.
        expected = list(range(1, min(wanted, len(samples) + 1) + 1))
        yield from differ(f"verdicts.jsonl, turn {turn.id}: samples of {call.id}", samples, expected)
