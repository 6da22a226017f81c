"""An archive that is served, in this process."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from reportgen.cli import end_of, reportgen
from reportgen.serving.access import read_access
from reportgen.serving.app import build_app
from reportgen.serving.catalogue import Catalogue
from reportgen.serving.desk import Desk

ALL, SOME = "all-" + "a" * 40, "some-" + "b" * 40
LOOPBACK = "http://127.0.0.1:8000"


def call(*words):
    code = end_of(lambda: reportgen.main([str(word) for word in words], "reportgen", standalone_mode=False))
    assert code == 0, words


@pytest.fixture(scope="session")
def served_runs(metric_runs, demo_run, tmp_path_factory) -> Path:
    """Two runs of a collection, of which one has a report, one without collections, and one for a client."""
    folder = tmp_path_factory.mktemp("served") / "runs"
    shutil.copytree(metric_runs, folder)
    shutil.copytree(demo_run, folder / demo_run.name)
    key = folder.parent / "key"
    key.write_text("5" * 64)
    key.chmod(0o600)
    out = folder.parent / "reports"
    call("report", "before", "--runs", folder, "--format", "json", "--out", out)
    call("derive", "before", "--client", "North", "--key", key, "--runs", folder, "--run-id", "north")
    call("report", "north", "--runs", folder, "--format", "json", "--out", out / "north")
    return folder


@pytest.fixture
def runs(served_runs, tmp_path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(served_runs, tmp_path / "runs", copy_function=shutil.copy2))


@pytest.fixture(scope="session")
def tokens(tmp_path_factory) -> Path:
    """A token file: one token for everything, one for a collection of which there is none but `handbook`."""
    path = tmp_path_factory.mktemp("tokens") / "tokens.yaml"
    path.write_text(f"- token: {ALL}\n  collections: all\n- token: {SOME}\n  collections: [handbook, not-there]\n")
    path.chmod(0o600)
    return path


@dataclass
class Served:
    """A server in this process, and what it told the one who runs it."""

    app: object
    client: TestClient
    told: list

    def get(self, path, **options):
        return self.client.get(path, **options)

    def json(self, path, **options):
        answer = self.get(path, **options)
        assert answer.status_code == 200, answer.text
        return answer.json()


def serve(runs, tokens=None) -> Served:
    """A server over these runs."""
    told: list[str] = []
    access = read_access(tokens, runs)
    app = build_app(Desk(Catalogue(runs, told.append), told.append), access, "UTC")
    return Served(app, TestClient(app, base_url=LOOPBACK, raise_server_exceptions=False), told)


@pytest.fixture(scope="session")
def server(served_runs) -> Served:
    """A server that asks for no token; its runs are not to be changed."""
    return serve(served_runs)


@pytest.fixture(scope="session")
def guarded(served_runs, tokens) -> Served:
    """The same with tokens."""
    return serve(served_runs, tokens)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}
