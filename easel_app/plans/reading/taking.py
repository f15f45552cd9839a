"""Images of a pool taken in from beside the file. What stands on another host is never fetched, and keeps its place."""

from __future__ import annotations

import re
from typing import Any

from easel_app.sources.found import Fault
from easel_app.sources.references import Folder, Gallery

MOST = 500
"""Characters of an image's name, and of why it is missing."""
ELSEWHERE = "It is on another host, from which nothing is ever fetched."
UNSEEN = "Pictures were not looked at."
NOT_THERE = "The data hold null in its place."
_URL = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//|\s*(?:https?|ftp|file|blob|javascript):", re.IGNORECASE | re.ASCII)


class Unseen(Gallery):
    """Takes no picture in: for who wants to know only how many there are."""


def gallery_of(folder: Folder | None, *, by_ending: bool = False) -> Gallery:
    """Takes pictures in from a folder; None: not at all."""
    return Unseen(Folder(None)) if folder is None else Gallery(folder, by_ending)


def is_url(name: str) -> bool:
    """Whether an image is named by a place outside of the data."""
    return _URL.match(name) is not None


def taken(name: Any, gallery: Gallery, where: str) -> dict[str, Any]:
    """Fields of the pool's image that a path, a data URL or a URL means; what is refused is among the gallery's faults.

    Args:
        name: as the data hold it.
        gallery: takes the picture in.
        where: its path in the record.
    """
    if isinstance(name, str) and is_url(name):
        return {"picture": None, "name": shortened(name), "missing": ELSEWHERE}
    called = shortened(name) if isinstance(name, str) and not name.startswith("data:") else ""
    if isinstance(gallery, Unseen):
        return {"picture": None, "name": called, "missing": UNSEEN}
    return {"picture": gallery.take(name, where), "name": called}


def if_there(name: Any, gallery: Gallery, where: str) -> dict[str, Any]:
    """The same where the data of others are read: a picture that cannot be taken in is missing, with the reason."""
    if name is None:
        return {"picture": None, "missing": NOT_THERE}
    before = len(gallery.faults)
    found = taken(name, gallery, where)
    if len(gallery.faults) == before:
        return found
    *_, (_, why) = gallery.faults[before:]
    del gallery.faults[before:]
    return {**found, "missing": f"{why[:1].upper()}{why[1 : MOST - 1]}."}


def missing_note(images: list[dict[str, Any]]) -> tuple[Fault, ...]:
    """What to say of a pool's missing images: how many, and why the first one is."""
    gone = [each for each in images if each["picture"] is None]
    if not gone:
        return ()
    what = f"{len(gone)} of the {len(images)} images of its pool are missing, and keep their places"
    return (Fault("images", f"{what}; the first: {gone[0]['missing']}"),)


def shortened(name: str) -> str:
    """A name that fits its field."""
    return name if len(name) <= MOST else f"{name[: MOST - 1]}…"
