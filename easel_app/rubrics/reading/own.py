"""Entries of our own format, `easel-rubrics/1` (docs/rubric-format.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter

from easel_app.rubrics.reading.keys import key_of
from easel_app.rubrics.records import Line
from easel_app.sources.found import Fault, Found, Place, Problem
from easel_app.sources.references import Folder, Gallery
from easel_app.sources.validating import NotValid, validated

TYPES = ("set", "task", "answer", "verdict", "vote")
_LINE: TypeAdapter[Line] = TypeAdapter(Line)


def is_own(value: Mapping[str, Any]) -> bool:
    """Whether an entry says that it is one of ours."""
    return isinstance(value.get("type"), str) and value["type"] in TYPES


def read(value: Mapping[str, Any], place: Place, folder: Folder) -> Iterator[Found | Problem]:
    """The record of an entry."""
    gallery = Gallery(folder)
    kind = value["type"]
    key = key_of(kind, value.get("id" if kind == "task" else "task_id"), value.get("model"), value.get("attempt", 1))
    filled = _filled(value, gallery)
    faults = list(gallery.faults)
    try:
        record = validated(_LINE, filled)
    except NotValid as error:
        faults += error.faults
    if faults:
        yield Problem(place, tuple(faults), key if kind in ("task", "answer") else ())
        return
    if kind == "set" and place.number != 1:
        yield Problem(place, (Fault("type", "the set is described here, but that belongs on the first line; move it"),))
        return
    yield Found(place, record, gallery.contents, tuple(gallery.notes))


def _filled(value: Mapping[str, Any], gallery: Gallery) -> dict[str, Any]:
    """The entry with a picture's record in place of each path and data URL."""
    if value["type"] not in ("task", "answer") or not isinstance(value.get("turns"), list):
        return dict(value)
    turns = []
    for number, given in enumerate(value["turns"]):
        turn = _pictured(given, gallery, f"turns.{number}")
        if isinstance(turn, Mapping) and isinstance(turn.get("calls"), list):
            where = f"turns.{number}.calls"
            calls = [_pictured(call, gallery, f"{where}.{at}") for at, call in enumerate(turn["calls"])]
            turn = {**turn, "calls": calls}
        turns.append(turn)
    return {**value, "turns": turns}


def _pictured(holder: Any, gallery: Gallery, where: str) -> Any:
    names = holder.get("pictures") if isinstance(holder, Mapping) else None
    if not isinstance(names, list):
        return holder
    taken = [gallery.take(name, f"{where}.pictures.{at}") for at, name in enumerate(names)]
    return {**holder, "pictures": [picture for picture in taken if picture]}
