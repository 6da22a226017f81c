"""Problem documents (RFC 9457): what is wrong and what to do, in a few lines that tell nothing of this machine."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field

MEDIA_TYPE = "application/problem+json"


class Problem(BaseModel):
    """Why a request was refused."""

    type: str = "about:blank"
    title: str = Field(description="The status in words.")
    status: int
    detail: str = Field(description="What is wrong.")
    fix: str = Field(description="What to do about it.")


class RefusalError(Exception):
    """A request that is answered by a problem document.

    Args:
        status: The status of HTTP.
        detail: What is wrong.
        fix: What to do about it.
        headers: Further headers of the answer.
    """

    def __init__(self, status: int, detail: str, fix: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.fix, self.headers = status, detail, fix, dict(headers or {})


def write_problem(refusal: RefusalError) -> bytes:
    """The problem document of a refusal."""
    from http import HTTPStatus

    title = HTTPStatus(refusal.status).phrase
    problem = Problem(title=title, status=refusal.status, detail=refusal.detail, fix=refusal.fix)
    return problem.model_dump_json().encode() + b"\n"


def no_collection() -> RefusalError:
    """The same for a collection that is not there and for one that the token is not for."""
    fix = "Take the value of the label `collection` as the turns bear it; a token for it is needed where tokens are."
    return RefusalError(404, "There is no such collection, or this token is not for it.", fix)


def no_place() -> RefusalError:
    """Nothing is at that address."""
    return RefusalError(404, "There is nothing at this address.", "`GET /openapi.json` lists what there is.")


def no_report() -> RefusalError:
    """There is no such run, or it has no report."""
    return RefusalError(404, "There is no report of such a run.", "`GET /reports` lists those there are.")


def no_method() -> RefusalError:
    """Something is there, but is only read."""
    return RefusalError(405, "This server is only read from.", "Ask by GET or HEAD.", {"Allow": "GET, HEAD"})


def whole_runs_only() -> RefusalError:
    """Reports show turns of all collections of a run."""
    detail = "This token is limited to collections, and a report is of whole runs."
    return RefusalError(403, detail, "Ask with a token for all collections.")


def no_token() -> RefusalError:
    """No token, or none of ours."""
    detail = "This server asks for a token."
    fix = "Send the header `Authorization: Bearer TOKEN`."
    return RefusalError(401, detail, fix, {"WWW-Authenticate": 'Bearer realm="reportgen"'})


def other_host() -> RefusalError:
    """The name that the server was asked by is none of this machine's own, as in DNS rebinding."""
    detail = "Without a token this server answers only to localhost and addresses of loopback."
    return RefusalError(421, detail, "Ask by http://127.0.0.1 and the port, or start the server with a token.")


def no_archive() -> RefusalError:
    """A run is damaged, or texts are being erased from it."""
    detail = "A run of the archive cannot be read at the moment, so that nothing sure can be said."
    return RefusalError(503, detail, "Ask again soon; the server's own log names the run.", {"Retry-After": "5"})


def find_fault(errors: list[Any]) -> RefusalError:
    """What is wrong with the parameters of a request; their values are not repeated."""
    first = errors[0]
    return wrong_question(f"{first['loc'][-1]}: {first['msg'].removeprefix('Value error, ')}")


def wrong_question(detail: str) -> RefusalError:
    """A parameter is not as it must be."""
    return RefusalError(422, detail, "`GET /openapi.json` lists the parameters and their limits.")
