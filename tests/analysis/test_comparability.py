"""Which runs may be compared."""

import pytest

from reportgen.analysis.comparability import Break, find_breaks
from reportgen.model.instrument import Instrument
from reportgen.model.run import EvidenceLimits
from reportgen.model.verdict import Judge

JUDGE = Judge(provider="anthropic", model="claude-opus-5-5", effort="medium")
INSTRUMENT = Instrument(
    rubric="sql-agent-1",
    rubric_digest=64 * "a",
    prompts={"quality": 64 * "b"},
    judge=JUDGE,
    evidence=EvidenceLimits(),
)


def test_one_instrument_may_be_compared_with_itself_whatever_is_noted_of_its_judge():
    noted = INSTRUMENT.model_copy(update={"judge": JUDGE.model_copy(update={"note": "asked at night"})})
    assert find_breaks(INSTRUMENT, noted) == ()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"rubric": "sql-agent-2"}, Break("rubric", "sql-agent-1", "sql-agent-2")),
        ({"rubric_digest": 64 * "c"}, Break("rubric digest", 64 * "a", 64 * "c")),
        ({"prompts": {"quality": 64 * "d"}}, Break("prompts", f"quality {64 * 'b'}", f"quality {64 * 'd'}")),
        (
            {"judge": JUDGE.model_copy(update={"model": "claude-opus-6"})},
            Break("judge", "anthropic:claude-opus-5-5", "anthropic:claude-opus-6"),
        ),
        ({"judge": JUDGE.model_copy(update={"effort": "high"})}, Break("effort", "medium", "high")),
        (
            {"judge": JUDGE.model_copy(update={"parameters": {"temperature": 1}})},
            Break("judge parameters", "none", "temperature 1"),
        ),
        ({"samples": 3}, Break("readings a turn", "1", "3")),
        ({"rescored": True}, Break("rescored", "no", "yes")),
    ],
)
def test_each_key_that_differs_is_named_with_both_values(change, named):
    assert find_breaks(INSTRUMENT, INSTRUMENT.model_copy(update=change)) == (named,)


def test_how_much_the_judge_was_shown_is_part_of_the_instrument():
    (found,) = find_breaks(INSTRUMENT, INSTRUMENT.model_copy(update={"evidence": EvidenceLimits(rows=5)}))
    assert (found.key, "rows 20" in found.before, "rows 5" in found.after) == ("evidence", True, True)
