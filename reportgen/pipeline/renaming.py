"""Names and digests of a run that would tell of it in another: each gets one that tells nothing."""

from collections.abc import Sequence

from reportgen.analysis.spending import RECORDED
from reportgen.analysis.vendors import judges_of
from reportgen.assembly import QUOTE
from reportgen.errors import RunError
from reportgen.judging.evidence import build_evidence
from reportgen.judging.prompts import JudgePrompts, build_all_prompts, build_request
from reportgen.judging.quotes import find_quotes
from reportgen.model.run import WITHHELD, RunFile
from reportgen.model.turn import PartOf, Turn
from reportgen.model.verdict import Judge, Verdict
from reportgen.redaction.rules import Rules
from reportgen.redaction.turns import redact_data
from reportgen.scoring.readings import is_same


class Renaming:
    """How a derived run names what its parent named: the same name for the same thing in all of the run."""

    def __init__(self, run: RunFile, rules: Rules, *, hides_files: bool = False) -> None:
        self.rules = rules
        self._hides_files = hides_files
        self._run = run
        self._names: dict[tuple[str, str], str] = {}
        self._judges: dict[str, Judge] = {}
        self._old = build_all_prompts(run.rubric, judges_of(run.manifest))
        self._new = build_all_prompts(run.rubric, map(self.judge, judges_of(run.manifest)))

    def judge(self, judge: Judge) -> Judge:
        """The judge without what the rules withhold, and a number for the digest of a file that it replayed.

        Where files are hidden, the number stands for the name of that file, too.
        """
        known = judge.model_dump_json()
        if known not in self._judges:
            data = judge.to_data()
            replayed = data["parameters"].get("sha256")
            if isinstance(replayed, str):
                data["parameters"]["sha256"] = self._number("file", replayed)
            if self._hides_files and judge.provider == RECORDED:
                data["model"] = self._number("file", str(replayed)).replace(" ", "-")
            self._judges[known] = Judge.from_data(redact_data(data, self.rules))
        return self._judges[known]

    def rename_turn(self, turn: Turn) -> Turn:
        """The turn with conversation and bundle under numbers of this run, and and without the digest of its capture.

        The seed of a draw goes, too: it is that digest where nobody chose another.
        """
        part = turn.part_of
        changed = {
            "conversation": turn.conversation and self._number("conversation", turn.conversation),
            "drawn": turn.drawn and turn.drawn.model_copy(update={"source": None, "seed": WITHHELD}),
            "part_of": part and PartOf(turn=self._number("bundle", part.turn), number=part.number, count=part.count),
        }
        return turn.model_copy(update=changed)

    def rename_attempts(self, verdict: Verdict) -> Verdict:
        """The verdict with batches under numbers of this run, and without the provider's ids of the requests."""
        attempts = tuple(
            attempt.model_copy(
                update={"batch": attempt.batch and self._number("batch", attempt.batch), "request_id": None}
            )
            for attempt in verdict.attempts
        )
        return verdict.model_copy(update={"attempts": attempts})

    def settle(self, verdict: Verdict, turn: Turn) -> Verdict:
        """The redacted verdict as it stands in the run.

        The digests of evidence and request stay where they follow from what the run shows. All others are withheld:
        whoever knows the rest of the evidence could try out by them what was withheld.
        """
        judge = self.judge(verdict.judge)
        evidence, key = self._digests(verdict, turn, self._new, judge)
        changed = {
            "judge": judge,
            "evidence": verdict.evidence if verdict.evidence == evidence else WITHHELD,
            "key": verdict.key if verdict.key == key else WITHHELD,
        }
        return verdict.model_copy(update=changed)

    def require_evidence(self, turn: Turn, verdicts: Sequence[Verdict]) -> None:
        """Makes sure that the verdicts are on the turn as it is, since nobody can see that in the derived run.

        Raises:
            RunError: One is on other evidence.
        """
        if turn.id in self._run.manifest.erased:
            return
        for verdict in verdicts:
            if self._digests(verdict, turn, self._old, verdict.judge)[0] != verdict.evidence:
                raise RunError(
                    f"A verdict of the run {self._run.manifest.run_id} is not on the turn {turn.id} as it is",
                    "`reportgen verify` names the place; restore the run from its archive.",
                )

    def _digests(
        self, verdict: Verdict, turn: Turn, prompts: list[JudgePrompts], judge: Judge
    ) -> tuple[str | None, str | None]:
        """The digests of the evidence and of the request that the verdict would have on this turn."""
        asked = next((calls for known, calls in prompts if is_same(known, judge)), None)
        prompt = asked.get(verdict.call) if asked else None
        if prompt is None:
            return None, None
        request = build_request(turn, prompt, self._run.manifest.evidence, verdict.sample)
        return request.evidence, request.key

    def _number(self, kind: str, name: str) -> str:
        key = (kind, name)
        if key not in self._names:
            number = 1 + sum(other == kind for other, _ in self._names)
            self._names[key] = f"{kind} {number}"
        return self._names[key]


def settle_quotes(verdict: Verdict, turn: Turn, before: Verdict, original: Turn, run: RunFile) -> Verdict:
    """The redacted verdict without quotes that stand in the evidence as it is now and did not before, or the reverse.

    A quote that cuts a withheld value in two would show a part of it and count as made up; one that named a wrong value
    would count as true, since the marks are the same.
    """
    if verdict.reply is None or before.reply is None or verdict.evidence != WITHHELD:
        return verdict
    call = next(call for call in run.rubric.calls if call.id == verdict.call)
    limits = run.manifest.evidence
    found = find_quotes(verdict.reply.quotes, build_evidence(turn, call, limits).text)
    stood = find_quotes(before.reply.quotes, build_evidence(original, call, limits).text)
    quotes = (
        quote if now == then else QUOTE for quote, now, then in zip(verdict.reply.quotes, found, stood, strict=True)
    )
    return verdict.model_copy(update={"reply": verdict.reply.model_copy(update={"quotes": tuple(quotes)})})
