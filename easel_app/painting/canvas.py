"""The pictures of a session: what the canvas was after any action, with undo.

Strokes form a tree: a stroke hangs on the picture it was painted over, an undo steps back to the parent. Every 16th
picture on the way to the present canvas is kept; any other one is repainted from the nearest kept one above it. So an
undo, a seek to any step and a reload all read the same structure, and the log stays append-only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from easel_app.painting.renderer import render

Pixels = NDArray[np.uint8]
KEYFRAME = 16
"""Strokes between two kept pictures: at most 15 are repainted on a seek."""


class History:
    """Which strokes lie on the canvas after each action, and their pictures."""

    def __init__(self, start: Pixels) -> None:
        """Begin with the task's start canvas, uint8 (n, n, 3), copied."""
        self._parents = [0]
        self._depths = [0]
        self._strokes: list[NDArray[np.float64]] = [np.empty(0)]
        self._keyframes: dict[int, Pixels] = {0: start.copy()}
        self._heads = [0]

    def __len__(self) -> int:
        """Number of actions recorded."""
        return len(self._heads) - 1

    @property
    def depth(self) -> int:
        """Number of strokes that lie on the canvas now."""
        return self._depths[self._heads[-1]]

    @property
    def head(self) -> int:
        """Number of the picture that the canvas shows now; the same after an undo as before the stroke."""
        return self._heads[-1]

    def paint(self, stroke: NDArray[np.float64], pixels: Pixels) -> None:
        """Record a stroke (float64 (13,)) and the canvas after it, which is copied when it becomes a keyframe."""
        parent = self._heads[-1]
        depth = self._depths[parent] + 1
        node = len(self._parents)
        self._parents.append(parent)
        self._depths.append(depth)
        self._strokes.append(stroke)
        self._heads.append(node)
        if depth % KEYFRAME == 0:
            self._keyframes[node] = np.array(pixels, order="C")

    def undo(self) -> Pixels:
        """Record an undo and return the canvas after it.

        Raises:
            IndexError: no stroke lies on the canvas.
        """
        if not self.depth:
            raise IndexError("no stroke lies on the canvas")
        left = self._heads[-1]
        self._heads.append(self._parents[left])
        # kept pictures lie on the way to the canvas as it is; else strokes and undos by turns would pile them up
        self._keyframes.pop(left, None)
        return self.at(len(self))

    @property
    def kept_bytes(self) -> int:
        """Size of the kept pictures."""
        return len(self._keyframes) * self._keyframes[0].nbytes

    def keep(self) -> None:
        """Record an action that left the canvas as it was."""
        self._heads.append(self._heads[-1])

    def at(self, action: int) -> Pixels:
        """The canvas after a number of actions, 0 being the start, as a fresh uint8 (n, n, 3) array.

        Raises:
            IndexError: there were fewer actions.
        """
        if not 0 <= action <= len(self):
            raise IndexError(f"there is no action {action} among {len(self)}")
        node, path = self._heads[action], []
        while node not in self._keyframes:
            path.append(self._strokes[node])
            node = self._parents[node]
        return render(np.array(path[::-1]), self._keyframes[node])

    def lying(self) -> list[tuple[int, NDArray[np.float64]]]:
        """The strokes that lie on the canvas now, the lowest first, float64 (13,), each after its action's number."""
        first: dict[int, int] = {}
        for action, node in enumerate(self._heads):
            first.setdefault(node, action)  # later ones came back to it by an undo, or left it as it was
        node, found = self.head, []
        while node:
            found.append((first[node], self._strokes[node]))
            node = self._parents[node]
        return found[::-1]

    def painted(self) -> list[NDArray[np.float64]]:
        """All strokes ever painted here, undone or not, in order, each float64 (13,)."""
        return self._strokes[1:]
