"""REST: how models did with their tools, two of them task by task, and single traces."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from easel_app.exports.outgoing import TYPES, encoded, export
from easel_app.painting.stroke import Strict
from easel_app.services.reviewers import Person
from easel_app.services.rubrics.analyses import Analyses
from easel_app.services.rubrics.analysis_csv import as_csv
from easel_app.services.rubrics.analysis_views import Analysis, Answers, Hits, PlayerComparison, Trace
from easel_app.services.rubrics.trace_search import MOST_HITS, MOST_QUERY, Look, Where
from easel_app.services.rubrics.traces import Status, Wanted
from easel_app.services.rubrics.views import Critical
from easel_app.services.studio import Studio
from easel_app.web.errors import responses
from easel_app.web.rubrics import AnyToken, SetId, Token

AnswerId = Annotated[int, Path(ge=1, lt=2**53, description="The answer, as a list of answers names it.")]
By = Annotated[str | None, Query(max_length=120, description="A judging, or `people`; left out: the first judging.")]
Rule = Annotated[
    Critical, Query(description="What makes an item critical: weight 4 and 5, or the data set's own flag.")
]
Tell = Annotated[
    bool, Query(description="Hide nothing; refused where a blind vote of the token's owner is still wanted.")
]
Name = Annotated[str | None, Query(max_length=80, description="Only this player's answers.")]
HIDDEN = (
    "What is said of an answer that waits for the caller's blind vote is `hidden`; without a token, of one that waits "
    "for anyone's. "
)


class NewReveal(Strict):
    """What is to be seen."""

    answer: int | None = Field(default=None, ge=1, lt=2**53, description="Only of this answer; null: of the whole set.")


class Revelation(BaseModel):
    """What was given up."""

    entries: int = Field(description="Pairs of an answer and a criterion on which votes no longer count as blind.")


def router(studio: Studio, analyses: Analyses) -> APIRouter:
    """Routes under /api/rubrics."""
    routes = APIRouter(prefix="/rubrics", tags=["rubrics"])

    def somebody(token: str | None) -> Person | None:
        return studio.rubrics.reviewers.person(token) if token else None

    @routes.get(
        "/sets/{set_id}/analysis",
        summary="How the models of a set did with their tools, with n and a 95 % interval for every mean",
        description="Reading the code of calls may take long: while `images_read` is below `image_calls`, ask again. "
        "Figures are told to whoever asks, and a group of one answer is what is said of it: whoever is still to review "
        "blind must not look.",
        responses=responses(404),
    )
    def analysis(set_id: SetId, by: By = None, critical: Rule = "weight") -> Analysis:
        return analyses.analysis.analysis(set_id, by, critical)

    @routes.get(
        "/sets/{set_id}/analysis.csv",
        summary="The same as a table in long form",
        description="One row for each figure of each player in each group; it comes when all code has been read. "
        "Texts that a spreadsheet would take for a formula begin with an apostrophe.",
        response_class=StreamingResponse,
        responses={**responses(404), 200: {"content": {TYPES["csv"]: {}}}},
    )
    def table(set_id: SetId, by: By = None, critical: Rule = "weight") -> StreamingResponse:
        found = analyses.analysis.analysis(set_id, by, critical, wait=None)
        made = export(f"{set_id}-analysis.csv", encoded(as_csv(found)))
        headers = {"Content-Disposition": f'attachment; filename="{made.file_name}"', "Cache-Control": "no-store"}
        return StreamingResponse(made.pieces, media_type=made.media_type, headers=headers)

    @routes.get(
        "/sets/{set_id}/compare",
        summary="Two players of a set, task by task, by their first attempts",
        description=HIDDEN + "The figures over all tasks are told.",
        responses=responses(403, 404),
    )
    def compare(
        set_id: SetId,
        token: AnyToken,
        a: Annotated[str, Query(max_length=80, description="The one player.")],
        b: Annotated[str, Query(max_length=80, description="The other one.")],
        by: By = None,
        critical: Rule = "weight",
        tell: Tell = False,
    ) -> PlayerComparison:
        person = somebody(token)
        if tell:
            analyses.waiting.admit(set_id, person)
        return analyses.comparing.comparison(set_id, a, b, by, critical, person, tell=tell)

    @routes.get(
        "/sets/{set_id}/answers",
        summary="Answers of a set, a page of them",
        description=HIDDEN,
        responses=responses(403, 404),
    )
    def answers(
        set_id: SetId,
        token: AnyToken,
        player: Name = None,
        category: Annotated[str | None, Query(max_length=128, description="Only answers to such tasks.")] = None,
        task: Annotated[str | None, Query(max_length=128, description="Only answers to this task.")] = None,
        status: Annotated[Status | None, Query(description="Only such answers, as far as it may be told.")] = None,
        by: By = None,
        critical: Rule = "weight",
        limit: Annotated[int, Query(ge=1, le=500, description="So many at most.")] = 100,
        offset: Annotated[int, Query(ge=0, lt=2**53, description="So many are left out first.")] = 0,
        tell: Tell = False,
    ) -> Answers:
        wish = Wanted(player, category, task, status)
        person = somebody(token)
        if tell:
            analyses.waiting.admit(set_id, person)
        return analyses.traces.answers(set_id, wish, by, critical, person, limit=limit, offset=offset, tell=tell)

    @routes.get(
        "/answers/{answer}/trace",
        summary="One answer, step by step, with what is said of it",
        description=HIDDEN,
        responses=responses(403, 404),
    )
    def trace(answer: AnswerId, token: AnyToken, by: By = None, critical: Rule = "weight", tell: Tell = False) -> Trace:
        person = somebody(token)
        if tell and person:
            analyses.waiting.admit(studio.rubrics.library.task_and_answer(answer)[0].set_id, person, answer)
        return analyses.traces.trace(answer, by, critical, person, tell=tell)

    @routes.post(
        "/sets/{set_id}/reveal",
        summary="See what others say of all that waits for your blind vote; your votes on it are no longer blind",
        responses=responses(401, 403, 404),
    )
    def reveal(set_id: SetId, wish: NewReveal, token: Token) -> Revelation:
        studio.rubrics.library.set(set_id)
        person = studio.rubrics.reviewers.person(token)
        return Revelation(entries=analyses.waiting.reveal(set_id, person, wish.answer))

    @routes.get(
        "/sets/{set_id}/search",
        summary="Places in the traces of a set that hold all words that are looked for",
        description="All words must stand in the same text, wherever in it, whatever the case of their letters; words "
        "in double quotes must follow each other, with any blanks between them. Each text counts once: a prompt, an "
        "answer, a remark, or the code, the other arguments or the observation of a call.",
        responses=responses(404),
    )
    def search(
        set_id: SetId,
        q: Annotated[str, Query(max_length=MOST_QUERY, description='Words, and "phrases in double quotes".')],
        player: Name = None,
        tool: Annotated[str | None, Query(max_length=200, description="Only in calls of this tool.")] = None,
        where: Annotated[Where | None, Query(description="Only in such texts.")] = None,
        failures: Annotated[bool, Query(description="Only in calls that failed.")] = False,
        limit: Annotated[int, Query(ge=1, le=MOST_HITS, description="Places at most.")] = 50,
    ) -> Hits:
        return analyses.search.hits(set_id, Look(q, player, tool, where, failures), limit)

    return routes
