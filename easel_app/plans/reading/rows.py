"""Rows of ATP-Bench: a query with its documents and images, the data's own answer, and planners' answers perhaps.

The paper names the fields and not their types, so each is taken as a text, a list, a list of lists or a list of objects
where that can be meant.
"""

from __future__ import annotations

from typing import Final

from easel_app.plans.reading.answers import answers
from easel_app.plans.reading.drafts import Draft, How, Value, as_id, first, labels, text_of
from easel_app.plans.reading.pools import documents, images

ORIGIN: Final = "ATP-Bench row"
IDS: Final = ("trace_id", "id", "query_id")
FIELDS: Final = ("image_query", "doc", "images", "gt", "model_answer", "answers")


def is_row(value: Value) -> bool:
    """Whether an entry is a row of ATP-Bench, or an answer to one."""
    return ("trace_id" in value or "query" in value) and any(name in value for name in ("query", *FIELDS))


def read(value: Value, how: How) -> Draft:
    """What a row holds. One without a query holds only answers.

    Raises:
        NotUsable: a field holds what does not belong there.
    """
    found = tuple(answers(value, how.planner))
    query_id = as_id(first(value, IDS))
    if "query" not in value and found:
        return Draft(ORIGIN, query_id, None, found, asks_base=True)
    reference = value.get("gt")
    query = {
        **labels(value),
        "query": text_of(value.get("query"), "query"),
        "query_images": images(value.get("image_query"), "image_query"),
        "documents": documents(value.get("doc"), value.get("images"), ("doc", "images")),
        "pool_order": how.pool_order,
        "reference": reference if reference is None else text_of(reference, "gt"),
    }
    return Draft(ORIGIN, query_id, query, found, asks_base=True)
