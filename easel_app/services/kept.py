"""What is kept because it would cost time to make again, up to a bound, whatever asks for it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """Values by key, the last ones that were asked for; safe to use from several threads."""

    def __init__(self, most: float, weight: Callable[[Value], float] = lambda _: 1) -> None:
        """Keep values up to that sum of weights; one that is heavier for itself is not kept at all."""
        self._most, self._weight = most, weight
        self._values: OrderedDict[Key, tuple[Value, float]] = OrderedDict()
        self._sum = 0.0
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        """The value of a key; None if it is not kept."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: Key, value: Value) -> Value:
        """Keep a value, and give it back; those that were not asked for the longest go."""
        weight = self._weight(value)
        with self._lock:
            self._sum -= self._values.pop(key, (value, 0.0))[1]
            if weight <= self._most:
                self._values[key] = (value, weight)
                self._sum += weight
            while self._sum > self._most:
                self._sum -= self._values.popitem(last=False)[1][1]
        return value
