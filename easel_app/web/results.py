"""REST: where players stand, and what is published elsewhere."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response

from easel_app.painting.protocol import ProtocolName
from easel_app.services.ranking import ALL, ResultQuery
from easel_app.services.result_csv import as_csv
from easel_app.services.result_views import Published, Results
from easel_app.services.studio import Studio
from easel_app.web.errors import responses

Ranked = Literal["benchmark", "studio"]


def _query(
    category: Annotated[
        str, Query(max_length=64, description="`all` reconstructions, one category of them, or `semantic`.")
    ] = ALL,
    protocol: Annotated[
        Ranked | None, Query(description="Rules; left out: `benchmark` where anyone has played by it, else `studio`.")
    ] = None,
    kind: Annotated[Literal["human", "agent", "painter"] | None, Query(description="Only such players.")] = None,
    renderer: Annotated[str | None, Query(max_length=64, description="Its version; left out: today's.")] = None,
    metric: Annotated[
        str | None, Query(max_length=200, description="Its version, several with commas; left out: today's.")
    ] = None,
    imported: Annotated[bool, Query(description="Whether imported sessions take part, in rows of their own.")] = False,
) -> ResultQuery:
    return ResultQuery(category, ProtocolName(protocol) if protocol else None, kind, renderer, metric, imported)


Asked = Annotated[ResultQuery, Depends(_query)]


def router(studio: Studio) -> APIRouter:
    """Routes /api/results and beneath."""
    routes = APIRouter(tags=["results"])

    @routes.get(
        "/results",
        summary="The leaderboard",
        description="Means over tasks of ended sessions that are ranked, by one protocol, renderer and metric. Only "
        "rows that cover every task in scope have a rank.",
        response_model=Results,
        responses=responses(404),
    )
    def show(asked: Asked) -> Response:
        return _json(studio.results.results(asked).model_dump_json())

    @routes.get(
        "/results.csv",
        summary="The leaderboard as a CSV file, all rows of it",
        description="Texts that a spreadsheet would take for a formula begin with an apostrophe.",
        response_class=Response,
        responses={**responses(404), 200: {"content": {"text/csv": {}}}},
    )
    def download(asked: Asked) -> Response:
        results = studio.results.all_results(asked)
        name = f"easel-results-{results.category}-{results.protocol}.csv"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(as_csv(results), media_type="text/csv", headers=headers)

    @routes.get(
        "/results/published",
        summary="The benchmark's published results, which are not comparable with ours",
        response_model=Published,
    )
    def published() -> Response:
        return _json(studio.results.published().model_dump_json())

    return routes


def _json(content: str) -> Response:
    """An answer that pydantic has written: a table of thousands of numbers is not looked through once more."""
    return Response(content, media_type="application/json")
