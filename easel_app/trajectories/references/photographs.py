"""Crops of the free photographs that scikit-image's wheel brings, away from all that a task shows of them.

A photograph is divided into cells. Some are validation's: its crops lie within one of them, and no other crop meets
any.
"""

from __future__ import annotations

import importlib.util
import itertools
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from easel_app.painting.tasks import Catalogue, Source
from easel_app.settings import data_folder
from easel_app.trajectories.folder import Split
from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.reference import Box, Endless, Pixels, Reference, View
from easel_app.trajectories.references.splitting import split_of

SMALLEST = 80
"""Least side of a crop, px."""
CELL = 128
"""Least side of a cell, px, in a photograph that is as large."""
FLATTEST, TRIES = 14, 6
"""A crop whose 16 × 16 parts spread less (standard deviation, 0..255) shows next to nothing: so many are tried."""
_VIEW = re.compile(r"crop of (\d+) × \d+ px at \((\d+), (\d+)\)")


class Photograph(NamedTuple):
    """A photograph in the wheel; what is said of it is what scikit-image says."""

    file: str
    title: str
    author: str
    licence: str
    weight: float
    """How often it is taken."""


PHOTOGRAPHS = (
    Photograph("hubble_deep_field.jpg", "Galaxies", "NASA, ESA", "Public domain", 4.0),
    Photograph(
        "ihc.png",
        "Stained glands",
        "Center for Microscopy and Molecular Imaging",
        "No known copyright restrictions",
        4.0,
    ),
    Photograph("coffee.png", "Wooden table", "Rachel Michetti", "CC0-1.0", 1.5),
    Photograph("chelsea.png", "Fur of a cat", "Stéfan van der Walt", "CC0-1.0", 2.0),
    Photograph("rocket.jpg", "Lattice mast", "SpaceX", "Public domain", 2.5),
    Photograph("camera.png", "Near a man with a camera", "Lav Varshney", "CC0-1.0", 3.0),
    Photograph("coins.png", "Coins", "Brooklyn Museum", "No known copyright restrictions", 2.5),
    Photograph("clock_motion.png", "Clock in motion", "Stéfan van der Walt", "Public domain", 1.5),
    Photograph("brick.png", "Brick wall", "CC0Textures", "CC0-1.0", 1.5),
    Photograph("gravel.png", "Gravel", "CC0Textures", "CC0-1.0", 1.0),
    Photograph("grass.png", "Grass", "linolafett", "CC0-1.0", 1.0),
    Photograph("cell.png", "Cell in saline", "Paul Müller and others", "CC0-1.0", 1.0),
)
"""Those that a task shows from border to border are not here: nothing of them is free."""


class Photographs(Endless):
    """The family `photographs`."""

    name = "photographs"

    def draw(self, index: int) -> Reference:
        """Picture number `index`."""
        dice = Dice(self.seed, self.name, index)
        weights: dict[Photograph, float] = {}
        if dice.chance(self.validation):
            weights = {one: one.weight for one in PHOTOGRAPHS if free(one.file, "validation", self.validation)}
        split: Split = "validation" if weights else "train"
        if not weights:
            weights = {one: one.weight for one in PHOTOGRAPHS if free(one.file, "train", self.validation)}
        photograph = dice.weighted(weights)
        for _ in range(TRIES):
            x, y, side = _square(dice, free(photograph.file, split, self.validation))
            square = Image.fromarray(whole(photograph.file)[y : y + side, x : x + side])
            parts = np.asarray(square.convert("L").resize((16, 16), Image.Resampling.BOX), np.int64)
            if parts.size * (parts * parts).sum() - parts.sum() ** 2 >= (parts.size * FLATTEST) ** 2:
                break
        crop = square.resize((self.size, self.size), Image.Resampling.LANCZOS)
        if flipped := dice.chance(0.5):
            crop = crop.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        detail = f"crop of {side} × {side} px at ({x}, {y}){', mirrored' if flipped else ''}, colours changed a little"
        source = Source(
            origin=f"{photograph.title} (skimage: data/{photograph.file})",
            author=photograph.author,
            licence=photograph.licence,
            detail=detail,
        )
        view = View(photograph.file, (x, y, x + side, y + side))
        return Reference(_toned(np.array(crop), dice), self.name, photograph.title, source, group_of(view), view)


def _square(dice: Dice, boxes: Sequence[Box]) -> tuple[int, int, int]:
    """Left, top and side of any square in one of the boxes, more often a small one than a large one."""
    left, top, right, bottom = dice.weighted({box: float((box[2] - box[0]) * (box[3] - box[1])) for box in boxes})
    side = int(SMALLEST + (min(right - left, bottom - top) - SMALLEST + 1) * dice.between(0.0, dice.share()))
    return dice.whole(left, right - side), dice.whole(top, bottom - side), side


def _toned(pixels: Pixels, dice: Dice) -> Pixels:
    """The picture a little lighter or darker, harder or softer, warmer or cooler; a grey one is toned now and then."""
    grey = bool((np.ptp(pixels.reshape(-1, 3), axis=1) < 4).all())
    reach = 0.28 if grey and dice.chance(0.5) else 0.06
    gain = np.array([1.0 + dice.between(-reach, reach) for _ in range(3)], np.float32)
    contrast, lift = np.float32(dice.between(0.85, 1.15)), np.float32(dice.between(-14, 14))
    changed = (pixels.astype(np.float32) * gain - np.float32(128)) * contrast + np.float32(128) + lift
    return np.asarray(np.rint(changed).clip(0, 255), np.uint8)


@cache
def whole(file: str) -> Pixels:
    """A photograph, uint8 (h, w, 3).

    Raises:
        FileNotFoundError: scikit-image does not ship it any more.
    """
    with Image.open(_path(file)) as image:
        pixels: Pixels = np.array(image.convert("RGB"))
    return pixels


def _path(file: str) -> Path:
    spec = importlib.util.find_spec("skimage")
    for root in (spec.submodule_search_locations or []) if spec else []:
        if (path := Path(root) / "data" / file).is_file():
            return path
    raise FileNotFoundError(f"scikit-image does not ship data/{file} here; install the version of constraints.txt")


def group_of(view: View) -> str:
    """The group of a crop: the cell that its middle is in."""
    left, top, right, bottom = view.box
    x, y = (left + right) // 2, (top + bottom) // 2
    cell = next(cell for cell in cells(view.picture) if cell[0] <= x < cell[2] and cell[1] <= y < cell[3])
    return _named(view.picture, cell)


def _named(file: str, cell: Box) -> str:
    return f"photographs {file} {cell}"


@cache
def cells(file: str) -> tuple[Box, ...]:
    """The cells of a photograph, row by row: they cover it, and none meets another."""
    height, width = whole(file).shape[:2]
    xs, ys = (
        [round(k * side / count) for k in range(count + 1)]
        for side, count in ((side, max(1, side // CELL)) for side in (width, height))
    )
    return tuple((a, b, c, d) for b, d in itertools.pairwise(ys) for a, c in itertools.pairwise(xs))


@cache
def free(file: str, split: Split, validation: float) -> tuple[Box, ...]:
    """The largest rectangles of a photograph for crops of a split: no task's crop meets them, nor the other split's."""
    height, width = whole(file).shape[:2]
    shown = taken().get(file, ())
    held = [cell for cell in cells(file) if split_of(_named(file, cell), validation) == "validation"]
    if split == "train":
        return tuple(empty_boxes(width, height, [*shown, *held]))
    return tuple(_moved(box, cell) for cell in held for box in _within(cell, shown))


def _within(cell: Box, shown: Iterable[Box]) -> list[Box]:
    """The largest rectangles of a cell that meet nothing that is shown, as if the cell were the picture."""
    left, top, right, bottom = cell
    inside = [
        (max(a, left) - left, max(b, top) - top, min(c, right) - left, min(d, bottom) - top)
        for a, b, c, d in (box for box in shown if meets(box, cell))
    ]
    return empty_boxes(right - left, bottom - top, inside)


def _moved(box: Box, cell: Box) -> Box:
    """A box of a cell as a box of the picture."""
    return box[0] + cell[0], box[1] + cell[1], box[2] + cell[0], box[3] + cell[1]


@cache
def taken() -> dict[str, tuple[Box, ...]]:
    """What the tasks show of which photograph, as the catalogue says."""
    found: dict[str, tuple[Box, ...]] = {}
    for task in Catalogue(data_folder() / "tasks"):
        view = _VIEW.fullmatch(task.source.detail)
        if view and (file := re.search(r"\(skimage: data/(.+)\)", task.source.origin)):
            side, x, y = map(int, view.groups())
            found[file[1]] = (*found.get(file[1], ()), (x, y, x + side, y + side))
    return found


def empty_boxes(width: int, height: int, taken: Iterable[Box]) -> list[Box]:
    """All largest boxes of a picture, at least `SMALLEST` wide and high, that meet none of the boxes taken."""
    taken = list(taken)
    xs = sorted({0, width, *(x for box in taken for x in (box[0], box[2]))})
    ys = sorted({0, height, *(y for box in taken for y in (box[1], box[3]))})
    found: list[Box] = []
    for left, right in itertools.combinations(xs, 2):
        for top, bottom in itertools.combinations(ys, 2):
            box = (left, top, right, bottom)
            if min(right - left, bottom - top) >= SMALLEST and not any(meets(box, other) for other in taken):
                found.append(box)
    return [box for box in found if not any(box != other and _inside(box, other) for other in found)]


def meets(a: Box, b: Box) -> bool:
    """Whether two boxes share a pixel."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _inside(a: Box, b: Box) -> bool:
    return b[0] <= a[0] and b[1] <= a[1] and a[2] <= b[2] and a[3] <= b[3]
