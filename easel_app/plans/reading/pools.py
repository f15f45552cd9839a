"""Documents and images as other formats hold them: as texts, lists, lists of lists, or objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from easel_app.plans.reading.drafts import NotUsable, text_of
from easel_app.sources.found import Fault
from easel_app.sources.jsontext import shown

PATHS: Final = ("path", "url", "image", "picture", "src", "img")
"""Where an object that stands for an image may hold its place."""
LISTS: Final = ("images", "imgList", "image")
"""Where an object that stands for a document's images may hold their list."""
TEXTS: Final = ("text", "content", "doc", "document")


class Documents(NamedTuple):
    """Documents with their images."""

    found: list[dict[str, Any]]
    notes: tuple[Fault, ...]
    """What is odd about them and was settled."""


def images(value: Any, where: str) -> list[Any]:
    """Images of one owner: texts, or None for one that is not there and keeps its place.

    Raises:
        NotUsable: something is no image.
    """
    if value is None or value == "":
        return []
    return [image(each, f"{where}.{at}") for at, each in enumerate(value)] if isinstance(value, list) else [
        image(value, where)
    ]  # fmt: skip


def image(value: Any, where: str) -> str | None:
    """The path, URL or data URL of an image. Raises NotUsable."""
    if isinstance(value, Mapping):
        found = next((value[name] for name in PATHS if name in value), value)
        return _refused(value, where) if isinstance(found, Mapping) else image(found, where)
    if value is None or value == "":
        return None
    return value if isinstance(value, str) else _refused(value, where)


def documents(texts: Any, pictures: Any, where: tuple[str, str]) -> Documents:
    """Documents with their images.

    Images in lists of lists belong to the documents one by one. A flat list belongs to the only document; to one more
    without a text when there are several, for then nothing says whose they are, but their order in the pool stands.
    Where there are not as many lists as documents, the missing ones are empty, and a note tells of it.

    Args:
        texts: of the documents: a text, a list of texts, or a list of objects with text and images.
        pictures: of all documents, a flat list or a list of lists; where it is empty those in the objects count.
        where: what the two are called.

    Raises:
        NotUsable: something is no text or no image.
    """
    listed = texts if isinstance(texts, list) else [] if texts is None or texts == "" else [texts]
    names = [f"{where[0]}.{at}" if isinstance(texts, list) else where[0] for at in range(len(listed))]
    found = [_document(each, name) for each, name in zip(listed, names, strict=True)]
    notes = [
        Fault(name, f"{name} has images, but no text under any of {', '.join(TEXTS)}")
        for each, name in zip(listed, names, strict=True)
        if isinstance(each, Mapping) and not _texts(each)
    ]
    groups = _groups(pictures, where[1])
    if not groups:
        return Documents(found, tuple(notes))
    if not _nested(pictures):
        home = 0 if len(found) == 1 else len(found)
        groups = [[] for _ in range(home)] + groups
    elif len(groups) != len(found):
        counts = f"{_counted(len(groups), 'list')} of images for {_counted(len(found), 'document')}"
        less = "the last documents have none" if len(groups) < len(found) else "the last ones stand without a text"
        notes.append(Fault(where[1], f"{where[1]} has {counts}; they belong together in their order, and {less}"))
    found += [{"text": "", "images": []} for _ in range(len(groups) - len(found))]
    groups += [[] for _ in range(len(found) - len(groups))]
    both = [{**document, "images": group} for document, group in zip(found, groups, strict=True)]
    return Documents(both, tuple(notes))


def _document(value: Any, where: str) -> dict[str, Any]:
    if isinstance(value, Mapping):
        texts = _texts(value)
        if not texts and not (value and all(name in LISTS for name in value)):
            names = ", ".join(shown(name) for name in list(value)[:5]) or "nothing"
            what = f"{where} holds {names}, but its text must stand under one of {', '.join(TEXTS)}"
            raise NotUsable(where, f"{what}; correct its name, or give an empty one")
        text = next((each for each in texts if isinstance(each, str)), texts[0] if texts else None)
        return {"text": text_of(text, where), "images": images(_listed(value), f"{where}.images")}
    return {"text": text_of(value, where), "images": []}


def _texts(value: Mapping[str, Any]) -> list[Any]:
    """What stands under the names that a document's text may have."""
    return [value[name] for name in TEXTS if name in value]


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _groups(value: Any, where: str) -> list[list[Any]]:
    if not _nested(value):
        flat = images(value, where)
        return [flat] if flat else []
    groups = []
    for at, each in enumerate(value):
        inner = _listed(each) if isinstance(each, Mapping) else each
        groups.append(images(inner, f"{where}.{at}"))
    return groups


def _nested(value: Any) -> bool:
    return isinstance(value, list) and any(
        isinstance(each, list) or (isinstance(each, Mapping) and isinstance(_listed(each), list)) for each in value
    )


def _listed(value: Mapping[str, Any]) -> Any:
    return next((value[name] for name in LISTS if isinstance(value.get(name), list)), value.get("images"))


def _refused(value: Any, where: str) -> str:
    raise NotUsable(where, f"{where} is {shown(value)}, but an image must be a path, a URL or a data URL; correct it")
