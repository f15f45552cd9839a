"""A session: one sandbox, and another one when it is lost."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

from easel_app.rubrics.sandbox import answer, pictures, text
from easel_app.rubrics.sandbox.execution import Execution, Limits, Outcome, SandboxUnavailable
from easel_app.rubrics.sandbox.host import PRELOADED
from easel_app.rubrics.sandbox.inside import frames, scratch
from easel_app.rubrics.sandbox.none import no_sandbox
from easel_app.rubrics.sandbox.process import Process, not_started

GRACE: Final = 5.0
"""Seconds beyond the clock's limit until the whole sandbox is ended; on a busy machine it may come late to its turn."""
START: Final = 60.0
"""Seconds that a sandbox may take until it is ready."""
_FILES_GONE: Final = "What code saved and computed is gone; the files of the task are there as in the beginning."
_CLOSED: Final = "This sandbox has been closed."
_VARIABLES_GONE: Final = "The variables and imports of earlier calls are gone."
_NOTHING_TOLD: Final = (
    "Nothing was printed and no image was saved; the value of the last line is told only if it is printed."
)


class BubblewrapSession:
    """A `Session`. It belongs to the event loop that opened it."""

    def __init__(
        self, images: Mapping[str, bytes], keep_variables: bool, limits: Limits, preload: Sequence[str]
    ) -> None:
        if bad := [name for name in images if not re.fullmatch(r"\w[\w.-]{0,99}", name, re.ASCII)]:
            raise ValueError(f"an image cannot be called {bad[0]!r} in the scratch folder.")
        self._images, self._keep, self._limits, self._preload = dict(images), keep_variables, limits, tuple(preload)
        self._process: Process | None = None
        self._ready = False
        self._used = False
        self._closed = False
        self._turn = asyncio.Lock()

    @classmethod
    async def open(
        cls, images: Mapping[str, bytes], keep_variables: bool, limits: Limits, preload: Sequence[str] = PRELOADED
    ) -> BubblewrapSession:
        """A session whose sandbox is starting; the first call waits until it is ready.

        Args:
            images: files of the scratch folder, by name.
            keep_variables: whether variables live from call to call.
            limits: what it may use.
            preload: modules that are imported before the first call.

        Raises:
            SandboxUnavailable: it cannot be started.
            ValueError: an image has a name that no file there can have.
        """
        session = cls(images, keep_variables, limits, preload)
        await session._start()
        return session

    @property
    def number(self) -> int | None:
        """Of the process that this machine sees, while there is one."""
        return self._process.number if self._process else None

    async def run(self, code: str) -> Execution:
        """Run code; never raises for what the code does.

        Raises:
            SandboxUnavailable: no sandbox can be had any more.
        """
        async with self._turn:
            if self._closed:
                raise SandboxUnavailable(_CLOSED)
            lost = self._used and not (self._process and self._process.lives)
            try:
                await self._be_ready()
                execution = await self._call(code)
            except BaseException:  # cut off in the middle: what comes next would be taken for the next call's answer
                await self._end()
                raise
            return _with_notes(execution, [f"The sandbox had ended. {_FILES_GONE}"] if lost else [])

    async def close(self) -> None:
        """End it and all that is left of it; safe to call twice, and while a call runs."""
        self._closed = True
        await self._end()

    async def _start(self) -> None:
        self._ready = False
        process = await Process.start(self._limits.scratch)
        if self._closed:  # meanwhile
            await process.end()
            raise SandboxUnavailable(_CLOSED)
        self._process = process
        limits = asdict(self._limits) | {"all_image_bytes": answer.ALL_IMAGES * self._limits.image_bytes}
        del limits["scratch"], limits["image_pixels"]
        head = {"limits": limits, "keep": self._keep, "names": list(self._images), "preload": self._preload}
        process.send(frames.pack(head, list(self._images.values())))

    async def _be_ready(self) -> None:
        """Wait until a sandbox can be called; begin a new one if it is lost."""
        if not (self._process and self._process.lives):
            await self._end()
            await self._start()
        if self._ready:
            return
        process = self._process
        assert process  # noqa: S101 - just started
        try:
            async with asyncio.timeout(START):
                if await answer.received(process.receive, self._limits) is not None:
                    raise answer.Broken
        except TimeoutError:
            await self._end()
            raise no_sandbox(f"it was not ready within {START:.0f} seconds; this machine has too much to do") from None
        except answer.Broken:
            said = process.said()
            await self._end()
            raise no_sandbox(not_started(said)) from None
        self._ready = True

    async def _call(self, code: str) -> Execution:
        process = self._process
        assert process  # noqa: S101 - it is ready
        self._used, begun = True, time.monotonic()
        process.send(frames.pack({}, [code.encode("utf-8", "surrogatepass")]))
        try:
            async with asyncio.timeout(self._limits.wall + GRACE):
                found = await answer.received(process.receive, self._limits)
        except (TimeoutError, answer.Broken):
            found = None
        seconds = time.monotonic() - begun
        if found is None:
            await self._lose()
            return Execution(
                Outcome.LOST, "", "", (), (f"The sandbox ended while the code ran. {_FILES_GONE}",), seconds
            )
        if found.outcome is Outcome.LOST:
            await self._lose()
        images, notes = await asyncio.to_thread(pictures.checked, found.names, found.images, self._limits)
        out, err = (text.told(found.output[k], found.left_out[k // 2], found.output[k + 1]) for k in (0, 2))
        notes = [*self._said_of(found), *notes, *self._left_out(found)]
        if found.outcome is Outcome.DONE and not (out.strip() or err.strip() or images or notes):
            notes = [_NOTHING_TOLD]
        return Execution(found.outcome, out, err, tuple(images), tuple(notes), seconds)

    def _said_of(self, found: answer.Answer) -> list[str]:
        """What is to be said of how a call ended."""
        limits = self._limits
        ended = answer.UNHEARD if found.unheard else answer.ending(found.status)
        notes = {
            Outcome.TOO_LONG: [
                f"The code was ended: a call may take {limits.wall:g} seconds, and {limits.cpu:g} of the processor."
            ],
            Outcome.TOO_MUCH_MEMORY: [f"The code may use {limits.memory / 2**30:.3g} GB of memory."],
            Outcome.CRASHED: [f"The process of the code did not come to its end: {ended}."],
            Outcome.LOST: [f"More than {scratch.MOST_FILES:,} files are too many. {_FILES_GONE}"],
        }.get(found.outcome, [])
        return [*notes, _VARIABLES_GONE] if found.variables_gone else notes

    def _left_out(self, found: answer.Answer) -> list[str]:
        """What is to be said of files that are not shown."""
        notes = [f"{text.named(name)} is not shown, since {pictures.too_large(self._limits)}." for name in found.large]
        if found.not_shown:
            names = ", ".join(text.named(name) for name in found.not_shown)
            notes.append(f"Only PNG, JPEG, WebP and GIF files are shown, hence not {names}.")
        if found.more:
            room = answer.ALL_IMAGES * self._limits.image_bytes / 2**20
            most = f"{self._limits.images} images, of {room:g} MB together"
            notes.append(f"{found.more:,} more images are not shown: a call can give {most}.")
        return notes

    async def _lose(self) -> None:
        """End the sandbox in a call that says so itself."""
        await self._end()
        self._used = False

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process:
            await process.end()


def _with_notes(execution: Execution, first: list[str]) -> Execution:
    notes = (*first, *execution.notes)
    return Execution(execution.outcome, execution.stdout, execution.stderr, execution.images, notes, execution.seconds)
