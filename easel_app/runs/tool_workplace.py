"""The sandbox of one attempt: opened by the first call that needs it, and brought to where it was left."""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from easel_app.rubrics.records import ToolCall
from easel_app.rubrics.rounds import Round
from easel_app.rubrics.sandbox.execution import Execution, Outcome, Sandbox, SandboxUnavailable, Session
from easel_app.scoring.tool_schemas import BY_NAME, misfit

CODE_TOOLS = ("python_image_processing", "python_interpreter")
"""Tools that run code, by the names under which they are sent."""
log = logging.getLogger(__name__)


class Shown(NamedTuple):
    """A picture of the task as the code finds it."""

    name: str
    """In its folder."""
    read: Callable[[], bytes | None]
    """Its bytes; None when its file is gone."""


class Workplace:
    """A `Session` that begins with its first call. An attempt that never runs code never starts a sandbox."""

    def __init__(self, sandbox: Sandbox, keep_variables: bool, again: Iterable[str], told: str) -> None:
        """Prepare a sandbox.

        Args:
            sandbox: where its session comes from.
            keep_variables: whether variables live from call to call.
            again: code that earlier sittings of the attempt ran; it is run again first, so that its files are there.
            told: what the attempt is called in the log.
        """
        self._sandbox, self._keep_variables, self._told = sandbox, keep_variables, told
        self._again, self._shown = list(again), list[Shown]()
        self._session: Session | None = None

    async def show(self, shown: Sequence[Shown]) -> None:
        """Lay pictures of a turn into the folder."""
        self._shown += shown
        if self._session:
            with suppress(SandboxUnavailable):  # which the next call will tell the model
                for name, content in (await asyncio.to_thread(_contents, shown)).items():
                    await self.run(_writing(name, content))

    async def run(self, code: str) -> Execution:
        """Run code; the first call begins the session.

        Raises:
            SandboxUnavailable: no sandbox can be had.
        """
        session = self._session or await self._begin()
        execution = await session.run(code)
        if execution.outcome is Outcome.LOST:  # it would begin again with the pictures of the first turn only
            await self.close()
        return execution

    async def close(self) -> None:
        """End the session, if there is one."""
        session, self._session = self._session, None
        if session:
            await session.close()

    async def _begin(self) -> Session:
        images = await asyncio.to_thread(_contents, self._shown)
        session = self._session = await self._sandbox.open(images, self._keep_variables)
        if self._again:
            log.info("%s goes on: %d calls of code are run again in a new sandbox", self._told, len(self._again))
        for code in self._again:
            await session.run(code)
        self._again.clear()
        return session


def code_of(rounds: Iterable[Round]) -> list[str]:
    """The code that rounds ran, in order; calls that were answered with an error never came to run."""
    return [call.arguments["code"] for each in rounds for call in each.calls if _ran(call)]


def _writing(name: str, content: bytes) -> str:
    """Code that lays a file into the folder, for a session takes files at its beginning only; it leaves no names."""
    text = base64.b64encode(content).decode()
    return f"__import__('pathlib').Path({name!r}).write_bytes(__import__('base64').b64decode({text!r}))"


def _ran(call: ToolCall) -> bool:
    tool = BY_NAME.get(call.name)
    if tool is None or tool.name not in CODE_TOOLS or not isinstance(call.arguments, dict):
        return False
    observed = call.observation if isinstance(call.observation, dict) else {}
    return misfit(tool, call.arguments) is None and observed.get("status") != "error"


def _contents(shown: Iterable[Shown]) -> dict[str, bytes]:
    """The files by name, those that are gone aside."""
    return {each.name: content for each in shown if (content := each.read()) is not None}
