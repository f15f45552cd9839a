"""What is of no form that is known here opens as raw text, with the reason: looking at it must always be possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from easel_app.plans.files import MOST_TEXT
from easel_app.plans.reading.answers import PLANNERS
from easel_app.plans.reading.drafts import Draft, How, as_id, first, raw_json
from easel_app.sources.found import Fault
from easel_app.sources.jsontext import shown

ORIGIN: Final = "unknown"
BARE: Final = "bare text"
_IDS = ("trace_id", "id", "query_id", "data_id", "uid")
_ASKED = ("query", "question", "prompt", "instruction")
_BARE_NOTE = "It came as a bare text, so nothing is known of what was asked and of the images that it may cite."
_TOLD: Final = Fault(
    "", "it is of no known form, so it opens as raw text; docs/plan-format.md tells those that are known"
)
_NOTE = "It is {what} of no form that is known here, so it is shown as it stands in the data; see docs/plan-format.md."


def read(value: Any, how: How) -> Draft:
    """An entry as a plan whose text is the entry."""
    about: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
    own, planner, asked = as_id(first(about, _IDS)), first(about, PLANNERS), first(about, _ASKED)
    named = isinstance(own, str) and own.strip() == own and 0 < len(own) <= 128 and own.isprintable()
    query_id = own if named else str(how.place)[-128:].strip()
    text, note, origin = (
        (value, _BARE_NOTE, BARE)
        if isinstance(value, str)
        else (raw_json(value), _NOTE.format(what=shown(value)), ORIGIN)
    )
    usable = isinstance(planner, str) and planner.isprintable() and 0 < len(planner.strip()) <= 80
    answer = {"planner": planner.strip() if usable else how.planner, "text": text, "note": note}
    query = {"query": asked[:MOST_TEXT] if isinstance(asked, str) else "", "pool_known": False}
    return Draft(origin, query_id, query, [answer], notes=() if origin == BARE else (_TOLD,))
