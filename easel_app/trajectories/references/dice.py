"""Seeded choices that every machine and every version of Python makes alike."""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Chance from `random.Random.random` alone: its stream for a text Python keeps from version to version."""

    def __init__(self, *seed: int | str) -> None:
        """The same numbers and words give the same stream."""
        self._random = random.Random("/".join(map(str, seed)))  # noqa: S311 (pictures, not secrets)

    def share(self) -> float:
        """A number in [0, 1)."""
        return self._random.random()

    def between(self, low: float, high: float) -> float:
        """A number in [low, high)."""
        return low + (high - low) * self._random.random()

    def whole(self, low: int, high: int) -> int:
        """A whole number in low..high, both included."""
        return low + int((high - low + 1) * self._random.random())

    def chance(self, share: float) -> bool:
        """True in that share of cases."""
        return self._random.random() < share

    def one(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.whole(0, len(options) - 1)]

    def weighted(self, options: Mapping[T, float]) -> T:
        """One of the options, in proportion to its weight."""
        left = self._random.random() * sum(options.values())
        for option, weight in options.items():
            left -= weight
            if left < 0:
                return option
        return option

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """So many different ones of the options (all when there are fewer), in a random order."""
        left = list(options)
        return [left.pop(self.whole(0, len(left) - 1)) for _ in range(min(count, len(left)))]

    def angle(self) -> float:
        """Any angle, radians."""
        return self.between(0.0, 2.0 * math.pi)


def shuffled(count: int, *seed: int | str) -> array[int]:
    """0 … count - 1 in a seeded order (Fisher and Yates), 8 bytes each."""
    order, roll = array("q", range(count)), random.Random("/".join(map(str, seed)))  # noqa: S311
    for last in range(count - 1, 0, -1):
        other = int((last + 1) * roll.random())
        order[last], order[other] = order[other], order[last]
    return order
