"""Whether a picture looks like one of the tasks: what is trained on must not show what is tested.

Two looks decide. The first names the tasks that may be meant, in any of the eight ways a square can be turned and
mirrored: their perceptual hash is near, or their 8 × 8 parts rise and fall together. (The hash alone is not enough: it
changes by half of its bits when a halftone is moved by two pixels.) The second lays the two pictures over each other as
well as a move of a few pixels and a slightly closer view allow, and asks whether they still rise and fall together, and
whether their colours agree. All of it is done in whole numbers, so every machine decides alike.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from easel_app.painting.tasks import Catalogue
from easel_app.settings import data_folder
from easel_app.trajectories.references.hashing import apart, phash_of
from easel_app.trajectories.references.reference import Pixels

BITS = 12
"""The second look follows up to so many differing bits of the hash, of 64 …"""
ROUGH, ROUGH_DIFFERENCE = 0.74, 36.0
"""… or from this correlation of 8 × 8 parts on; in either case up to this mean difference of them, 0..255."""
CORRELATION = 0.66
"""It is the same picture from this correlation of 64 × 64 parts on …"""
DIFFERENCE = 22.0
"""… if their mean difference is no larger than this, 0..255."""
COARSE, FINE = 32, 64
MOVES = 2
"""Parts of 32 that the pictures are moved against each other, each way."""
CLOSER = (0, 1, 2)
"""Parts of 64 that are cut off all around, for a closer view."""
Small = NDArray[np.int32]


class Tasks:
    """The tasks' looks, each in eight ways."""

    def __init__(self, pictures: Iterable[tuple[str, Pixels]]) -> None:
        """Names and pictures, uint8 (n, n, 3) each."""
        ways = [(name, way) for name, pixels in pictures for way in turned(pixels)]
        self._names = [name for name, _ in ways]
        self._bits = np.array([phash_of(way) for _, way in ways], np.uint64)
        self._rough = np.array([_small(way, 8).ravel() for _, way in ways], np.int32).reshape(-1, 192)
        self._views = [[_closer(way, cut) for cut in CLOSER] for _, way in ways]

    def like(self, pixels: Pixels, bits: np.uint64) -> str | None:
        """The task that a picture looks like; None for none.

        Args:
            pixels: uint8 (n, n, 3).
            bits: its perceptual hash.
        """
        if not np.ptp(pixels, axis=(0, 1)).any():  # else a flat picture rises and falls with a task of its hue
            return None
        small = _small(pixels, 8).ravel()
        rough = _correlations(small, self._rough)
        near = np.flatnonzero((apart(bits, self._bits) <= BITS) | (rough >= ROUGH))
        near = near[np.abs(self._rough[near] - small).mean(axis=1) <= ROUGH_DIFFERENCE]
        if not len(near):
            return None
        seen = _closer(pixels, 0)
        for k in near[np.argsort(-rough[near], kind="stable")].tolist():
            if any(_same(seen, view) for view in self._views[k]):
                name: str = self._names[k]
                return name
        return None


def published() -> Tasks:
    """All tasks of the project whose picture shows something: a word is written on a blank canvas."""
    catalogue = Catalogue(data_folder() / "tasks", data_folder() / "semantic")
    return Tasks((task.id, task.reference) for task in catalogue if task.shows_reference)


def turned(pixels: Pixels) -> list[Pixels]:
    """A square picture turned by quarters, and each of these mirrored."""
    quarters = [np.ascontiguousarray(np.rot90(pixels, k)) for k in range(4)]
    return [*quarters, *(np.ascontiguousarray(quarter[:, ::-1]) for quarter in quarters)]


def _small(pixels: Pixels, side: int) -> Small:
    return np.asarray(Image.fromarray(pixels).resize((side, side), Image.Resampling.BOX), np.int32)


def _closer(pixels: Pixels, cut: int) -> tuple[Small, Small]:
    """The picture without its border, in 32 × 32 and 64 × 64 parts."""
    image, edge = Image.fromarray(pixels), cut * pixels.shape[0] / FINE
    box = (edge, edge, pixels.shape[1] - edge, pixels.shape[0] - edge)
    coarse, fine = (image.resize((side, side), Image.Resampling.BOX, box) for side in (COARSE, FINE))
    return np.asarray(coarse, np.int32), np.asarray(fine, np.int32)


def _same(a: tuple[Small, Small], b: tuple[Small, Small]) -> bool:
    """Whether two pictures agree where they are laid over each other best."""
    moves = [(dy, dx) for dy in range(-MOVES, MOVES + 1) for dx in range(-MOVES, MOVES + 1)]
    middle = _window(a[0], MOVES, 0, 0).ravel()
    found = _correlations(middle, np.array([_window(b[0], MOVES, *move).ravel() for move in moves]))
    y, x = moves[int(np.argmax(found))]
    finer = [(2 * y + dy, 2 * x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    edge = 2 * MOVES + 1
    middle = _window(a[1], edge, 0, 0).ravel()
    windows = np.array([_window(b[1], edge, *move).ravel() for move in finer])
    found = _correlations(middle, windows)
    best = int(np.argmax(found))
    return bool(found[best] >= CORRELATION and np.abs(middle - windows[best]).mean() <= DIFFERENCE)


def _window(small: Small, edge: int, dy: int, dx: int) -> Small:
    side = len(small) - edge
    return small[edge + dy : side + dy, edge + dx : side + dx]


def _correlations(one: Small, many: Small) -> NDArray[np.float64]:
    """Pearson's correlation of a picture with each of several, in [-1, 1]; 0 with a flat one. int32 (k,) and (n, k)."""
    count = np.int64(len(one))
    a, sums = one.astype(np.int64), many.sum(axis=1, dtype=np.int64)
    both = many.astype(np.int64) @ a
    squares = np.einsum("nk,nk->n", many, many, dtype=np.int64)
    spread = (count * (a @ a) - a.sum() ** 2).astype(np.float64) * (count * squares - sums**2).astype(np.float64)
    together = (count * both - sums * a.sum()).astype(np.float64)
    return np.asarray(np.divide(together, np.sqrt(spread), out=np.zeros(len(many)), where=spread > 0))
