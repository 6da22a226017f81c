"""Files that people write: what is read, and what is refused with a sentence."""

import pytest

from reportgen.config import load_config
from reportgen.errors import ConfigError, RubricError
from reportgen.prices import load_prices
from reportgen.reading import read_yaml
from reportgen.rubrics import load_rubric

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{one}: &{one} [{', '.join([f'*{other}'] * 9)}]\n" for other, one in zip("abcdefgh", "bcdefghi", strict=True)
)
READERS = {"config": (load_config, ConfigError), "rubric": (lambda path: load_rubric(str(path)), RubricError)}
READERS["prices"] = (load_prices, ConfigError)


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(
    ("text", "said"),
    [(BOMB, "its aliases stand for"), ("a: &a [*a]", "its aliases stand for"), ("[" * 5000, "nested too deeply")],
)
def test_yaml_that_would_fill_the_memory_or_the_stack_is_refused_wherever_it_is_read(tmp_path, kind, text, said):
    path = tmp_path / "file.yaml"
    path.write_text(text)
    read, error = READERS[kind]
    with pytest.raises(error) as raised:
        read(path)
    assert said in str(raised.value)


@pytest.mark.parametrize("kind", READERS)
def test_a_file_that_is_no_yaml_or_no_text_is_refused_wherever_it_is_read(tmp_path, kind):
    read, error = READERS[kind]
    path = tmp_path / "file.yaml"
    for content in (b"a: [", b"\xff\xfe", b"a: \x00"):
        path.write_bytes(content)
        with pytest.raises(error):
            read(path)


def test_a_few_aliases_are_followed(tmp_path):
    path = tmp_path / "file.yaml"
    path.write_text("a: &a {in: 1}\nb: {<<: *a, out: 2}\n")
    assert read_yaml(path)["b"] == {"in": 1, "out": 2}


def test_decimals_and_dates_stay_text_where_that_is_asked_for(tmp_path):
    path = tmp_path / "file.yaml"
    path.write_text("a: 0.10\nb: 2026-11-01\nc: 3\n")
    assert read_yaml(path, as_text=True) == {"a": "0.10", "b": "2026-11-01", "c": 3}
    assert read_yaml(path)["a"] == 0.1


@pytest.mark.parametrize("kind", ["config", "prices"])
def test_an_unknown_key_is_named(tmp_path, kind):
    path = tmp_path / "file.yaml"
    path.write_text("format: reportgen/prices/1\nrows: []\ncolour: red\n" if kind == "prices" else "colour: red\n")
    read, error = READERS[kind]
    with pytest.raises(error, match="colour: there is no such key"):
        read(path)
