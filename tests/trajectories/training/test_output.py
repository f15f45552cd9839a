"""The folder of a training: whose it is, and what can be gone on from in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from easel_app.painting.showing import PLAIN
from easel_app.runs.prompts import PROMPT
from easel_app.services.problems import Refusal
from easel_app.trajectories.training.config import load
from easel_app.trajectories.training.exporting import Note
from easel_app.trajectories.training.output import RECORD, Record, begun, last_checkpoint, read_record


def record(base: str = "tiny") -> Record:
    note = Note(
        layout="trl",
        stage=1,
        prompt=PROMPT,
        look=PLAIN,
        replay=0.0,
        seed=0,
        dataset="0" * 64,
        counts={"train": {"C1": 4}},
    )
    return Record(training=load("stage1").training, base=base, adapter=None, data=note, versions={"torch": "1"})


def test_a_training_is_begun_once_and_gone_on_with_as_it_was(tmp_path: Path) -> None:
    output = tmp_path / "output"
    with begun(output, record(), resume=False):
        assert read_record(output) == record()
    with pytest.raises(Refusal, match="go on with it by --resume"), begun(output, record(), resume=False):
        pass
    newer = record().model_copy(update={"versions": {"torch": "2"}})
    with begun(output, newer, resume=True):
        assert read_record(output) == record()
    with pytest.raises(Refusal, match="base was tiny and is large"), begun(output, record("large"), resume=True):
        pass


def test_what_is_somebody_else_s_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(Refusal, match="choose another, for nothing is overwritten"):
        begun(tmp_path, record(), resume=False).__enter__()
    with pytest.raises(Refusal, match="is not an empty folder"):
        begun(tmp_path / "thesis.txt", record(), resume=False).__enter__()
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_record_that_is_damaged_or_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="holds no training"):
        read_record(tmp_path)
    (tmp_path / RECORD).write_text('{"training": 1}')
    with pytest.raises(Refusal, match="cannot be read; train anew"):
        read_record(tmp_path)


def test_the_last_checkpoint_is_the_last_that_is_whole(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="holds no checkpoint"):
        last_checkpoint(tmp_path)
    for name, state in {
        "checkpoint-9": "{}",
        "checkpoint-12": "{}",
        "checkpoint-100": '{"epo',
        "checkpoint-x": "{}",
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "trainer_state.json").write_text(state)
    (tmp_path / "checkpoint-200").mkdir()
    assert last_checkpoint(tmp_path).name == "checkpoint-12"
