"""Live events: what happens in a session reaches everyone who watches it, in order."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import NamedTuple

MOST_WAITING = 512
"""Events that may wait for one slow viewer; then it is cut off, reconnects and starts from a snapshot."""


class Event(NamedTuple):
    """One event as it goes out."""

    seq: int
    name: str
    data: str
    """JSON, encoded once for all viewers."""


class Viewer:
    """One open event stream. Made on an event loop, fed from any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._ended = False

    def send(self, event: Event | None) -> None:
        """Hand over an event, or None to end the stream; never blocks."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, event)

    def _put(self, event: Event | None) -> None:
        if self._ended:
            return
        if self._queue.qsize() >= MOST_WAITING:  # what it missed comes with the next snapshot
            self._queue, event = asyncio.Queue(), None
        self._ended = event is None
        self._queue.put_nowait(event)

    async def events(self, pause: float) -> AsyncIterator[Event | None]:
        """Events in order; None when nothing came for `pause` seconds. Ends when the viewer is cut off."""
        while True:
            try:
                event = await asyncio.wait_for(self._queue.get(), pause)
            except TimeoutError:
                yield None
                continue
            if event is None:
                return
            yield event


class Live:
    """Who watches which session."""

    def __init__(self) -> None:
        # re-entrant: a signal may end all streams while this very thread holds it
        self._lock = threading.RLock()
        self._viewers: defaultdict[str, set[Viewer]] = defaultdict(set)

    def watched(self, session_id: str) -> bool:
        """Whether anyone watches, so that nothing is encoded for nobody."""
        return session_id in self._viewers

    def join(self, session_id: str, viewer: Viewer) -> None:
        """Start to send a session's events to a viewer."""
        with self._lock:
            self._viewers[session_id].add(viewer)

    def leave(self, session_id: str, viewer: Viewer) -> None:
        """Stop it."""
        with self._lock:
            self._viewers[session_id].discard(viewer)
            if not self._viewers[session_id]:
                del self._viewers[session_id]

    def publish(self, session_id: str, event: Event) -> None:
        """Send an event to all who watch."""
        with self._lock:
            viewers = tuple(self._viewers.get(session_id, ()))
        for viewer in viewers:
            viewer.send(event)

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        with self._lock:
            viewers = [viewer for group in self._viewers.values() for viewer in group]
        for viewer in viewers:
            viewer.send(None)
