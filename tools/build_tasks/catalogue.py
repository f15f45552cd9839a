"""The catalogue: 110 recipes become PNG files and one JSON file that describes them."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image as Pillow

from easel_app.painting import anchors
from easel_app.painting.painters import policy
from easel_app.scoring.similarity import METRIC

from . import abstract, natural, programmatic, spatial
from .recipe import Image, Recipe

TASK_SET = "easel-studio/1"


class Category(NamedTuple):
    """One of the published four: how many tasks, how large, how many strokes."""

    name: str
    tasks: int
    size: int
    budget: int


CATEGORIES = [
    Category("programmatic", 15, 64, 32),
    Category("spatial", 40, 128, 96),
    Category("abstract", 15, 128, 96),
    Category("natural", 40, 128, 128),
]


class Task(NamedTuple):
    """A built task: its entry in the catalogue and its pixels."""

    entry: dict[str, Any]
    pixels: Image


def build(folder: Path) -> Iterator[Task]:
    """Paint all tasks in the order of the catalogue.

    Args:
        folder: where fetched packages are kept, outside version control.

    Raises:
        ValueError: a recipe makes another number or size of pictures than its category has.
    """
    recipes = {
        "programmatic": programmatic.recipes(),
        "spatial": spatial.recipes(),
        "abstract": abstract.recipes(folder),
        "natural": natural.recipes(folder),
    }
    for category in CATEGORIES:
        own = recipes[category.name]
        if len(own) != category.tasks:
            raise ValueError(f"{category.name} has {len(own)} recipes where {category.tasks} tasks are published")
        for number, recipe in enumerate(own, start=1):
            yield task(category, number, recipe)


def task(category: Category, number: int, recipe: Recipe) -> Task:
    """Paint one recipe and describe it."""
    pixels = recipe.paint()
    if pixels.shape != (category.size, category.size, 3) or pixels.dtype != np.uint8:
        raise ValueError(f"{recipe.title!r} is {pixels.dtype} {pixels.shape}, not {category.size} px of RGB bytes")
    entry = {
        "id": f"{category.name}-{number:02d}",
        "kind": "reconstruction",
        "category": category.name,
        "title": recipe.title,
        "instruction": f"Paint the reference as closely as you can with {category.budget} strokes.",
        "width": category.size,
        "height": category.size,
        "budget": category.budget,
        "anchors": {**anchors.scores(pixels), **policy.policy_scores(pixels, category.budget)},
        "source": recipe.source._asdict(),
        "sha256": digest(pixels),
    }
    return Task(entry, pixels)


def digest(pixels: Image) -> str:
    """SHA-256 of the RGB bytes, row by row, as 64 hexadecimal digits."""
    return hashlib.sha256(np.ascontiguousarray(pixels).tobytes()).hexdigest()


def png(pixels: Image) -> bytes:
    """The picture as an 8-bit RGB PNG file without any metadata."""
    file = io.BytesIO()
    Pillow.fromarray(pixels).save(file, "PNG", optimize=True)
    return file.getvalue()


def as_json(tasks: list[Task]) -> str:
    """The text of `catalogue.json`."""
    entries = [task.entry for task in tasks]
    catalogue = {"task_set": TASK_SET, "metric": METRIC, "policy": policy.VERSION, "tasks": entries}
    return json.dumps(catalogue, indent=2, ensure_ascii=False) + "\n"
