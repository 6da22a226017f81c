"""Brand and templates of one's own, by the configuration and on the command line."""

import pytest
import yaml


@pytest.fixture
def configure(tmp_path):
    """Writes a configuration with such a part on reports, and gives its path."""

    def write_config(**report):
        path = tmp_path / "config.yaml"
        path.write_text(yaml.safe_dump({"report": report}), "utf-8")
        return path

    return write_config


@pytest.fixture
def templates(tmp_path):
    """A folder with a roadmap of one's own."""
    (tmp_path / "mine" / "prose").mkdir(parents=True)
    (tmp_path / "mine" / "prose" / "roadmap.md").write_text("Our own road.", "utf-8")
    return tmp_path / "mine"


def test_the_brand_of_the_configuration_stands_in_the_report(reportgen, demo_run, configure, tmp_path):
    config = configure(brand={"name": "Tidewater", "accent": "#0b6e4f", "footer": "In confidence"})
    ended = reportgen("report", demo_run, "--config", config, "--out", tmp_path / "out", "--format", "html")
    assert ended.code == 0
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Tidewater" in page
    assert "--accent: #0b6e4f" in page
    assert "In confidence" in page


def test_templates_are_named_on_the_command_line_or_in_the_configuration(
    reportgen, demo_run, configure, templates, tmp_path
):
    configured = configure(templates=str(templates))
    for number, options in enumerate((["--templates", templates], ["--config", configured])):
        out = tmp_path / str(number)
        assert reportgen("report", demo_run, *options, "--out", out, "--format", "html").code == 0
        assert "Our own road." in (out / "report.html").read_text("utf-8")


def test_a_look_that_cannot_be_used_is_named_before_anything_is_judged(
    reportgen, configure, templates, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (templates / "prose" / "raodmap.md").write_text("x", "utf-8")
    ended = reportgen("run", "absent.jsonl", "--templates", templates)
    assert ended.code == 1
    assert "error[render]" in ended.err
    assert "raodmap.md overrides nothing" in ended.err
    assert "Did you mean prose/roadmap.md?" in ended.err
    ended = reportgen("run", "absent.jsonl", "--config", configure(brand={"accent": "#ffcc4d"}))
    assert ended.code == 1
    assert "error[config]" in ended.err


@pytest.mark.parametrize(
    ("brand", "place"),
    [
        ({"accent": "green"}, "report.brand.accent"),
        ({"footer": "two\nlines"}, "report.brand.footer"),
        ({"colour": "#000000"}, "report.brand.colour"),
    ],
)
def test_a_key_of_the_brand_that_is_wrong_is_named(reportgen, demo_run, configure, brand, place):
    ended = reportgen("report", demo_run, "--config", configure(brand=brand))
    assert ended.code == 1
    assert place in ended.err
