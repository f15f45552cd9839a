"""No sandbox, and why: what stands where one cannot be had. Code is never run without one."""

from __future__ import annotations

from collections.abc import Mapping

from easel_app.rubrics.sandbox.execution import SandboxUnavailable, Session


def no_sandbox(why: str) -> SandboxUnavailable:
    """What to raise.

    Args:
        why: a part of a sentence, with what to do where something can be done.
    """
    return SandboxUnavailable(f"There is no sandbox for code, since {why}.")


class NoSandbox:
    """A `Sandbox` that is off."""

    def __init__(self, why: str) -> None:
        self._why = why

    @property
    def off(self) -> str:
        """Why, in one sentence."""
        return self._why

    async def open(self, images: Mapping[str, bytes], keep_variables: bool = False) -> Session:
        """There is none.

        Raises:
            SandboxUnavailable: always.
        """
        raise SandboxUnavailable(self._why)
