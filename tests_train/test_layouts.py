"""What `export_sft` writes is read by `datasets` and trained on as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from datasets import load_dataset

from easel_app.painting.showing import PLAIN, Look
from easel_app.trajectories.reading import DataSet
from easel_app.trajectories.training.exporting import export_sft
from easel_app.trajectories.training.train import train
from tests.trajectories.small import made
from tests_train.settings import small


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small data set of geometry."""
    folder = tmp_path_factory.mktemp("data") / "data"
    made(folder, pool={"families": {"geometry": 1.0}})
    return folder


def test_datasets_reads_the_folder_by_its_card(data: Path, tmp_path: Path) -> None:
    note = export_sft(data, tmp_path / "sft", 2)
    found = load_dataset(str(tmp_path / "sft"))
    assert {split: rows.num_rows for split, rows in found.items()} == {
        split: counts.get("C1", 0) + counts["C2"] for split, counts in note.counts.items()
    }
    first = found["train"][0]
    size = DataSet(data).manifest.recipe.pool.size
    assert [image.size for image in first["images"]] == [(size, size)] * 2
    assert [message["role"] for message in first["prompt"] + first["completion"]] == ["system", "user", "assistant"]


def test_datasets_reads_the_lines_for_llama_factory(data: Path, tmp_path: Path) -> None:
    note = export_sft(data, tmp_path / "sft", 1, "llama-factory")
    found = load_dataset("json", data_files=str(tmp_path / "sft" / "train.jsonl"), split="train")
    assert found.num_rows == note.training
    assert all((tmp_path / "sft" / name).exists() for row in found for name in row["images"])


@pytest.mark.parametrize("look", [PLAIN, Look(scale=2)])
def test_an_export_is_trained_on_as_it_is(look: Look, base: Path, data: Path, tmp_path: Path) -> None:
    export_sft(data, tmp_path / "sft", 1, look=look)
    made = train(small(1, steps=1), tmp_path / "sft", tmp_path / "output", base=str(base))
    assert made.steps == 1 and (made.adapter / "adapter_model.safetensors").exists()
