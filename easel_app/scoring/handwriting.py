"""What a reading is worth against the word that was to be written: `handwriting/1`.

The paper (arXiv 2608.25417) scores the "positional match rate" of letters and gives no more; dividing by the longer of
the two, so that a surplus letter costs as much as a missing one, is ours.
"""

from __future__ import annotations

METRIC = "handwriting/1"


def positional_match(letters: str, target: str) -> float:
    """Share of the places that hold the right letter: matches / max(len(letters), len(target)), in [0, 1].

    Args:
        letters: what was read, left to right; `#` is a glyph that is no letter: it keeps its place, matches nothing.
        target: the word that was to be written, a-z.

    Returns:
        1 when both are the same, 0 when no place agrees or `letters` is empty.

    Raises:
        ValueError: the target is empty.
    """
    _check(target)
    right = sum(a == b != "#" for a, b in zip(letters, target, strict=False))
    return right / max(len(letters), len(target))


def alignment(letters: str, target: str) -> float:
    """How much of the word is there when letters may shift: 1 - edits / max(len(letters), len(target)), in [0, 1].

    Edits are the Levenshtein distance (insertions, deletions and substitutions, each 1), which is never above the
    longer length. Shown beside the match, because one surplus letter shifts all that follow.

    Args:
        letters: what was read; `#` equals nothing.
        target: the word that was to be written, a-z.

    Raises:
        ValueError: the target is empty.
    """
    _check(target)
    row = list(range(len(target) + 1))
    for i, letter in enumerate(letters, 1):
        above, row[0] = row[0], i
        for j, wanted in enumerate(target, 1):
            differs = letter != wanted or letter == "#"
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + differs)
    return 1 - row[-1] / max(len(letters), len(target))


def _check(target: str) -> None:
    if not target:
        raise ValueError("there is no word to compare with: give a target of at least one letter")
