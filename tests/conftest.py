"""What all tests share."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test fails for being slow: how fast a machine is says nothing about the code.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# A shell that runs the tests in the background has them ignore Ctrl-C, and so do the programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real captures and reference values that stands beside the repository, where there is one.

    Where `REPORTGEN_SHARED` says that there is one, as in CI, its absence is a failure.
    """
    named = os.environ.get("REPORTGEN_SHARED")
    folder = Path(named or Path(__file__).resolve().parents[2] / "shared")
    if not folder.is_dir():
        (pytest.fail if named else pytest.skip)(f"there are no real captures in {folder}")
    return folder


@pytest.fixture(scope="session")
def adk_capture(shared) -> Path:
    """The real capture of Google ADK."""
    return shared / "data" / "bird_interact_adk" / "a_interact_samples.json"


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch):
    """Tests speak to loopback only, and know no key and no fixed date but their own."""
    for name in list(os.environ):
        if (
            name.lower().endswith("_proxy")
            or name.startswith(("ANTHROPIC_", "OPENAI_", "REPORTGEN_KEY", "REPORTGEN_REDIS", "REPORTGEN_TOKEN"))
            or name == "SOURCE_DATE_EPOCH"
        ):
            monkeypatch.delenv(name)


@pytest.fixture
def own_folder(tmp_path, monkeypatch) -> Path:
    """A folder that is empty, and the working folder of the test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@dataclass(frozen=True)
class Ended:
    """How a call of the program ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def reportgen(capsys):
    """Calls the program as the shell would, in this process."""

    def call(*arguments: object) -> Ended:
        from reportgen.cli import end_of, reportgen

        capsys.readouterr()
        code = end_of(lambda: reportgen.main([str(item) for item in arguments], "reportgen", standalone_mode=False))
        printed = capsys.readouterr()
        return Ended(int(code), printed.out, printed.err)

    return call


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> Path:
    """A folder with the example run and its report as JSON."""
    from reportgen.pipeline.demo import make_demo
    from reportgen.publishing.look.look import PLAIN

    out = tmp_path_factory.mktemp("demo")
    make_demo(out, ("json",), "Answer quality report", PLAIN, lambda done, total, trouble: None)
    return out


@pytest.fixture(scope="session")
def demo_run(demo) -> Path:
    """The folder of the example run."""
    from reportgen.pipeline.demo import EXAMPLES

    return demo / "runs" / EXAMPLES["sql"].run_id


@pytest.fixture(scope="session")
def metric_runs(tmp_path_factory) -> Path:
    """A folder of two runs by a rubric without a composite, `before` and `after`; not to be changed."""
    from reportgen.cli import end_of, reportgen
    from tests.metric_runs import write_captures

    folder = tmp_path_factory.mktemp("metrics")
    judge = write_captures(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in ("before", "after"):
            words = ["judge", f"{name}.jsonl", "--judge", judge, "--rubric", "rag-1", "--run-id", name]
            assert end_of(lambda words=words: reportgen.main(words, "reportgen", standalone_mode=False)) == 0
    return folder / "runs"
