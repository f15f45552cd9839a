"""What an entry of another format holds, before pictures are looked at: one query perhaps, and answers to it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from easel_app.plans.files import PoolOrder
from easel_app.sources.found import Fault, Place
from easel_app.sources.jsontext import shown

Value = Mapping[str, Any]
MOST_NOTE: Final = 2000
"""Characters of an answer's note."""


class NotUsable(ValueError):
    """A field of a known format does not hold what belongs there."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(what)
        self.fault = Fault(where, what)


class How(NamedTuple):
    """What an entry does not say itself."""

    place: Place
    planner: str
    """Whose plans are in files that do not say it."""
    pool_order: PoolOrder


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry as it was understood. Pictures are what the data hold in their place: a path, a URL, an object."""

    origin: str
    """The format that it came in."""
    query_id: Any
    query: Value | None = None
    """Fields of a `QueryRecord`; None when there are only answers."""
    answers: Sequence[Value] = ()
    """Fields of `AnswerRecord`s, but for what is the same for all."""
    asks_base: bool = False
    """Whether the format leaves open where indices begin."""
    notes: tuple[Fault, ...] = field(default=())


def first(value: Value, names: Sequence[str]) -> Any:
    """What stands under the first of these names that is there; None without any."""
    return next((value[name] for name in names if name in value), None)


def as_id(value: Any) -> Any:
    """A name as the text that it has to be: whole numbers are names, too."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def id_of(value: Value, names: Sequence[str], *content: Any) -> Any:
    """The id of an entry; where it has none, one that the same content has again, in whatever file it stands."""
    found = as_id(first(value, names))
    if found is not None:
        return found
    return f"query-{hashlib.sha256(json.dumps(content).encode()).hexdigest()[:12]}"


def text_of(value: Any, where: str) -> str:
    """A text, of which null is the empty one.

    Raises:
        NotUsable: it is something else.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise NotUsable(where, f"{where} is {shown(value)}, but it must be a text; correct it")
    return value


def labels(value: Value) -> dict[str, Any]:
    """Category and intent, as far as an entry has them."""
    return {name: value[name] or None for name in ("category", "intent") if isinstance(value.get(name), str)}


def raw_json(value: Any) -> str:
    """A value of unknown meaning as a person can read it.

    Raises:
        NotUsable: it is nested too deeply to be written.
    """
    for indent in (2, None):
        try:
            return json.dumps(value, ensure_ascii=False, indent=indent)
        except RecursionError:
            continue
    raise NotUsable("", "it is nested too deeply")
