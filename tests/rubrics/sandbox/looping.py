"""Event loops of tests: in threads of their own, for a browser's tests may have left one in this thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def alone(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run something in a loop that ends with it."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


class Loop:
    """A loop that lives as long as it is entered; sessions that were opened in it live as long."""

    def __init__(self) -> None:
        self._pool, self._runner = ThreadPoolExecutor(1), asyncio.Runner()

    def __enter__(self) -> Loop:
        return self

    def __call__(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self._pool.submit(self._runner.run, coroutine).result()

    def __exit__(self, *_: object) -> None:
        self._pool.submit(self._runner.close).result()
        self._pool.shutdown()
