"""The families that a wish names, and how many references each of them gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from easel_app.services.problems import Invalid
from easel_app.trajectories.recipe import PoolWish
from easel_app.trajectories.references.coco import Coco
from easel_app.trajectories.references.emoji import Emoji
from easel_app.trajectories.references.geometry import Geometry
from easel_app.trajectories.references.glyphs import Glyphs
from easel_app.trajectories.references.hub import Hub
from easel_app.trajectories.references.photographs import Photographs
from easel_app.trajectories.references.pictures import Folder
from easel_app.trajectories.references.reference import ReferenceSource
from easel_app.trajectories.references.text import Text
from easel_app.trajectories.references.tiny_imagenet import TinyImageNet

DRAWERS: Mapping[str, Callable[[int, int, float], ReferenceSource]] = {
    "geometry": Geometry,
    "text": Text,
    "glyphs": Glyphs,
    "emoji": Emoji,
    "photographs": Photographs,
}
"""Of the families that `DRAWN` has shares for: by seed, size and the share of validation."""
BROUGHT: Mapping[str, Callable[[str, int, int], ReferenceSource]] = {
    "folder": lambda place, seed, size: Folder(Path(place).expanduser(), seed, size),
    "coco": lambda place, seed, size: Coco(Path(place).expanduser(), seed, size),
    "tiny-imagenet": lambda place, seed, size: TinyImageNet(Path(place).expanduser(), seed, size),
    "hub": Hub,
}
"""By place, seed and size."""


def quotas(shares: Mapping[str, float], total: int) -> dict[str, int]:
    """How many of `total` each family gives: exactly so many in all, by largest remainders.

    Raises:
        Invalid: no family has a share.
    """
    whole = sum(shares.values())
    if not whole > 0:
        raise Invalid(
            "no_family", "No family of references has a share; give at least one a share above 0.", "families"
        )
    exact = {name: total * share / whole for name, share in shares.items()}
    given = {name: int(count) for name, count in exact.items()}
    first = sorted(exact, key=lambda name: given[name] - exact[name])
    for name in first[: total - sum(given.values())]:
        given[name] += 1
    return given


def opened(wish: PoolWish, wanted: Mapping[str, int]) -> dict[str, ReferenceSource]:
    """The families that give any reference.

    Raises:
        Refusal: a family is not known, or what it is of is not there or not in its layout.
    """
    return {name: _opened(name, wish) for name, count in wanted.items() if count}


def _opened(name: str, wish: PoolWish) -> ReferenceSource:
    kind, colon, place = name.partition(":")
    if not colon and kind in DRAWERS:
        return DRAWERS[kind](wish.seed, wish.size, wish.validation)
    if place and kind in BROUGHT:
        try:
            return BROUGHT[kind](place, wish.seed, wish.size)
        except (RuntimeError, ValueError) as error:  # a user that there is not, a character that no path can hold
            message = f"{name!r} names no place ({error}); correct the path."
            raise Invalid("no_such_folder", message, "families") from None
    known = [*DRAWERS, *(f"{kind}:PLACE" for kind in BROUGHT)]
    raise Invalid(
        "no_such_family", f"There is no family of references {name!r}; take of {', '.join(known)}.", "families"
    )
