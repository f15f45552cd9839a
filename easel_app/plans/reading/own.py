"""Entries of our own format, `easel-plans/1` (docs/plan-format.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter

from easel_app.plans.files import AnswerRecord, Line
from easel_app.plans.reading.keys import answer_key, query_key
from easel_app.plans.reading.taking import gallery_of, taken
from easel_app.plans.reports import MODELS, Report
from easel_app.sources.found import Fault, Found, Place, Problem
from easel_app.sources.references import Folder, Gallery
from easel_app.sources.validating import NotValid, validated

TYPES = ("set", "query", "answer", "report", "vote")
_LINE: TypeAdapter[Line] = TypeAdapter(Line)
_REPORTS: dict[str, TypeAdapter[Report]] = {name: TypeAdapter(model) for name, model in MODELS.items()}


def is_own(value: Any) -> bool:
    """Whether an entry says that it is one of ours."""
    return isinstance(value, Mapping) and isinstance(value.get("type"), str) and value["type"] in TYPES


def read(value: Mapping[str, Any], place: Place, folder: Folder | None) -> Iterator[Found | Problem]:
    """The record of an entry; without a folder no picture is looked at."""
    gallery = gallery_of(folder)
    faults: list[Fault] = []
    kind = value["type"]
    filled = _filled(value, gallery) if kind == "query" else value
    faults += gallery.faults
    faults += _report_faults(value) if kind == "report" else ()
    record = None
    try:
        record = None if faults else validated(_LINE, filled)
    except NotValid as error:
        faults += error.faults
    if isinstance(record, AnswerRecord) and record.no_output and record.text:
        why = "no_output says that there is no answer, but there is a text; keep one of them"
        faults.append(Fault("no_output", why))
    if kind == "set" and place.number != 1:
        faults.append(Fault("type", "the set is described here, but that belongs on the first line; move it"))
    if faults or record is None:
        yield Problem(place, tuple(faults), _key(value))
    else:
        yield Found(place, record, gallery.contents, tuple(gallery.notes))


def _key(value: Mapping[str, Any]) -> tuple[str | int, ...]:
    if value["type"] == "query":
        return query_key(value.get("id"))
    if value["type"] == "answer":
        return answer_key(value.get("query_id"), value.get("planner"), value.get("attempt", 1))
    return ()


def _filled(value: Mapping[str, Any], gallery: Gallery) -> dict[str, Any]:
    """A query with a picture's record in place of each path and data URL."""
    filled = {**value, "query_images": _images(value.get("query_images", []), gallery, "query_images")}
    documents = value.get("documents")
    if isinstance(documents, list):
        filled["documents"] = [
            {**each, "images": _images(each.get("images", []), gallery, f"documents.{at}.images")}
            if isinstance(each, Mapping)
            else each
            for at, each in enumerate(documents)
        ]
    return filled


def _images(given: Any, gallery: Gallery, where: str) -> Any:
    if not isinstance(given, list):
        return given
    return [_image(each, gallery, f"{where}.{at}") for at, each in enumerate(given)]


def _image(given: Any, gallery: Gallery, where: str) -> Any:
    """An image of a pool, which may be no more than its path or data URL."""
    if isinstance(given, str):
        return taken(given, gallery, where)
    if not isinstance(given, Mapping) or given.get("picture") is None:
        return given
    said = {name: each for name, each in given.items() if name != "picture" and (each or name != "missing")}
    return {**taken(given["picture"], gallery, f"{where}.picture"), **said}


def _report_faults(value: Mapping[str, Any]) -> Iterator[Fault]:
    """What is wrong with a report's own shape: its record could only tell that something is."""
    report, inspector = value.get("report"), value.get("inspector")
    if isinstance(report, Mapping) and isinstance(inspector, str) and inspector in _REPORTS:
        try:
            validated(_REPORTS[inspector], report)
        except NotValid as error:
            yield from (Fault(f"report.{each.field}".rstrip("."), f"report: {each.what}") for each in error.faults)
