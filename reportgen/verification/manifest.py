"""Does what a run says of itself follow: its manifest, its digests and its seal?"""

from collections.abc import Iterator
from functools import partial

from reportgen.archive.digests import seal_of
from reportgen.archive.records import Records
from reportgen.archive.strict_json import read_json
from reportgen.assembly import VerdictGroups
from reportgen.judging.prompts import build_system
from reportgen.model.batch import count_batches
from reportgen.record import canonical, text_digest
from reportgen.rubrics import load_rubric, rubric_ids
from reportgen.verification.differences import Difference, differ, guard
from reportgen.withheld import follow_derivation, follow_public


def check_manifest(records: Records) -> Iterator[Difference]:
    """What the run says of its rubric, its prompts and its times."""
    manifest, rubric = records.run.manifest, records.run.rubric
    yield from differ("run.json: manifest.rubric_digest", manifest.rubric_digest, rubric.digest)
    yield from differ("run.json: manifest.rubric", manifest.rubric, rubric.id)
    yield from differ("run.json: manifest.rubric_version", manifest.rubric_version, rubric.version)
    yield from _check_bundled(records)
    yield from differ("run.json: manifest.prompts", manifest.prompts, _prompt_digests(records))
    if not manifest.is_rescored:
        sent = {call.id: build_system(rubric, call) for call in rubric.calls}
        yield from differ("run.json: system_prompts", records.run.system_prompts, sent)
    if manifest.finished_at is None or manifest.finished_at < manifest.started_at:
        yield Difference("run.json: manifest.finished_at", str(manifest.finished_at), "a time after it was started")


def _check_bundled(records: Records) -> Iterator[Difference]:
    """Whatever bears id and version of a rubric that comes with the program is that rubric, to the letter."""
    rubric = records.run.rubric
    if (name := f"{rubric.id}-{rubric.version}") in rubric_ids():
        place = f"run.json: rubric, which has the name of the bundled {name}"
        yield from differ(place, rubric.to_data(), load_rubric(name).to_data())


def check_batches(records: Records) -> Iterator[Difference]:
    """How many batches the verdicts came from."""
    manifest = records.run.manifest
    if not manifest.is_rescored or manifest.batches is not None:
        yield from differ("run.json: manifest.batches", manifest.batches, count_batches(records.paid()))


def _prompt_digests(records: Records) -> dict[str, str]:
    return {call: text_digest(text) for call, text in records.run.system_prompts.items()}


def check_derivation(records: Records) -> Iterator[Difference]:
    """What a derived run says of itself is what its marks, labels and verdicts show."""
    run, derived = records.run, records.run.manifest.derived
    if derived is None:
        return
    groups = VerdictGroups(records.verdicts())
    turns = ((turn, groups.take(turn.id)) for turn in records.turns())
    for place, stated, found in follow_derivation(run.manifest, derived, turns):
        yield from differ(place, stated, found)
    if derived.is_public:
        for place, stated, found in follow_public(derived, run.summary):
            yield from differ(place, stated, found)


def check_files(records: Records) -> Iterator[Difference]:
    """The digests of the files of the run, and that each line is of the one form that all programs read alike."""
    for name, stated in records.run.files.items():
        yield from differ(f"{name}: SHA-256", stated, records.digest(name))
        if not records.is_report:
            yield from guard(records.place, partial(_check_lines, records, name))


def _check_lines(records: Records, name: str) -> Iterator[Difference]:
    for number, line in enumerate(records.lines(name), start=1):
        yield from check_line(f"{name}:{number}", line)


def check_line(place: str, line: bytes) -> Iterator[Difference]:
    """A line that is no canonical JSON, which two programs may read in two ways."""
    if canonical(read_json(line, place)) != line:
        yield Difference(f"{place} is not canonical JSON")


def check_seal(records: Records, seal: str | None) -> Iterator[Difference]:
    """The seal, and one that was kept elsewhere."""
    yield from differ("run.json: seal", records.run.seal, seal_of(records.content))
    if seal is not None and seal not in records.run.manifest.seals_before:
        yield from differ("the seal that was kept", seal, records.run.seal)
