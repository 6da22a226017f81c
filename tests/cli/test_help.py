"""The help: quick, complete, with examples."""

import subprocess
import sys

import pytest

from reportgen.cli import COMMANDS

HEAVY = {
    "anthropic",
    "weasyprint",
    "scipy",
    "numpy",
    "pydantic",
    "jinja2",
    "yaml",
    "markdown",
    "tqdm",
    "fastapi",
    "starlette",
    "uvicorn",
}
GROUPS = {
    "runs": ["list", "show"],
    "anchors": ["freeze", "check", "list"],
    "batches": ["cancel"],
    "labels": ["export", "import", "list"],
}
LEAVES = [[name] for name in COMMANDS if name not in GROUPS]
LEAVES += [[name, part] for name, parts in GROUPS.items() for part in parts]


def modules_after(*arguments: str) -> set[str]:
    """The top-level modules that are loaded once the program has ended with these arguments."""
    code = (
        "import sys\nfrom reportgen.cli import end_of, reportgen\n"
        f"end_of(lambda: reportgen.main({list(arguments)!r}, 'reportgen', standalone_mode=False))\n"
        "print('LOADED', *{name.partition('.')[0] for name in sys.modules})"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(printed.rpartition("LOADED")[2].split())


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], *([*leaf, "--help"] for leaf in LEAVES)])
def test_help_loads_nothing_heavy(arguments):
    assert not HEAVY & modules_after(*arguments)


def test_verifying_a_run_asks_no_judge_and_makes_no_page(demo_run):
    loaded = modules_after("verify", str(demo_run))
    assert not {"anthropic", "weasyprint"} & loaded
    assert "pydantic" in loaded


def test_the_help_lists_each_command_with_its_line(reportgen):
    shown = " ".join(reportgen("--help").out.split())
    for name, line in COMMANDS.items():
        assert f"{name} {line}" in shown


@pytest.mark.parametrize("leaf", LEAVES)
def test_each_command_shows_examples_that_begin_with_its_name(reportgen, leaf):
    ended = reportgen(*leaf, "--help")
    assert ended.code == 0
    assert f"reportgen {' '.join(leaf)}" in ended.out.partition("Examples:")[2]


@pytest.mark.parametrize("leaf", LEAVES)
def test_each_command_has_config_verbose_and_quiet(reportgen, leaf):
    shown = reportgen(*leaf, "--help").out
    assert all(option in shown for option in ("--config", "--verbose", "--quiet"))


def test_an_unknown_command_or_option_is_a_usage_error(reportgen):
    assert reportgen("juggle").code == 2
    assert reportgen("demo", "--juggle").code == 2
