"""Taking turns: guests whom a session's owner lets paint, and whose turn it is.

Whether guests may paint is stored; who they are and whose turn it is lives in memory: after a restart guests join
again, and the turn is the player's.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from easel_app.services.ledger import token_hash

LEASE = 60.0
"""Seconds after a guest's last action at which the turn goes back by itself."""
MOST_GUESTS = 32
"""Guests that a session knows at a time; of those whose turn it is not, the first to join is the first forgotten."""
MOST_SESSIONS = 1024
"""Sessions whose guests are known at a time; the one that nobody has joined for longest is forgotten first."""


class Visitor(NamedTuple):
    """A guest of a session. Names are chosen freely, so the id is what tells two guests apart."""

    id: str
    name: str


@dataclass
class _Company:
    guests: OrderedDict[str, Visitor] = field(default_factory=OrderedDict)
    """By the hash of their token."""
    holder: Visitor | None = None
    until: float = 0.0


class Turns:
    """Guests and turns of all sessions."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Measure leases by `clock`, in seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._companies: OrderedDict[str, _Company] = OrderedDict()

    def join(self, session_id: str, name: str) -> str:
        """Know a guest from now on; returns the token to act with."""
        token, visitor = secrets.token_urlsafe(24), Visitor(secrets.token_hex(6), name)
        with self._lock:
            company = self._companies.setdefault(session_id, _Company())
            self._companies.move_to_end(session_id)
            if len(self._companies) > MOST_SESSIONS:
                self._companies.popitem(last=False)
            company.guests[token_hash(token)] = visitor
            if len(company.guests) > MOST_GUESTS:
                waiting = (known for known, guest in company.guests.items() if guest != company.holder)
                del company.guests[next(waiting)]
        return token

    def guest(self, session_id: str, token: str) -> Visitor | None:
        """The guest with that token, or None."""
        with self._lock:
            company = self._companies.get(session_id)
            return company.guests.get(token_hash(token)) if company else None

    def dismiss(self, session_id: str) -> None:
        """Forget a session's guests; the turn is the player's."""
        with self._lock:
            self._companies.pop(session_id, None)

    def take(self, session_id: str, guest: Visitor) -> None:
        """Note that a guest has just acted: the turn is theirs, unless they have been forgotten meanwhile."""
        with self._lock:
            if company := self._companies.get(session_id):
                company.holder, company.until = guest, self._clock() + LEASE

    def hand_back(self, session_id: str) -> None:
        """Give the turn back to the player."""
        with self._lock:
            if company := self._companies.get(session_id):
                company.holder = None

    def holder(self, session_id: str) -> tuple[Visitor, float] | None:
        """The guest whose turn it is and for how many seconds more; None when it is the player's."""
        with self._lock:
            company = self._companies.get(session_id)
            if company is None or company.holder is None:
                return None
            left = company.until - self._clock()
            return (company.holder, left) if left > 0 else None
