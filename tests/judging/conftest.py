"""The loopback judge, and a way to judge turns by it through the real SDK."""

import asyncio

import pytest

from reportgen.judging.backends import open_backend
from reportgen.rubrics import load_rubric
from tests.judge_server import served
from tests.judging.makers import judge_with


@pytest.fixture(scope="session")
def rubric():
    return load_rubric("sql-agent-1")


@pytest.fixture
def server(monkeypatch):
    """A judge on loopback, to which the SDK's own variables lead."""
    with served(monkeypatch) as running:
        yield running


@pytest.fixture
def judge(server, rubric):
    """Judges turns through the real SDK; returns the verdicts by turn."""

    def run(turns, spec="anthropic:claude-opus-5-5", **options):
        kept, _ = asyncio.run(judge_with(open_backend(spec), turns, rubric, **options))
        return {verdict.turn: verdict for verdict in kept}

    return run
