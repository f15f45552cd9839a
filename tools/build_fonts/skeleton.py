"""The middle line of an outline font's glyph: fill, thin, prune, and join what runs straight through a crossing."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from scipy.ndimage import distance_transform_edt, gaussian_filter, gaussian_filter1d
from skimage.morphology import skeletonize

from .glyph import Glyph

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Pixel = tuple[int, int]
HEIGHT = 64
"""x-height in px at which a glyph is filled."""
MARGIN = 12
STRAIGHT = 0.5
"""Two lines are one when the cosine of their bend at a crossing is above this."""
_AROUND = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def font_glyphs(file: Path, letters: str) -> dict[str, Glyph]:
    """The glyphs of a font, in x-heights; a letter that the font draws empty is left out."""
    trial = ImageFont.truetype(str(file), 200)
    font = ImageFont.truetype(str(file), max(40, round(200 * HEIGHT / -trial.getbbox("x", anchor="ls")[1])))
    unit = -font.getbbox("x", anchor="ls")[1]
    glyphs = {}
    for letter in letters:
        left, top, right, bottom = (int(edge) for edge in font.getbbox(letter, anchor="ls"))
        picture = Image.new("L", (right - left + 2 * MARGIN, bottom - top + 2 * MARGIN))
        ImageDraw.Draw(picture).text((MARGIN - left, MARGIN - top), letter, 255, font=font, anchor="ls")
        filled = gaussian_filter(np.asarray(picture, float), 1.5) > 110
        if filled.sum() < 20:
            continue
        shift = np.array([left - MARGIN, top - MARGIN])
        lines = [(_smooth(line) + shift) / unit for line in _lines(filled, dotted=letter in "ijIJ")]
        glyphs[letter] = Glyph.of(lines, font.getlength(letter) / unit)
    return glyphs


def _lines(filled: Mask, dotted: bool) -> list[Floats]:
    """Polylines (n, 2) of x, y in px."""
    thin = skeletonize(filled)
    radius = float(np.median(distance_transform_edt(filled)[thin]))
    for _ in range(2):
        graph = _graph(thin)
        for walk in _walks(graph):
            loose = [len(graph[end]) == 1 for end in (walk[0], walk[-1])]
            if sum(loose) == 1 and len(walk) < 1.3 * radius + 2:
                for pixel in walk[:-1] if loose[0] else walk[1:]:
                    thin[pixel] = False
        thin = skeletonize(thin)
    walks = _joined([np.array(walk, float) for walk in _walks(_graph(thin))])
    kept = [walk for walk in walks if len(walk) > 3 or len(walks) == 1 or dotted]
    return [walk[:, ::-1] for walk in kept]


def _graph(thin: Mask) -> dict[Pixel, list[Pixel]]:
    """Neighbours of each pixel; a diagonal one is left out where a straight one leads there too."""
    pixels = {(int(y), int(x)) for y, x in np.argwhere(thin)}
    graph: dict[Pixel, list[Pixel]] = {}
    for y, x in sorted(pixels):
        near = [(y + dy, x + dx) for dy, dx in _AROUND if (y + dy, x + dx) in pixels]
        straight = [p for p in near if abs(p[0] - y) + abs(p[1] - x) == 1]
        graph[y, x] = [
            p for p in near if p in straight or all(abs(p[0] - s[0]) + abs(p[1] - s[1]) > 1 for s in straight)
        ]
    for pixel, near in graph.items():
        for other in near:
            if pixel not in graph[other]:
                graph[other].append(pixel)
    return graph


def _walks(graph: dict[Pixel, list[Pixel]]) -> list[list[Pixel]]:
    """Walks from node to node (ends and crossings), then the rings."""
    seen: set[tuple[Pixel, Pixel]] = set()
    walks: list[list[Pixel]] = []

    def walk(a: Pixel, b: Pixel) -> list[Pixel]:
        path = [a, b]
        seen.update([(a, b), (b, a)])
        while len(graph[path[-1]]) == 2 and path[-1] != a:
            ahead = [p for p in graph[path[-1]] if p != path[-2]]
            if not ahead or (path[-1], ahead[0]) in seen:
                break
            seen.update([(path[-1], ahead[0]), (ahead[0], path[-1])])
            path.append(ahead[0])
        return path

    nodes = [p for p, near in graph.items() if len(near) != 2]
    walks += [[p, p] for p in nodes if not graph[p]]
    for p in [*nodes, *graph]:
        walks += [walk(p, q) for q in graph[p] if (p, q) not in seen]
    return walks


def _joined(walks: list[Floats]) -> list[Floats]:
    """Join walks that meet, straightest pair first."""
    walks = [walk for walk in walks if len(walk) > 1]
    while True:
        ends = []
        for i, walk in enumerate(walks):
            reach = min(8, len(walk) - 1)
            for last in (False, True):
                tip, inner = (walk[-1], walk[-1 - reach]) if last else (walk[0], walk[reach])
                length = np.hypot(*(inner - tip))
                if length:
                    ends.append((i, last, tip, (inner - tip) / length))
        pairs = [
            (-float(a[3] @ b[3]), a, b)
            for a, b in combinations(ends, 2)
            if a[0] != b[0] and np.abs(a[2] - b[2]).max() <= 2
        ]
        best = max(pairs, key=lambda pair: pair[0], default=None)
        if best is None or best[0] <= STRAIGHT:
            return walks
        _, (i, i_last, *_), (j, j_last, *_) = best
        first = walks[i] if i_last else walks[i][::-1]
        second = walks[j][::-1] if j_last else walks[j]
        walks = [walk for k, walk in enumerate(walks) if k not in (i, j)] + [np.concatenate([first, second])]


def _smooth(line: Floats) -> Floats:
    """Take the stairs of the pixels away and keep both ends."""
    if len(line) < 5:
        return line
    smooth = gaussian_filter1d(line, 2.0, axis=0, mode="nearest")
    smooth[[0, -1]] = line[[0, -1]]
    return np.asarray(smooth)
