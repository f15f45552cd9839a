"""`outline/1`: how well the region that a drawing encloses agrees with the region that was to be enclosed.

1. Paper that cannot reach the rim of the canvas without crossing ink is enclosed; the rim itself is no wall.
2. A gap in the outline up to 3 % of the canvas width (`GAP`) still closes it: where a disc of that diameter, kept off
   the ink, cannot get from within to the rim, all that the disc sweeps is enclosed as well.
3. Ink belongs to the region, so a filled shape counts as it was filled, and an open line counts as itself.
4. But where a single line parts enclosed paper from paper outside, its middle is the border, so that a wider brush
   does not enclose more.
5. The score is the Dice coefficient of that region and the target, and nothing else.
"""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Distances = NDArray[np.float64]

METRIC = "outline/1"
"""Name and version of the metric; to be changed whenever a score would change."""
GAP = 0.03
"""The widest gap in an outline that still closes it, as a share of the canvas width."""
SINGLE = 2.0
"""Ink up to so many brush widths wide is a single line: one that was traced twice, not quite in the same place."""


def dice(a: Mask, b: Mask) -> float:
    """The Dice coefficient of two regions, 2 |a and b| / (|a| + |b|) (Dice, Ecology 26, 1945).

    Args:
        a: bool (h, w).
        b: bool (h, w).

    Returns:
        In [0, 1]; 1 for equal regions, two empty ones included.

    Raises:
        ValueError: the two have not one shape, or are not boolean.

    Example:
        >>> import numpy as np
        >>> dice(np.array([[True, True]]), np.array([[True, False]]))
        0.6666666666666666
    """
    if a.shape != b.shape:
        raise ValueError(f"one region is {a.shape}, the other {b.shape}: give two of one canvas")
    if a.dtype != np.bool_ or b.dtype != np.bool_:
        raise ValueError(f"the regions are {a.dtype} and {b.dtype}, but must be boolean: compare pixels first")
    total = int(np.count_nonzero(a)) + int(np.count_nonzero(b))
    return 2 * int(np.count_nonzero(a & b)) / total if total else 1.0


def enclosed(ink: Mask, line: float) -> Mask:
    """The region that a drawing encloses, by the five rules of this module.

    Args:
        ink: bool (n, n), where the brush has been; see `easel_app.scoring.ink.ink`.
        line: radius of the brush in px, at least 0.

    Returns:
        bool (n, n).

    Raises:
        ValueError: the ink is not a boolean square, or the radius is negative or not finite.
    """
    if ink.ndim != 2 or ink.shape[0] != ink.shape[1] or ink.dtype != np.bool_:
        raise ValueError(f"the ink is {ink.dtype} {ink.shape}, but must be boolean (n, n): pass what `ink` returns")
    if not 0.0 <= line < np.inf:
        raise ValueError(f"the brush radius is {line} px, but must be at least 0 and finite: pass the brush's own")
    if not ink.any():
        return ink.copy()
    inside = _holes(ink) | _loose_holes(ink)
    outside = ~(ink | inside)
    if not inside.any() or not outside.any():
        return ink | inside
    from_inside, from_outside = _distances_to(inside), _distances_to(outside)
    # from pixel centre to pixel centre across a line of width w it is w + 1 px, and half a px more on a slope
    single = from_inside + from_outside <= 2.0 * SINGLE * line + 1.5
    region: Mask = inside | (ink & ~(single & (from_outside < from_inside)))
    return region


def _holes(wall: Mask) -> Mask:
    """What the wall keeps from the rim. Lines of the wall hold at corners, so the rest is joined by edges only."""
    field = np.pad(wall, 1).astype(np.uint8)
    cv2.floodFill(field, None, (0, 0), 1, flags=4)
    return cast(Mask, field[1:-1, 1:-1] == 0)


def _loose_holes(ink: Mask) -> Mask:
    """What a disc as wide as the tolerated gap sweeps where the ink keeps it from the rim."""
    # a gap of g px has its middle (g + 1) / 2 px from the centres of the ink's pixels on both sides
    reach = (GAP * ink.shape[0] + 1.0) / 2.0
    centres = _holes(_distances_to(ink) <= reach)
    if not centres.any():
        return centres
    swept: Mask = (_distances_to(centres) <= reach) & ~ink
    return swept


def _distances_to(region: Mask) -> Distances:
    """Euclidean distance in px of each pixel to the nearest one of a region that is not empty."""
    found = cv2.distanceTransform((~region).view(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    # OpenCV's float32 are off by an ulp here and there, and not alike when the drawing is turned: squares are whole
    return cast(Distances, np.sqrt(np.rint(np.square(found, dtype=np.float64))))
