"""Who gets in: nobody from outside without a token, nobody beyond the collections of a token, and no path."""

import socket

import pytest

from reportgen.errors import ServeError
from reportgen.serving.access import Access, read_access, require_safe
from tests.serving.conftest import ALL, SOME, bearer, serve

PATHS = ("/evals/handbook", "/evals/handbook/stats", "/reports", "/reports/before", "/openapi.json", "/", "/absent")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "headers",
    [{}, bearer("x" * 40), bearer(""), bearer(ALL[:-1]), bearer(f"{ALL} x"), {"Authorization": f"Basic {ALL}"}],
)
def test_without_a_token_there_is_nothing_but_health(guarded, path, headers):
    answer = guarded.get(path, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert guarded.get("/health", headers=headers).json() == {"status": "ok"}


def test_a_token_in_the_address_or_two_at_once_are_none(guarded):
    assert guarded.get(f"/evals/handbook?token={ALL}").status_code == 401
    twice = [("Authorization", f"Bearer {ALL}"), ("Authorization", f"Bearer {SOME}")]
    assert guarded.get("/evals/handbook", headers=twice).status_code == 401


def test_a_token_for_everything_opens_everything(guarded):
    statuses = [guarded.get(path, headers=bearer(ALL)).status_code for path in PATHS]
    assert statuses == [200, 200, 200, 200, 200, 404, 404]
    assert guarded.get("/reports", headers={"Authorization": f"bearer {ALL}"}).status_code == 200


def test_a_token_for_a_collection_opens_it_and_no_report_and_another_one_is_as_if_it_were_not(runs, tokens):
    text = tokens.read_text().replace("[handbook, not-there]", "[other, not-there]")
    other = runs.parent / "tokens.yaml"
    other.write_text(text)
    other.chmod(0o600)
    mine, others = serve(runs, tokens), serve(runs, other)
    assert mine.get("/evals/handbook", headers=bearer(SOME)).status_code == 200
    assert [mine.get(path, headers=bearer(SOME)).status_code for path in ("/reports", "/reports/before")] == [403, 403]
    answers = [
        others.get(path, headers=bearer(SOME)) for path in ("/evals/handbook", "/evals/absent", "/evals/not-there")
    ]
    assert [answer.status_code for answer in answers] == [404] * 3
    assert len({answer.content for answer in answers}) == 1


@pytest.mark.parametrize(
    "path",
    [
        "/evals/..%2f..%2fetc%2fpasswd",
        "/evals/%2e%2e/stats",
        "/evals/../../etc/passwd",
        "/evals/handbook%2Fstats",
        "/evals/handbook%5c..",
        "/evals/handbook%00",
        "/evals/%252e%252e%252fbefore",
        "/evals/" + "a" * 5_000,
        "/evals/%ff%fe",
        "/evals/.",
        "/evals//stats",
        "/evals/handbook/",
        "/evals/handbook/stats/",
        "/reports/..%2fruns%2fbefore",
        "/reports/../before",
        "/reports/before%00.json",
        "/reports/before/turns.jsonl",
        "/reports/" + "..%2f" * 400,
        "//evals/handbook",
        "/openapi.json/",
        "/docs",
        "/static/../pyproject.toml",
    ],
)
def test_a_path_in_an_id_gets_nothing(server, path):
    answer = server.client.request("GET", "http://127.0.0.1:8000" + path)
    assert answer.status_code in (404, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert set(answer.json()) == {"type", "title", "status", "detail", "fix"}
    assert len(answer.content) < 400


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=501",
        "limit=-1",
        "limit=1.0",
        "limit=1_0",
        "limit=%201",
        "limit=",
        "limit=" + "9" * 5_000,
        "offset=-1",
        "offset=1000000001",
        "offset=" + "9" * 30,
        "offset=1e3",
        "offset=nan",
        "limit=1&limit=2",
        "limt=1",
        "timezone=UTC",
    ],
)
def test_a_page_has_bounds(server, query):
    answer = server.get(f"/evals/handbook?{query}")
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert "9" * 20 not in answer.text
    assert len(answer.content) < 400


@pytest.mark.parametrize("zone", ["Mars/Base", "", "../../etc/localtime", "/etc/localtime", "posixrules", "utc", "\0"])
def test_a_time_zone_is_one_of_a_list(server, zone):
    assert server.get("/evals/handbook/stats", params={"timezone": zone}).status_code == 422


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
def test_everything_is_only_read(server, method):
    for path in ("/evals/handbook", "/evals/handbook/stats", "/reports", "/reports/before", "/health", "/openapi.json"):
        answer = server.client.request(method, path, headers={"Origin": "http://elsewhere.example"})
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD"), path


@pytest.mark.parametrize("path", ["/evals/handbook", "/reports/before", "/health", "/openapi.json", "/absent"])
def test_the_head_of_an_answer_can_be_asked_for_alone(server, path):
    whole, head = server.get(path), server.client.head(path)
    assert (head.status_code, head.headers, head.content) == (whole.status_code, whole.headers, b"")


def test_answers_keep_a_browser_strict_and_let_no_other_site_read(server):
    for path in ("/evals/handbook", "/health", "/absent"):
        headers = server.get(path, headers={"Origin": "http://elsewhere.example"}).headers
        assert not [name for name in headers if name.startswith("access-control")]
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "no-store")
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in headers


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("[::1]:8000", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example:8000", 421),
        ("localhost@evil.example", 421),
        ("127.0.0.1:8000:1", 421),
        ("", 421),
        ("0.0.0.0", 421),
    ],
)
def test_without_a_token_only_names_of_this_machine_are_answered(server, guarded, host, status):
    assert server.get("/health", headers={"Host": host}).status_code == status
    assert guarded.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "example.org", "::ffff:127.0.0.1", ""])
def test_other_addresses_need_a_token(host, tokens, tmp_path, reportgen, served_runs):
    with pytest.raises(ServeError, match="Without a token"):
        require_safe(host, Access())
    require_safe(host, read_access(tokens, tmp_path))
    ended = reportgen("serve", served_runs, "--host", host, "--port", "0")
    assert ended.code == 1
    assert "error[serve]: Without a token" in ended.err


@pytest.mark.parametrize(
    "text",
    [
        "short",
        "secret " * 8,
        "[]",
        "{}",
        "",
        "- secret-secret-secret-secret-secret-secret",
        "secret-secret-secret-secret-secret-secret: all",
        "- {token: short, collections: all}",
        "- {token: secret-secret-secret-secret-secret-secret}",
        "- {token: secret-secret-secret-secret-secret-secret, collections: []}",
        "- {token: secret-secret-secret-secret-secret-secret, collections: handbook}",
        "- {token: secret-secret-secret-secret-secret-secret, collections: all, more: 1}",
        "- secret-secret-secret-secret-secret-secret: all",
        "- {token: secret-secret-secret-secret-secret-secret, collections: all}\n" * 2,
        "- {token: secret-secret-secret-secret-secret-secret, collections: [1]}",
        "- {token: secret-secret-secret-secret-secret-secret, collections: [a}",
        f"- {{token: {'1' * 40}, collections: all}}",
    ],
)
def test_a_token_file_that_is_none_is_refused_and_never_quoted(tmp_path, text):
    path = tmp_path / "tokens.yaml"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(ServeError) as refused:
        read_access(path, tmp_path / "runs")
    assert "secret-" not in str(refused.value)
    assert str(path) in str(refused.value) or "twice" in str(refused.value)


def test_a_token_file_is_one_token_or_a_list_and_nobody_elses_business(tmp_path, monkeypatch):
    path = tmp_path / "token"
    path.write_text(f"{ALL}\n")
    with pytest.raises(ServeError, match="Others than its owner"):
        read_access(path, tmp_path / "runs")
    path.chmod(0o400)
    grant = read_access(path, tmp_path / "runs").find(ALL.encode())
    assert grant is not None
    assert grant.allows("anything")
    with pytest.raises(ServeError, match="among the runs"):
        read_access(path, tmp_path)
    with pytest.raises(ServeError, match="cannot be read"):
        read_access(tmp_path / "absent", tmp_path)
    monkeypatch.setenv("REPORTGEN_TOKEN", "short")
    with pytest.raises(ServeError, match="REPORTGEN_TOKEN is no token"):
        read_access(None, tmp_path)
    monkeypatch.setenv("REPORTGEN_TOKEN", SOME)
    assert read_access(None, tmp_path).find(SOME.encode()) is not None
    assert read_access(path, tmp_path / "runs").find(SOME.encode()) is None


def test_a_port_that_is_taken_and_a_missing_library_are_told(reportgen, served_runs, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = reportgen("serve", served_runs, "--port", taken.getsockname()[1])
    assert ended.code == 1
    assert "error[serve]: Nothing can listen on 127.0.0.1" in ended.err
    assert reportgen("serve", served_runs.parent / "absent", "--port", "0").code == 1
    monkeypatch.setitem(__import__("sys").modules, "uvicorn", None)
    ended = reportgen("serve", served_runs, "--port", "0")
    assert (ended.code, "pip install 'reportgen[serve]'" in ended.err) == (1, True)
