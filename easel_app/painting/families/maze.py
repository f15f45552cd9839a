"""Mazes: a uniform spanning tree of a square lattice, drawn with walls, a start, a goal, and one way between them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from easel_app.painting.families.draft import Draft
from easel_app.painting.truth import MazeTruth
from easel_app.scoring.maze import MARK, Cell

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]

VERSION = "mazes/1"
"""Name and version of the generator; to be changed whenever a maze would change."""
BUDGET = 128
"""Steps."""
SEEDS = 2**31
"""Seeds lie below this."""

PAPER = (255, 255, 255)
WALL = (17, 17, 17)
START = (34, 139, 58)
GOAL = (204, 32, 44)


class Layout(NamedTuple):
    """Where the lattice lies on the canvas, in px; lattice and margins fill it exactly."""

    cells: int
    """Columns, and rows."""
    pitch: int
    """From one wall to the next, a wall's thickness included."""
    wall: int
    """Thickness of a wall."""
    margin: int
    """White border all round."""


LAYOUTS: Mapping[int, Layout] = MappingProxyType(
    {64: Layout(4, 14, 2, 3), 128: Layout(5, 23, 3, 5), 256: Layout(6, 40, 4, 6), 512: Layout(12, 41, 6, 7)}
)
"""The layout for each size of canvas, px."""
SIZES = tuple(LAYOUTS)
"""Sizes of canvas that mazes are made for, px."""

_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def draft(size: int, seed: int) -> Draft:
    """The maze of a size and a seed; the same bytes on every machine.

    Every spanning tree of the lattice is as likely as any other. The start lies in one of the four corners, as the
    seed says, and the goal in the opposite one.

    Args:
        size: side of the canvas, px, one of `SIZES`.
        seed: from 0 to 2^31 - 1.

    Raises:
        ValueError: the size or the seed is another.
    """
    if size not in LAYOUTS:
        raise ValueError(f"there are no mazes of {size} px: choose {', '.join(map(str, SIZES[:-1]))} or {SIZES[-1]}")
    if not 0 <= seed < SEEDS:
        raise ValueError(f"the seed is {seed}, which is not between 0 and {SEEDS - 1}: choose one in between")
    layout = LAYOUTS[size]
    rng = np.random.Generator(np.random.PCG64(seed))
    passages = spanning_tree(layout.cells, layout.cells, rng)
    last = layout.cells - 1
    start = last * int(rng.integers(2)), last * int(rng.integers(2))
    truth = MazeTruth(
        walls=_walls(size, layout, passages),
        route=shortest_route(passages, start, (last - start[0], last - start[1])),
        cells=layout.cells,
        pitch=float(layout.pitch),
        origin=layout.margin + layout.wall / 2,
    )
    return Draft(
        picture=picture(truth),
        truth=truth,
        title=f"Maze {seed}, {layout.cells} × {layout.cells}",
        instruction=(
            "Draw one connected line from the green disc to the red flag. A stroke that touches a wall is rejected and"
            " still costs a step, and an undo costs a step too. Submit when the line has reached the flag."
        ),
        budget=BUDGET,
    )


def spanning_tree(columns: int, rows: int, rng: np.random.Generator) -> dict[Cell, Cell]:
    """A spanning tree of a lattice, uniformly at random, by Wilson's algorithm.

    From each cell that is not in the tree yet a random walk goes on until it meets the tree, and joins it without
    its loops (D. B. Wilson, Generating random spanning trees more quickly than the cover time, STOC 1996). The
    exits last taken are the walk without its loops.

    Returns:
        Each cell but (0, 0), which the tree grows from, and the cell beside it that it opens to.
    """
    passages: dict[Cell, Cell] = {}
    tree = {(0, 0)}
    for first in ((column, row) for row in range(rows) for column in range(columns)):
        exits: dict[Cell, Cell] = {}
        cell = first
        while cell not in tree:
            right, down = _STEPS[int(rng.integers(4))]
            beside = cell[0] + right, cell[1] + down
            if 0 <= beside[0] < columns and 0 <= beside[1] < rows:
                exits[cell] = beside
                cell = beside
        cell = first
        while cell not in tree:
            tree.add(cell)
            passages[cell] = exits[cell]
            cell = exits[cell]
    return passages


def shortest_route(passages: Mapping[Cell, Cell], start: Cell, goal: Cell) -> tuple[Cell, ...]:
    """The cells from start to goal, both included, by breadth-first search.

    Raises:
        ValueError: no passages lead from the one to the other.
    """
    beside: dict[Cell, list[Cell]] = {}
    for one, other in passages.items():
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    onward = {goal: goal}
    waiting = deque([goal])
    while waiting and start not in onward:
        cell = waiting.popleft()
        for other in beside.get(cell, ()):
            if other not in onward:
                onward[other] = cell
                waiting.append(other)
    if start not in onward:
        raise ValueError(f"no passages lead from {start} to {goal}: choose two cells of one tree")
    route = [start]
    while route[-1] != goal:
        route.append(onward[route[-1]])
    return tuple(route)


def picture(truth: MazeTruth) -> Pixels:
    """A maze as it is shown, uint8 (n, n, 3): walls, start and goal, each pixel of one colour."""
    canvas = np.full((*truth.walls.shape, 3), PAPER, np.uint8)
    canvas[truth.walls] = WALL
    canvas[_disc(truth, truth.route[0])] = START
    canvas[_flag(truth, truth.route[-1])] = GOAL
    return canvas


def _walls(size: int, layout: Layout, passages: Mapping[Cell, Cell]) -> Mask:
    """All walls of the lattice, less those where two cells open to each other: bool (size, size)."""
    cells, pitch, wall, margin = layout
    walls = np.zeros((size, size), np.bool_)
    inside = slice(margin, margin + cells * pitch + wall)
    for line in range(margin, margin + cells * pitch + 1, pitch):
        walls[line : line + wall, inside] = True
        walls[inside, line : line + wall] = True
    for one, other in passages.items():
        (left, right), (top, bottom) = sorted((one[0], other[0])), sorted((one[1], other[1]))
        rows = slice(margin + top * pitch + wall, margin + (bottom + 1) * pitch)
        columns = slice(margin + left * pitch + wall, margin + (right + 1) * pitch)
        walls[rows, columns] = False
    return walls


def _halves(truth: MazeTruth, cell: Cell) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How far each pixel's centre lies right of and below a cell's middle, in half px: int64 (1, n) and (n, 1)."""
    centres = 2 * np.arange(truth.walls.shape[0]) + 1
    x, y = truth.centre(cell)
    return (centres - round(2 * x))[None, :], (centres - round(2 * y))[:, None]


def _disc(truth: MazeTruth, cell: Cell) -> Mask:
    """The start's mark: a disc, bool (n, n)."""
    x, y = _halves(truth, cell)
    disc: Mask = x * x + y * y <= (2 * MARK * truth.pitch) ** 2
    return disc


def _flag(truth: MazeTruth, cell: Cell) -> Mask:
    """The goal's mark: a flag on a pole at its left, bool (n, n); lengths in half px."""
    x, y = _halves(truth, cell)
    side, high = int(truth.pitch) // 2, int(truth.pitch) * 3 // 5
    pole = (x >= -side) & (x < -side + 2 * max(2, side // 7)) & (abs(y) <= high)
    cloth = (abs(x) <= side) & (abs(y) <= high) & (y <= high // 6)
    flag: Mask = pole | cloth
    return flag
