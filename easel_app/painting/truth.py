"""What a semantic task is scored against. It is shown after the end only, in the evidence that is drawn from it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from easel_app.painting.protocol import Kind

Mask = NDArray[np.bool_]


class OutlineTruth(NamedTuple):
    """The region that is to be enclosed."""

    mask: Mask
    """bool (n, n)."""


class HandwritingTruth(NamedTuple):
    """The word that is to be written."""

    word: str
    """Lower-case letters a-z."""


class MazeTruth(NamedTuple):
    """The walls and the way through them."""

    walls: Mask
    """bool (n, n): the wall's pixels."""
    route: tuple[tuple[int, int], ...]
    """Cells (column, row) from the start to the goal, each beside the one before: the shortest way, by breadth-first
    search."""
    cells: int
    """Columns of the lattice, and rows."""
    pitch: float
    """Side of a cell in px, from the middle of one wall to the middle of the next."""
    origin: float
    """Middle of the outer wall in px, from the left and from the top."""

    def centre(self, cell: tuple[int, int]) -> tuple[float, float]:
        """Middle of a cell (column, row) as x, y in px."""
        return self.origin + (cell[0] + 0.5) * self.pitch, self.origin + (cell[1] + 0.5) * self.pitch


Truth = OutlineTruth | HandwritingTruth | MazeTruth
TRUTH_OF: Mapping[Kind, type[Truth] | type[None]] = MappingProxyType(
    {
        Kind.RECONSTRUCTION: NoneType,
        Kind.OUTLINE: OutlineTruth,
        Kind.HANDWRITING: HandwritingTruth,
        Kind.MAZE: MazeTruth,
    }
)
"""What each kind of task is scored against."""


def truth_digest(truth: Truth) -> str:
    """SHA-256 of a truth, as 64 hexadecimal digits."""
    facts, mask = _parts(truth)
    pixels = b"" if mask is None else np.packbits(mask).tobytes()
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode() + pixels).hexdigest()


def write_truth(truth: Truth, folder: Path, name: str) -> dict[str, Any]:
    """Write a truth's mask to `<name>.mask.png` in a folder, if it has one; returns its record."""
    facts, mask = _parts(truth)
    if mask is not None:
        facts["mask"] = f"{name}.mask.png"
        Image.fromarray(mask).save(folder / facts["mask"], optimize=True)
    return {**facts, "sha256": truth_digest(truth)}


def read_truth(record: Mapping[str, Any], folder: Path) -> Truth:
    """The truth of a record that `write_truth` made.

    Raises:
        ValueError: the mask is not the one that the record names.
    """
    mask = None
    if "mask" in record:
        with Image.open(folder / record["mask"]) as picture:
            mask = np.array(picture.convert("1"))
        mask.flags.writeable = False
    if record["kind"] == Kind.HANDWRITING:
        truth: Truth = HandwritingTruth(record["word"])
    elif mask is None:
        raise ValueError(f"a truth of kind {record['kind']} has a mask, but this record names none")
    elif record["kind"] == Kind.OUTLINE:
        truth = OutlineTruth(mask)
    else:
        route = tuple((int(column), int(row)) for column, row in record["route"])
        truth = MazeTruth(mask, route, record["cells"], record["pitch"], record["origin"])
    if truth_digest(truth) != record["sha256"]:
        raise ValueError(f"what {record['kind']} is scored against is not what its record names; restore data/semantic")
    return truth


def _parts(truth: Truth) -> tuple[dict[str, Any], Mask | None]:
    """What can be written as JSON, and the mask."""
    match truth:
        case OutlineTruth(mask):
            return {"kind": Kind.OUTLINE.value}, mask
        case HandwritingTruth(word):
            return {"kind": Kind.HANDWRITING.value, "word": word}, None
        case MazeTruth(walls, route, cells, pitch, origin):
            lattice = {"cells": cells, "pitch": float(pitch), "origin": float(origin)}
            return {"kind": Kind.MAZE.value, "route": [list(cell) for cell in route], **lattice}, walls
