"""Paper for many turns: some in full, all in a table; or all in full, in volumes."""

from dataclasses import replace

import pytest

from reportgen.publishing.paper import press, selection
from reportgen.publishing.paper.bound_parts import ELSEWHERE
from reportgen.publishing.paper.press import plan_volumes
from reportgen.publishing.paper.selection import choose_turns
from reportgen.publishing.text import turn_anchor
from tests.publishing.conftest import make_report, make_statement, make_turn, make_verdict
from tests.publishing.pages import read_page


@pytest.fixture(scope="module")
def many():
    """260 turns, of which 40 failed throughout, so that a cap lowers their score."""
    cases = []
    for number in range(1, 261):
        failed = number % 13 == 0 or number > 240
        statement = make_statement(status="error", error="no", columns=None, rows=None, row_count=None)
        turn = make_turn(number, trajectory=(statement if failed else make_statement(),))
        cases.append((turn, make_verdict(turn, (9, 8, 10 - number % 3, 9))))
    return make_report(cases)


def parts_of(volume):
    return [read_page(part) for part in volume.parts()]


def turns_in_full(pages):
    return [
        attributes["id"]
        for page in pages
        for tag, attributes in page.tags
        if tag == "article" and "turn" in (attributes.get("class") or "")
    ]


def require_whole(volumes):
    """Each link of a volume leads to a place in it, and each place is there once."""
    for volume in volumes:
        pages = parts_of(volume)
        ids = [name for page in pages for name in page.values("id")]
        links = [href for page in pages for href in page.values("href")]
        assert {href.removeprefix(ELSEWHERE).removeprefix("#") for href in links} <= set(ids)
        turns = [name for name in ids if name.startswith("turn-turn-") and not name.endswith("-title")]
        assert len(turns) == len(set(turns))


def test_of_more_than_200_turns_the_lowest_the_capped_and_a_sample_stand_in_full(many):
    chosen = choose_turns(many)
    assert len(chosen.ids) == selection.IN_FULL
    assert set(many.findings.worst) <= chosen.ids
    assert chosen.worst + chosen.capped + chosen.sampled == len(chosen.ids)
    lowered = {turn for use in many.findings.caps for turn in use.lowered}
    assert lowered <= chosen.ids
    assert chosen.sampled > 20


def test_the_sample_follows_from_the_seal(many):
    other = replace(many, run=many.run.model_copy(update={"seal": "f" * 64}))
    assert choose_turns(many) == choose_turns(many)
    assert choose_turns(many).ids != choose_turns(other).ids


def test_a_report_of_many_turns_says_which_stand_in_full_and_has_the_arithmetic_of_all(many):
    (volume,) = plan_volumes(many, all_turns=False, attached="report.json")
    front, sums, *rest = parts_of(volume)
    chosen = choose_turns(many)
    assert chosen.account in " ".join(front.all_text.split())
    assert "which this PDF carries" in front.all_text
    assert len(turns_in_full(rest)) == 100
    assert turns_in_full([front]) == []
    assert all(f"turn-{number}" in sums.all_text for number in range(1, 261))
    assert set(turns_in_full(rest)) == {turn_anchor(turn) for turn in chosen.ids}
    require_whole([volume])


def test_all_turns_stand_in_full_where_that_is_asked_for(many):
    (volume,) = plan_volumes(many, all_turns=True)
    pages = parts_of(volume)
    assert turns_in_full(pages) == [turn_anchor(f"turn-{number}") for number in range(1, 261)]
    assert len(pages) > 3
    require_whole([volume])


def test_very_many_turns_are_bound_in_volumes_and_the_first_says_where_each_stands(many, monkeypatch):
    monkeypatch.setattr(press, "TURNS_IN_A_VOLUME", 100)
    volumes = plan_volumes(many, all_turns=True)
    assert [volume.name for volume in volumes] == ["report.pdf", "report-volume-2.pdf", "report-volume-3.pdf"]
    counts = [len(turns_in_full(parts_of(volume))) for volume in volumes]
    assert counts == [100, 100, 60]
    front, head = parts_of(volumes[0])[0], parts_of(volumes[1])[0]
    assert "Turns 101 to 200 stand in full in the file report-volume-2.pdf." in front.all_text
    assert "Volume 2 of 3: Turns 101 to 200" in head.all_text
    assert many.run.seal in head.all_text
    require_whole(volumes)


def test_parts_are_full_but_not_more_than_one_turn_too_full(many):
    (volume,) = plan_volumes(many, all_turns=True)
    lengths = [len("".join(part)) for part in list(volume.parts())[1:]]
    assert all(press.PART <= length < press.PART + 60_000 for length in lengths[:-1])


def test_few_turns_are_set_in_one_piece(report):
    (volume,) = plan_volumes(report, all_turns=False, attached="report.json")
    (page,) = parts_of(volume)
    assert len(turns_in_full([page])) == 12
    assert "that this PDF carries" in page.all_text
