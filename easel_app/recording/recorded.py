"""Environments whose episodes are recorded as sessions, so that a training or search run is replayed in the page.

Example:
    >>> env = Recorded(gymnasium.make("easel_app/Painting-v0", task_id="natural-14"), "http://127.0.0.1:7860")
    >>> observation, info = env.reset()
    >>> info["watch_url"]  # open it to watch

Over HTTP every episode can be watched while it goes on, and many processes may record; into a data folder it is four
times quicker, from one process.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, cast

import gymnasium
from gymnasium.utils import RecordConstructorArgs
from pydantic import ValidationError

from easel_app.painting.env import Observation, PaintingEnv, find_task
from easel_app.painting.scores import headline
from easel_app.painting.stroke import explain
from easel_app.recording.books import Book, RecordingError, Session, place_of, shelf
from easel_app.services.problems import Refusal
from easel_app.services.scores import shown
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewSession, Player


class Recorded(gymnasium.Wrapper[Observation, Any, Observation, Any], RecordConstructorArgs):
    """Records what `easel_app/Painting-v0` does. Put it around the environment before wrappers that reset or repeat.

    ``info`` of a recorded episode's reset also holds ``session_id`` and ``watch_url``. When the studio cannot be
    reached, refuses, or answers otherwise than the environment did, `reset` or `step` raises `RecordingError`: the
    environment has done what it was asked to, and goes on unrecorded until its next reset. A copy of it records
    nothing until then either, so that a search may branch off an episode.
    """

    def __init__(
        self,
        env: gymnasium.Env[Observation, Any],
        to: str | Path | Studio,
        name: str = "Gymnasium",
        model: str | None = None,
        shared: bool = False,
        episode_trigger: Callable[[int], bool] | None = None,
    ) -> None:
        """Wrap an environment; nothing is opened before the first recorded episode.

        Args:
            env: `easel_app/Painting-v0` with a published or a generated task.
            to: address of a running studio, such as ``http://127.0.0.1:7860``; or a data folder as a `Path`, which is
                opened until the last environment of this process that records there is closed; or an open studio.
            name: how to show the player, an agent.
            model: what is behind it, such as the name of a policy.
            shared: whether others may paint in the sessions; the recording of an episode ends where one does.
            episode_trigger: which episodes to record, counted from 0; all when None.

        Raises:
            ValueError: one of these is of another kind.
        """
        RecordConstructorArgs.__init__(
            self,
            _disable_deepcopy=isinstance(to, Studio),
            to=to,
            name=name,
            model=model,
            shared=shared,
            episode_trigger=episode_trigger,
        )
        super().__init__(env)
        self._place, self._trigger = place_of(to), episode_trigger
        self._wish = _wish(env.unwrapped, name, model, shared)
        self._book: Book | None = None
        self._session: Session | None = None
        self._process = self._sent = 0
        self._episode = -1

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start again, and with a new session if the episode is one to record. Raises `RecordingError`."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._session, self._sent, self._episode = None, 0, self._episode + 1
        if self._trigger is None or self._trigger(self._episode):
            if self._book is None or self._process != os.getpid():
                self._book, self._process = shelf.take(self._place), os.getpid()
            try:
                self._session = self._book.begin(self._wish)
            except Refusal as refusal:
                raise RecordingError(f"The studio begins no session: {refusal.message}") from refusal
            info = {**info, "session_id": self._session.session_id, "watch_url": self._session.watch_url}
        return observation, info

    def step(self, action: Any) -> tuple[Observation, Any, bool, bool, dict[str, Any]]:
        """Carry out one action and record it. Raises `RecordingError`."""
        result = self.env.step(action)
        # a forked process has the parent's session, which goes on there
        if self._session and self._book and self._process == os.getpid():
            session, self._session = self._session, None
            self._record(self._book, session)
            self._session = session
        return result

    def _record(self, book: Book, session: Session) -> None:
        action, turn = cast(PaintingEnv, self.unwrapped).last or (None, None)
        self._sent += 1
        if action is None or turn is None:
            raise RecordingError("The environment was reset within a step; put Recorded around it before what does so.")
        try:
            answer = book.act(session, NewAction(request_id=f"step-{self._sent}", action=action))
        except Refusal as refusal:
            raise RecordingError(f"The studio refused step {turn.step}: {refusal.message}") from refusal
        scores = shown(turn.scores)
        told, done = (answer.outcome, answer.step, answer.status), (turn.outcome, turn.step, turn.status)
        if told != done or answer.scores != scores:
            raise RecordingError(
                f"The record is at step {answer.step} ({answer.outcome}, {answer.score!r}), the environment"
                f" at {turn.step} ({turn.outcome}, {headline(turn.scores)!r}); keep guests and wrappers that repeat"
                " actions out, and record to a studio of this version."
            )

    def close(self) -> None:
        """Close the environment and let go of the studio."""
        if self._book and self._process == os.getpid():
            shelf.give_back(self._place)
        self._book = self._session = None
        super().close()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_book": None, "_session": None}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = copy.copy(self)  # what it records to is shared
        twin.env = copy.deepcopy(self.env, memo)
        return twin


def _wish(env: gymnasium.Env[Any, Any], name: str, model: str | None, shared: bool) -> NewSession:
    """What begins a session of the environment's task."""
    if not isinstance(env, PaintingEnv):
        raise ValueError(f"Recorded takes easel_app/Painting-v0, not {type(env).__name__}; make that environment")
    task, known = env.task, find_task(env.task.id)
    if known is None or (known.model_dump(), known.digest) != (task.model_dump(), task.digest):
        raise ValueError(f"{task.id} is no published task, so a studio cannot replay it; `easel tasks` lists those")
    try:
        player = Player(kind="agent", name=name, model=model)
        return NewSession(task_id=task.id, protocol=env.protocol, player=player, shared=shared)
    except ValidationError as error:
        raise ValueError(explain(error, "player").message) from error
