"""The sandbox: bubblewrap, used only after it has been seen to hold."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping

from easel_app.rubrics.sandbox.execution import Limits, SandboxUnavailable
from easel_app.rubrics.sandbox.proof import Finding, proven
from easel_app.rubrics.sandbox.session import BubblewrapSession


class Bubblewrap:
    """A `Sandbox`. Any thread may use it; a session belongs to the event loop that opened it."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008 - it cannot be changed
        self._limits = limits
        self._lock = threading.Lock()
        self._tested = False
        self._off = ""
        self._findings: tuple[Finding, ...] = ()

    @property
    def off(self) -> str:
        """Why there is none, in one sentence; empty when there is one. The first answer takes a self-test of about a
        second, which later ones repeat.
        """
        with self._lock:
            if not self._tested:
                # in a thread of its own, since whoever asks may be within an event loop
                testing = threading.Thread(target=self._test, name="sandbox self-test")
                testing.start()
                testing.join()
                self._tested = True
        return self._off

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the self-test found; empty when no sandbox could be started."""
        return () if self.off and not self._findings else self._findings

    async def open(self, images: Mapping[str, bytes], keep_variables: bool = False) -> BubblewrapSession:
        """A new session, whose sandbox is starting: the first call waits until it is ready.

        Args:
            images: files that lie in its scratch folder from the beginning, by name.
            keep_variables: whether variables live from call to call, or each call begins anew.

        Raises:
            SandboxUnavailable: there is none.
            ValueError: an image has a name that no file there can have.
        """
        if off := await asyncio.to_thread(lambda: self.off):
            raise SandboxUnavailable(off)
        return await BubblewrapSession.open(images, keep_variables, self._limits)

    def _test(self) -> None:
        try:
            self._findings = asyncio.run(proven(self._limits))
        except SandboxUnavailable as error:
            self._off = str(error)
        except Exception as error:  # whatever it is, what was not proven is not used
            self._off = f"There is no sandbox for code, since its self-test failed ({type(error).__name__}: {error})."
        else:
            if broken := [finding.what for finding in self._findings if not finding.holds]:
                self._off = f"There is no sandbox for code, since it does not hold here that {', that '.join(broken)}."
