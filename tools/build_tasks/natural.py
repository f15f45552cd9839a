"""The forty natural pictures: square crops of photographs that ship in Python packages, each chosen by eye.

A crop is never smaller than 128 px, so that nothing is blown up; it is reduced by Pillow's Lanczos filter (three lobes,
widened by the reduction, hence no aliasing).
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image as Pillow

from . import packages
from .recipe import Image, Recipe, Source

SIZE = 128


class Photograph(NamedTuple):
    """A photograph and whom it is from."""

    package: str
    inside: str
    """Path in the package."""
    name: str
    author: str
    licence: str


class View(NamedTuple):
    """A square crop of a photograph, in its pixels."""

    title: str
    photograph: str
    left: int
    top: int
    side: int


PHOTOGRAPHS = {
    "astronaut": Photograph("skimage", "data/astronaut.png", "Eileen Collins", "NASA", "Public domain"),
    "rocket": Photograph("skimage", "data/rocket.jpg", "Falcon 9 with DSCOVR", "SpaceX", "Public domain"),
    "hubble": Photograph(
        "skimage", "data/hubble_deep_field.jpg", "Hubble eXtreme Deep Field", "NASA, ESA", "Public domain"
    ),
    "chelsea": Photograph("skimage", "data/chelsea.png", "Chelsea the cat", "Stéfan van der Walt", "CC0-1.0"),
    "coffee": Photograph("skimage", "data/coffee.png", "Coffee cup", "Rachel Michetti", "CC0-1.0"),
    "retina": Photograph(
        "skimage", "data/retina.jpg", "Fundus photograph of a left eye", "Mikael Häggström", "CC0-1.0"
    ),
    "tissue": Photograph(
        "skimage",
        "data/ihc.png",
        "Stained colonic glands",
        "Center for Microscopy and Molecular Imaging",
        "No known copyright restrictions",
    ),
    "camera": Photograph("skimage", "data/camera.png", "Camera", "Lav Varshney", "CC0-1.0"),
    "coins": Photograph(
        "skimage", "data/coins.png", "Greek coins from Pompeii", "Brooklyn Museum", "No known copyright restrictions"
    ),
    "china": Photograph("sklearn", "datasets/images/china.jpg", "Summer Palace", "danielbuechele", "CC-BY-2.0"),
    "flower": Photograph("sklearn", "datasets/images/flower.jpg", "Dahlia", "vultilion", "CC-BY-2.0"),
    "raccoon": Photograph("scipy", "misc/face.dat", "Raccoon", "public-domain-image.com", "Public domain"),
}

VIEWS = [
    View("Dahlia in the shade", "flower", 150, 70, 300),
    View("Tower of the Summer Palace", "china", 55, 15, 320),
    View("Face of a cat", "chelsea", 100, 0, 300),
    View("Rocket between two masts", "rocket", 106, 0, 427),
    View("Espresso on a red saucer", "coffee", 80, 0, 400),
    View("Raccoon among palm leaves", "raccoon", 256, 0, 768),
    View("Astronaut before flag and shuttle", "astronaut", 0, 0, 512),
    View("Galaxies, blue and orange", "hubble", 380, 30, 150),
    View("Man behind a camera", "camera", 130, 40, 230),
    View("Retina", "retina", 0, 0, 1411),
    View("Roof of a pagoda", "china", 90, 20, 140),
    View("Bowl of a spoon", "coffee", 300, 200, 140),
    View("Green eye of a cat", "chelsea", 105, 45, 130),
    View("Two dahlias, one above the other", "flower", 270, 280, 147),
    View("Gland in cross section", "tissue", 235, 295, 215),
    View("Face of an astronaut", "astronaut", 140, 8, 175),
    View("Palm leaves", "raccoon", 0, 380, 388),
    View("Lamps at the foot of a rocket", "rocket", 270, 280, 147),
    View("Coins in rows", "coins", 185, 90, 199),
    View("Corner of a roof above a lake", "china", 285, 230, 150),
    View("Mission patch on orange", "astronaut", 110, 325, 128),
    View("Heart of a dahlia", "flower", 240, 145, 140),
    View("Nose of a cat", "chelsea", 190, 160, 140),
    View("Mask of a raccoon", "raccoon", 470, 200, 300),
    View("Crema in a white cup", "coffee", 180, 30, 190),
    View("Masts and lamps before clouds", "rocket", 0, 227, 200),
    View("Where the vessels leave the eye", "retina", 20, 460, 380),
    View("Black visor of a helmet", "astronaut", 275, 335, 177),
    View("Gallery of red columns", "china", 170, 150, 140),
    View("Golden galaxy above a bright star", "hubble", 640, 400, 200),
    View("Ear of a raccoon", "raccoon", 740, 40, 284),
    View("Neck ring of a space suit", "astronaut", 108, 140, 206),
    View("Tripod on a lawn", "camera", 205, 290, 222),
    View("Cleft between two rows of cells", "tissue", 250, 0, 230),
    View("Conifer by a pale lake", "china", 440, 135, 200),
    View("Roofs among leaves", "china", 190, 287, 140),
    View("Handle of a cup and its shade", "coffee", 150, 190, 150),
    View("Striped forehead of a cat", "chelsea", 180, 0, 140),
    View("Flag behind an orange sleeve", "astronaut", 0, 150, 200),
    View("Name badge and white straps", "astronaut", 240, 295, 128),
]


def crop(photograph: Image, left: int, top: int, side: int) -> Image:
    """A square of a photograph reduced to 128 × 128 by the Lanczos filter.

    Raises:
        ValueError: the square leaves the photograph, or is smaller than the picture to make.
    """
    height, width = photograph.shape[:2]
    if side < SIZE or left < 0 or top < 0 or left + side > width or top + side > height:
        raise ValueError(
            f"a crop of {side} px at ({left}, {top}) does not fit {width} × {height} px at {SIZE} px or more"
        )
    square = Pillow.fromarray(photograph[top : top + side, left : left + side])
    return np.asarray(square.resize((SIZE, SIZE), Pillow.Resampling.LANCZOS))


def recipes(build: Path) -> list[Recipe]:
    """The forty in the order of their numbers."""
    return [_recipe(view, build) for view in VIEWS]


def _recipe(view: View, build: Path) -> Recipe:
    of = PHOTOGRAPHS[view.photograph]
    detail = f"crop of {view.side} × {view.side} px at ({view.left}, {view.top})"
    source = Source(f"{of.name} ({of.package}: {of.inside})", of.author, of.licence, detail)

    def paint() -> Image:
        whole = packages.raccoon(build) if view.photograph == "raccoon" else packages.photograph(of.package, of.inside)
        return crop(whole, view.left, view.top, view.side)

    return Recipe(view.title, source, paint)
