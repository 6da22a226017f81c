"""What is asked in a run: each turn once, some of them several times, and canaries among them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from reportgen.analysis.drawing import draw_repeated
from reportgen.archive.digests import file_digest
from reportgen.archive.journal import Journal
from reportgen.archive.store import SETTLED, TURNS, read_records, save_lines
from reportgen.judging.canaries import build_canaries, check_canary, mix, seed_of
from reportgen.judging.prompts import JudgeRequest, build_requests
from reportgen.model.canary import Canary
from reportgen.model.rubric import Rubric
from reportgen.model.run import Manifest, Repeats
from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge


@dataclass(frozen=True, slots=True)
class Extras:
    """What is asked beyond one reading of each turn.

    `samples` requests are made for each of `repeat_turns` turns, or for all where that is None.
    """

    canaries: bool = False
    samples: int = 1
    repeat_turns: int | None = 30

    def tests(self, judge: Judge) -> bool:
        """Whether canaries are made; a judge that was asked before said nothing of them."""
        return self.canaries and judge.provider != "recorded"

    def seed_for(self, folder: Path, judge: Judge) -> str | None:
        """The seed of the run whose turns are in that folder; None where nothing is drawn."""
        if not self.tests(judge) and self.samples == 1:
            return None
        return seed_of(folder.name, file_digest(folder / TURNS))

    def repeats_of(self, turns: int) -> Repeats | None:
        """How many of so many turns are judged several times."""
        chosen = turns if self.repeat_turns is None else min(self.repeat_turns, turns)
        return Repeats(samples=self.samples, turns=chosen) if self.samples > 1 and chosen else None


NO_EXTRAS = Extras()


@dataclass(frozen=True, slots=True)
class Plan:
    """The requests of one run. `canaries` are those that are still to be asked about.

    `tests` says that canaries were to be made, of which none may fit the rubric.
    """

    folder: Path
    manifest: Manifest
    rubric: Rubric
    repeated: frozenset[str]
    canaries: tuple[Canary, ...]
    tests: bool

    def requests(self) -> Iterator[JudgeRequest]:
        """All requests, with the canaries among them."""
        seed, count = self.manifest.seed or "", self.manifest.capture.turns
        return self._of(mix(self._turns(), self.canaries, seed, count))

    def order(self) -> Iterator[tuple[str, str]]:
        """Turn and key of each verdict on a real turn, as they stand in the finished run."""
        return ((request.turn, request.key) for request in self._of(self._turns()))

    def count(self) -> int:
        """How many requests there are."""
        more = len(self.repeated) * ((self.manifest.repeats.samples if self.manifest.repeats else 1) - 1)
        return (self.manifest.capture.turns + more + len(self.canaries)) * len(self.rubric.calls)

    def settle(self, journal: Journal) -> tuple[Canary, ...] | None:
        """The canaries with their verdicts; None where the judge is not tested.

        They are kept in a file at once, since the verdicts on them leave the journal when it is put into order.
        """
        path = self.folder / SETTLED
        if self.tests:
            save_lines(path, [self._check(canary, journal) for canary in self.canaries])
        return tuple(read_records(Canary, path)) if path.exists() else None

    def _check(self, canary: Canary, journal: Journal) -> Canary:
        verdicts = [journal.read(request.turn, request.key) for request in self._of([canary.turn])]
        return check_canary(canary, verdicts, self.rubric, self.manifest.judge.name)

    def _turns(self) -> Iterator[Turn]:
        return read_records(Turn, self.folder / TURNS)

    def _of(self, turns: Iterable[Turn]) -> Iterator[JudgeRequest]:
        manifest = self.manifest
        return build_requests(turns, self.rubric, manifest.judge, manifest.evidence, self._samples)

    def _samples(self, turn: Turn) -> int:
        repeats = self.manifest.repeats
        return repeats.samples if repeats and turn.id in self.repeated else 1


def build_plan(folder: Path, manifest: Manifest, rubric: Rubric, extras: Extras) -> Plan:
    """The plan of a run that has its turns and its manifest; the same each time that it is resumed."""
    asks = extras.tests(manifest.judge) and not (folder / SETTLED).exists()
    made = _make_canaries(folder, manifest, rubric) if asks else ()
    repeated = draw_repeated(manifest, read_records(Turn, folder / TURNS))
    return Plan(folder, manifest, rubric, repeated, made, asks)


def _make_canaries(folder: Path, manifest: Manifest, rubric: Rubric) -> tuple[Canary, ...]:
    turns = read_records(Turn, folder / TURNS)
    return build_canaries(manifest.seed or "", turns, manifest.capture.turns, rubric)
