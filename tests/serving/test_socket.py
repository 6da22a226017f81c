"""The command at a real port of this machine, ended by its process id."""

import http.client
import json
import os
import signal
import subprocess
import sys

import pytest

from tests.serving.conftest import ALL, bearer


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_the_command_says_where_it_listens_answers_and_ends_when_it_is_asked_to(served_runs, tokens, sign):
    words = ["serve", served_runs, "--port", "0", "--token-file", tokens, "--verbose"]
    code = "import sys; from reportgen.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        address = process.stdout.readline()
        port = int(address.removeprefix("listening on http://127.0.0.1:"))
        answers = [ask(port, "/health"), ask(port, "/evals/handbook/stats", bearer(ALL)), ask(port, "/evals/handbook")]
        assert [status for status, _ in answers] == [200, 200, 401]
        assert answers[1][1]["total_queries"] > 0
        assert ask(port, "/evals/../../etc/passwd", bearer(ALL))[0] == 404
        assert ask(port, "/evals/..%2Fhandbook", bearer(ALL))[0] == 404
        assert ask(port, f"/evals/handbook?token={ALL}")[0] == 401
        assert ask(port, "/health", {"Connection": "Upgrade", "Upgrade": "websocket"})[0] == 200
    finally:
        os.kill(process.pid, sign)
        rest, told = process.communicate(timeout=60)
    assert (process.returncode, rest) == (0, "")
    assert told.endswith("Stopped.\n")
    assert '"GET /evals/handbook HTTP/1.1" 401' in told
    assert ALL not in told
    assert "pip install" not in told
    assert "Traceback" not in told


def ask(port, path, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()
