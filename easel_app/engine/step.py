"""One step in tens of microseconds: draw a stroke by brush/1, update similarity/1 exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from easel_app.engine.canvas import paint, replace
from easel_app.engine.gradient import PAD, blurred_ones, gaussian_taps, luma_tables, update_gradient
from easel_app.engine.hysteresis import update_edges
from easel_app.engine.kernel import Bytes, Floats, Ints, Longs, borrowed, kernel
from easel_app.engine.mask import LARGEST, Patch, cut_patch, draw_mask
from easel_app.engine.memory import Memory, carve, carved, new_blocks
from easel_app.engine.ssim import reference_windows, scale, update_ssim
from easel_app.engine.stroke import FIELDS, checked, first_wrong
from easel_app.engine.thinning import update_classes
from easel_app.scoring.similarity import WINDOW, Similarity, combine, edges

Box = tuple[int, int, int, int]
"""Top, bottom, left, right: rows [top, bottom), columns [left, right)."""

SSIM, L1 = range(2)


@kernel
def refresh(memory: Memory) -> None:
    """Bring SSIM and edges up to date after the bytes in `memory.canvas.box` changed."""
    memory.totals[SSIM] += update_ssim(memory.canvas, memory.windows)
    top, bottom = update_gradient(memory.canvas, memory.filters)
    links = memory.links
    found = update_classes(memory.filters, top, bottom, links.classes, links.seeds, links.stack)
    if found > 0:
        update_edges(links, found)


@kernel
def step(stroke: Floats, memory: Memory) -> None:
    """Paint a stroke, float64 (13,) in [0, 1], and bring everything up to date."""
    canvas = memory.canvas
    draw_mask(stroke, memory.brush)
    memory.totals[L1] += paint(stroke, memory.brush, canvas)
    if canvas.box[0] < canvas.box[1]:
        refresh(memory)


@kernel
def _step(stroke: Floats, size: int, bytes_: Bytes, ints: Ints, longs: Longs, floats: Floats) -> tuple[int, ...]:
    """`step` on blocks; returns the totals, and first the index of a value out of range or -1."""
    memory = carved(size, borrowed(bytes_), borrowed(ints), borrowed(longs), borrowed(floats))
    wrong = first_wrong(stroke)
    if wrong < 0:
        step(stroke, memory)
    return wrong, memory.totals[SSIM], memory.totals[L1], memory.links.counts[0], memory.links.counts[1]


@kernel
def _load(
    pixels: Bytes, top: int, left: int, size: int, bytes_: Bytes, ints: Ints, longs: Longs, floats: Floats
) -> tuple[int, ...]:
    """Take over pixels (h, 3 * w) at (top, left); returns the totals."""
    memory = carved(size, borrowed(bytes_), borrowed(ints), borrowed(longs), borrowed(floats))
    memory.totals[L1] += replace(pixels, top, left, memory.canvas)
    if memory.canvas.box[0] < memory.canvas.box[1]:
        refresh(memory)
    return memory.totals[SSIM], memory.totals[L1], memory.links.counts[0], memory.links.counts[1]


class StepEngine:
    """A canvas beside its reference, and the score between them, kept up to date stroke by stroke.

    The score is a function of the two pictures alone: undo, reload and replay give the same bits. An engine is for one
    thread at a time; several engines may run in several threads.

    Example:
        >>> engine = StepEngine(np.full((64, 64, 3), 255, np.uint8))
        >>> engine.scores().similarity
        1.0
        >>> engine.step([0.2, 0.2, 0.5, 0.9, 0.8, 0.2, 0.1, 1, 0.02, 1, 0.8, 0.1, 0.1]).edge_iou
        0.0
    """

    def __init__(self, reference: Bytes, canvas: Bytes | None = None) -> None:
        """Begin.

        Args:
            reference: uint8 (n, n, 3), sRGB, from 7 to 2048 px.
            canvas: the picture to begin with, of the same shape; white if None.

        Raises:
            ValueError: a picture is of another shape or type.
        """
        size = len(reference)
        if reference.shape != (size, size, 3) or reference.dtype != np.uint8 or not WINDOW <= size <= LARGEST:
            raise ValueError(
                f"the reference is {reference.dtype} {reference.shape}, but must be uint8 (n, n, 3) with n from "
                f"{WINDOW} to {LARGEST}"
            )
        self.size = size
        blocks = new_blocks(size)
        self.memory = carve(size, *blocks)
        """The engine's arrays by name, for other kernels (searches); writing to them breaks the score."""
        self._blocks = (size, *blocks)
        self._vector = np.zeros(len(FIELDS))
        self._windows = scale(size)
        self._differences = 3 * 255.0 * size * size
        self._canvas = self.memory.canvas.pixels.reshape(size, size, 3)
        self._canvas.flags.writeable = False
        start = np.full((size, size, 3), 255, np.uint8) if canvas is None else canvas
        self._require(start)
        self._begin(reference, start)

    def _begin(self, reference: Bytes, canvas: Bytes) -> None:
        """Fill in what depends on the reference and the size alone, then the first canvas."""
        _, pictures, windows, filters, links, totals = self.memory
        pictures.goal[:] = reference.reshape(self.size, -1)
        windows.goal_sum[:], windows.goal_spread[:] = reference_windows(reference)
        filters.tables[:], filters.taps[:], filters.bleed[:] = luma_tables(), gaussian_taps(), blurred_ones(self.size)
        links.goal_edges[PAD:-PAD, PAD:-PAD] = edges(reference)
        links.counts[1] = links.goal_edges.sum()
        totals[L1] = pictures.goal.sum()
        # a canvas that differs from the zeros in the memory everywhere, so that every window and pixel is visited
        self.load(np.bitwise_or(canvas, 1))
        self.load(canvas)
        pictures.box[:] = 0

    def __reduce__(self) -> tuple[type[StepEngine], tuple[Bytes, Bytes]]:
        """Copy or pickle as an engine begun with this canvas: its arrays are views of each other."""
        return type(self), (self.memory.canvas.goal.reshape(self._canvas.shape), np.array(self._canvas))

    @property
    def canvas(self) -> Bytes:
        """The live canvas, uint8 (n, n, 3), a view that is read-only: paint with `step`, replace with `load`."""
        return self._canvas

    @property
    def edges(self) -> NDArray[np.bool_]:
        """The canvas's edge map as `similarity.edges` finds it, bool (n, n)."""
        return self.memory.links.edges[PAD:-PAD, PAD:-PAD].astype(np.bool_)

    @property
    def box(self) -> Box:
        """Top, bottom, left, right of the bytes that the last `step` or `load` changed; zeros if none."""
        top, bottom, left, right = self.memory.canvas.box.tolist()
        return top, bottom, left, right

    @property
    def mask(self) -> Patch:
        """The mask of the last stroke, a copy: what skia composites. Empty before the first."""
        return cut_patch(self.memory.brush)

    def scores(self) -> Similarity:
        """The score of the canvas as it is, and its parts."""
        return self._scores

    def step(self, stroke: ArrayLike) -> Similarity:
        """Paint a stroke.

        Args:
            stroke: 13 numbers in [0, 1] (see `stroke.FIELDS`).

        Returns:
            The new score, within 1e-9 of `similarity.similarity`, edges pixel for pixel.

        Raises:
            ValueError: there are not 13 numbers, or one is outside [0, 1]; nothing was painted.
        """
        if np.shape(stroke) != self._vector.shape:
            checked(stroke)
        self._vector[:] = stroke
        wrong, *totals = _step(self._vector, *self._blocks)
        if wrong >= 0:
            checked(stroke)
        return self._score(*totals)

    def load(self, canvas: Bytes, box: Box | None = None) -> Similarity:
        """Take over pixels that were painted elsewhere: an undo, a reload, another renderer.

        Args:
            canvas: uint8 (n, n, 3), a whole picture.
            box: take over only these rows and columns, outside of which nothing differs; None for all.

        Returns:
            The new score: the same bits as if the canvas had been painted here.

        Raises:
            ValueError: the picture has another shape or type, or the box is not within it.
        """
        size = self.size
        self._require(canvas)
        top, bottom, left, right = box or (0, size, 0, size)
        if not (0 <= top <= bottom <= size and 0 <= left <= right <= size):
            raise ValueError(f"the box {box} (top, bottom, left, right) is not within a canvas of {size} px")
        pixels = np.array(canvas[top:bottom, left:right], order="C").reshape(bottom - top, 3 * (right - left))
        return self._score(*_load(pixels, top, left, *self._blocks))

    def _require(self, canvas: Bytes) -> None:
        if canvas.shape != self._canvas.shape or canvas.dtype != np.uint8:
            raise ValueError(f"the canvas is {canvas.dtype} {canvas.shape}, but must be uint8 {self._canvas.shape}")

    def _score(self, ssim: int, difference: int, both: int, either: int) -> Similarity:
        edge_iou = both / either if either else 1.0
        self._scores = combine(ssim / self._windows, difference / self._differences, edge_iou)
        return self._scores
