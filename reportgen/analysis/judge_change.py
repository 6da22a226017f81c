"""Is the judge of a run that of the run before, and what do checks on frozen anchors say of the two?"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reportgen.model.anchor_check import AnchorCheck, asked_of
from reportgen.model.asked import Asked, Predecessor
from reportgen.model.run import Manifest


@dataclass(frozen=True, slots=True)
class JudgeChange:
    """A judge, or prompts, that are not those of the last run of the same rubric.

    `keys` says in what they differ. `check` is the latest check of the two judges; None where there was none.
    """

    before: Predecessor
    keys: tuple[str, ...]
    check: AnchorCheck | None

    @property
    def is_passed(self) -> bool:
        """Whether the two were found to be equivalent."""
        return self.check is not None and self.check.drift.state == "equivalent"


def find_change(manifest: Manifest, checks: Iterable[AnchorCheck]) -> JudgeChange | None:
    """How the judge of a run changed; None where it did not, or where there is no run before.

    A check counts in either direction, and of several the latest one, so that nobody can check until it passes.

    Args:
        manifest: Of the run.
        checks: Oldest first.
    """
    before = manifest.predecessor
    if before is None:
        return None
    own = asked_of(manifest)
    keys = own.differs(before.asked)
    if not keys:
        return None
    between = [check for check in checks if _is_between(check, own, before.asked)]
    return JudgeChange(before, keys, between[-1] if between else None)


def choose_checks(manifest: Manifest, checks: Sequence[AnchorCheck]) -> tuple[AnchorCheck, ...]:
    """The checks that a report of a run shows: those of its judge, and those of it and the judge before.

    A run that was derived for others shows the latter alone, without the runs that were held together and without
    parts and what people said, which may be of few turns.
    """
    return tuple(_choose(manifest, checks))


def _choose(manifest: Manifest, checks: Sequence[AnchorCheck]) -> Iterator[AnchorCheck]:
    own, before = asked_of(manifest), manifest.predecessor
    for check in checks:
        is_between = before is not None and _is_between(check, own, before.asked)
        if manifest.derived is None:
            if is_between or _is_same(check.after, own):
                yield check
        elif is_between:
            drift = check.drift.model_copy(update={"dimensions": (), "bands": ()})
            yield check.model_copy(update={"anchors": None, "judged": None, "drift": drift, "people": None})


def _is_between(check: AnchorCheck, one: Asked, other: Asked) -> bool:
    first, second = check.before, check.after
    return (_is_same(first, one) and _is_same(second, other)) or (_is_same(first, other) and _is_same(second, one))


def _is_same(one: Asked, other: Asked) -> bool:
    return not one.differs(other)
