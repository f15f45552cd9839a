"""From drafts to records: pictures are taken in, indices get their base, and each record is validated by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pydantic import TypeAdapter

from easel_app.plans.files import AnswerRecord, QueryRecord
from easel_app.plans.reading.bases import REFERENCE, Base
from easel_app.plans.reading.drafts import Draft
from easel_app.plans.reading.keys import answer_key, query_key
from easel_app.plans.reading.taking import gallery_of, if_there, missing_note
from easel_app.sources.found import Found, Place, Problem
from easel_app.sources.references import Folder
from easel_app.sources.validating import NotValid, validated

_QUERY: TypeAdapter[QueryRecord] = TypeAdapter(QueryRecord)
_ANSWER: TypeAdapter[AnswerRecord] = TypeAdapter(AnswerRecord)
BaseOf = Callable[[str], Base | None]


def records(draft: Draft, place: Place, folder: Folder | None, base: BaseOf) -> Iterator[Found | Problem]:
    """The records of a draft; where nobody can tell the base of one, it is refused without a word, for one is enough.

    Where something is wrong with the query, what was answered to it is refused with it, without being told by itself.

    Args:
        draft: what an entry holds.
        place: where it stands.
        folder: where pictures are that it names; None: they are not looked at.
        base: where the indices of a planner begin.
    """
    if draft.query is not None:
        asked = _query(draft, place, folder, base)
        yield asked
        if isinstance(asked, Problem) and asked.faults:
            return
    for answer in draft.answers:
        key = answer_key(draft.query_id, answer.get("planner"), answer.get("attempt", 1))
        of_planner = base(str(answer.get("planner"))) if draft.asks_base else answer.get("index_base", 0)
        if of_planner is None:
            yield Problem(place, (), key)
            continue
        fields = {**answer, "query_id": draft.query_id, "origin": draft.origin, "index_base": of_planner}
        try:
            yield Found(place, validated(_ANSWER, fields))
        except NotValid as error:
            yield Problem(place, error.faults, key)


def pool_size(draft: Draft) -> int:
    """How many images the query of a draft has."""
    query = draft.query or {}
    return len(query.get("query_images", ())) + sum(len(each["images"]) for each in query.get("documents", ()))


def _query(draft: Draft, place: Place, folder: Folder | None, base: BaseOf) -> Found | Problem:
    assert draft.query is not None  # noqa: S101
    key = query_key(draft.query_id)
    fields: dict[str, Any] = {"id": draft.query_id, **draft.query}
    if draft.asks_base and fields.get("reference"):
        fields["index_base"] = base(REFERENCE)
        if fields["index_base"] is None:
            return Problem(place, (), key)
    gallery, images = gallery_of(folder, by_ending=True), []

    def pool(given: Any, where: str) -> list[dict[str, Any]]:
        found = [if_there(each, gallery, f"{where}.{at}") for at, each in enumerate(given)]
        images.extend(found)
        return found

    fields["query_images"] = pool(fields.get("query_images", ()), "query_images")
    fields["documents"] = [
        {**each, "images": pool(each["images"], f"documents.{at}.images")}
        for at, each in enumerate(fields.get("documents", ()))
    ]
    try:
        record = validated(_QUERY, fields)
    except NotValid as error:
        return Problem(place, error.faults, key)
    missing = missing_note(images) if folder is not None else ()  # none that was not looked for
    notes = (*draft.notes, *missing, *gallery.notes)
    return Found(place, record, gallery.contents, notes, beside=bool(draft.answers))
