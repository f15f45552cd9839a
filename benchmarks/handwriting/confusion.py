"""Which letters are taken for which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

NONE = "·"
"""Stands for no letter: `·x` is an x too many, `x·` an x that was missed."""


def aligned(word: str, letters: str) -> list[tuple[str, str]]:
    """Pairs of what was written and what was read, along one of the shortest edits from one to the other."""
    rows, columns = len(word) + 1, len(letters) + 1
    cost = [[i + j if i * j == 0 else 0 for j in range(columns)] for i in range(rows)]
    for i in range(1, rows):
        for j in range(1, columns):
            swap = cost[i - 1][j - 1] + (word[i - 1] != letters[j - 1])
            cost[i][j] = min(swap, cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    pairs = []
    i, j = rows - 1, columns - 1
    while i or j:
        if i and j and cost[i][j] == cost[i - 1][j - 1] + (word[i - 1] != letters[j - 1]):
            i, j = i - 1, j - 1
            pairs.append((word[i], letters[j]))
        elif i and cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
            pairs.append((word[i], NONE))
        else:
            j -= 1
            pairs.append((NONE, letters[j]))
    return pairs[::-1]


def confusions(read: Iterable[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """How often a letter was taken for another, over pairs of word and letters; empty readings do not count."""
    return Counter(pair for word, letters in read if letters for pair in aligned(word, letters) if pair[0] != pair[1])
