"""Answers that are lists of texts and images: OpenING and MMIE.

The texts become paragraphs. An image of the answer that was among the question's own becomes a `reference` call in its
place; any other one was made or found by the model, which no plan can hold, so the answer's note tells of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from easel_app.plans.reading.answers import PLANNERS, said
from easel_app.plans.reading.drafts import MOST_NOTE, Draft, How, Value, first, id_of
from easel_app.plans.reading.marks import tag
from easel_app.plans.reading.pools import images
from easel_app.sources.jsontext import shown

OPENING, MMIE = "OpenING entry", "MMIE entry"
_LEFT_OUT = "Images of its own, which no pool holds, are left out: {images}."


class Part(NamedTuple):
    """A part of a list: a text, then images."""

    text: str
    images: list[Any]


def is_opening(value: Value) -> bool:
    """Whether an entry is one of OpenING."""
    turns = value.get("conversations")
    return isinstance(turns, list) and any(isinstance(each, Mapping) and "input" in each for each in turns)


def is_mmie(value: Value) -> bool:
    """Whether an entry is one of MMIE."""
    return isinstance(value.get("question"), list) and ("answer" in value or "gt_answer" in value)


def read_opening(value: Value, how: How) -> Draft:
    """What an entry of OpenING holds: all that went in, and all that came out of it. Raises NotUsable."""
    turns = [each for each in value["conversations"] if isinstance(each, Mapping)]
    asked = [part for at, each in enumerate(turns) for part in parts(each.get("input"), f"conversations.{at}.input")]
    outputs = [each["output"] for each in turns if "output" in each]
    pool = _images(asked)
    numbers = [value.get(name) for name in ("meta_task_id", "subtask_id", "data_id")]
    numbered = all(isinstance(each, str | int) and each != "" for each in numbers)
    query = {"query": _text(asked), "query_images": pool, "category": _label(value.get("meta_task_name"))}
    query_id = "-".join(map(str, numbers)) if numbered else id_of(value, ("total_uid", "id"), query["query"], pool)
    answer = [_said([each for output in outputs for each in _listed(output)] if any(outputs) else None, pool)]
    found = [{"planner": _planner(value, how), **each, "index_base": 0} for each in answer] if outputs else []
    return Draft(OPENING, query_id, {**query, "intent": _label(value.get("subtask_name"))}, found)


def read_mmie(value: Value, how: How) -> Draft:
    """What an entry of MMIE holds. Raises NotUsable."""
    asked = list(parts(value["question"], "question"))
    pool = _images(asked)
    query: dict[str, Any] = {"query": _text(asked), "query_images": pool, "category": _label(value.get("category"))}
    if value.get("gt_answer"):
        query["reference"] = _said(value["gt_answer"], pool)["text"]
    found = []
    if "answer" in value:
        found = [{"planner": _planner(value, how), **_said(value["answer"], pool), "index_base": 0}]
    return Draft(MMIE, id_of(value, ("id",), query["query"], pool), query, found)


def parts(value: Any, where: str) -> Iterator[Part]:
    """The parts of a list of texts and images, or of a bare text. Raises NotUsable."""
    for at, each in enumerate(_listed(value)):
        if isinstance(each, Mapping):
            text = each.get("text")
            yield Part(text if isinstance(text, str) else "", images(each.get("image"), f"{where}.{at}.image"))
        else:
            yield Part(each if isinstance(each, str) else "" if each is None else shown(each), [])


def _said(value: Any, pool: Sequence[Any]) -> dict[str, Any]:
    """An answer as text with calls."""
    if not isinstance(value, list) or not value:
        return said(value or None)
    pieces: list[str] = []
    own: list[str] = []
    for at, part in enumerate(parts(value, "answer"), 1):
        pieces += [part.text] if part.text else []
        for picture in part.images:
            if picture is not None and picture in pool:
                index = pool.index(picture)
                pieces.append(tag(f"Image {index + 1} of the question", index))
            else:
                own.append(f"{'one without a name' if picture is None else _name(picture)} in part {at}")
    found: dict[str, Any] = {"text": "\n\n".join(pieces)}
    if own:
        note = _LEFT_OUT.format(images=", ".join(own))
        found["note"] = note if len(note) <= MOST_NOTE else f"{note[: MOST_NOTE - 1]}…"
    return found if pieces else {**said(""), **found}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _images(asked: Sequence[Part]) -> list[Any]:
    return [each for part in asked for each in part.images]


def _text(asked: Sequence[Part]) -> str:
    return "\n\n".join(part.text for part in asked if part.text)


def _name(picture: str) -> str:
    return "a data URL" if picture.startswith("data:") else picture[:200]


def _label(value: Any) -> Any:
    return value if isinstance(value, str) and value else None


def _planner(value: Value, how: How) -> str:
    own = first(value, PLANNERS)
    return own if isinstance(own, str) and own.strip() else how.planner
