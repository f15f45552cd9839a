"""A data set of trajectories is what its card tells `datasets`: configs, splits, columns, pictures that decode."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from datasets import load_dataset

from easel_app.painting import png
from easel_app.trajectories.reading import DataSet
from tests.trajectories.small import made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trajectories") / "data"
    made(path)
    return path


def test_samples_load_with_their_pictures(folder: Path, tmp_path: Path) -> None:
    for split in ("train", "validation"):
        rows = load_dataset(str(folder), "samples", split=split, cache_dir=str(tmp_path))
        samples = list(DataSet(folder).samples(split))
        assert len(rows) == len(samples) > 0
        for row, sample in zip(rows, samples, strict=True):
            assert (row["reference_key"], row["step"], tuple(row["action"])) == (
                sample.reference_key,
                sample.step,
                sample.action,
            )
            assert np.array_equal(np.asarray(row["canvas"].convert("RGB")), png.decode(sample.canvas))


@pytest.mark.parametrize("config", ["trajectories", "references"])
def test_the_other_tables_load_too(config: str, folder: Path, tmp_path: Path) -> None:
    found = load_dataset(str(folder), config, cache_dir=str(tmp_path))
    assert {split: len(found[split]) for split in found} == DataSet(folder).manifest.references


def test_samples_without_pictures_load_as_well(tmp_path: Path) -> None:
    made(tmp_path / "bare", images=False)
    rows = load_dataset(str(tmp_path / "bare"), split="train", cache_dir=str(tmp_path / "cache"))
    assert "canvas" not in rows.column_names
    assert len(rows[0]["action"]) == 13
