"""Rubrics as the benchmark's files hold them, in any of their forms, as items of ours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from easel_app.sources.jsontext import NotReadable, decoded, shown

_YES = {"yes": True, "no": False, "true": True, "false": False}
_TEXTS = 3
"""JSON texts within each other that are opened."""


def rubric(value: Any) -> list[dict[str, Any]]:
    """The items of one turn, still to be validated, from a dict by id, its JSON text, or a list holding one of these.

    Raises:
        NotReadable: it is of another form.
    """
    return [_item(name, each) for name, each in table(value).items()]


def table(value: Any) -> Mapping[str, Any]:
    """A rubric as a dict by id; an empty one when there is none. Raises NotReadable."""
    for _ in range(_TEXTS):
        if isinstance(value, str):
            if not value.strip():
                return {}
            try:
                value = decoded(value)
            except NotReadable as error:
                raise NotReadable(f"the rubric's JSON text cannot be read: {error}") from None
        if isinstance(value, list) and len(value) <= 1:
            value = value[0] if value else {}
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise NotReadable(f"the rubric is {shown(value)}, but it must be an object of items by their id")
    # a table's column of objects has every row's ids as its fields, and null where a row has no such item
    return {name: each for name, each in value.items() if each is not None}


def per_turn(value: Any, turns: int) -> list[Any]:
    """The rubrics of a task's turns as its one field holds them: a list of them, its JSON text, or that of one turn.

    Raises:
        NotReadable: it has another number of turns.
    """
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = decoded(value)
    if value is None or value == "" or value == []:
        return [None] * turns
    if not isinstance(value, list):
        value = [value]
    if len(value) != turns:
        raise NotReadable(f"there are rubrics for {len(value)} turns, but {turns} prompts; give each turn its own")
    return list(value)


def _item(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        value = decoded(value)
    if not isinstance(value, Mapping):
        raise NotReadable(f"the rubric item {shown(name)} is {shown(value)}, but it must be an object")
    weight = value.get("weight")
    if isinstance(weight, float) and weight.is_integer():  # a column of a table with gaps holds whole numbers so
        weight = int(weight)
    categories = value.get("category") or []
    item = {
        "id": name,
        "description": value.get("description"),
        "weight": weight,
        "critical": _flag(value.get("critical")),
        "final_answer": _flag(value.get("final_answer")),
        "objectivity": _word(value.get("objective/subjective")),
        "explicitness": _word(value.get("explicit/implicit")),
        "categories": [categories] if isinstance(categories, str) else categories,
    }
    return {key: each for key, each in item.items() if each is not None}


def _flag(value: Any) -> Any:
    return _YES.get(value.strip().lower(), value or None) if isinstance(value, str) else value


def _word(value: Any) -> Any:
    return value.strip().lower() or None if isinstance(value, str) else value


def as_text(value: Any) -> Any:
    """A text as it is, and any other JSON value as its text; None when there is nothing."""
    if value is None or isinstance(value, str):
        return value or None
    return json.dumps(value, ensure_ascii=False) if value else None
