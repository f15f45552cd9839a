"""The scripted model and the scripted judge of the samples: a whole benchmark without a model."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from easel_app.llm import Reply, Request
from easel_app.rubrics.judge import Judgement, Material, judge
from easel_app.rubrics.records import Ending, Tools
from easel_app.rubrics.tools.cassettes import Cassette
from easel_app.rubrics.tools.network import Network
from easel_app.rubrics.tools.toolbox import Toolset
from easel_app.scoring.tool_schemas import BY_NAME
from easel_app.settings import data_folder
from tests.endpoint import endpoint
from tests.endpoint.tool_user import SAMPLES, Play, in_one_reply, sample_judge, samples, seen, tool_user
from tests.llm.conftest import client, run
from tests.rubrics.solved import SIGN, Bench, solved

TASKS = [entry for entry in map(json.loads, SAMPLES.read_text("utf-8").splitlines()) if entry["type"] == "task"]
TURNS: list[dict[str, Any]] = [turn for task in TASKS for turn in task["turns"]]
CASSETTE = data_folder() / "rubrics" / "cassettes" / "sample.jsonl"


def toolset(offered: Tools) -> Toolset:
    """The tools of the samples without a sandbox."""
    return Toolset(offered, None, "There is no sandbox.", Network.recorded(Cassette.read(CASSETTE)))


def test_the_scripted_model_knows_every_prompt_and_calls_tools_that_there_are() -> None:
    assert len(TASKS) == 12 and {turn["prompt"] for turn in TURNS} == set(samples())
    for model in "abc":
        plays = samples(f"sample-model-{model}").values()
        assert {wish.name for play in plays for wishes in play.rounds for wish in wishes} <= set(BY_NAME)


@pytest.mark.parametrize("offered", Tools)
def test_every_turn_of_the_samples_is_played_to_its_answer(offered: Tools) -> None:
    plays = samples("sample-model-c")
    for turn in TURNS:
        play = plays[turn["prompt"]]
        found = solved(
            tool_user(plays), prompt=turn["prompt"], pictures=[SIGN], names=["image_1.png"], box=toolset(offered)
        ).answer
        wishes = [wish for wishes in play.rounds for wish in wishes]
        expected = [wish for wish in wishes if BY_NAME[wish.name].name in toolset(offered).backends]
        assert [call.name for call in found.calls] == [wish.name for wish in expected]
        assert found.ended is Ending.ANSWERED
        assert found.text == (play.answer if expected == wishes else play.without)


def test_code_finds_the_files_as_they_are_called_in_the_request() -> None:
    turn = next(turn for task in TASKS if task["id"] == "evening-stills" for turn in task["turns"][1:])
    names = ["image_1.png", "image_2.jpg", "image_3.png"]
    found = solved(tool_user(), prompt=turn["prompt"], names=names)
    code = " ".join(call.arguments["code"] for call in found.answer.calls if "code" in call.arguments)
    assert "image_3.png" in code and "original_image" not in code
    assert seen(found.bodies[-1]).files == names


def test_all_calls_of_a_turn_can_come_in_one_reply() -> None:
    turn = TURNS[2]
    apart, together = (
        solved(tool_user(plays), prompt=turn["prompt"]) for plays in (samples(), in_one_reply(samples()))
    )
    assert together.answer.rounds == 2 < (apart.answer.rounds or 0)
    assert [call.name for call in together.answer.calls] == [call.name for call in apart.answer.calls]


def test_other_prompts_are_played_too() -> None:
    found = solved(tool_user(), prompt="What colour is it?", box=Bench())
    assert [call.name for call in found.answer.calls] == ["python_image_processing", "calculator"]
    assert solved(tool_user({}, Play([], "Green.")), prompt="?").answer.text == "Green."


def test_the_scripted_judge_tells_right_from_wrong_answers_of_the_samples() -> None:
    plays, said = samples(), Counter[tuple[str, str]]()

    def nothing(request: Request, reply: Reply) -> None:
        """Nobody listens."""

    async def go() -> list[tuple[str, Judgement]]:
        async with client(running) as asked:
            found = []
            for turn in TURNS[:6]:
                play = plays[turn["prompt"]]
                for who, text in (("with", play.answer), ("without", play.without)):
                    material = Material(turn["prompt"], turn["golden_answer"], text)
                    for item in turn["rubric"]:
                        found.append((who, await judge(asked, material, item["description"], None, nothing)))
            return found

    with endpoint(sample_judge) as running:
        said.update((who, found.verdict) for who, found in run(go()))
    assert said["with", "met"] > said["without", "met"] > 0
    assert said["with", "not_met"] > 0
