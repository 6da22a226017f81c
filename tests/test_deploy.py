"""The examples of a deployment are sound, and name commands that there are."""

import configparser
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from reportgen.pipeline.redis_address import VARIABLE

DEPLOY = Path(__file__).parent.parent / "deploy"
UNITS = sorted(DEPLOY.glob("*@.*"))
KNOWN = {"CL-0019"}
"""That images are pinned by a digest is the part of whoever deploys; the file says so."""


def require_command(words):
    """Makes sure that these are a command of the program with its options."""
    command = import_module(f"reportgen.cli.{words[0]}").command
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options


def test_the_compose_file_is_found_sound_by_its_linter():
    linter = Path(sys.executable).with_name("compose-lint")
    command = [linter, "check", "--no-env", "--fail-on", "high", DEPLOY / "compose.yaml"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert set(re.findall(r"CL-\d{4}", ended.stdout.partition("Details on any rule")[0])) <= KNOWN


def test_the_compose_file_starts_a_worker_that_is_given_time_to_end():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    worker = services["worker"]
    require_command(worker["command"][1:])
    assert worker["stop_grace_period"] == "90s"
    assert VARIABLE in worker["environment"]
    assert "REPORTGEN_USER" in worker["user"], "turns can be read by the user alone who handed them in"
    assert all(port.startswith("127.0.0.1:") for port in services["redis"]["ports"])
    assert "noeviction" in services["redis"]["command"]


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_each_unit_has_the_parts_that_it_needs(unit):
    parser = configparser.ConfigParser(interpolation=None, strict=True, delimiters="=")
    parser.optionxform = str
    parser.read(unit)
    assert "Description" in parser["Unit"]
    if unit.suffix == ".timer":
        assert (DEPLOY / unit.name.replace(".timer", ".service")).exists()
        return
    words = shlex.split(parser["Service"]["ExecStart"])
    line = words if words[0] != "/bin/sh" else shlex.split(words[2].removeprefix("exec "))
    assert line[0] == "/opt/reportgen/bin/reportgen"
    require_command(line[1:])
    assert parser["Service"]["EnvironmentFile"] == "/etc/reportgen/environment"


def test_the_units_are_found_sound_by_systemd(tmp_path):
    program = tmp_path / "reportgen"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for unit in UNITS:
        text = unit.read_text().replace("/opt/reportgen/bin/reportgen", str(program))
        (tmp_path / unit.name.replace("@", "@desk")).write_text(text)
    units = sorted(tmp_path.glob("*@*"))
    ended = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    # It also speaks of units of the machine.
    assert [line for line in ended.stderr.splitlines() if "reportgen" in line] == []
    assert ended.returncode == 0, ended.stderr
