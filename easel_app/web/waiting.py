"""Long work for one caller: it is told to stop when the caller has gone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

from fastapi import Request
from starlette.concurrency import run_in_threadpool

Result = TypeVar("Result")
LOOK_AGAIN = 0.25
"""Seconds after which it is asked again whether the caller still waits."""


async def while_wanted(request: Request, work: Callable[[Callable[[], bool]], Result]) -> Result:
    """Do work in a worker thread; it is given a function that says whether nobody waits for it any more."""
    stop = threading.Event()
    making = asyncio.ensure_future(run_in_threadpool(work, stop.is_set))
    try:
        while not (await asyncio.wait({making}, timeout=LOOK_AGAIN))[0]:
            if await request.is_disconnected():
                stop.set()
        return await making
    finally:
        stop.set()
