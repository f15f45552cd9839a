"""Canny's last stage, kept up to date: an edge is a weak or strong pixel that is connected to a strong one.

After some classes changed, two things can have happened:

- Edges ended. A piece of edge that lost its last strong pixel contains an edge next to a pixel whose class fell to
  none, or one that fell from strong to weak. From each of these a flood looks for a strong pixel, and stops
  at the first; if there is none, what it visited are no edges any more.
- Edges began. A pixel that becomes an edge is connected, over others that do, to one whose class rose. From each
  of these that is strong or touches an edge, edges grow over the weak pixels.

So the work follows the change, not the length of the edges that it touches. Planes are as in `gradient`; pixels
are flat indices. Classes are 0 on the picture's border and in the margin, so no neighbour falls outside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from easel_app.engine.kernel import Bytes, Longs, borrowed, inlined, kernel


class Links(NamedTuple):
    """The edges and what they are decided from."""

    classes: Bytes
    """Plane of classes: 0 none, 1 weak, 2 strong."""
    edges: Bytes
    """Plane: 1 where the canvas has an edge."""
    goal_edges: Bytes
    """Plane: 1 where the reference has one."""
    marks: Longs
    """Plane: the last flood that came by."""
    seeds: Longs
    """One for each pixel of a plane: pixels whose class changed, as flat index << 2 | class before."""
    stack: Longs
    """One for each pixel of a plane and one more: pixels to visit."""
    counts: Longs
    """(3,): pixels that are edges in both pictures, in either, and the last flood's number."""


@inlined
def _set(p: int, edge: int, edges: Bytes, goal_edges: Bytes, counts: Longs) -> None:
    """Let a pixel begin (1) or cease (0) to be an edge."""
    i = np.uintp(p)
    edges[i] = edge
    sign = 2 * edge - 1
    counts[0] += sign * goal_edges[i]
    counts[1] += sign * (1 - goal_edges[i])


@inlined
def _near_edge(p: int, edges: Bytes, stride: int) -> bool:
    """Whether the pixel or one of its eight neighbours is an edge."""
    a, b, c = np.uintp(p - stride), np.uintp(p), np.uintp(p + stride)
    one = np.uintp(1)
    above = edges[a - one] | edges[a] | edges[a + one]
    here = edges[b - one] | edges[b] | edges[b + one]
    below = edges[c - one] | edges[c] | edges[c + one]
    return bool(above | here | below)


@kernel
def _without_strong(
    start: int, classes: Bytes, marks: Longs, first: int, number: int, stack: Longs, stride: int
) -> int:
    """Flood from a pixel in search of a strong one.

    Returns:
        0 if one was found; else the number of pixels visited, which `stack` begins with.
    """
    classes, marks, stack = borrowed(classes), borrowed(marks), borrowed(stack)
    stack[0] = start
    marks[start] = number
    head, tail = 0, 1
    while head < tail:
        p = stack[np.uintp(head)]
        head += 1
        if classes[np.uintp(p)] == 2:
            return 0
        for line in (p - stride, p, p + stride):
            for q in range(line - 1, line + 2):
                i = np.uintp(q)
                if classes[i] != 0 and marks[i] != number:
                    if marks[i] >= first:  # a flood of this update came by, and since this goes on, it found one
                        return 0
                    marks[i] = number
                    stack[np.uintp(tail)] = q
                    tail += 1
    return tail


@kernel
def update_edges(links: Links, found: int) -> None:
    """Bring `edges` and `counts` up to date after the classes of the first `found` seeds changed."""
    stride = links.classes.shape[1]
    classes, edges = borrowed(links.classes).ravel(), borrowed(links.edges).ravel()
    goal_edges, marks = borrowed(links.goal_edges).ravel(), borrowed(links.marks).ravel()
    seeds, stack, counts = borrowed(links.seeds), borrowed(links.stack), borrowed(links.counts)
    first = counts[2] + 1
    for k in range(found):
        p = seeds[k] >> 2
        if classes[np.uintp(p)] == 0 and edges[np.uintp(p)] != 0:
            _set(p, 0, edges, goal_edges, counts)
    for k in range(found):
        p, before = seeds[k] >> 2, seeds[k] & 3
        if classes[np.uintp(p)] >= before or not _near_edge(p, edges, stride):
            continue
        for line in (p - stride, p, p + stride):
            for q in range(line - 1, line + 2):
                i = np.uintp(q)
                if edges[i] != 0 and classes[i] == 1 and marks[i] < first:
                    counts[2] += 1
                    lost = _without_strong(q, classes, marks, first, counts[2], stack, stride)
                    for n in range(lost):
                        if edges[np.uintp(stack[n])] != 0:
                            _set(stack[n], 0, edges, goal_edges, counts)
    for k in range(found):
        p = seeds[k] >> 2
        i = np.uintp(p)
        if classes[i] == 0 or edges[i] != 0 or (classes[i] == 1 and not _near_edge(p, edges, stride)):
            continue
        _set(p, 1, edges, goal_edges, counts)
        stack[0] = p
        head, tail = 0, 1
        while head < tail:
            p = stack[np.uintp(head)]
            head += 1
            for line in (p - stride, p, p + stride):
                for q in range(line - 1, line + 2):
                    i = np.uintp(q)
                    if classes[i] != 0 and edges[i] == 0:
                        _set(q, 1, edges, goal_edges, counts)
                        stack[np.uintp(tail)] = q
                        tail += 1
