"""GRPO of TRL with rewards from S: the example of docs/reward.md as printed, and whole paintings by the tool."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset
from PIL import Image
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer

from easel_app.engine import StepEngine
from easel_app.painting.showing import PLAIN, Look
from easel_app.runs.prompts import stroke_schema
from easel_app.trajectories.reward import INVALID, PaintingEpisode, SimilarityReward, similarity_reward
from easel_app.trajectories.training.layout import answer_of
from tests_train.samples import export, samples, task

PAGE = (Path(__file__).parents[1] / "docs" / "reward.md").read_text(encoding="utf-8")
SMALL: dict[str, Any] = {
    "use_cpu": True,
    "max_steps": 1,
    "report_to": "none",
    "logging_steps": 1,
    "save_strategy": "no",
}
SHORT = 16
"""Tokens of a completion: random ones, which are no stroke."""


def blocks(word: str) -> str:
    (found,) = [each for each in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if word in each]
    return str(found)


def logged(trainer: GRPOTrainer) -> Mapping[str, float]:
    (entry,) = [each for each in trainer.state.log_history if "reward" in each]
    return entry


@pytest.fixture(params=[PLAIN, Look(scale=2, grid=True)], ids=["plain", "enlarged"])
def place(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """The folders that the examples name: an export, however its pictures are shown, and a tiny model."""
    export(tmp_path / "sft-1", list(samples(0, "C1", 4)), 1, look=request.param)
    (tmp_path / "merged-1").symlink_to(base)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_example_trains_as_printed_but_for_its_size(place: Path) -> None:
    block = blocks("GRPOConfig(")
    assert "max_completion_length=400" in block
    small = ", ".join(f"{name}={value!r}" for name, value in (SMALL | {"per_device_train_batch_size": 8}).items())
    names: dict[str, Any] = {}
    exec(compile(block.replace("length=400", f"length={SHORT}, {small}"), "docs/reward.md", "exec"), names)
    entry = logged(names["trainer"])
    assert entry["rewards/similarity_reward/mean"] == pytest.approx(INVALID)
    assert (entry["unreadable"], entry["gain"]) == (1.0, 0.0)


def test_the_trainer_s_own_calls_reach_the_reward_with_pictures_and_answers(place: Path) -> None:
    """What the trainer decodes is replaced by answers before it is judged: a tiny model paints nothing."""
    rows = list(samples(0, "C1", 4))
    said = {row.step: answer_of(row.action) for row in rows}
    heard: list[float | None] = []

    def judged(prompts: Any, completions: Any, step: list[int], **columns: Any) -> list[float | None]:
        answers = [[{**each[0], "content": said[at]}] for each, at in zip(completions, step, strict=True)]
        found = SimilarityReward(reward="similarity")(prompts, answers, **columns)
        heard.extend(found)
        return found

    names: dict[str, Any] = {}
    exec(compile(blocks("GRPOConfig(").partition("options =")[0], "docs/reward.md", "exec"), names)
    args = GRPOConfig("out", num_generations=2, max_completion_length=SHORT, per_device_train_batch_size=8, **SMALL)
    funcs = [judged, similarity_reward]
    trainer = GRPOTrainer(str(place / "merged-1"), funcs, args, train_dataset=names["samples"])
    trainer.train()
    after = {round(row.similarity_after, 12) for row in rows}
    assert len(heard) == 8 and {round(each or 0.0, 12) for each in heard} == after


def test_whole_paintings_are_rewarded_by_the_environment(place: Path) -> None:
    schema = get_json_schema(PaintingEpisode().brush_stroke)["function"]
    properties = stroke_schema("integer")["properties"]
    assert (schema["name"], list(schema["parameters"]["properties"])) == ("brush_stroke", list(properties))
    assert {each["type"] for each in schema["parameters"]["properties"].values()} == {"integer"}
    painted: list[PaintingEpisode] = []

    class Painted(PaintingEpisode):
        """Paints a stroke before the model says anything, since a tiny one calls no tool."""

        def reset(self, **columns: Any) -> list[dict[str, Any]]:
            seen = super().reset(**columns)
            self.brush_stroke(*next(iter(samples(0, "C1", 1))).action)
            painted.append(self)
            return seen

    question = [{"role": "user", "content": "Paint the reference, stroke by stroke."}]
    reference = Image.fromarray(task(0).reference)
    rows = Dataset.from_list([{"prompt": question, "reference": reference, "budget": 2}] * 2)
    args = GRPOConfig("out", num_generations=2, max_completion_length=SHORT, per_device_train_batch_size=2, **SMALL)
    with warnings.catch_warnings(action="ignore"):
        trainer = GRPOTrainer(str(place / "merged-1"), args=args, train_dataset=rows, environment_factory=Painted)
        trainer.train()
    engine = StepEngine(task(0).reference)
    before = engine.scores().similarity
    gain = engine.step(np.array(next(iter(samples(0, "C1", 1))).action) / 1000).similarity - before
    assert len(painted) == 2
    assert logged(trainer)["rewards/Painted/mean"] == pytest.approx(gain, abs=1e-6)
