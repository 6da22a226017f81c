"""The OpenAPI document holds: schemathesis asks all that it allows and much that it does not, and finds nothing."""

import json

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

from tests.serving.conftest import ALL, LOOPBACK, bearer

KNOWN = {"collection_id": "handbook", "run_id": "before"}
BOUNDED = settings(
    max_examples=15,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def operations(served, headers):
    schema = schemathesis.openapi.from_dict(served.json("/openapi.json", headers=headers))
    schema.app = served.app
    return [found.ok() for found in schema.get_all_operations()]


def ask(operation, mode, headers, **known):
    """Sends what schemathesis makes up, and holds each answer against the document and the rules of HTTP."""

    @BOUNDED
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case):
        case.path_parameters = {**(case.path_parameters or {}), **known}
        case.call_and_validate(base_url=LOOPBACK, headers=headers)

    check()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_schemathesis_finds_nothing(guarded, mode):
    asked = operations(guarded, bearer(ALL))
    assert sorted(item.path for item in asked) == [
        "/evals/{collection_id}",
        "/evals/{collection_id}/stats",
        "/health",
        "/reports",
        "/reports/{run_id}",
    ]
    for operation in asked:
        if operation.path != "/health" or mode is GenerationMode.POSITIVE:  # it takes nothing that could be wrong
            ask(operation, mode, bearer(ALL))


def test_schemathesis_finds_nothing_where_there_is_something_to_see(server):
    for operation in operations(server, {}):
        known = {name: value for name, value in KNOWN.items() if name in operation.path}
        ask(operation, GenerationMode.POSITIVE, {}, **known)


def test_the_document_says_where_tokens_are_asked_for(server, guarded):
    assert "security" not in server.json("/openapi.json")
    document = guarded.json("/openapi.json", headers=bearer(ALL))
    assert document["security"] == [{"token": []}]
    assert document["paths"]["/health"]["get"]["security"] == []
    assert "401" in document["paths"]["/reports"]["get"]["responses"]
    assert "ValidationError" not in json.dumps(document)


def test_every_problem_is_of_the_documented_form(server):
    document = server.json("/openapi.json")
    form = document["components"]["schemas"]["Problem"]
    for path in ("/absent", "/evals/absent", "/evals/handbook?limit=0", "/reports/absent", "/health?x=1"):
        jsonschema.validate(server.get(path).json(), form)
