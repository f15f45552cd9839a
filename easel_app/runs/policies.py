"""Who decides in a run: a model behind an endpoint, or a built-in painter. Both see a scene and choose an action."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from easel_app.llm import Client, EndpointRefused, Reply, Request
from easel_app.painting.painters import Painter, next_action
from easel_app.painting.protocol import Protocol as Rules
from easel_app.painting.stroke import Action, PathStroke, Stroke
from easel_app.painting.tasks import Task
from easel_app.runs.prompts import Message, actions_of, remembered, system, tools_of, turn, with_pictures
from easel_app.runs.reading import Form, read
from easel_app.runs.settings import RunSettings
from easel_app.services.ledger import now
from easel_app.services.sessions import SessionService
from easel_app.store.records import ExchangeRecord


class Decision(NamedTuple):
    """What a player wants to do, and for a model what it was shown and said."""

    action: Action
    exchange: Callable[[int | None], ExchangeRecord] | None = None
    """The record of the exchange, given the seq of the action that came of it."""


class Policy(Protocol):
    """A player of one session."""

    def look(self) -> Any:
        """What the player decides on, as the session is now; called in a worker thread."""

    async def decide(self, scene: Any) -> Decision:
        """The next action."""


class Tooling:
    """Whether a run's model is asked by tool calls: decided once for the whole run, by its first call, and stored."""

    def __init__(self, calling: str, known: bool | None, settle: Callable[[bool], bool]) -> None:
        """Begin with what the settings say, or else with what is known of the run; `settle` stores a finding."""
        self._by_tools = {"tools": True, "text": False}.get(calling, known)
        self._settle = settle
        self._first = asyncio.Lock()

    async def ask(self, complete: Callable[[bool], Any]) -> tuple[bool, Reply]:
        """Ask by `complete(by_tools)`; returns how it was asked and the reply."""
        if self._by_tools is None:
            async with self._first:
                if self._by_tools is None:
                    return await self._try(complete)
        assert self._by_tools is not None  # noqa: S101  settled under the lock
        return self._by_tools, await complete(self._by_tools)

    async def _try(self, complete: Callable[[bool], Any]) -> tuple[bool, Reply]:
        try:
            by_tools, reply = True, await complete(True)
        except EndpointRefused as refusal:
            if not refusal.lacks_tools:
                raise
            by_tools, reply = False, await complete(False)
        self._by_tools = await asyncio.to_thread(self._settle, by_tools)
        return by_tools, reply


class ModelScene(NamedTuple):
    """What a model is shown: the message, and the pictures that stand in it, as data URLs."""

    message: Message
    pictures: dict[str, str]


class ModelPolicy:
    """A model behind an endpoint."""

    def __init__(
        self,
        client: Client,
        tooling: Tooling,
        settings: RunSettings,
        sessions: SessionService,
        session_id: str,
        task: Task,
        rules: Rules,
    ) -> None:
        self._client, self._tooling, self._settings = client, tooling, settings
        self._sessions, self._session_id = sessions, session_id
        self._task, self._rules = task, rules
        self._kept = settings.turns_kept(task.kind)
        self._reference = ""
        self._asked: dict[bool, Request] = {}

    def look(self) -> ModelScene:
        """The pictures and the last turns, from the session as it is recorded."""
        observation = self._sessions.observe(self._session_id, self._settings.look)
        if observation.reference and not self._reference:
            self._reference = _data_url(observation.reference)
        past = self._sessions.last_actions(self._session_id, self._kept) if self._kept else []
        lines = [remembered(action, self._settings.coordinates) for action in past]
        message = turn(observation.shown, lines, self._task.kind.semantic)
        return ModelScene(message, {"reference": self._reference, "canvas": _data_url(observation.canvas)})

    async def decide(self, scene: ModelScene) -> Decision:
        """Ask the model once.

        Raises:
            easel_app.llm.EndpointError: the endpoint gave no answer, or the budget is spent.
        """
        message = with_pictures(scene.message, scene.pictures)
        by_tools, reply = await self._tooling.ask(lambda tools: self._client.complete(self._request(message, tools)))
        reading = read(reply, self._form(by_tools))
        at = now()

        def exchange(seq: int | None) -> ExchangeRecord:
            return ExchangeRecord(
                session_id=self._session_id,
                seq=seq,
                shown=[scene.message],
                reply=reply.kept,
                notes=reading.notes,
                prompt_tokens=reply.usage.prompt_tokens,
                completion_tokens=reply.usage.completion_tokens,
                cost=reply.usage.cost,
                latency=reply.latency,
                retries=[{"reason": retry.reason, "waited": retry.waited} for retry in reply.retries],
                at=at,
            )

        return Decision(reading.action, exchange)

    def _form(self, by_tools: bool) -> Form:
        stroke = PathStroke if self._task.kind.semantic else Stroke
        settings = self._settings
        return Form(actions_of(self._rules), settings.coordinates, by_tools, settings.reading, stroke)

    def _request(self, message: Message, by_tools: bool) -> Request:
        if by_tools not in self._asked:  # the same in every turn
            settings, rules = self._settings, self._rules
            self._asked[by_tools] = Request(
                messages=[{"role": "system", "content": system(self._task, rules, settings.coordinates, by_tools)}],
                tools=tools_of(rules, settings.coordinates, self._task.kind.semantic) if by_tools else None,
                temperature=settings.temperature,
                max_tokens=settings.max_tokens,
            )
        return self._asked[by_tools].plus(message)


class PainterPolicy:
    """A built-in painter."""

    def __init__(self, painter: Painter, sessions: SessionService, session_id: str) -> None:
        self._painter, self._sessions, self._session_id = painter, sessions, session_id

    def look(self) -> Action:
        """The painter decides where it looks: in a worker thread, beside the others."""
        pixels, step = self._sessions.pixels(self._session_id)
        return next_action(self._painter, pixels, step)

    async def decide(self, scene: Action) -> Decision:
        """The action that was found."""
        return Decision(scene)


def _data_url(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()
