"""What the tests of tool runs share: tasks with pictures, a wish, a sandbox that starts quickly, what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from easel_app.rubrics.records import Answer, Task
from easel_app.rubrics.sandbox.bubblewrap import Bubblewrap
from easel_app.rubrics.sandbox.execution import Limits, Sandbox
from easel_app.rubrics.sandbox.none import NoSandbox
from easel_app.rubrics.sandbox.session import BubblewrapSession
from easel_app.runs.judging import Judgings
from easel_app.runs.tool_equipment import Equipment
from easel_app.runs.tool_run_settings import NewToolRun, ToolRunView
from easel_app.runs.tool_runs import ToolRuns
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.sources.fields import Picture
from easel_app.sources.pictures import identify
from tests.conftest import wait_until
from tests.endpoint import Body, Script
from tests.endpoint.app import Running
from tests.endpoint.tool_user import Play, Wish
from tests.rubrics.files import picture
from tests.rubrics.making import put, task

AT_WORK = ("running", "judging")
SUM = Play(rounds=[[Wish("calculator", {"expression": "2 + 3"})]], answer="It is blue: 5.", without="It is blue.")
"""A play without code, which costs nothing."""
OFF = NoSandbox("Code is not run here, for this is a test of that.")


class Light:
    """The real sandbox without the imports that make its start long, which these tests do not use."""

    off = ""

    async def open(self, images: Mapping[str, bytes], keep_variables: bool = False) -> BubblewrapSession:
        return await BubblewrapSession.open(images, keep_variables, Limits(), preload=("PIL.Image",))


@cache
def sandbox() -> Sandbox:
    """It, unless there is none on this machine."""
    return NoSandbox(off) if (off := Bubblewrap().off) else Light()


def fill(studio: Studio, tasks: int = 3, turns: Mapping[int, int] | None = None, later: bool = False) -> list[Task]:
    """Have a set "small" of tasks t1, t2 …, each with a picture of its own, and with another one in each later turn."""
    studio.rubrics.library.first_look.job = lambda: None  # the sample set would only take time here
    made = []
    for number in range(1, tasks + 1):
        one = task(f"t{number}", turns=(turns or {}).get(number, 1))
        shown = [turn.model_copy(update={"pictures": ()}) for turn in one.turns]
        for at in range(len(shown) if later else 1):
            shown[at] = shown[at].model_copy(update={"pictures": (keep(studio, 10 * number + at),)})
        made.append(one.model_copy(update={"turns": tuple(shown)}))
    put(studio.rubrics.store, made)
    return made


def keep(studio: Studio, seed: int) -> Picture:
    content = picture(seed, size=(24, 16))
    studio.rubrics.pictures.put(content)
    return identify(content)


@contextmanager
def serving_runs(
    studio: Studio, settings: Settings, at: Sandbox = OFF, judgings: Judgings | None = None
) -> Iterator[ToolRuns]:
    """Tool runs and judgings of a studio that hardly wait between tries."""
    judgings = judgings or Judgings(studio, wait=0.001)
    runs = ToolRuns(studio, judgings, Equipment(at, {}, settings.data_dir / "cassettes"), wait=0.001)
    try:
        yield runs
    finally:
        runs.close()
        judgings.close()


def wish(at: Running | str, **more: Any) -> NewToolRun:
    address = at if isinstance(at, str) else at.url
    return NewToolRun(**{"set_id": "small", "base_url": address, "model": "m", "network": "off", **more})


def ended(runs: ToolRuns, run_id: str) -> ToolRunView:
    wait_until(lambda: runs.view(run_id).state not in AT_WORK, 60)
    return runs.view(run_id)


def finish(runs: ToolRuns, wanted: NewToolRun) -> ToolRunView:
    return ended(runs, runs.start(wanted).run_id)


def answers(studio: Studio, player: str = "m", set_id: str = "small") -> list[Answer]:
    found = [Answer.model_validate(row.record) for row in studio.rubrics.store.answers(set_id)]
    return [each for each in found if each.model == player]


def timeless(found: Sequence[Answer], **other: Any) -> list[str]:
    """Answers as they are stored, but for the times that tools took; `other` are fields that may differ."""
    texts = []
    for each in found:
        turns = tuple(
            turn.model_copy(update={"calls": tuple(call.model_copy(update={"latency": 0.0}) for call in turn.calls)})
            for turn in each.turns
        )
        texts.append(each.model_copy(update={"turns": turns, **other}).model_dump_json())
    return texts


def prompts(body: Body) -> list[str]:
    """What messages of the user say in a request."""
    return [
        content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)
        for content in (each["content"] for each in body["messages"] if each["role"] == "user")
    ]


def of_model(name: str, script: Script, otherwise: Script) -> Script:
    """One endpoint with two models: `script` for that name."""
    return lambda number, body, headers: (script if body["model"] == name else otherwise)(number, body, headers)
