"""From chances at time steps to letters: what one reader says, and what two agree on."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from easel_app.handwriting.network import ALPHABET

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
SPLICES = 32
"""Most words that are weighed."""
LEAST = 1e-6
"""Nothing is thought less likely than this at one time step, so that one reader cannot overrule the other alone."""


def decode(signs: Floats) -> str:
    """Take the likeliest sign of each time step, join repeats and drop blanks (CTC best path, Graves et al. 2006).

    Args:
        signs: float32 (steps, 28), the chance of each sign of `ALPHABET`.
    """
    best = signs.argmax(-1)
    kept = (best != 0) & (np.diff(best, prepend=-1) != 0)
    return "".join(ALPHABET[sign] for sign in best[kept])


def splices(one: str, other: str) -> list[str]:
    """Both words, and those that follow now one and now the other where they differ: at most `SPLICES`, sorted."""
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    choices = [(one[a:b],) if tag == "equal" else (one[a:b], other[c:d]) for tag, a, b, c, d in blocks]
    mixed = islice(("".join(parts) for parts in product(*choices)), SPLICES)
    return sorted({one, other, *mixed})


def likelihoods(signs: Floats, words: list[str]) -> Doubles:
    """Logarithm of the chance of each word: the sum over all its alignments (CTC forward pass, Graves et al. 2006).

    Args:
        signs: float32 (steps, 28).
        words: n words of signs without blanks.

    Returns:
        float64 (n,); about -1e30 for a word that has more letters than there are steps.
    """
    logs = np.log(np.maximum(signs.astype(np.float64), LEAST))
    longest = max(map(len, words), default=0)
    labels = np.zeros((len(words), 2 * longest + 1), np.int64)
    for row, word in enumerate(words):
        labels[row, 1 : 2 * len(word) : 2] = [ALPHABET.index(letter) for letter in word]
    never = -1e30
    leap = np.zeros(labels.shape, bool)  # from letter to letter over the blank between, unless they are the same
    leap[:, 2:] = (labels[:, 2:] != 0) & (labels[:, 2:] != labels[:, :-2])
    reached = np.full(labels.shape, never)
    reached[:, :2] = logs[0, labels[:, :2]]
    for now in logs[1:]:
        before = reached
        reached = before.copy()
        reached[:, 1:] = np.logaddexp(reached[:, 1:], before[:, :-1])
        reached[:, 2:] = np.logaddexp(reached[:, 2:], np.where(leap[:, 2:], before[:, :-2], never))
        reached += now[labels]
    rows, lengths = np.arange(len(words)), np.array([len(word) for word in words], np.int64)
    last, letter = reached[rows, 2 * lengths], reached[rows, np.maximum(2 * lengths - 1, 0)]
    return np.asarray(np.where(lengths > 0, np.logaddexp(last, letter), last))


def spans(signs: Floats, word: str) -> list[tuple[int, int]]:
    """First and last time step, last exclusive, of each letter on the likeliest alignment of a word (Viterbi).

    Raises:
        ValueError: the word has more letters than there are steps.
    """
    if len(word) > len(signs):
        raise ValueError(f"{len(word)} letters do not fit into {len(signs)} time steps: give a word that was read here")
    logs = np.log(np.maximum(signs.astype(np.float64), LEAST))
    labels = np.zeros(2 * len(word) + 1, np.int64)
    labels[1::2] = [ALPHABET.index(letter) for letter in word]
    count = len(labels)
    leap = np.zeros(count, bool)
    leap[2:] = (labels[2:] != 0) & (labels[2:] != labels[:-2])
    reached, came = np.full(count, -np.inf), np.zeros((len(logs), count), np.int64)
    reached[:2] = logs[0, labels[:2]]
    for step in range(1, len(logs)):
        ways = np.full((3, count), -np.inf)
        ways[0], ways[1, 1:], ways[2, 2:] = reached, reached[:-1], np.where(leap[2:], reached[:-2], -np.inf)
        came[step] = ways.argmax(0)
        reached = ways.max(0) + logs[step, labels]
    state = count - 1 if count == 1 or reached[-1] >= reached[-2] else count - 2
    states = [state]
    for step in range(len(logs) - 1, 0, -1):
        state -= int(came[step, state])
        states.append(state)
    path = np.array(states[::-1])
    found = [np.flatnonzero(path == 2 * place + 1) for place in range(len(word))]
    return [(int(steps[0]), int(steps[-1]) + 1) if steps.size else (0, 0) for steps in found]
