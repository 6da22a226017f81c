"""The routes: each question with its answer. All of them are read-only, and nothing is fetched for any of them."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from reportgen import __version__
from reportgen.serving.access import Access
from reportgen.serving.answers import (
    LONGEST_ID,
    Health,
    Limit,
    Offset,
    Report,
    Reports,
    Rows,
    Statistics,
    Zone,
)
from reportgen.serving.description import describe, refusals
from reportgen.serving.desk import Answer, Desk
from reportgen.serving.guard import OPEN_PATH, Guard, grant_of
from reportgen.serving.problems import (
    MEDIA_TYPE,
    RefusalError,
    find_fault,
    no_collection,
    no_method,
    no_place,
    whole_runs_only,
    write_problem,
    wrong_question,
)

_ABOUT = "Finished runs of reportgen, read-only. All of it is for the publisher's own people: it holds captured texts."

CollectionId = Annotated[str, Path(min_length=1, max_length=LONGEST_ID, description="A value of `collection`.")]
RunId = Annotated[str, Path(min_length=1, max_length=LONGEST_ID, description="The id of a run.")]
AskedLimit = Annotated[Limit, Query(description="How many at most.")]
AskedOffset = Annotated[Offset, Query(description="How many to pass over.")]
AskedZone = Annotated[Zone, Query(description="In which days begin.")]


def _only(*names: str) -> Any:
    """Refuses parameters that there are not, and one that stands twice: a slip is told, not passed over."""

    def require_known(request: Request) -> None:
        given = [name for name, _ in request.query_params.multi_items()]
        if len(set(given)) != len(given) or not set(given) <= set(names):
            known = f"once each: {', '.join(names)}" if names else "none"
            raise wrong_question(f"There is another parameter, or one twice; there may be {known}.")

    return Depends(require_known)


def build_app(desk: Desk, access: Access, zone: str) -> ASGIApp:
    """The whole server, as ASGI.

    Args:
        desk: Answers.
        access: The tokens.
        zone: In which days begin where a request does not say.
    """
    app = FastAPI(
        title="reportgen",
        version=__version__,
        description=_ABOUT,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    _add_evals(app, desk, zone)
    _add_reports(app, desk)
    _add_others(app, access)
    _add_refusals(app)
    return Guard(app, access)


def _add_evals(app: FastAPI, desk: Desk, zone: str) -> None:
    one = CapacityLimiter(1)  # statistics go through all turns; of the same ones asked for twice, the second are kept
    several = CapacityLimiter(8)

    @app.get(
        "/evals/{collection_id}/stats",
        responses=refusals(Statistics, 404, 422, 503),
        summary="Statistics",
        dependencies=[_only("timezone")],
    )
    async def show_statistics(request: Request, collection_id: CollectionId, timezone: AskedZone = zone) -> Response:
        """Averages, daily trend and worst queries of a collection, over the runs of its latest instrument."""
        _require_allowed(request, collection_id)
        return await _send(partial(desk.statistics, collection_id, timezone), one)

    @app.get(
        "/evals/{collection_id}",
        responses=refusals(Rows, 404, 422, 503),
        summary="Rows",
        dependencies=[_only("limit", "offset")],
    )
    async def show_rows(
        request: Request, collection_id: CollectionId, limit: AskedLimit = 50, offset: AskedOffset = 0
    ) -> Response:
        """The turns of a collection with their scores, a page at a time, run by run in the order of the capture."""
        _require_allowed(request, collection_id)
        return await _send(partial(desk.rows, collection_id, offset, limit), several)


def _add_reports(app: FastAPI, desk: Desk) -> None:
    one = CapacityLimiter(1)  # a report that is not kept takes memory by the number of its turns
    several = CapacityLimiter(8)

    @app.get(
        "/reports",
        responses=refusals(Reports, 403, 422, 503),
        summary="List of reports",
        dependencies=[_only("limit", "offset")],
    )
    async def list_reports(request: Request, limit: AskedLimit = 50, offset: AskedOffset = 0) -> Response:
        """The runs that have a report, each with the latest revision of it and whether that stands."""
        _require_whole(request)
        return await _send(partial(desk.reports, offset, limit), several)

    @app.get(
        "/reports/{run_id}",
        responses=refusals(Report, 403, 404, 410, 422, 503),
        summary="Report",
        dependencies=[_only()],
    )
    async def show_report(request: Request, run_id: RunId) -> Response:
        """The data of the report of a run as it stands, the same bytes as its `report.json`."""
        _require_whole(request)
        return await _send(partial(desk.report, run_id), one)


def _add_others(app: FastAPI, access: Access) -> None:
    @app.get(OPEN_PATH, responses=refusals(Health, 422), summary="Whether the server answers", dependencies=[_only()])
    async def show_health() -> Response:
        """Needs no token, and looks at nothing."""
        return Response(Health(status="ok").model_dump_json() + "\n", media_type="application/json")

    @app.get("/openapi.json", include_in_schema=False)
    async def show_description() -> Response:
        import json

        return Response(json.dumps(describe(app, access), ensure_ascii=False) + "\n", media_type="application/json")


def _require_allowed(request: Request, collection: str) -> None:
    if not grant_of(request.scope).allows(collection):
        raise no_collection()


def _require_whole(request: Request) -> None:
    if grant_of(request.scope).collections is not None:
        raise whole_runs_only()


async def _send(ask: Callable[[], Answer], limiter: CapacityLimiter) -> Response:
    """Has the answer made in a thread, of which there are only so many, and sends it in pieces."""
    answer = await to_thread.run_sync(ask, limiter=limiter)
    headers = {"Content-Length": str(answer.length)}
    return StreamingResponse(answer.pieces(), media_type="application/json", headers=headers)


def _add_refusals(app: FastAPI) -> None:
    """Every refusal is a problem document, those of the framework too."""

    def refuse(_request: Request, error: Any) -> Response:
        return Response(write_problem(error), error.status, error.headers, MEDIA_TYPE)

    def refuse_question(request: Request, error: Any) -> Response:
        return refuse(request, find_fault(error.errors()))

    def refuse_place(request: Request, error: Any) -> Response:
        if error.status_code == 405:
            return refuse(request, no_method())
        return refuse(request, no_place())

    def fail(request: Request, _error: Exception) -> Response:
        detail, fix = "The server has failed at this.", "Its own log holds the traceback; please report it."
        return refuse(request, RefusalError(500, detail, fix))

    app.add_exception_handler(RefusalError, refuse)
    app.add_exception_handler(RequestValidationError, refuse_question)
    app.add_exception_handler(HTTPException, refuse_place)
    app.add_exception_handler(Exception, fail)
