"""Two plans of one query beside each other, aligned by paragraph: which of their parts say the same thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

ALIKE: Final = 0.15
"""Share of words in common from which two paragraphs are shown beside each other."""
SAME_TOOL: Final = 0.1
"""What it counts that two paragraphs have the same tools behind them."""
MOST_ALIGNED: Final = 300
"""Parts of each plan that are aligned; those behind them follow in their order."""
_WORD = re.compile(r"\w+")


class Part(NamedTuple):
    """A paragraph with the calls behind it."""

    words: frozenset[str]
    tools: tuple[str | None, ...]


def part_of(text: str, tools: Sequence[str | None]) -> Part:
    """A paragraph by its words, in whatever case, and the tools that are called behind it."""
    return Part(frozenset(_WORD.findall(text.casefold())), tuple(tools))


def align(left: Sequence[Part], right: Sequence[Part]) -> list[tuple[int | None, int | None]]:
    """Which part of the right plan stands beside which of the left one, in the order of both.

    The pairs with the largest sum of likenesses that do not cross (Needleman and Wunsch 1970); a part without one
    stands alone.

    Returns:
        Places in both lists, each place once; None where nothing stands beside.

    Example:
        >>> one, two = part_of("Boil the water", []), part_of("Add the tea leaves", [])
        >>> align([one, two], [two])
        [(0, None), (1, 0)]
    """
    ahead, behind = left[:MOST_ALIGNED], right[:MOST_ALIGNED]
    likeness = np.array([[_likeness(one, other) for other in behind] for one in ahead]).reshape(len(ahead), len(behind))
    best = np.zeros((len(ahead) + 1, len(behind) + 1))
    for i in range(len(ahead) - 1, -1, -1):
        for j in range(len(behind) - 1, -1, -1):
            paired = best[i + 1, j + 1] + likeness[i, j] if likeness[i, j] >= ALIKE else -1.0
            best[i, j] = max(paired, best[i + 1, j], best[i, j + 1])
    found: list[tuple[int | None, int | None]] = []
    i = j = 0
    while i < len(ahead) and j < len(behind):
        if likeness[i, j] >= ALIKE and best[i, j] == best[i + 1, j + 1] + likeness[i, j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif best[i, j] == best[i + 1, j]:
            found.append((i, None))
            i += 1
        else:
            found.append((None, j))
            j += 1
    return [*found, *((k, None) for k in range(i, len(left))), *((None, k) for k in range(j, len(right)))]


def _likeness(one: Part, other: Part) -> float:
    both = len(one.words | other.words)
    shared = len(one.words & other.words) / both if both else float(one.tools == other.tools)
    return shared + SAME_TOOL * (bool(one.tools) and one.tools == other.tools)
