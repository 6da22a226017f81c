"""Price files: what comes with the program, what a user's own file changes, and what is refused."""

import re
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from reportgen.analysis.pricing import Tokens, cost_of, find_price
from reportgen.errors import ConfigError
from reportgen.model.price import Price
from reportgen.prices import load_prices

DAY = date(2026, 11, 30)
OWN = """
format: reportgen/prices/1
rows:
  - {provider: anthropic, model: claude-opus-5-5, from: 2026-01-01, in: 1, out: 2, source: our contract,
     checked: 2026-11-01}
  - {provider: openai, model: "qwen3:8b", from: 2026-01-01, in: 0, out: 0, source: our own machine, checked: 2026-11-01}
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "prices.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("model", "dollars"),
    [("claude-fable-5-2", 484), ("claude-opus-5-5", 244), ("claude-sonnet-5-5", 122), ("claude-haiku-5-5", 6.2)],
)
def test_ten_thousand_turns_cost_what_was_worked_out_by_hand(model, dollars):
    # 10,000 times 2,000 tokens from the cache, 2,500 fresh ones and 700 of output, as for Opus 5.5:
    # 10,000 * (2,000 * 0.20 + 2,500 * 4 + 700 * 20) / 1,000,000 = 244.
    price = find_price("anthropic", model, DAY, load_prices())
    cost = cost_of(Tokens(input=2_500, read=2_000, output=700), price, {})
    assert 10_000 * cost == Fraction(str(dollars))


def test_a_decimal_is_exactly_what_is_written():
    assert find_price("anthropic", "claude-haiku-5-5", DAY, load_prices()).input == Fraction(1, 10)


def test_each_row_says_where_it_is_from_and_when_it_was_looked_up():
    rows = load_prices()
    assert len(rows) >= 14
    assert all(row.source and row.starts <= row.checked for row in rows)
    assert all(row.batch == Fraction(1, 2) for row in rows)


def test_a_file_of_the_user_goes_before_row_by_row(tmp_path):
    prices = load_prices(write(tmp_path, OWN))
    assert find_price("anthropic", "claude-opus-5-5", DAY, prices).source == "our contract"
    assert [row.input for row in prices if row.model == "claude-opus-5-5"] == [1]
    assert find_price("anthropic", "claude-haiku-5-5", DAY, prices).input == Fraction(1, 10)
    assert find_price("openai", "qwen3:8b", DAY, prices).output == 0


def test_a_price_reads_back_as_it_was_stored():
    row = load_prices()[0]
    assert type(row).from_data(row.to_data()) == row


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("in: 1,", "in: -1,", "rows.0.in: must be a plain decimal"),
        ("in: 1,", "in: 1e3,", "rows.0.in"),
        ("in: 1,", "in: true,", "rows.0.in"),
        ("in: 1,", "", "rows.0.in"),
        ("out: 2,", "out: 2, discount: 1,", "rows.0.discount"),
        ("from: 2026-01-01, in: 1", "from: May, in: 1", "rows.0.from"),
        ("prices/1", "prices/2", "format"),
        ("rows:", "rows: [", "cannot be read"),
    ],
)
def test_a_wrong_row_is_named_with_its_place(tmp_path, old, new, message):
    path = write(tmp_path, OWN.replace(old, new, 1))
    with pytest.raises(ConfigError) as caught:
        load_prices(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_two_prices_of_a_model_from_one_day_on_are_refused(tmp_path):
    row = OWN.splitlines()[-1]
    with pytest.raises(ConfigError, match="qwen3:8b has 2 prices from 2026-01-01 on"):
        load_prices(write(tmp_path, f"{OWN}{row}\n"))


def test_a_file_that_is_absent_is_an_error(tmp_path):
    with pytest.raises(ConfigError, match=r"absent\.yaml cannot be read"):
        load_prices(tmp_path / "absent.yaml")


def test_the_documented_price_file_is_one_and_its_fields_are_all_documented(tmp_path):
    text = (Path(__file__).parent.parent / "docs" / "prices.md").read_text("utf-8")
    (example,) = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    prices = load_prices(write(tmp_path, example))
    assert find_price("openai", "qwen3:8b", DAY, prices).input == 0
    documented = re.findall(r"`([a-z_0-9]+)`", "".join(re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)))
    names = {field.alias or name for name, field in Price.model_fields.items()}
    assert sorted(documented) == sorted(names)
