"""Families: an instance is its name, the five are instances, and files that were touched are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from easel_app.painting import png
from easel_app.painting.env import catalogue, find_task
from easel_app.painting.families.export import export
from easel_app.painting.families.registry import FAMILIES, LARGEST_SEED, family_of, generated, instances, name_of
from easel_app.painting.tasks import SEMANTIC, Catalogue
from easel_app.painting.truth import MazeTruth, OutlineTruth, read_truth, truth_digest, write_truth
from easel_app.settings import data_folder
from tools.build_tasks import semantic

ALL = [(name, size) for name, family in FAMILIES.items() for size in family.sizes]


@pytest.mark.parametrize("name, size", ALL)
def test_the_same_name_is_the_same_task_and_another_seed_is_another(name: str, size: int) -> None:
    ids = [name_of(name, size, seed) for seed in (1, 2)]
    one, two = (generated(task_id) for task_id in ids)
    assert one and two and one.id == ids[0] and one.width == size and one.kind is FAMILIES[name].kind
    draft = FAMILIES[name].draft(size, 1)
    assert (draft.picture == one.reference).all() and truth_digest(draft.truth) == truth_digest(one.truth)  # type: ignore[arg-type]
    assert one.digest != two.digest
    assert one.task_set == FAMILIES[name].version and one.category == "generated"


@pytest.mark.parametrize(
    "task_id",
    [
        "maze-100-1", "maze-64", "maze-64-", "maze-64--1", "maze-64-01", "maze-64-+1", "maze-64-1 ", "Maze-64-1",
        "maze-64-1e3", "labyrinth-64-1", "handwriting-64-1", f"maze-64-{LARGEST_SEED + 1}", "maze-64-" + 20 * "9",
        "maze-064-1", "", "maze-64-1１", "maze-6４-1", "../maze-64-1", "maze-64-1/..", "maze-64-1\n",
    ],
)  # fmt: skip
def test_a_name_that_is_none_is_no_task(task_id: str) -> None:
    assert generated(task_id) is None and family_of(task_id) is None and find_task(task_id) is None


def test_the_largest_seed_is_a_task() -> None:
    assert all(generated(name_of(name, size, LARGEST_SEED)) for name, size in ALL if size == 128)


def test_a_range_of_seeds_stands_for_its_instances() -> None:
    assert instances("maze-64-8..11") == ["maze-64-8", "maze-64-9", "maze-64-10", "maze-64-11"]
    assert instances("natural-01") == ["natural-01"] and instances("hello") == ["hello"]
    assert family_of("maze-512-7") == "maze-512" and family_of("harder-maze") is None
    for text in ("maze-64-3..2", "maze-64-0..1000"):
        with pytest.raises(ValueError, match="name 1 to 1000"):
            instances(text)


def test_the_five_in_the_repository_are_what_the_builder_makes(tmp_path: Path) -> None:
    built = semantic.write(tmp_path)
    kept = [task for task in catalogue() if task.category == SEMANTIC]
    assert [(task.id, task.digest, task.model_dump()) for task in built] == [
        (task.id, task.digest, task.model_dump()) for task in kept
    ]
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted(path.name for path in (data_folder() / SEMANTIC).iterdir() if path.suffix != ".md")
    assert (tmp_path / "catalogue.json").read_text() == (data_folder() / SEMANTIC / "catalogue.json").read_text()


@pytest.mark.parametrize("kept", ["apple-outline.mask.png", "harder-maze.mask.png", "catalogue.json"])
def test_a_truth_that_was_touched_is_refused(tmp_path: Path, kept: str) -> None:
    folder = tmp_path / "semantic"
    shutil.copytree(data_folder() / SEMANTIC, folder)
    if kept.endswith(".png"):
        mask = np.array(Image.open(folder / kept).convert("1"))
        mask[5, 5] ^= True
        Image.fromarray(mask).save(folder / kept)
    else:
        content = json.loads((folder / kept).read_text())
        content["tasks"][2]["truth"]["word"] = "hallo"
        (folder / kept).write_text(json.dumps(content))
    with pytest.raises(ValueError, match="restore data/semantic"):
        Catalogue(folder)


@pytest.mark.parametrize("task_id", ["circle-64-1", "handwriting-128-1", "maze-64-1"])
def test_an_exported_task_is_read_back_as_it_was(tmp_path: Path, task_id: str) -> None:
    task = generated(task_id)
    assert task and task.truth
    export(task, tmp_path / "new" / "folder")
    record = json.loads((tmp_path / "new" / "folder" / f"{task_id}.json").read_text())
    truth = read_truth(record["truth"], tmp_path / "new" / "folder")
    assert type(truth) is type(task.truth) and truth_digest(truth) == truth_digest(task.truth)
    assert (png.decode((tmp_path / "new" / "folder" / f"{task_id}.png").read_bytes()) == task.reference).all()


def test_a_mask_that_is_missing_in_its_record_is_named(tmp_path: Path) -> None:
    truth = OutlineTruth(np.eye(64, dtype=bool))
    record = write_truth(truth, tmp_path, "x")
    del record["mask"]
    with pytest.raises(ValueError, match="names none"):
        read_truth(record, tmp_path)


def test_the_digest_of_a_maze_tells_its_route(tmp_path: Path) -> None:
    task = generated("maze-64-1")
    assert task and isinstance(task.truth, MazeTruth)
    assert truth_digest(task.truth) != truth_digest(task.truth._replace(route=task.truth.route[:-1]))
