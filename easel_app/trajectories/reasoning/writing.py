"""A sitting that asks a model about the strokes that are left, side by side, each answer on disk before the next."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

from easel_app.llm import Reply, Unreadable
from easel_app.runs.asking import Asking, Unsendable
from easel_app.runs.exchanges import Exchanges
from easel_app.runs.sitting import connect
from easel_app.trajectories.reading import DataSet
from easel_app.trajectories.reasoning.desk import Desk, Job, Jobs, held
from easel_app.trajectories.reasoning.ledger import TURNS, Answer
from easel_app.trajectories.reasoning.prompting import again, request
from easel_app.trajectories.reasoning.records import NewReasoning, ReasoningManifest

SPARE = ("temperature", "seed")
"""Parameters that are left out where the endpoint does not take them."""


Told = Callable[[int, int], None]


class Text(NamedTuple):
    """What a model wrote, fit to be used; a bare string would be why there is nothing."""

    text: str


class Writing(Asking[Job, Text]):
    """One sitting: for each stroke a text, or the reason why there is none."""

    work, item, brings = "writing of texts", "stroke", "text"

    def __init__(self, desk: Desk, told: Told, wait: float = 1.0) -> None:
        """Prepare to ask about what is left; `told` hears as in `write_texts`.

        Waits between tries of a call are multiplied by `wait`.

        Raises:
            ValueError: the wish has a money limit without prices.
        """
        wish, jobs = desk.wish, Jobs(desk)
        noted = desk.manifest()
        super().__init__(jobs, noted.counts.wanted, wish.concurrency, {})
        self.desk, self._told_of = desk, told
        self._client = connect(wish.base_url, wish.writer.model, wish.key, wish, noted, wait, spare=SPARE)

    async def _find(self, job: Job, exchanges: Exchanges) -> Text:
        assert self._client  # noqa: S101
        writer, scene = self.desk.wish.writer, job.scene
        asked = await asyncio.to_thread(request, scene, writer.scale, writer.temperature, writer.max_tokens)
        said = job.sheaf.ledger.said(scene.reference_key, scene.step)
        while True:
            if said:
                found = said[-1].finding
                if isinstance(found, str):
                    return Text(found)
                if len(said) == TURNS:
                    break
                asked = again(asked, said[-1].said, found)
            reply = await self._client.complete(asked)
            exchanges.hear(asked, reply)
            said += (await asyncio.to_thread(self._record, job, reply),)
        message = (
            f"Two texts of the model cannot be used, the last one since {found.words}; another model may do better."
        )
        raise Unreadable(message, tuple(exchanges.replies))

    def _record(self, job: Job, reply: Reply) -> Answer:
        """Write an answer down before anything else.

        Raises:
            Unsendable: it cannot be written; then nothing more is asked.
        """
        answer = Answer.of((job.scene.reference_key, job.scene.step), reply)
        self.desk.book(answer.usage)
        try:
            job.sheaf.ledger.add(answer)
        except OSError as error:
            self._halt(error)
            raise Unsendable(self.reason) from None
        return answer

    def _store(self, job: Job, found: Text | str, exchanges: Exchanges) -> None:
        try:
            self.desk.done(job)
        except OSError as error:
            self._halt(error)

    async def _keep(self, job: Job, found: Text | str, exchanges: Exchanges) -> None:
        await super()._keep(job, found, exchanges)
        self._told_of(self.tried, len(self._left))

    def _halt(self, error: OSError) -> None:
        why = error.strerror or str(error)
        self.stop(f"{self.desk.folder} cannot be written to ({why}); what is there stays, make room and go on.")

    def _told(self, job: Job) -> str:
        return f"stroke {job.scene.step} of {job.scene.reference_key}"

    @property
    def why(self) -> str:
        """Why strokes are left without an answer, in one sentence; empty where none is."""
        most: list[tuple[str, int]] = Counter(self.unscored).most_common(1)
        return self.reason or (most[0][0] if most else "")


def write_texts(
    data: DataSet,
    wish: NewReasoning,
    told: Told = lambda tried, total: None,
    during: Callable[[Writing], AbstractContextManager[Any]] = nullcontext,
    wait: float = 1.0,
) -> ReasoningManifest:
    """Have the texts written that are missing, until all are there or something stops it.

    Args:
        data: a finished data set.
        wish: by whom, on how many references, within which limits.
        told: hears how many strokes came to an end in this sitting, with a text or without, and how many are to.
        during: surrounds the sitting, such as to let a signal stop it.
        wait: what every wait between tries of a call is multiplied by.

    Returns:
        What is noted of the texts now.

    Raises:
        Conflict: another run is at work, the texts that are there were begun otherwise, or a file is damaged.
        OSError: a file cannot be read or written (pyarrow's ArrowInvalid, a ValueError, where one is damaged).
    """
    with held(data, wish) as desk:
        if not desk.manifest().counts.open:
            return desk.close()
        sitting = Writing(desk, told, wait)
        try:
            with during(sitting):
                _run(sitting.play())
        except BaseException:
            desk.close("It was broken off.")
            raise
        return desk.close(sitting.why)


def _run(playing: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end, in a thread of its own where this one has a loop already, as a notebook's has."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(playing)
        return
    with ThreadPoolExecutor(1) as own:
        own.submit(asyncio.run, playing).result()
