"""How far a drawing has come through a maze: `maze/1`.

Only what hangs together with the start counts, and only along the reference route:

1. Ink on the pixels of a wall is taken away, and so joins nothing.
2. A drawing is *connected* where its 8-connected parts have a pixel on the start's mark.
3. A cell of the route is *reached* when it and all cells before it on the route hold connected ink. A cell owns the
   pixels of its square.
4. Each connected pixel of the last cell reached is projected to the nearest point of the route within that cell (the
   earlier of two as near). The largest arc length found is where the brush's rim has come. Less the radius it is how
   far the drawing has come: the middle of the brush counts. (Half a pixel is added, as the centre of the rim's
   last pixel falls short of the rim by nothing to one pixel.)
5. Progress is that length over the route's, and 1 once it comes within the goal's mark.

So more ink never lowers progress, and ink that does not hang together with the start, lies in cells off the route, or
lies outside the maze never raises it. The paper (arXiv 2608.25417) says "normalised progress of the path along
the reference route" only; the rest is ours.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
Cell = tuple[int, int]

METRIC = "maze/1"
"""Name and version of the score; to be changed whenever a score would change."""

MARK = 0.25
"""Radius of the marks of start and goal, as a share of a cell's side: how near to its middle a line has to come."""


class Course(Protocol):
    """The maze that a drawing is held against, in px; `easel_app.painting.truth.MazeTruth` is one."""

    @property
    def walls(self) -> Mask:
        """Pixels of walls, bool (n, n)."""

    @property
    def route(self) -> tuple[Cell, ...]:
        """Cells (column, row) from the start to the goal, each beside the one before, at least one."""

    @property
    def pitch(self) -> float:
        """Side of a cell."""

    @property
    def origin(self) -> float:
        """Left and top border of cell (0, 0)."""


class Explored(NamedTuple):
    """What a drawing has explored."""

    progress: float
    """In [0, 1]; exactly 1 when the drawing joins start and goal."""
    reached: int
    """Cells of the route that connected ink has reached, counted from the start without a hole."""
    connected: Mask
    """bool (n, n): the ink that hangs together with the start."""


def explore(ink: Mask, course: Course, radius: float) -> Explored:
    """How far along the route the part of a drawing comes that is connected to the start.

    Args:
        ink: bool (n, n), the pixels drawn; any drawing, legal or not.
        course: the maze.
        radius: of the brush, px: pixels whose centre is at most this far from its middle are ink.

    Raises:
        ValueError: ink and walls differ in shape.
    """
    if ink.shape != course.walls.shape:
        raise ValueError(f"the ink is {ink.shape}, but the walls {course.walls.shape}: give both of one maze")
    connected = _connected(ink & ~course.walls, course)
    reached = 0
    for cell in course.route:
        if not connected[_square(cell, course)].any():
            break
        reached += 1
    if not reached:
        return Explored(0.0, 0, connected)
    length = (len(course.route) - 1) * course.pitch
    come = _farthest(connected, course, reached - 1) + 0.5 - radius
    arrived = come >= length - MARK * course.pitch
    return Explored(1.0 if arrived else max(0.0, come) / length, reached, connected)


def _connected(free: Mask, course: Course) -> Mask:
    """The 8-connected parts of bool (n, n) that have a pixel on the start's mark."""
    count, labels = cv2.connectedComponents(free.view(np.uint8), connectivity=8, ltype=cv2.CV_32S)
    square = _square(course.route[0], course)
    x, y = _offsets(course.route[0], course)
    joined = np.zeros(count, np.bool_)
    joined[labels[square][x * x + y * y <= (MARK * course.pitch) ** 2]] = True
    joined[0] = False  # label 0 is what is not drawn
    connected: Mask = joined[labels]
    return connected


def _farthest(connected: Mask, course: Course, k: int) -> float:
    """Largest arc length, px, that connected ink in the route's k-th cell projects to.

    Beyond the goal the route is taken to go straight on, so that there too the middle of the brush can be told from
    its rim.
    """
    route, half = course.route, course.pitch / 2
    inward = np.subtract(route[k], route[k - 1]) if k > 0 else np.zeros(2)
    onward = np.subtract(route[k + 1], route[k]) if k + 1 < len(route) else inward
    drawn = connected[_square(route[k], course)]
    x, y = (np.broadcast_to(side, drawn.shape)[drawn] for side in _offsets(route[k], course))
    before = np.clip(x * inward[0] + y * inward[1], -half, 0.0)
    after = np.clip(x * onward[0] + y * onward[1], 0.0, half)
    off_before = (x - before * inward[0]) ** 2 + (y - before * inward[1]) ** 2
    off_after = (x - after * onward[0]) ** 2 + (y - after * onward[1]) ** 2
    along = np.where(off_after < off_before, after, before)
    return k * course.pitch + float(along.max())


def _square(cell: Cell, course: Course) -> tuple[slice, slice]:
    """Rows and columns of the pixels whose centres lie in a cell, its left and top border included."""
    columns, rows = (slice(_first(at, course), _first(at + 1, course)) for at in cell)
    return rows, columns


def _first(line: int, course: Course) -> int:
    """The first pixel on the canvas whose centre is not before a line of the lattice."""
    return max(0, int(np.ceil(course.origin + line * course.pitch - 0.5)))


def _offsets(cell: Cell, course: Course) -> tuple[Floats, Floats]:
    """How far the pixels of a cell lie right of and below its middle, px: float64 (1, w) and (h, 1)."""
    rows, columns = _square(cell, course)
    n = course.walls.shape[0]
    centres = np.arange(n, dtype=np.float64) + 0.5 - course.origin
    x, y = centres[columns] - (cell[0] + 0.5) * course.pitch, centres[rows] - (cell[1] + 0.5) * course.pitch
    return x[None, :], y[:, None]
