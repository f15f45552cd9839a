"""The two configurations say what was published, mark what was not, and a wrong one is told in a sentence."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from easel_app.services.problems import Refusal
from easel_app.trajectories.training.config import SHIPPED, load
from easel_app.trajectories.training.selection import REPLAY

PUBLISHED: dict[str, Any] = {
    "base": "Qwen/Qwen3.5-9B",
    "adapter.rank": 64,
    "adapter.alpha": 128,
    "adapter.targets": "all-linear",
    "adapter.vision_blocks": 4,
    "adapter.merger": True,
    "data.length": 8192,
    "run.schedule": "cosine",
    "run.weight_decay": 0.1,
    "run.effective_batch_size": 64,
    "run.precision": "bf16",
    "run.zero": 2,
}
"""Of both stages (arXiv 2608.25417, section on EASEL-9B)."""
OF_A_STAGE: dict[str, dict[str, Any]] = {
    "stage1": {"stage": 1, "run.learning_rate": 1e-4, "data.replay": 0.0},
    "stage2": {"stage": 2, "run.learning_rate": 5e-5, "data.replay": 0.15},
}


def value(content: dict[str, Any], path: str) -> Any:
    for name in path.split("."):
        content = content[name]
    return content


@pytest.mark.parametrize("name", SHIPPED)
def test_what_was_published_is_what_is_configured(name: str) -> None:
    content = load(name).training.model_dump()
    for path, published in (PUBLISHED | OF_A_STAGE[name]).items():
        assert value(content, path) == published, path
    assert load(name).training.accumulation(8) * content["run"]["batch_per_process"] * 8 == 64


@pytest.mark.parametrize("name", SHIPPED)
def test_each_value_is_marked_as_published_or_as_chosen(name: str) -> None:
    lines = [line for line in load(name).path.read_text().splitlines() if "=" in line and not line.startswith("#")]
    marks: dict[str, str] = {}
    for line in lines:
        found = re.fullmatch(r"(\w+) = .*\S +# (published|chosen)(?:[,:;] .+)?", line)
        assert found, line
        marks[found[1]] = found[2]
    said = {path.rpartition(".")[2] for path in (PUBLISHED | OF_A_STAGE[name])}
    assert {key for key, mark in marks.items() if mark == "published"} == said


def test_the_replay_of_an_export_and_of_a_training_agree() -> None:
    assert load("stage2").training.data.replay == REPLAY


WRONG = {
    "[adapter]\nrank = 64": ("[adapter]\nrank = 0", "adapter.rank is 0"),
    "learning_rate = 1e-4": ('learning_rate = "fast"', "run.learning_rate is 'fast'"),
    "schedule = ": ("shedule = ", "run.schedule is missing"),
    "stage = 1": ("stage = 3", "stage is 3"),
    "replay = 0.0": ("replay = 1.0", "data.replay is 1.0"),
    "merger = true": ("merger = 1", "adapter.merger is 1"),
    "seed = 0": ("seed = 0\nepoch = 3", "run.epoch is not a known field"),
    "max_grad_norm = 1.0": ("max_grad_norm = nan", "run.max_grad_norm is nan"),
}


@pytest.mark.parametrize("right", WRONG)
def test_a_wrong_value_is_named_with_its_place(right: str, tmp_path: Path) -> None:
    wrong, words = WRONG[right]
    text = load("stage1").path.read_text()
    assert right in text
    file = tmp_path / "mine.toml"
    file.write_text(text.replace(right, wrong))
    with pytest.raises(Refusal) as refusal:
        load(str(file))
    assert f"{file}: {words}" in refusal.value.message and "\n" not in refusal.value.message


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("stage = = 1")
    (tmp_path / "picture.toml").write_bytes(b"\x89PNG\xff")
    said = {
        "nowhere": "name a TOML file, or one of stage1, stage2",
        "broken.toml": "is no TOML",
        "picture.toml": "no text",
    }
    for name, words in said.items():
        with pytest.raises(Refusal, match=words):
            load(str(tmp_path / name))


def test_a_batch_that_processes_cannot_make_is_refused() -> None:
    training = load("stage1").training
    assert [training.accumulation(processes) for processes in (1, 2, 4, 8, 16)] == [16, 8, 4, 2, 1]
    for processes in (3, 32):
        with pytest.raises(Refusal, match=f"which {processes} processes of 4 samples at a time cannot make"):
            training.accumulation(processes)
