"""From what came back to a verdict: pure, and the same for single requests and batches."""

from collections.abc import Sequence

from reportgen.judging.contract import BackendReply, Settled
from reportgen.judging.prompts import JudgeRequest
from reportgen.judging.replies import Expected, Unusable, read_reply
from reportgen.model.verdict import Attempt, Judge, Verdict


def settle(reply: BackendReply, expected: Expected) -> Settled:
    """The outcome of a reply: `ok` only where every field was read without a flaw."""
    if reply.recorded is not None:
        return reply.recorded
    text = reply.text.encode("utf-8", "replace").decode() or None
    if reply.stop == "refused":
        return Settled("refused", reply.note or "the judge refused", text=text)
    if reply.stop == "truncated":
        return Settled("truncated", "the reply was cut off: it reached the limit of tokens", text=text)
    if reply.stop == "full":
        return Settled("truncated", "the reply was cut off: the context window was full", text=text)
    read = read_reply(reply.text, expected)
    if isinstance(read, Unusable):
        return Settled(read.outcome, read.reason, text=text)
    return Settled("ok", reply=read)


def is_worth_asking_again(reply: BackendReply, settled: Settled) -> bool:
    """Whether a second asking may do better: it may have more room, or better luck with the form."""
    return settled.outcome in ("truncated", "invalid", "empty") and reply.stop != "full" and reply.recorded is None


def build_verdict(request: JudgeRequest, judge: Judge, settled: Settled, attempts: Sequence[Attempt]) -> Verdict:
    """The verdict to be stored: who was asked what, how it ended, and all attempts on the way."""
    return Verdict(
        key=request.key,
        turn=request.turn,
        call=request.call,
        sample=request.sample,
        judge=judge,
        rubric=request.rubric,
        evidence=request.evidence,
        outcome=settled.outcome,
        reason=settled.reason,
        reply=settled.reply,
        text=settled.text,
        attempts=tuple(attempts),
    )
