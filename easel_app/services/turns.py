"""Taking turns: guests whom a session's owner lets paint, and whose turn it is.

Whether guests may paint is stored; who they are and whose turn it is lives in memory: after a restart guests join
again, and the turn is the player's.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable

from easel_app.services.ledger import token_hash

LEASE = 60.0
"""Seconds after a guest's last action at which the turn goes back by itself."""
MOST_GUESTS = 32
"""Guests that a session knows at a time; the one who joined first is forgotten first."""


class Turns:
    """Guests and turns of all sessions."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Measure leases by `clock`, in seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._guests: defaultdict[str, OrderedDict[str, str]] = defaultdict(OrderedDict)
        self._held: dict[str, tuple[str, float]] = {}

    def join(self, session_id: str, name: str) -> str:
        """Know a guest from now on; returns the token to act with."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            guests = self._guests[session_id]
            guests[token_hash(token)] = name
            while len(guests) > MOST_GUESTS:
                guests.popitem(last=False)
        return token

    def guest(self, session_id: str, token: str) -> str | None:
        """Name of the guest with that token, or None."""
        with self._lock:
            return self._guests[session_id].get(token_hash(token)) if session_id in self._guests else None

    def dismiss(self, session_id: str) -> None:
        """Forget a session's guests; the turn is the player's."""
        with self._lock:
            self._guests.pop(session_id, None)
            self._held.pop(session_id, None)

    def take(self, session_id: str, name: str) -> None:
        """Note that a guest has just acted: the turn is theirs."""
        with self._lock:
            self._held[session_id] = (name, self._clock() + LEASE)

    def hand_back(self, session_id: str) -> None:
        """Give the turn back to the player."""
        with self._lock:
            self._held.pop(session_id, None)

    def holder(self, session_id: str) -> tuple[str, float] | None:
        """The guest whose turn it is and for how many seconds more; None when it is the player's."""
        name, until = self._held.get(session_id, ("", 0.0))
        left = until - self._clock()
        return (name, left) if left > 0 else None
