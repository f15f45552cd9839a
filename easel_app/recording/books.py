"""Where episodes are recorded: a studio of this process, or one that serves at an address."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Protocol, TypeVar

import httpx
from pydantic import BaseModel

from easel_app.services.problems import Refusal
from easel_app.services.studio import Studio
from easel_app.services.views import Answer, NewAction, NewSession
from easel_app.settings import Settings
from easel_app.store.database import StoreInUse, StoreUnusable

Model = TypeVar("Model", bound=BaseModel)
TIMEOUT = 30.0
"""Seconds that a studio may take for an answer."""
IDLE = 4.0
"""Seconds after which an idle connection is not used again; servers commonly close theirs after five."""


class RecordingError(RuntimeError):
    """An episode is not recorded any further, for the reason given in one sentence; the environment is unharmed."""


class Session(BaseModel):
    """A session that has begun."""

    session_id: str
    write_token: str
    watch_url: str


class Book(Protocol):
    """Where sessions are recorded. Raises `Refusal` or `RecordingError` when something is not."""

    def begin(self, wish: NewSession) -> Session:
        """Begin a session."""

    def act(self, session: Session, wish: NewAction) -> Answer:
        """Record an action."""

    def close(self) -> None:
        """Let go of what it holds."""


class OpenStudio:
    """Records into a studio of this process."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio

    def begin(self, wish: NewSession) -> Session:
        """Begin a session."""
        begun = self._studio.sessions.begin(wish)
        return Session(session_id=begun.session_id, write_token=begun.write_token, watch_url=begun.watch_url)

    def act(self, session: Session, wish: NewAction) -> Answer:
        """Record an action."""
        return self._studio.sessions.play(session.session_id, wish)

    def close(self) -> None:
        """Close the studio."""
        self._studio.close()


class RemoteStudio:
    """Records into a studio that serves at an address; safe to use from many threads."""

    def __init__(self, address: str) -> None:
        self._address = address
        limits = httpx.Limits(keepalive_expiry=IDLE)
        self._client = httpx.Client(base_url=address, timeout=TIMEOUT, limits=limits)

    def begin(self, wish: NewSession) -> Session:
        """Begin a session."""
        return self._post("api/sessions", wish, Session)

    def act(self, session: Session, wish: NewAction) -> Answer:
        """Record an action."""
        return self._post(f"api/sessions/{session.session_id}/actions", wish, Answer, session.write_token)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _post(self, path: str, wish: BaseModel, answer: type[Model], token: str | None = None) -> Model:
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        body = wish.model_dump_json()
        try:
            try:
                response = self._client.post(path, content=body, headers=headers)
            except (httpx.NetworkError, httpx.RemoteProtocolError):
                if token is None:
                    raise
                # a connection that broke says nothing of what arrived; the request id makes a repeat safe
                response = self._client.post(path, content=body, headers=headers)
        except httpx.HTTPError as error:
            reason = str(error) or type(error).__name__
            message = f"The studio at {self._address} cannot be reached ({reason}); start it or correct the address."
            raise RecordingError(message) from error
        try:
            content = response.json()
            if response.is_error:
                raise Refusal(content["error"]["code"], content["error"]["message"])
            return answer.model_validate(content)
        except (ValueError, KeyError, TypeError) as error:
            status = response.status_code
            message = f"What answers at {self._address} is no Easel Studio (status {status}); correct the address."
            raise RecordingError(message) from error


class Shelf:
    """What is open in this process; environments that record to the same place share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._books: dict[tuple[int, str | Path], tuple[Book, int]] = {}

    def take(self, place: str | Path | Studio) -> Book:
        """What records there, opened if need be, for one more user. Raises `RecordingError`."""
        if isinstance(place, Studio):
            return OpenStudio(place)
        with self._lock:
            key = os.getpid(), place  # a forked process can use nothing of its parent's
            book, users = self._books.get(key) or (_open(place), 0)
            self._books[key] = book, users + 1
            return book

    def give_back(self, place: str | Path | Studio) -> None:
        """One user less; the last one closes it, but never a studio that was open before."""
        if isinstance(place, Studio):
            return
        with self._lock:
            key = os.getpid(), place
            book, users = self._books.pop(key)
            if users > 1:
                self._books[key] = book, users - 1
            else:
                book.close()


shelf = Shelf()


def _open(place: str | Path) -> Book:
    if isinstance(place, str):
        return RemoteStudio(place)
    try:
        return OpenStudio(Studio(Settings(data_dir=place)))
    except StoreInUse as error:
        where = error.address or "the address of the studio that serves it"
        message = f"The folder {place} is open elsewhere already; record to {where}, or into another folder."
        raise RecordingError(message) from error
    except StoreUnusable as error:
        raise RecordingError(str(error)) from error


def place_of(to: str | Path | Studio) -> str | Path | Studio:
    """A place to record to, spelled in the one way that `Shelf` knows it by.

    Raises:
        ValueError: it is no place to record to.
    """
    if isinstance(to, Path):
        return to.expanduser().resolve()
    if isinstance(to, Studio):
        return to
    try:
        url = httpx.URL(to)
    except (httpx.InvalidURL, TypeError):
        url = httpx.URL()
    # a password would take the place of the write token; it is not repeated in the message
    if url.scheme not in ("http", "https") or not url.host or url.userinfo:
        raise ValueError("`to` must be a studio's address such as 'http://127.0.0.1:7860', a Path or an open Studio")
    return to.rstrip("/")
