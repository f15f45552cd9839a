"""One attempt of a run: a session, from where it stands to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from easel_app.painting.rollout import Status
from easel_app.painting.stroke import Invalid
from easel_app.runs.policies import Decision, Policy
from easel_app.services.problems import Conflict
from easel_app.services.sessions import SessionService
from easel_app.services.views import Answer, NewAction

PATIENCE = 0.5
"""Seconds after which a player looks again whether a guest has handed the turn back."""


class Place(NamedTuple):
    """Which attempt it is."""

    task_id: str
    repeat: int
    """Counted from 1."""


class Progress(NamedTuple):
    """Where an attempt stands."""

    place: Place
    session_id: str
    step: int
    budget: int
    score: float


class Attempt:
    """Plays one session; what is recorded is never asked for again."""

    def __init__(
        self, place: Place, session_id: str, policy: Policy, sessions: SessionService, told: Callable[[Progress], None]
    ) -> None:
        """Play the session `session_id`, which has begun, by `policy`; `told` hears of each step."""
        self._place, self._session_id, self._policy, self._sessions = place, session_id, policy, sessions
        self._told = told

    async def play(self, stopping: Callable[[], bool]) -> bool:
        """Play until the session has ended or `stopping()`; returns whether it has ended.

        Raises:
            easel_app.llm.EndpointError: the endpoint gave no answer; the session stays open.
            easel_app.services.problems.Refusal: the session takes no actions, for example because it is not intact.
        """
        ended = await asyncio.to_thread(self._ended)
        scene = None if ended else await asyncio.to_thread(self._policy.look)
        while not ended and not stopping():
            if await self._waits(stopping):
                ended = await asyncio.to_thread(self._ended)
                scene = None if ended else await asyncio.to_thread(self._policy.look)
                continue
            decision = await self._policy.decide(scene)
            ended, scene = await asyncio.to_thread(self._carry_out, decision)
        return ended

    def _ended(self) -> bool:
        state = self._sessions.state(self._session_id)
        self._told(Progress(self._place, self._session_id, state.step, state.budget, state.score))
        # practice has no end of its own: a run plays as many steps as the task's budget says
        return state.status is not Status.OPEN or state.step >= state.budget

    async def _waits(self, stopping: Callable[[], bool]) -> bool:
        """Wait while a guest has the turn, without asking anything that would be paid for in vain."""
        waited = False
        while not stopping() and self._sessions.turn(self._session_id).guest:
            waited = True
            await asyncio.sleep(PATIENCE)
        return waited

    def _carry_out(self, decision: Decision) -> tuple[bool, object]:
        """Record the action and look again, in one visit to a worker thread."""
        try:
            answer = self._play(decision)
        except Conflict as refusal:
            if refusal.code == "not_allowed":
                answer = self._play(decision._replace(action=Invalid(kind="invalid", reason=refusal.message)))
            else:
                if decision.exchange:  # a guest was faster, or the session has ended: what was paid for is on record
                    self._sessions.note(decision.exchange(None))
                if refusal.code not in ("not_your_turn", "session_closed"):
                    raise
                ended = self._ended()
                return ended, None if ended else self._policy.look()
        state = self._sessions.state(self._session_id)
        self._told(Progress(self._place, self._session_id, answer.step, state.budget, state.score))
        ended = answer.status is not Status.OPEN or answer.step >= state.budget
        return ended, None if ended else self._policy.look()

    def _play(self, decision: Decision) -> Answer:
        state = self._sessions.state(self._session_id)
        wish = NewAction(request_id=f"run-{state.seq + 1}", action=decision.action)
        return self._sessions.play(self._session_id, wish, decision.exchange)
