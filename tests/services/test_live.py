"""Viewers get every event in order; a slow one is cut off and costs no memory; a signal can end all streams."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from easel_app.services.live import MOST_WAITING, Event, Live, Viewer

Result = TypeVar("Result")


def run(scene: Coroutine[Any, Any, Result]) -> Result:
    """Run a scene on a loop of its own thread: the browser's driver holds one in this thread for the whole run."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, scene).result()


def event(seq: int) -> Event:
    return Event(seq, "action", "{}")


async def seen(viewer: Viewer) -> list[int]:
    return [e.seq for e in [e async for e in viewer.events(0.05)] if e]


def test_events_arrive_in_order_until_the_end() -> None:
    async def scene() -> list[int]:
        live, viewer = Live(), Viewer()
        live.join("s", viewer)
        for seq in range(5):
            live.publish("s", event(seq))
        live.publish("other", event(99))
        live.close()
        return await seen(viewer)

    assert run(scene()) == [0, 1, 2, 3, 4]


def test_a_viewer_that_does_not_read_is_cut_off_and_emptied() -> None:
    async def scene() -> tuple[list[int], int]:
        live, viewer = Live(), Viewer()
        live.join("s", viewer)
        for seq in range(3 * MOST_WAITING):
            live.publish("s", event(seq))
        await asyncio.sleep(0)  # the loop hands them over
        waiting = viewer._queue.qsize()
        return await seen(viewer), waiting

    assert run(scene()) == ([], 1)


def test_a_session_is_watched_until_its_last_viewer_leaves() -> None:
    async def scene() -> list[bool]:
        live, one, two, states = Live(), Viewer(), Viewer(), []
        for step in (lambda: live.join("s", one), lambda: live.join("s", two), lambda: live.leave("s", one),
                     lambda: live.leave("s", two), lambda: live.leave("s", two)):  # fmt: skip
            step()
            states.append(live.watched("s"))
        return states

    assert run(scene()) == [True, True, True, False, False]


def test_streams_can_be_ended_while_this_very_thread_joins_one() -> None:
    live = Live()
    with live._lock:  # as a signal handler may find it
        live.close()
