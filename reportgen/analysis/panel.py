"""A panel: what each of its judges would have given alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportgen.analysis.estimates import estimate_mean
from reportgen.analysis.rows import TurnRow
from reportgen.model.run import Estimate, Manifest, Member


@dataclass(frozen=True, slots=True)
class PanelJudge:
    """One judge of a panel, with the run that it judged; `mean` is over the turns that it scored alone."""

    judge: str
    effort: str | None
    run: str
    seal: str
    scored: int
    mean: Estimate


def build_panel(rows: Sequence[TurnRow], manifest: Manifest) -> tuple[PanelJudge, ...]:
    """The judges of a panel in its order; none where the run is no panel."""
    return tuple(_judge(place, member, rows) for place, member in enumerate(manifest.panel or ()))


def _judge(place: int, member: Member, rows: Sequence[TurnRow]) -> PanelJudge:
    alone = [
        replace(row, score=row.score.model_copy(update={"score": row.by_judge[place]}))
        for row in rows
        if place < len(row.by_judge)
    ]
    scored = sum(row.score.score is not None for row in alone)
    return PanelJudge(member.judge.name, member.judge.effort, member.run, member.seal, scored, estimate_mean(alone))
