"""A configuration of what is withheld: what is refused, and what its parts mean."""

from typing import get_args

import pytest
from pydantic import ValidationError

from reportgen.config import Finding, RedactionConfig
from reportgen.errors import ConfigError
from reportgen.redaction.finders import FINDERS
from reportgen.redaction.rules import build_rules


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("KD-(", "does not compile"),
        (r"(?<=a)b", "does not compile"),
        (r"(a)\1", "does not compile"),
        ("x*", "meets the empty text"),
        ("a{0,2000}b{0,2000}", "does not compile"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused_by_its_name(pattern, problem):
    with pytest.raises(ConfigError, match=rf"redaction\.patterns\.number.*{problem}"):
        build_rules(RedactionConfig(patterns={"number": pattern}))


def test_a_pattern_under_the_name_of_a_kind_that_there_is_is_refused():
    with pytest.raises(ConfigError, match="a kind of that name already"):
        build_rules(RedactionConfig(patterns={"email": "x"}))


def test_a_country_that_there_is_not_is_refused():
    with pytest.raises(ConfigError, match=r"redaction\.phone_regions: UK is no country"):
        build_rules(RedactionConfig(phone_regions=("GB", "UK")))


@pytest.mark.parametrize("kind", ["", "Two", "a b", "a]", "x" * 40])
def test_a_kind_that_would_make_no_mark_is_refused(kind):
    with pytest.raises(ValidationError):
        RedactionConfig.from_data({"patterns": {kind: "x"}})


def test_a_pattern_that_takes_other_engines_for_ever_takes_no_time():
    rules = build_rules(RedactionConfig(patterns={"odd": "(a|aa)+$"}))
    text = "a" * 100_000 + "b"
    assert [span for find in rules.finders for span in find(text)] == []


def test_a_column_is_known_by_its_whole_name_in_any_case_with_stars_for_any_letters():
    rules = build_rules(RedactionConfig(columns=("Email", "*_phone")))
    known = ["email", "EMAIL", "home_phone", " email ", "c.email", 'public.c."Email"']
    assert [
        name for name in [*known, "emails", "phone", "phone_calls", "x" * 100_000] if rules.is_column(name)
    ] == known


def test_the_configuration_knows_the_kinds_that_there_are_finders_for_and_looks_for_all_of_them():
    assert get_args(Finding) == tuple(FINDERS) == RedactionConfig().find
