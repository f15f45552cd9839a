"""Rewards: what an answer is worth, read and painted as in a run, in the shapes that a trainer calls and hands over."""

from __future__ import annotations

import io
import json
import pickle
import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from easel_app.engine import StepEngine
from easel_app.llm import Usage
from easel_app.llm.answers import reply_of
from easel_app.painting import anchors, png
from easel_app.painting.env import PaintingEnv, find_task
from easel_app.painting.showing import Look
from easel_app.painting.stroke import STROKE_FIELDS, BrushStroke
from easel_app.runs.prompts import INTEGERS, stroke_schema
from easel_app.runs.reading import Form, read
from easel_app.scoring.similarity import similarity
from easel_app.scoring.trajectory import skill
from easel_app.trajectories.reading import DataSet
from easel_app.trajectories.reward import INVALID, PaintingEpisode, SimilarityReward, similarity_reward, task_of
from easel_app.trajectories.reward.canvases import CANVASES, ScoredCanvases
from easel_app.trajectories.training.exporting import export_sft
from tests.trajectories.texts import finished_data
from tests.trajectories.trainer import load_dataset, packages

SIZE = 32
Pixels = Any
ACTIONS = st.lists(st.integers(0, INTEGERS), min_size=13, max_size=13)
PAGE = (Path(__file__).parents[2] / "docs" / "reward.md").read_text(encoding="utf-8")


def reference(seed: int = 0, size: int = SIZE) -> Pixels:
    rng = np.random.default_rng(seed)
    pixels = np.full((size, size, 3), rng.integers(0, 256, 3), np.uint8)
    pixels[size // 4 : size // 2, size // 3 :] = rng.integers(0, 256, 3)
    return pixels


def white(size: int = SIZE) -> Pixels:
    return np.full((size, size, 3), 255, np.uint8)


def actions(count: int, seed: int = 0) -> list[list[int]]:
    drawn: list[list[int]] = np.random.default_rng(seed).integers(0, INTEGERS + 1, (count, 13)).tolist()
    return drawn


def answer(action: list[int]) -> str:
    return json.dumps({"action": "brush_stroke", **dict(zip(STROKE_FIELDS, action, strict=True))})


def message(content: Any, **more: Any) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": content, **more}]


def gain(target: Pixels, canvas: Pixels, *strokes: list[int]) -> float:
    """What strokes add to S, by an engine of its own."""
    engine = StepEngine(target, canvas)
    before = engine.scores().similarity
    for stroke in strokes:
        engine.step(np.array(stroke) / INTEGERS)
    return engine.scores().similarity - before


def one(completion: Any, reward: Any = similarity_reward, **columns: Any) -> float | None:
    """The reward of one completion; columns of one row."""
    given = {"reference": reference(), "canvas": white(), **columns}
    (found,) = reward([""], [completion], **{name: [value] for name, value in given.items() if value is not ...})
    return found  # type: ignore[no-any-return]


@given(st.lists(ACTIONS, min_size=1, max_size=6), st.integers(0, 3))
@settings(max_examples=40)
def test_the_rewards_of_a_batch_are_those_of_its_rows_in_any_order(drawn: list[list[int]], seed: int) -> None:
    target, canvas = reference(seed), reference(seed + 1)
    said = [answer(action) for action in drawn]
    columns = {"reference": [target] * len(said), "canvas": [canvas] * len(said)}
    found = similarity_reward([""] * len(said), said, **columns)
    assert found == [gain(target, canvas, action) for action in drawn]
    assert similarity_reward([""] * len(said), said[::-1], **columns) == found[::-1]


@given(st.lists(ACTIONS, min_size=1, max_size=5))
@settings(max_examples=25)
def test_a_whole_painting_is_worth_the_return_of_the_environment(drawn: list[list[int]]) -> None:
    target = reference()
    env = PaintingEnv(task=task_of(target, len(drawn)))
    env.reset()
    total = sum(env.step(np.array(action) / INTEGERS)[1] for action in drawn)
    said = [each for action in drawn for each in (*message(answer(action)), {"role": "tool", "content": "painted"})]
    assert one(said) == pytest.approx(total, abs=1e-12)
    steps = similarity_reward(
        [""] * len(drawn),
        [answer(action) for action in drawn],
        reference=[target] * len(drawn),
        actions=[drawn] * len(drawn),
        step=list(range(len(drawn))),
    )
    assert sum(each or 0.0 for each in steps) == pytest.approx(total, abs=1e-12)


def test_every_shape_of_a_completion_is_read() -> None:
    (action,) = actions(1)
    numbers = dict(zip(STROKE_FIELDS, action, strict=True))
    expected = gain(reference(), white(), action)
    call = {"type": "function", "function": {"name": "brush_stroke", "arguments": numbers}}
    in_words = {"type": "function", "function": {"name": "brush_stroke", "arguments": json.dumps(numbers)}}
    for completion in (
        answer(action),
        message(answer(action)),
        tuple(message(answer(action))),
        [{"content": answer(action)}],
        message([{"type": "text", "text": answer(action)}]),
        message(f"<think>A red edge.</think>\n{answer(action)}"),
        message(f"```json\n{answer(action)}\n```"),
        message(None, tool_calls=[call]),
        message("", tool_calls=[in_words, call], reasoning_content="…"),
        [*message(answer(action)), {"role": "user", "content": answer(actions(2)[1])}],
    ):
        assert one(completion) == expected, completion


@pytest.mark.parametrize(
    "completion",
    [
        "",
        None,
        7,
        [],
        [{}],
        ["text"],
        [None],
        message(None),
        message(7),
        message([7]),
        message("I would rather not."),
        message('{"action": "undo"}'),
        message(answer([*range(12), 1001])),
        message(answer(actions(1)[0])[:-20]),
        message(None, tool_calls=[{"function": {"name": "brush_stroke", "arguments": "{"}}]),
        message(None, tool_calls=[None]),
        message(None, tool_calls={"function": 1}),
        message(None, refusal="No."),
        message("{" * 200_000),
        message('{"x_start": NaN}'),
        message("\ud800"),
        [{"role": "user", "content": answer(actions(1)[0])}],
    ],
)
def test_what_cannot_be_read_is_worth_the_penalty_and_never_an_error(completion: Any) -> None:
    assert one(completion) == INVALID
    assert one(completion, SimilarityReward(invalid=-1.0)) == -1.0


@given(st.text(max_size=200) | ACTIONS.map(answer) | ACTIONS.map(lambda action: answer(action)[:-3]))
def test_an_answer_is_read_by_the_rules_of_a_run(said: str) -> None:
    form = Form(("brush_stroke",), "integer", by_tools=False, reading="lenient")
    action = read(reply_of({"choices": [{"message": {"content": said}}]}, Usage(), 0.0), form).action
    painted = isinstance(action, BrushStroke)
    assert (one(said) == INVALID) is not painted


def test_the_strict_reading_the_tools_and_floats_are_options() -> None:
    (action,) = actions(1)
    fenced = f"```\n{answer(action)}\n```"
    assert one(fenced, SimilarityReward(reading="strict")) == INVALID != one(fenced)
    assert one(answer(action), SimilarityReward(reading="strict")) == one(answer(action))
    assert one(answer(action), SimilarityReward(reading="strict", calling="tools")) == INVALID
    floats = json.dumps({"action": "brush_stroke"} | {n: v / 1000 for n, v in zip(STROKE_FIELDS, action, strict=True)})
    assert one(floats, SimilarityReward(coordinates="float")) == one(answer(action)) and one(floats) == INVALID


def test_the_three_measures_differ_only_in_what_is_taken_away_and_what_it_is_divided_by() -> None:
    target, canvas, (action, other) = reference(3), reference(4), actions(2)
    fill = similarity(anchors.mean_fill(target), target).similarity
    before = similarity(canvas, target).similarity
    for said, change in ((answer(action), gain(target, canvas, action)), ("no", INVALID), (answer(other), None)):
        columns = {"reference": target, "canvas": canvas, "data_policy": 0.9}
        worth = {name: one(said, SimilarityReward(reward=name), **columns) for name in ("gain", "similarity", "skill")}
        if change is not None:
            assert worth["gain"] == pytest.approx(change, abs=1e-12)
        assert worth["gain"] is not None
        assert worth["similarity"] == pytest.approx(before + worth["gain"], abs=1e-8)
        assert worth["skill"] == pytest.approx(skill(before + worth["gain"], fill, 0.9), abs=1e-6)


def test_random_strokes_are_worth_more_than_an_answer_that_cannot_be_read() -> None:
    for name in ("programmatic-02", "spatial-11", "natural-14"):
        task = find_task(name)
        assert task
        scored = ScoredCanvases().find(task.reference, task.reference)
        lost = [scored.after([np.array(action) / INTEGERS]) - 1.0 for action in actions(100)]
        assert INVALID < min(lost) < -0.1, "on a finished picture every stroke only spoils"


def test_a_row_without_a_reference_or_without_a_skill_gets_none() -> None:
    (action,) = actions(1)
    assert one(answer(action), reference=None, canvas=None) is None
    assert one("unreadable", images=None, reference=None, canvas=None) is None
    measure = SimilarityReward(reward="skill")
    assert one(answer(action), measure, data_policy=None) is None
    assert one(answer(action), measure, data_policy=0.0) is None, "the policy is no better than a fill"


def test_every_form_of_a_picture_is_the_same_picture() -> None:
    target, (action,) = reference(), actions(1)
    image = Image.fromarray(target)
    file = io.BytesIO()
    image.save(file, "WEBP", lossless=True)
    clear = Image.fromarray(np.dstack([target, np.full((SIZE, SIZE), 255, np.uint8)]))
    expected = gain(target, white(), action)
    for form in (
        image,
        png.encode(target),
        file.getvalue(),
        {"bytes": png.encode(target), "path": None},
        clear,
        target,
    ):
        assert one(answer(action), reference=form) == expected
    clear.putalpha(0)
    assert one(answer(action), reference=clear) == gain(white(), white(), action), "what is transparent lies on white"


def test_the_canvas_may_be_a_picture_the_second_of_two_or_what_was_painted_so_far() -> None:
    target, drawn = reference(), actions(4)
    engine = StepEngine(target)
    for action in drawn[:3]:
        engine.step(np.array(action) / INTEGERS)
    canvas, said = engine.canvas.copy(), answer(drawn[3])
    expected = gain(target, canvas, drawn[3])
    flat = [number for action in drawn for number in action]
    for columns in (
        {"canvas": canvas},
        {"reference": ..., "canvas": ..., "images": [Image.fromarray(target), Image.fromarray(canvas)]},
        {"canvas": ..., "images": [target, canvas]},
        {"canvas": ..., "actions": drawn[:3]},
        {"canvas": ..., "actions": flat[:39], "step": 3},
        {"canvas": ..., "actions": np.array(flat, np.int32), "step": 3},
        {"canvas": ..., "actions": [number / INTEGERS for number in flat], "step": 3},
        {"canvas": None, "actions": drawn[:3], "step": None},
    ):
        assert one(said, **columns) == expected, list(columns)
    assert one(said, canvas=..., actions=[]) == gain(target, white(), drawn[3])


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"canvas": None}, "Row 0 of the batch cannot be rewarded: it has no canvas"),
        ({"canvas": ..., "step": 3}, "it has no canvas"),
        ({"canvas": ..., "actions": actions(2), "step": 3}, "its step is 3, but there are 2 actions"),
        ({"canvas": ..., "actions": actions(2), "step": -1}, "its step is -1"),
        ({"canvas": ..., "actions": [1, 2, 3]}, "instead of 13 numbers a stroke"),
        ({"canvas": ..., "actions": [[1001] * 13]}, "reach from 1001 to 1001 instead of from 0 to 1000"),
        ({"canvas": ..., "actions": [[float("nan")] * 13]}, "instead of from 0 to 1"),
        ({"canvas": ..., "actions": [["1"] * 13]}, "instead of 13 numbers a stroke"),
        ({"canvas": white(16)}, r"the canvas is uint8 \(16, 16, 3\)"),
        ({"canvas": white()[:, :16]}, "the canvas is"),
        ({"reference": white()[:, :16]}, "the reference is"),
        ({"canvas": b"GIF89a"}, "one of its pictures is damaged"),
        ({"canvas": "canvas.png"}, "one of its pictures is of type str"),
        ({"canvas": {"path": "canvas.png", "bytes": None}}, "one of its pictures is of type dict"),
        ({"reference": ..., "canvas": ..., "images": [white()]}, "images holds 1 pictures"),
        ({"reference": ..., "canvas": ...}, "no column reference or images"),
    ],
)
def test_columns_that_do_not_tell_what_was_shown_are_told_by_their_row(columns: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        one(answer(actions(1)[0]), **columns)


def test_columns_of_another_length_and_a_skill_without_a_policy_are_told() -> None:
    with pytest.raises(ValueError, match="canvas has 1 values for 2 completions"):
        similarity_reward(["", ""], ["", ""], reference=[white()] * 2, canvas=[white()])
    with pytest.raises(ValueError, match="skill needs a column data_policy"):
        one("", SimilarityReward(reward="skill"))


@pytest.mark.parametrize(
    "options",
    [{"reward": "S"}, {"reading": "loose"}, {"coordinates": "pixels"}, {"calling": "any"}, {"invalid": np.nan}],
)
def test_an_option_that_is_none_is_told(options: Any) -> None:
    with pytest.raises(ValueError, match="must be"):
        SimilarityReward(**options)
    with pytest.raises(ValueError, match="must be a number"):
        PaintingEpisode(invalid=np.inf)


def test_columns_called_like_options_and_whatever_else_a_trainer_gives_change_nothing() -> None:
    (action,) = actions(1)
    columns: dict[str, Any] = {"prompts": [""], "completions": [answer(action)], "reference": [reference()]}
    more = {"reward": ["skill"], "invalid": [9], "reading": ["strict"], "trainer_state": object()}
    assert similarity_reward(**columns, canvas=[white()], **more) == [one(answer(action))]


def test_the_trainer_is_told_what_could_not_be_read() -> None:
    metrics: dict[str, float] = {}
    extra: dict[str, list[str]] = {}
    (action,) = actions(1)
    columns: dict[str, Any] = {"reference": [reference(), reference(), None], "canvas": [white()] * 3}
    similarity_reward(
        [""] * 3, [answer(action), "no", ""], **columns, log_metric=metrics.__setitem__, log_extra=extra.__setitem__
    )
    assert metrics == {"unreadable": 0.5, "gain": gain(reference(), white(), action) / 2}
    assert extra["unreadable"][0] == extra["unreadable"][2] == "" and "no JSON object" in extra["unreadable"][1]


def test_a_reward_can_be_sent_to_another_process_and_has_a_name() -> None:
    measure = pickle.loads(pickle.dumps(SimilarityReward(reward="similarity", invalid=-0.1)))
    assert (measure.reward, measure.invalid) == ("similarity", -0.1)
    assert pickle.loads(pickle.dumps(similarity_reward)) is similarity_reward
    assert similarity_reward.__name__ == "similarity_reward"


def test_few_canvases_are_kept_and_the_last_one_whatever_its_size() -> None:
    canvases = ScoredCanvases(most_pixels=3 * SIZE * SIZE)
    found = [canvases.find(reference(seed), white()) for seed in range(6)]
    assert len(canvases) == 3 and canvases.find(reference(5), white()) is found[5]
    assert canvases.find(reference(0), white()) is not found[0]
    large = canvases.find(reference(0, 256), white(256))
    assert len(canvases) == 1 and canvases.find(reference(0, 256), white(256)) is large


def test_a_scored_canvas_is_the_same_after_whatever_was_painted_in_it() -> None:
    scored = ScoredCanvases().find(reference(), white())
    strokes = [np.array(action) / INTEGERS for action in actions(5)]
    invisible = np.zeros(13)
    first = scored.after(strokes[:1])
    for some in (strokes, strokes[2:3], [], [invisible], [np.full(13, 2.0)], [strokes[0], np.full(13, np.nan)]):
        try:
            found = scored.after(some)
        except ValueError:
            continue
        assert scored.after([]) == scored.before and scored.after(some) == found
    assert scored.after(strokes[:1]) == first


def test_two_threads_get_the_rewards_of_one() -> None:
    drawn = actions(60)
    said = [answer(action) for action in drawn]
    columns: dict[str, Any] = {"reference": [reference(at % 3) for at in range(60)], "canvas": [white()] * 60}
    expected = similarity_reward([""] * 60, said, **columns)
    start = threading.Barrier(2)

    def work(number: int) -> list[float | None]:
        start.wait()
        return similarity_reward([""] * 60, said, **columns)

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(work, range(2))) == [expected] * 2
    assert not CANVASES.lock.locked()


def test_an_episode_is_the_environment_in_the_shape_of_the_trainer() -> None:
    target, drawn = reference(2), actions(3)
    episode = PaintingEpisode()
    seen = episode.reset(reference={"bytes": png.encode(target), "path": None}, budget=3, prompt="ignored")
    assert [part["type"] for part in seen] == ["text", "image"] * 2
    np.testing.assert_array_equal(np.array(seen[1]["image"]), target)
    engine = StepEngine(target)
    for left, action in zip((2, 1, 0), drawn, strict=True):
        words, picture = episode.brush_stroke(**dict(zip(STROKE_FIELDS, action, strict=True)))
        engine.step(np.array(action) / INTEGERS)
        np.testing.assert_array_equal(np.array(picture["image"]), engine.canvas)
        assert f"{left} strokes are left" in words["text"]
    assert episode.get_reward() == pytest.approx(gain(target, white(), *drawn), abs=1e-12)
    with pytest.raises(ValueError, match="strokes are used"):
        episode.brush_stroke(*drawn[0])
    episode.reset(reference=target)
    assert episode.get_reward() == 0.0


CALLS = ACTIONS | st.lists(st.integers(-5, 1005) | st.none() | st.text(max_size=3), max_size=15)


@given(st.lists(CALLS, min_size=1, max_size=5), st.sampled_from([INVALID, -0.1, 0.0]))
@settings(max_examples=40)
def test_an_episode_and_its_completion_are_worth_the_same_whatever_the_calls(calls: list[Any], invalid: float) -> None:
    episode, said = PaintingEpisode(invalid), []
    episode.reset(reference=reference(), budget=len(calls))
    for numbers in calls:
        names = [*STROKE_FIELDS, "pressure", "tilt"]
        named = dict(zip(names, numbers, strict=False))
        with suppress(ValueError):
            episode.brush_stroke(**named)
        said += message(
            None, tool_calls=[{"type": "function", "function": {"name": "brush_stroke", "arguments": named}}]
        )
    worth = one(said, SimilarityReward(invalid=invalid))
    assert episode.get_reward() == pytest.approx(worth, abs=1e-12)


@pytest.mark.parametrize("given", [(), (1,) * 12, (1,) * 14])
def test_a_call_of_too_few_or_many_numbers_is_one_that_is_no_stroke(given: Any) -> None:
    episode = PaintingEpisode()
    episode.reset(reference=reference(), budget=1)
    with pytest.raises(ValueError, match="nothing was painted, 0 strokes are left"):
        episode.brush_stroke(*given)
    assert episode.get_reward() == INVALID


@pytest.mark.parametrize("wrong", [1001, -1, 0.5, "7", None, True])
def test_a_call_that_is_no_stroke_costs_a_step_of_the_episode_and_is_told(wrong: Any) -> None:
    episode, (action,) = PaintingEpisode(), actions(1)
    episode.reset(reference=reference(), budget=2)
    with pytest.raises(ValueError, match=r"13 integers from 0 to 1000; nothing was painted, 1 strokes are left"):
        episode.brush_stroke(*action[:12], wrong)
    assert episode.get_reward() == INVALID
    episode.brush_stroke(*action)
    assert episode.get_reward() == pytest.approx(INVALID + gain(reference(), white(), action), abs=1e-12)


def test_an_episode_without_a_reference_or_a_budget_is_refused() -> None:
    with pytest.raises(ValueError, match="one of its pictures is of type NoneType"):
        PaintingEpisode().reset(prompt="")
    with pytest.raises(ValueError, match="the budget is 0"):
        PaintingEpisode().reset(reference=reference(), budget=0)
    with pytest.raises(ValueError, match="strokes are used"):
        PaintingEpisode().brush_stroke(*actions(1)[0])


def test_the_tool_has_the_parameters_of_a_stroke_and_tells_what_each_is() -> None:
    described = PaintingEpisode.brush_stroke.__doc__ or ""
    names = [name for name in PaintingEpisode.brush_stroke.__annotations__ if name != "return"]
    assert tuple(names) == STROKE_FIELDS == tuple(stroke_schema("integer")["properties"])
    assert all(re.search(rf"^ +{name}: \w", described, re.MULTILINE) for name in names)


def block(word: str) -> str:
    (found,) = [each for each in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if word in each]
    return str(found)


def test_the_example_of_a_training_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = finished_data(tmp_path / "set", count=2)
    export_sft(data.folder.path, tmp_path / "sft-1", 1)
    wanted = {(row.reference_key, row.step): row for row in DataSet(data.folder.path).samples("train", "C1")}
    bad = ["no", '{"action": "undo"}']

    def answers(row: dict[str, Any], number: int) -> str:
        return answer(list(wanted[row["reference_key"], row["step"]].action)) if number < 6 else bad[number - 6]

    modules, trainer = packages(answers)
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.chdir(tmp_path)
    printed = block("GRPOConfig(")
    assert len([line for line in printed.splitlines() if line]) <= 10
    exec(compile(printed, "docs/reward.md", "exec"), {})
    gains = [row.similarity_after - row.similarity for row in wanted.values()]
    assert trainer.rewards == pytest.approx(
        [each for worth in gains for each in [worth] * 6 + [INVALID] * 2], abs=1e-12
    )
    assert trainer.metrics["unreadable"] == 0.25 and trainer.extra["unreadable"].count("") == 6 * len(wanted)


def test_rewards_are_the_same_however_the_pictures_are_shown(tmp_path: Path) -> None:
    data = finished_data(tmp_path / "set", count=2)
    samples = list(DataSet(data.folder.path).samples("train", "C1"))
    worth = [row.similarity_after - row.similarity for row in samples]
    for at, look in enumerate((Look(), Look(scale=3), Look(grid=True), Look(scale=2, grid=True))):
        export_sft(data.folder.path, tmp_path / f"{at}", 1, look=look)
        rows = load_dataset(str(tmp_path / f"{at}"), "train")
        said = [row["completion"][0]["content"][0]["text"] for row in rows]
        columns: dict[str, Any] = {name: [row[name] for row in rows] for name in rows[0] if name != "completion"}
        found = similarity_reward(columns.pop("prompt"), said, **columns)
        assert found == pytest.approx(worth, abs=1e-12), look


def test_the_example_of_the_environment_runs_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    printed = block("PaintingEnv(")
    assert len([line for line in printed.splitlines() if line]) <= 10
    exec(compile(printed, "docs/reward.md", "exec"), {})
    total, difference = capsys.readouterr().out.split()
    assert float(total) == pytest.approx(float(difference), abs=2e-6)


def test_the_other_examples_name_what_is_there() -> None:
    exec(compile(block("SimilarityReward("), "docs/reward.md", "exec"), {})
    rest = block("environment_factory")
    exec(compile(rest.splitlines()[0], "docs/reward.md", "exec"), {})
    compile(rest, "docs/reward.md", "exec")
