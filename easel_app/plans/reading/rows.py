"""Rows of ATP-Bench: a query with its documents and images, the data's own answer, and planners' answers perhaps.

The paper names the fields and not their types, so each is taken as a text, a list, a list of lists or a list of objects
where that can be meant.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

from easel_app.plans.reading.answers import answers
from easel_app.plans.reading.drafts import Draft, How, NotUsable, Value, as_id, first, labels, text_of
from easel_app.plans.reading.pools import documents, images
from easel_app.sources.jsontext import shown

ORIGIN: Final = "ATP-Bench row"
IDS: Final = ("trace_id", "id", "query_id")
OWN: Final = ("image_query", "doc", "images", "gt")
"""Fields of which two tell a row, even one that lacks its id or its query."""
FIELDS: Final = (*OWN, "model_answer", "answers")


def is_row(value: Value) -> bool:
    """Whether an entry is a row of ATP-Bench, or an answer to one, complete or not."""
    named = ("trace_id" in value or "query" in value) and any(name in value for name in ("query", *FIELDS))
    return named or sum(name in value for name in OWN) > 1


def read(value: Value, how: How) -> Draft:
    """What a row holds. One without a query holds only answers.

    Raises:
        NotUsable: a field is missing, or holds what does not belong there.
    """
    found = tuple(answers(value, how.planner))
    query_id = as_id(first(value, IDS))
    lacking = [] if any(name in value for name in IDS) else ["trace_id"]
    lacking += ["query"] if "query" not in value and not found else []
    if lacking:
        raise _lacks(value, lacking)
    if "query" not in value:
        return Draft(ORIGIN, query_id, None, found, asks_base=True)
    reference = value.get("gt")
    listed = documents(value.get("doc"), value.get("images"), ("doc", "images"))
    query = {
        **labels(value),
        "query": text_of(value.get("query"), "query"),
        "query_images": images(value.get("image_query"), "image_query"),
        "documents": listed.found,
        "pool_order": how.pool_order,
        "reference": reference if reference is None else text_of(reference, "gt"),
    }
    return Draft(ORIGIN, query_id, query, found, asks_base=True, notes=listed.notes)


def _lacks(value: Value, fields: list[str]) -> NotUsable:
    """What a row lacks, and what it may have in its place."""
    known = (*IDS, *FIELDS, "query", "category", "intent")
    others = [name for name in value if name not in known]
    near = [each for name in fields for each in get_close_matches(name, others, 1)]
    meant = f" (is {shown(near[0])} meant?)" if near else ""
    what = f"it has {', '.join(name for name in FIELDS if name in value) or 'a query'} as a row of ATP-Bench has"
    return NotUsable(fields[0], f"{what}, but no {' and no '.join(fields)}{meant}; add what is missing")
