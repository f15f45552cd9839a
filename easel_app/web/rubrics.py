"""REST: rubric sets, review queues and votes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from easel_app.services.problems import Forbidden, Unauthenticated
from easel_app.services.reviewers import NewReviewer, Person, Reviewer
from easel_app.services.rubrics.panel import Panel, PanelQuery
from easel_app.services.rubrics.queues import Filters
from easel_app.services.rubrics.scores import PublishedScores, ScoreTable, published
from easel_app.services.rubrics.views import (
    Assignment,
    Critical,
    Disagreement,
    EntryView,
    Known,
    NewQueue,
    NewVoteBody,
    Queue,
    RubricSet,
    Walk,
)
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web.errors import responses

bearer = HTTPBearer(auto_error=False, description="A reviewer's token.")
SetId = Annotated[str, Path(max_length=120, description="The set, as /api/rubrics/sets names it.")]
QueueId = Annotated[str, Path(max_length=120, description="The queue, as its set names it.")]
EntryId = Annotated[int, Path(ge=1, lt=2**53, description="The entry, as an assignment names it.")]
Place = Annotated[int, Path(ge=1, lt=2**53, description="Which answer of the queue, counted from 1.")]


def _token(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> str | None:
    return credentials.credentials if credentials else None


def _reviewers(token: Annotated[str | None, Depends(_token)]) -> str:
    if token is None:
        message = "Reviewing needs a reviewer's token; send it as 'Authorization: Bearer …'."
        raise Unauthenticated("no_token", message)
    return token


Token = Annotated[str, Depends(_reviewers)]
AnyToken = Annotated[str | None, Depends(_token)]


def _filters(
    model: Annotated[str | None, Query(max_length=80, description="Only answers of this model.")] = None,
    turn: Annotated[int | None, Query(ge=1, le=32, description="Only items of this turn.")] = None,
    category: Annotated[str | None, Query(max_length=80, description="Only items of this category.")] = None,
    objectivity: Annotated[str | None, Query(max_length=16, description="`objective` or `subjective` items.")] = None,
    critical: Annotated[bool, Query(description="Only items of weight 4 and 5.")] = False,
    open: Annotated[bool, Query(description="Only entries on which you may vote.")] = False,
    disagreement: Annotated[bool, Query(description="Only where the judge or another person says otherwise.")] = False,
    flips: Annotated[bool, Query(description="Only critical items on which you and the judge disagree.")] = False,
    unscored: Annotated[bool, Query(description="Only items on which the judge gave no verdict.")] = False,
    reviewer: Annotated[str | None, Query(max_length=80, description="Only entries with this other's vote.")] = None,
) -> Filters:
    return Filters(model, turn, category, objectivity, critical, open, disagreement, flips, unscored, reviewer)


def router(studio: Studio, settings: Settings) -> APIRouter:
    """Routes under /api/rubrics."""
    routes = APIRouter(prefix="/rubrics", tags=["rubrics"])
    rubrics = studio.rubrics

    def somebody(token: str | None) -> Person | None:
        return rubrics.reviewers.person(token) if token else None

    @routes.get("/sets", summary="The rubric sets")
    def sets() -> list[RubricSet]:
        return rubrics.sets()

    @routes.get("/sets/{set_id}", summary="One rubric set", responses=responses(404))
    def one_set(set_id: SetId) -> RubricSet:
        return rubrics.set(set_id)

    @routes.get(
        "/sets/{set_id}/scores",
        summary="What the models of a set score, and how they used their tools",
        responses=responses(404),
    )
    def scores(
        set_id: SetId,
        by: Annotated[
            str | None, Query(max_length=120, description="A judging, or `people`; left out: the first judging.")
        ] = None,
        critical: Annotated[
            Critical, Query(description="What makes an item critical: weight 4 and 5, or the data set's own flag.")
        ] = "weight",
    ) -> ScoreTable:
        return rubrics.scores.table(set_id, by, critical)

    @routes.get(
        "/sets/{set_id}/agreement",
        summary="How far to trust the judge, with n and a 95 % interval for every statistic",
        description="Votes that were cast before the judge's verdict was shown, against the judge and each other, and "
        "what the judge's mistakes do to ARS and APR. The two lists leave out what would tell what others say of "
        "entries that wait for the caller's vote; without a token, that wait for anyone's.",
        responses=responses(403, 404),
    )
    def agreement(
        set_id: SetId,
        token: AnyToken,
        judging: Annotated[str | None, Query(max_length=120, description="Which judge; left out: the first.")] = None,
        queue: Annotated[str | None, Query(max_length=120, description="Only what is in this queue.")] = None,
        model: Annotated[str | None, Query(max_length=80, description="Only answers of this model.")] = None,
        critical: Annotated[
            Critical, Query(description="What makes an item critical: weight 4 and 5, or the data set's own flag.")
        ] = "weight",
        tell: Annotated[
            bool,
            Query(
                description="Tell everything in the lists; refused where a blind vote of the caller is still wanted."
            ),
        ] = False,
    ) -> Panel:
        person = somebody(token)
        if tell:
            rubrics.analyses.waiting.admit(set_id, person)
        return rubrics.panel.panel(PanelQuery(set_id, judging, queue, model, critical), person, tell=tell)

    @routes.get("/published", summary="The benchmark's published results, which are not comparable with ours")
    def published_scores() -> PublishedScores:
        return published()

    @routes.get(
        "/pictures/{digest}", summary="A picture", response_class=Response,
        responses={**responses(404), 200: {"content": {"image/*": {}}}},
    )  # fmt: skip
    def picture(digest: Annotated[str, Path(max_length=64, description="SHA-256 of its file.")]) -> Response:
        content, kind = rubrics.library.picture(digest)
        kept = {"Cache-Control": "private, max-age=31536000, immutable", "Content-Security-Policy": "sandbox"}
        return Response(content, media_type=kind, headers=kept)

    @routes.post("/reviewers", summary="Enrol as a reviewer", status_code=201, responses=responses(409))
    def enrol(wish: NewReviewer) -> Reviewer:
        return rubrics.reviewers.enrol(wish)

    @routes.get("/reviewers/me", summary="Whose token it is", responses=responses(401, 403))
    def me(token: Token) -> Known:
        return Known(name=rubrics.reviewers.person(token).name)

    @routes.post(
        "/reviewers/tokens",
        summary="Get one more token for a reviewer's name, whoever has it",
        description="Only where nobody but this machine reaches the studio: whoever is there could as well take the "
        "data folder.",
        status_code=201,
        responses=responses(403),
    )
    def admit(wish: NewReviewer) -> Reviewer:
        if not settings.private:
            message = "This studio can be reached from elsewhere; use `easel rubrics reviewer` while it is stopped."
            raise Forbidden("not_private", message)
        return rubrics.reviewers.admit(wish.name)

    @routes.post("/queues", summary="Make a review queue", status_code=201, responses=responses(404))
    def make(wish: NewQueue) -> Queue:
        return rubrics.queues.make(wish)

    @routes.get("/queues/{queue_id}", summary="One review queue", responses=responses(404))
    def one_queue(queue_id: QueueId) -> Queue:
        return rubrics.queues.view(rubrics.queues.record(queue_id))

    @routes.get(
        "/queues/{queue_id}/walk",
        summary="The entries of a queue that fit some filters, in its order",
        description="A filter that tells what others say looks only at entries on which you have voted.",
        responses=responses(403, 404),
    )
    def walk(queue_id: QueueId, filters: Annotated[Filters, Depends(_filters)], token: AnyToken) -> Walk:
        return rubrics.queues.walk(rubrics.queues.record(queue_id), somebody(token), filters)

    @routes.get(
        "/queues/{queue_id}/disagreements",
        summary="Entries on which people disagree, of those that need no blind vote of yours",
        responses=responses(404),
    )
    def disagreements(queue_id: QueueId, token: AnyToken) -> list[Disagreement]:
        return rubrics.votes.disagreements(rubrics.queues.record(queue_id), somebody(token))

    @routes.post(
        "/queues/{queue_id}/next",
        summary="Have the next answer with open entries kept for you",
        description="Its open entries are kept for as long as the queue says, and longer with every vote on them. "
        "Without content when nothing in the queue waits for you.",
        response_model=Assignment,
        responses={**responses(401, 403, 404), 204: {"description": "Nothing is open for you."}},
    )
    def following(
        queue_id: QueueId,
        token: Token,
        place: Annotated[int, Query(ge=1, lt=2**53, description="Where to look first.")] = 1,
    ) -> Assignment | Response:
        queue, person = rubrics.queues.record(queue_id), rubrics.reviewers.person(token)
        return rubrics.votes.reserved(queue, person, place, only=False) or Response(status_code=204)

    @routes.post(
        "/queues/{queue_id}/places/{place}",
        summary="Have the open entries of one answer kept for you",
        responses=responses(401, 403, 404),
    )
    def at(queue_id: QueueId, place: Place, token: Token) -> Assignment:
        queue, person = rubrics.queues.record(queue_id), rubrics.reviewers.person(token)
        found = rubrics.votes.reserved(queue, person, place, only=True)
        assert found is not None  # noqa: S101
        return found

    @routes.get(
        "/queues/{queue_id}/places/{place}",
        summary="One answer of a queue as you may see it; nothing is kept for you",
        responses=responses(403, 404),
    )
    def look(queue_id: QueueId, place: Place, token: AnyToken) -> Assignment:
        return rubrics.votes.assignment(rubrics.queues.record(queue_id), place, somebody(token))

    @routes.post(
        "/entries/{entry_id}/votes",
        summary="Vote on an entry, change your vote, take it back, or settle a disagreement",
        description="The answer comes after the vote is committed, and tells what others say. A vote is blind if that "
        "was not told before; only blind votes enter agreement.",
        responses=responses(401, 403, 404, 409),
    )
    def vote(entry_id: EntryId, wish: NewVoteBody, token: Token) -> EntryView:
        return rubrics.votes.cast(entry_id, rubrics.reviewers.person(token), wish)

    @routes.post(
        "/entries/{entry_id}/reveal",
        summary="See what others say of an entry that needs no vote of yours",
        description="From then on a vote of yours on it is no longer blind.",
        responses=responses(401, 403, 404),
    )
    def reveal(entry_id: EntryId, token: Token) -> EntryView:
        return rubrics.votes.reveal(entry_id, rubrics.reviewers.person(token))

    return routes
