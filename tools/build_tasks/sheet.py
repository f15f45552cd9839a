"""Contact sheets of the built tasks, to be looked at: every picture enlarged, with its number."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

GAP = 14
GROUND = (250, 250, 248)


def contact_sheet(pictures: Sequence[tuple[str, NDArray[np.uint8]]], path: Path, *, side: int, columns: int) -> None:
    """Write one PNG with all pictures, `side` pixels each, in rows of `columns`, the label under each."""
    rows = -(-len(pictures) // columns)
    sheet = Image.new("RGB", (columns * (side + GAP) + GAP, rows * (side + GAP + 12) + GAP), GROUND)
    pen = ImageDraw.Draw(sheet)
    for index, (label, pixels) in enumerate(pictures):
        x = GAP + index % columns * (side + GAP)
        y = GAP + index // columns * (side + GAP + 12)
        sheet.paste(Image.fromarray(pixels).resize((side, side), Image.Resampling.NEAREST), (x, y))
        pen.text((x, y + side + 1), label, fill=(60, 60, 60))
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path)
