"""Documents and images as other formats hold them: as texts, lists, lists of lists, or objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from easel_app.plans.reading.drafts import NotUsable, text_of
from easel_app.sources.jsontext import shown

PATHS: Final = ("path", "url", "image", "picture", "src", "img")
"""Where an object that stands for an image may hold its place."""
LISTS: Final = ("images", "imgList", "image")
"""Where an object that stands for a document's images may hold their list."""
TEXTS: Final = ("text", "content", "doc", "document")


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


def documents(texts: Any, pictures: Any, where: tuple[str, str]) -> list[dict[str, Any]]:
    """Documents with their images.

    Images in lists of lists belong to the documents one by one. A flat list belongs to the only document; to one more
    without a text when there are several, for then nothing says whose they are, but their order in the pool stands.

    Args:
        texts: of the documents: a text, a list of texts, or a list of objects with text and images.
        pictures: of all documents, a flat list or a list of lists; where it is empty those in the objects count.
        where: what the two are called.

    Raises:
        NotUsable: something is no text or no image.
    """
    listed = texts if isinstance(texts, list) else [] if texts is None or texts == "" else [texts]
    found = [_document(each, f"{where[0]}.{at}") for at, each in enumerate(listed)]
    groups = _groups(pictures, where[1])
    if not groups:
        return found
    if len(groups) == 1 and not _nested(pictures):
        home = 0 if len(found) == 1 else len(found)
        groups = [[] for _ in range(home)] + groups
    found += [{"text": "", "images": []} for _ in range(len(groups) - len(found))]
    groups += [[] for _ in range(len(found) - len(groups))]
    return [{**document, "images": group} for document, group in zip(found, groups, strict=True)]


def _document(value: Any, where: str) -> dict[str, Any]:
    if isinstance(value, Mapping):
        text = next((value[name] for name in TEXTS if isinstance(value.get(name), str)), None)
        return {"text": text_of(text, where), "images": images(_listed(value), f"{where}.images")}
    return {"text": text_of(value, where), "images": []}


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
