"""What a row of a batch shows: its pictures and actions, in whatever form a data set or a trainer hands them over."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from easel_app.painting.renderer import render
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.runs.prompts import INTEGERS

Pixels = NDArray[np.uint8]
FORMS = "a PIL image, the bytes of a file, a {'bytes': …} of `datasets`, or a uint8 array (n, n, 3)"


def shown(row: Mapping[str, Any]) -> tuple[Pixels, Pixels] | None:
    """Reference and canvas of a row, each uint8 (n, n, 3); None where there is no reference.

    Args:
        row: of the columns `reference`, `canvas`, `actions`, `step` and `images` those that there are.

    Raises:
        ValueError: the row does not tell which canvas was shown, or holds something else than pictures and strokes.
    """
    pair = row.get("images") or (None, None)
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        held = f"{len(pair)} pictures" if isinstance(pair, list | tuple) else f"a {type(pair).__name__}"
        raise ValueError(f"images holds {held} instead of reference and canvas")
    reference, canvas, actions = row.get("reference", pair[0]), row.get("canvas"), row.get("actions")
    if reference is None:
        return None
    if canvas is None and actions is None:
        canvas = pair[1]
    pixels = picture(reference)
    if canvas is not None:
        return pixels, picture(canvas)
    if actions is None:
        raise ValueError("it has no canvas: give the one that was shown, or the actions before it, [] for a white one")
    strokes, step = parse_strokes(actions), row.get("step")
    if step is not None and not (isinstance(step, int | np.integer) and 0 <= step <= len(strokes)):
        raise ValueError(f"its step is {step!r}, but there are {len(strokes)} actions to paint before it")
    return pixels, render(strokes[:step], np.full_like(pixels, 255))


def parse_strokes(actions: Any) -> NDArray[np.float64]:
    """Strokes, float64 (k, 13) in [0, 1], of numbers in the published order, flat or 13 in a list.

    Whole numbers are thousandths, as in a data set; floats are the strokes' own.

    Raises:
        ValueError: they are no strokes.
    """
    numbers = np.asarray(actions)
    if numbers.size == 0:
        return np.zeros((0, len(STROKE_FIELDS)))
    if numbers.dtype.kind not in "iuf" or numbers.size % len(STROKE_FIELDS):
        raise ValueError(f"its actions are {numbers.dtype} {numbers.shape} instead of 13 numbers a stroke")
    largest = 1 if numbers.dtype.kind == "f" else INTEGERS
    if not (numbers.min() >= 0 and numbers.max() <= largest):  # NaN is on neither side
        raise ValueError(f"its actions reach from {numbers.min()} to {numbers.max()} instead of from 0 to {largest}")
    strokes: NDArray[np.float64] = numbers.reshape(-1, len(STROKE_FIELDS)) / float(largest)
    return strokes


def picture(value: Any) -> Pixels:
    """The pixels of a picture as a column has it, uint8 (h, w, 3), on white where it is transparent.

    Raises:
        ValueError: it is no picture.
    """
    content = value.get("bytes") if isinstance(value, Mapping) else value
    if isinstance(content, bytes):
        try:
            content = Image.open(io.BytesIO(content))
            content.load()
        except Exception:  # damaged data can make a decoder raise anything
            raise ValueError("one of its pictures is damaged or cut off") from None
    if isinstance(content, Image.Image):
        if content.has_transparency_data:
            content = Image.alpha_composite(Image.new("RGBA", content.size, "white"), content.convert("RGBA"))
        return np.array(content.convert("RGB"))
    if isinstance(content, np.ndarray) and content.dtype == np.uint8 and content.ndim == 3 and content.shape[2] == 3:
        return np.ascontiguousarray(content)
    raise ValueError(f"one of its pictures is of type {type(value).__name__}, but must be {FORMS}")
