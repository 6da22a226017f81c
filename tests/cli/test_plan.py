"""`reportgen plan`."""

from tests.cli.test_sample import RECORDED, TURNS


def test_a_plan_says_for_each_number_of_turns_what_it_buys(reportgen, demo_run):
    ended = reportgen("plan", demo_run)
    assert ended.code == 0
    assert "      100 turns  mean ±  5.5  change of 11.0 found" in ended.out.splitlines()
    assert "independent of one another: 50 × conversation" in ended.err
    assert "What a turn costs is not known" in ended.err


def test_a_wanted_width_or_change_gives_the_number_of_turns(reportgen, demo_run):
    ended = reportgen("plan", demo_run, "--half-width", "3", "--detect", "5")
    assert [line.split()[0] for line in ended.out.splitlines()] == ["332", "482"]
    assert reportgen("plan", demo_run, "--half-width", "0").code == 2


def test_a_run_of_one_turn_tells_of_no_spread(reportgen, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reportgen("judge", TURNS, "--judge", RECORDED, "--run-id", "one", "--limit", "1")
    ended = reportgen("plan", "one")
    assert (ended.code, "does not tell how scores spread" in ended.err) == (1, True)
