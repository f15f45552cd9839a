"""One attempt of a model at one task: its pictures, its turns in order, and where an earlier sitting left it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from easel_app.llm import Client, Reply, Request
from easel_app.rubrics.records import AnswerTurn, Task
from easel_app.rubrics.rounds import Round
from easel_app.rubrics.solving import Manner, Said, solve
from easel_app.rubrics.tools.observation import Toolbox
from easel_app.runs.asking import Unsendable
from easel_app.runs.tool_workplace import Shown, Workplace
from easel_app.sources import fields
from easel_app.sources.pictures import NoPicture, identify
from easel_app.sources.showing import Picture, form, shown
from easel_app.store.files import PictureFiles

ENDINGS = {"jpeg": "jpg"}
"""How files of a format are called, where it is not by the format's name."""


class TurnPictures(NamedTuple):
    """The pictures of one turn."""

    seen: tuple[Picture, ...]
    """As the model is shown them."""
    files: tuple[Shown, ...]
    """As code finds them, numbered over all turns."""


class Album:
    """The pictures of an attempt: those of its task, and those that its tools made."""

    def __init__(self, files: PictureFiles, longest: int) -> None:
        """Keep files there; show them with a longer side of at most `longest` pixels."""
        self._files, self._longest = files, longest
        self.seen: list[Picture] = []
        """All that were shown, so that a request can be told by their digests."""

    def open(self, task: Task) -> list[TurnPictures]:
        """The pictures of a task, turn by turn.

        Raises:
            Unsendable: one of them cannot be shown.
        """
        found: list[TurnPictures] = []
        count = 0
        for number, turn in enumerate(task.turns, 1):
            seen, files = list[Picture](), list[Shown]()
            for picture in turn.pictures:
                count += 1
                try:
                    seen.append(self._show(picture))
                except NoPicture as fault:
                    message = f"Picture {count} of the task, of its turn {number}, cannot be shown: {fault}."
                    raise Unsendable(message) from None
                ending = ENDINGS.get(picture.format, picture.format)
                files.append(Shown(f"image_{count}.{ending}", partial(self._files.get, picture.digest)))
            found.append(TurnPictures(tuple(seen), tuple(files)))
        return found

    async def keep(self, content: bytes) -> tuple[fields.Picture, Picture] | None:
        """Store an image that a tool made; its record and how it is shown, or None when it is no picture we take."""
        return await asyncio.to_thread(self._keep, content)

    async def again(self, picture: fields.Picture) -> Picture | None:
        """How a stored image is shown; None when its file is gone."""
        try:
            return await asyncio.to_thread(self._show, picture)
        except NoPicture:
            return None

    def _keep(self, content: bytes) -> tuple[fields.Picture, Picture] | None:
        try:
            record = identify(content)
            seen = self._seen(record.digest, content)
        except NoPicture:
            return None
        self._files.put(content)
        return record, seen

    def _show(self, picture: fields.Picture) -> Picture:
        content = self._files.get(picture.digest)
        if content is None:
            raise NoPicture("its file is gone")
        return self._seen(picture.digest, content)

    def _seen(self, digest: str, content: bytes) -> Picture:
        self.seen.append(Picture(digest, shown(content, self._longest), form(self._longest)))
        return self.seen[-1]


Heard = Callable[[int, Round, Request, Reply], Awaitable[None]]
"""Is told of each round of each turn once all of its calls came back; the next request waits for it."""


async def attempt(
    client: Client,
    task: Task,
    pictures: Sequence[TurnPictures],
    album: Album,
    toolbox: Toolbox,
    workplace: Workplace | None,
    manner: Manner,
    own_history: bool,
    done: Mapping[int, Sequence[Round]],
    heard: Heard,
    doing: Callable[[int, int, str], None],
) -> tuple[AnswerTurn, ...]:
    """Answer all turns of a task.

    Args:
        client: whom to ask.
        task: what is asked.
        pictures: of each of its turns.
        album: where made pictures are kept.
        toolbox: what the model may call.
        workplace: where its code runs; None where none is run.
        manner: how the model is asked.
        own_history: whether earlier turns are told with the model's own answers, else with the golden ones.
        done: rounds on record, by turn.
        heard: is told of each round.
        doing: is told the turn, the round and what goes on.

    Raises:
        Unsendable: there is no golden answer where one is needed.
        EndpointError: the endpoint gave no answer.
    """
    lacking = next((at for at, turn in enumerate(task.turns[:-1], 1) if turn.golden_answer is None), None)
    if lacking and not own_history:
        message = f"Turn {lacking} has no golden answer to go on from; let the model's own answers stand for them."
        raise Unsendable(message)
    earlier, said, names = list[Said](), list[AnswerTurn](), list[str]()
    for number, (turn, here) in enumerate(zip(task.turns, pictures, strict=True), 1):
        if workplace:
            await workplace.show(here.files)
            names += [file.name for file in here.files]
        answer = await solve(
            client,
            earlier,
            turn.prompt,
            here.seen,
            names,
            toolbox,
            manner,
            done.get(number, ()),
            album.keep,
            album.again,
            partial(heard, number),
            partial(doing, number),
        )
        said.append(answer)
        told = answer.text if own_history else turn.golden_answer
        earlier.append(Said(turn.prompt, here.seen, told or ""))
    return tuple(said)
