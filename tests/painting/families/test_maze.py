from __future__ import annotations

import hashlib
from collections import Counter

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage, stats

from easel_app.painting.families import maze
from easel_app.painting.families.draft import Draft
from easel_app.painting.truth import MazeTruth
from easel_app.scoring import BRUSH_COLOUR

EVERY = np.ones((3, 3), np.bool_)
SEEDS = range(40)


def drafts(size: int) -> list[tuple[Draft, MazeTruth]]:
    made = [maze.draft(size, seed) for seed in SEEDS]
    return [(one, one.truth) for one in made if isinstance(one.truth, MazeTruth)]


def open_between(truth: MazeTruth, one: tuple[int, int], other: tuple[int, int]) -> bool:
    (x0, y0), (x1, y1) = truth.centre(one), truth.centre(other)
    between = slice(int(min(y0, y1)), int(max(y0, y1)) + 1), slice(int(min(x0, x1)), int(max(x0, x1)) + 1)
    return not truth.walls[between].any()


@pytest.mark.parametrize(
    ("size", "expected"),
    [(64, "f1fbd62d7292"), (128, "f06c7029d94a"), (256, "41319adf4a5e"), (512, "1360446f68a7")],
)
def test_the_same_seed_gives_the_same_bytes_for_ever(size: int, expected: str) -> None:
    digest = hashlib.sha256()
    for seed in (0, 7, 2**31 - 1):
        made = maze.draft(size, seed)
        digest.update(made.picture.tobytes() + repr(made.truth[1:]).encode() + made.title.encode())
    assert digest.hexdigest()[:12] == expected


def test_another_seed_gives_another_maze() -> None:
    for size in maze.SIZES:
        assert len({one.picture.tobytes() for one, _ in drafts(size)}) > len(SEEDS) - 4  # 4 × 4 has 100,352 trees


@pytest.mark.parametrize(("columns", "rows", "trees"), [(2, 2, 4), (3, 2, 15), (2, 3, 15), (3, 3, 192)])
def test_each_spanning_tree_is_as_likely_as_any_other(columns: int, rows: int, trees: int) -> None:
    rng = np.random.Generator(np.random.PCG64(12))
    drawn = [maze.spanning_tree(columns, rows, rng).items() for _ in range(trees * 100)]
    counts = Counter(tuple(sorted(tuple(sorted(passage)) for passage in one)) for one in drawn)
    assert len(counts) == trees
    assert stats.chisquare(list(counts.values())).pvalue > 0.01


@pytest.mark.parametrize("size", maze.SIZES)
def test_corridors_are_one_area_without_loops_and_closed_to_the_margin(size: int) -> None:
    for _, truth in drafts(size):
        for joined in (None, EVERY):  # pixels join by edges, or by corners too
            labels, areas = ndimage.label(~truth.walls, joined)
            assert areas == 2  # corridors and margin
            cells = [truth.centre((x, y)) for x in range(truth.cells) for y in range(truth.cells)]
            assert {labels[int(y), int(x)] for x, y in cells} == {labels[int(cells[0][1]), int(cells[0][0])]}
            assert labels[0, 0] != labels[int(cells[0][1]), int(cells[0][0])]
        assert ndimage.label(truth.walls, EVERY)[1] == 1  # no wall stands alone, so there is no way round one


@pytest.mark.parametrize("size", maze.SIZES)
def test_lattice_fills_the_canvas_but_for_a_small_margin(size: int) -> None:
    cells, pitch, wall, margin = maze.LAYOUTS[size]
    assert 2 * margin + cells * pitch + wall == size
    assert 2 <= margin <= size / 20
    assert 2 <= wall <= pitch / 6
    for _, truth in drafts(size):
        rows = np.nonzero(truth.walls.any(1))[0]
        columns = np.nonzero(truth.walls.any(0))[0]
        assert (rows[0], rows[-1], columns[0], columns[-1]) == (margin, size - margin - 1) * 2
        assert (truth.cells, truth.pitch, truth.origin) == (cells, pitch, margin + wall / 2)
        square = np.ones((wall, wall), np.bool_)
        assert (ndimage.binary_opening(truth.walls, square) == truth.walls).all()  # nowhere thinner
        assert not ndimage.binary_opening(truth.walls, np.ones((wall + 1, wall + 1))).any()  # nowhere thicker


@pytest.mark.parametrize("size", maze.SIZES)
def test_route_leads_through_open_borders_from_a_corner_to_the_opposite_one(size: int) -> None:
    for _, truth in drafts(size):
        start, goal, last = truth.route[0], truth.route[-1], truth.cells - 1
        assert {*start, *goal} <= {0, last}
        assert (start[0] + goal[0], start[1] + goal[1]) == (last, last)
        assert len(set(truth.route)) == len(truth.route)  # in a tree the way without a cell twice is the shortest
        for one, other in zip(truth.route, truth.route[1:], strict=False):
            assert abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
            assert open_between(truth, one, other)


def test_each_corner_is_a_start_now_and_then() -> None:
    assert len({truth.route[0] for _, truth in drafts(64)}) == 4


@pytest.mark.parametrize("size", maze.SIZES)
def test_route_is_the_shortest_where_there_are_several(size: int) -> None:
    ring = {(0, 0): (1, 0), (1, 0): (2, 0), (2, 0): (2, 1), (0, 1): (0, 0), (1, 1): (0, 1), (2, 1): (1, 1)}
    assert maze.shortest_route(ring, (0, 0), (1, 1)) == ((0, 0), (0, 1), (1, 1))
    with pytest.raises(ValueError, match="no passages lead"):
        maze.shortest_route(ring, (0, 0), (size, size))


@pytest.mark.parametrize("size", maze.SIZES)
def test_walls_are_exactly_the_pixels_of_their_colour_and_every_pixel_keeps_away_from_the_brush(size: int) -> None:
    for made, truth in drafts(size):
        assert made.picture.shape == (size, size, 3)
        assert made.picture.dtype == np.uint8
        assert ((made.picture == maze.WALL).all(-1) == truth.walls).all()
        colours = {colour for _, colour in Image.fromarray(made.picture).getcolors() or ()}
        assert colours == {maze.PAPER, maze.WALL, maze.START, maze.GOAL}
        assert min(np.abs(np.subtract(colour, BRUSH_COLOUR)).sum() for colour in colours) >= 150


@pytest.mark.parametrize("size", maze.SIZES)
def test_marks_lie_in_their_cells_clear_of_walls_and_differ_in_shape(size: int) -> None:
    _, pitch, wall, _ = maze.LAYOUTS[size]
    for made, truth in drafts(size):
        shapes = []
        for colour, cell in ((maze.START, truth.route[0]), (maze.GOAL, truth.route[-1])):
            mark = (made.picture == colour).all(-1)
            rows, columns = np.nonzero(mark)
            x, y = truth.centre(cell)
            free = (pitch - wall) / 2 - 1  # a white pixel at least on each side
            assert np.abs(columns + 0.5 - x).max() <= free
            assert np.abs(rows + 0.5 - y).max() <= free
            assert (pitch / 3) ** 2 <= mark.sum() <= (pitch - wall) ** 2 / 2
            assert mark[int(y), int(x)]
            shapes.append(mark[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1])
        disc, flag = shapes
        assert (disc == disc[::-1]).all()
        assert (disc == disc[:, ::-1]).all()
        assert not (flag == flag[::-1]).all()
        assert not (flag == flag[:, ::-1]).all()


def test_instruction_names_what_is_seen_and_what_it_costs() -> None:
    made = maze.draft(512, 7)
    assert made.title == "Maze 7, 12 × 12"
    assert made.budget == 128
    for word in ("green disc", "red flag", "wall", "rejected", "undo", "Submit"):
        assert word in made.instruction
    assert len({one.instruction for size in maze.SIZES for one, _ in drafts(size)}) == 1  # tells nothing of the way


@pytest.mark.parametrize(("size", "seed", "what"), [(65, 0, "no mazes of 65"), (64, -1, "seed"), (64, 2**31, "seed")])
def test_other_sizes_and_seeds_are_refused(size: int, seed: int, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        maze.draft(size, seed)
