"""Viewers get every event in order; a slow one is cut off and costs no memory; a signal can end all streams."""

import asyncio

from easel_app.services.live import MOST_WAITING, Event, Live, Viewer


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

    assert asyncio.run(scene()) == [0, 1, 2, 3, 4]


def test_a_viewer_that_does_not_read_is_cut_off_and_emptied() -> None:
    async def scene() -> tuple[list[int], int]:
        live, viewer = Live(), Viewer()
        live.join("s", viewer)
        for seq in range(3 * MOST_WAITING):
            live.publish("s", event(seq))
        await asyncio.sleep(0)  # the loop hands them over
        waiting = viewer._queue.qsize()
        return await seen(viewer), waiting

    assert asyncio.run(scene()) == ([], 1)


def test_a_session_is_watched_until_its_last_viewer_leaves() -> None:
    async def scene() -> list[bool]:
        live, one, two, states = Live(), Viewer(), Viewer(), []
        for step in (lambda: live.join("s", one), lambda: live.join("s", two), lambda: live.leave("s", one),
                     lambda: live.leave("s", two), lambda: live.leave("s", two)):  # fmt: skip
            step()
            states.append(live.watched("s"))
        return states

    assert asyncio.run(scene()) == [True, True, True, False, False]


def test_streams_can_be_ended_while_this_very_thread_joins_one() -> None:
    live = Live()
    with live._lock:  # as a signal handler may find it
        live.close()
