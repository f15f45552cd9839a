"""Words to be written on a blank canvas: half of them English, half of them letters by chance.

A reader, or a player, that prefers words which it knows does better on the first half than on the second.
"""

from __future__ import annotations

import numpy as np

from easel_app.painting.families.draft import Draft
from easel_app.painting.families.drawing import chance
from easel_app.painting.truth import HandwritingTruth

SIZES = (128, 256, 512)
"""Widths in px that a word is asked for at."""
BUDGET = 128
SHORTEST, LONGEST = 3, 7
"""Letters of a word."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = (
    *("hello", "apple", "river", "stone", "cloud", "green", "light", "music", "paper", "quick"),
    *("zebra", "jolly", "vivid", "yacht", "extra", "fjord", "kayak", "world", "bread", "chair"),
    *("cat", "dog", "sun", "box", "jam", "key", "map", "owl", "red", "sky"),
    *("blue", "fish", "gold", "lamp", "moon", "quiz", "rain", "tree", "wave", "year"),
    *("basket", "bridge", "candle", "forest", "garden", "island", "jacket", "kitten", "monkey", "orange"),
    *("pencil", "purple", "rabbit", "silver", "summer", "window", "winter", "yellow", "number", "quiver"),
    *("balloon", "captain", "dolphin", "evening", "harvest", "journey", "kitchen", "picture", "village", "weather"),
)
"""English words of three to seven letters; each letter of the alphabet occurs."""


def word(seed: int) -> str:
    """The word of a seed: of `WORDS` for even seeds, of letters by chance, each as likely, for odd ones.

    Args:
        seed: 0 to 2^31 - 1.
    """
    rng = chance(SIZES[0], seed, SIZES)
    if seed % 2 == 0:
        return WORDS[int(rng.integers(len(WORDS)))]
    length = int(rng.integers(SHORTEST, LONGEST + 1))
    return "".join(LETTERS[int(k)] for k in rng.integers(len(LETTERS), size=length))


def draft(size: int, seed: int) -> Draft:
    """The word of a seed, to be written on a white canvas of a size.

    Args:
        size: one of `SIZES`, px.
        seed: 0 to 2^31 - 1; the same word at every size.

    Raises:
        ValueError: the size or the seed is another.
    """
    chance(size, seed, SIZES)
    wanted = word(seed)
    instruction = f'Write the word "{wanted}" in lower-case letters, from left to right.'
    blank = np.full((size, size, 3), 255, np.uint8)
    return Draft(blank, HandwritingTruth(wanted), f"Word {seed}", instruction, BUDGET)
