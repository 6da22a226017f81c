"""The OpenAPI document: what can be asked, what is answered, and how it is refused."""

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from reportgen.serving.access import Access
from reportgen.serving.guard import OPEN_PATH
from reportgen.serving.problems import MEDIA_TYPE, Problem

if TYPE_CHECKING:
    from fastapi import FastAPI

_WHY = {
    401: "No token, or none of the server's",
    403: "The token is limited to collections",
    404: "There is none, or the token is not for it",
    410: "The report no longer stands",
    422: "A parameter is not as it must be",
    503: "A run of the archive cannot be read at the moment",
}


def refusals(answer: type[BaseModel], *statuses: int) -> dict[int | str, dict[str, Any]]:
    """The answers of a route: the good one, and the statuses with which it may refuse."""
    found: dict[int | str, dict[str, Any]] = {200: {"model": answer, "description": "As asked for"}}
    return {**found, **{status: _refusal(status) for status in statuses}}


def _refusal(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": _WHY[status], "content": {MEDIA_TYPE: {"schema": schema}}}


def describe(app: "FastAPI", access: Access) -> dict[str, Any]:
    """The document of the server; with tokens it says where they are asked for."""
    document = app.openapi()
    components = document["components"]
    components["schemas"]["Problem"] = Problem.model_json_schema()
    for name in ("HTTPValidationError", "ValidationError"):
        components["schemas"].pop(name, None)
    if not access.is_open:
        _add_tokens(document)
    return document


def _add_tokens(document: dict[str, Any]) -> None:
    document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}]
    for path, item in document["paths"].items():
        if path == OPEN_PATH:
            item["get"]["security"] = []
        else:
            item["get"]["responses"]["401"] = _refusal(401)
