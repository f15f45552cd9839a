"""The two tools that run a model's Python, on a session of the sandbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from easel_app.rubrics.sandbox.execution import Execution, MadeImage, Outcome, SandboxUnavailable, Session
from easel_app.rubrics.tools.observation import Observation
from easel_app.rubrics.tools.payloads import clean, one_line, with_note

_ERRORS: Mapping[Outcome, str] = {
    Outcome.RAISED: "The code raised an exception; its traceback is in stderr.",
    Outcome.TOO_LONG: "The code took too long; do less in one call.",
    Outcome.TOO_MUCH_MEMORY: "The code needs too much memory; work on smaller data.",
    Outcome.CRASHED: "The process of the code ended before the code did.",
    Outcome.LOST: "The sandbox ended.",
}
"""What becomes of code that does not run through; the sandbox's notes say the rest."""


class Code:
    """One of the two tools."""

    def __init__(self, session: Session | None, off: str, shows_images: bool) -> None:
        """Run code in a session.

        Args:
            session: both tools may share one; None: there is none.
            off: why not, in one sentence.
            shows_images: whether it is the tool whose saved images are shown.
        """
        self._session = session
        self._off = off or "There is no sandbox for code here."
        self._shows = shows_images
        self.backend = "off" if session is None else "sandbox"

    async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
        """What the code printed: `stdout`, `stderr`; of the image tool `ok`, `output_path` and `output_paths` as well.

        `ok` is "true" or "false". `error` says what became of code that did not run through, `note` what else the model
        has to know.
        """
        if self._session is None:
            return self._failed(self._off)
        try:
            done = await self._session.run(arguments["code"])
        except SandboxUnavailable as error:
            return self._failed(str(error))
        return self._told(done)

    def _failed(self, why: str) -> Observation:
        return Observation({**({"ok": "false"} if self._shows else {}), "status": "error", "error": why})

    def _told(self, done: Execution) -> Observation:
        error = _ERRORS.get(done.outcome, "")
        payload: dict[str, Any] = {"stdout": done.stdout, "stderr": done.stderr}
        if error:
            payload["error"] = error
        if not self._shows:
            return Observation(with_note(payload, *done.notes, _hidden(done.images)))
        paths = [one_line(image.name, 200) for image in done.images]
        payload = {"ok": "false" if error else "true", **payload, "output_path": next(iter(paths), "")}
        payload["output_paths"] = paths
        return Observation(with_note(payload, *done.notes), tuple(image.content for image in done.images))


def _hidden(images: Sequence[MadeImage]) -> str:
    """What is said of images that are not shown."""
    if not images:
        return ""
    names = ", ".join(clean(image.name, 60) for image in images[:5])
    return f"The images that it saved ({names}{', …' if len(images) > 5 else ''}) are not shown by this tool."
