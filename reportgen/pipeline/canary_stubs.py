"""Canaries of a derived run: what the judge made of them, without what they borrowed from anybody's turns."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from reportgen.judging.canaries import check_canary
from reportgen.model.canary import Canary
from reportgen.model.rubric import Rubric
from reportgen.model.run import WITHHELD
from reportgen.model.turn import Turn
from reportgen.model.verdict import Judge, Verdict
from reportgen.redaction.places import VERDICTS, rewrite
from reportgen.redaction.spans import mark_of, tells

_TEXT = mark_of("text")


def stub_canaries(
    canaries: Sequence[Canary], rubric: Rubric, judge: Judge, began: datetime, name_judge: Callable[[Judge], Judge]
) -> list[Canary]:
    """The canaries with all their texts withheld.

    They are shaped like turns of the whole run, and their names and figures follow from a digest of all turns. What
    stays is what was expected, the judge's word and subscores, and the statuses on which caps rest.

    Args:
        canaries: Those of the parent.
        rubric: By which they are scored.
        judge: The judge of the derived run.
        began: The time that stands for theirs.
        name_judge: How the derived run names a judge.
    """
    stubs = []
    for number, canary in enumerate(canaries, start=1):
        turn = _stub_turn(canary.turn, number, began)
        verdicts = [_stub_verdict(verdict, turn.id, name_judge) for verdict in canary.verdicts]
        stubs.append(check_canary(canary.model_copy(update={"turn": turn}), verdicts, rubric, judge.name))
    return stubs


def _stub_turn(turn: Turn, number: int, began: datetime) -> Turn:
    data = turn.to_data()
    for event in data["trajectory"]:
        event.pop("duration_ms", None)
        event.pop("top_k", None)
        for passage in event.get("passages", ()):
            passage.pop("score", None)
    data["labels"] = {}
    stub = Turn.from_data(rewrite(data, "", _blank))
    return stub.model_copy(update={"id": f"canary-{number}", "captured_at": began})


def _stub_verdict(verdict: Verdict, turn: str, name_judge: Callable[[Judge], Judge]) -> Verdict:
    stub = Verdict.from_data(rewrite(verdict.to_data(), VERDICTS, _blank))
    hidden = {"turn": turn, "evidence": WITHHELD, "key": WITHHELD, "judge": name_judge(verdict.judge)}
    # The models that answered and the ids of batches are the publisher's own; prices are by them.
    attempts = tuple(
        attempt.model_copy(update={"model": asked.model, "batch": asked.batch, "request_id": None})
        for attempt, asked in zip(stub.attempts, verdict.attempts, strict=True)
    )
    return stub.model_copy(update={**hidden, "attempts": attempts})


def _blank(_place: str, value: Any) -> Any:
    """A mark for each text that tells anything; numbers of rows are withheld as well."""
    if isinstance(value, str):
        return _TEXT if tells(value) else value
    return value if value is None else _TEXT
