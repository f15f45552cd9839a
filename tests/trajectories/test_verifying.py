"""Verification finds every kind of damage, whether or not the manifest was made to agree with it."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from easel_app.services.problems import Conflict, NotFound
from easel_app.trajectories.reading import DataSet
from easel_app.trajectories.verifying import verify
from tests.trajectories.small import made

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trajectories") / "good"
    made(path)
    return path


@pytest.fixture
def data(good: Path, tmp_path: Path) -> Path:
    shutil.copytree(good, tmp_path / "data")
    return tmp_path / "data"


def forge(data: Path, part: str, change: Callable[[Rows], None]) -> str:
    """Change rows of the first file of a part, and the manifest with it; returns the file's name."""
    path = sorted((data / part).glob("train-*"))[0]
    table = pq.read_table(path)
    rows = table.to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)
    manifest = json.loads((data / "manifest.json").read_text())
    name = f"{part}/{path.name}"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest["bytes"][part] += path.stat().st_size - manifest["files"][name]["bytes"]
    manifest["files"][name] = {"sha256": digest, "bytes": path.stat().st_size, "rows": len(rows)}
    (data / "manifest.json").write_text(json.dumps(manifest))
    return name


def faults(data: Path) -> tuple[str, ...]:
    return verify(DataSet(data), share=1.0, scores=True).faults


def test_a_good_one_has_no_faults(good: Path) -> None:
    assert faults(good) == ()


@pytest.mark.parametrize("part", ["references", "trajectories", "samples"])
def test_files_that_are_short_gone_or_foreign_are_named(part: str, data: Path) -> None:
    first, second = sorted((data / part).glob("train-*"))[:2]
    first.write_bytes(first.read_bytes()[:-9])
    second.unlink()
    (data / part / "train-00099-of-00099.parquet").write_bytes(b"PAR1")
    found = faults(data)
    assert any(f"{part}/{first.name} is not the file that the manifest names" in fault for fault in found)
    assert f"{part}/{second.name} is not there." in found
    assert f"{part}/train-00099-of-00099.parquet is not of this data set." in found
    assert len(found) == 3


def _other_action(rows: Rows) -> None:
    rows[3]["action"][0] = (rows[3]["action"][0] + 500) % 1001


def _other_canvas(rows: Rows) -> None:
    rows[3]["canvas"], rows[4]["canvas"] = rows[4]["canvas"], rows[3]["canvas"]


def _other_reference(rows: Rows) -> None:
    rows[0]["reference"] = rows[-1]["reference"]


def _other_score(rows: Rows) -> None:
    rows[3]["similarity_after"] += 0.25


def _no_such_step(rows: Rows) -> None:
    rows[3]["step"] = 99


def _stranger(rows: Rows) -> None:
    rows[3]["reference_key"] = "0" * 16


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_other_action, "has another action than its trajectory"),
        (_other_canvas, "shows another canvas than its strokes lead to"),
        (_other_reference, "shows another reference"),
        (_other_score, "has other similarities than its trajectory"),
        (_no_such_step, "is of no step of its trajectory"),
        (_stranger, "not those of its references"),
        (lambda rows: rows.clear(), "are not those that the recipe chooses"),
        (lambda rows: rows.__delitem__(slice(9)), "are not those that the recipe chooses"),
        (lambda rows: rows.extend(rows[:]), "not those of its references"),
        (lambda rows: rows.reverse(), "not those of its references"),
        (lambda rows: rows[0].update(subset="C9"), "are not those that the recipe chooses"),
        (lambda rows: rows[0].update(family="oil"), "tells another family"),
        (lambda rows: rows[0].update(strokes=7), "tells another family or number of strokes"),
        (lambda rows: rows[0].update(step=None), "is damaged"),
        (lambda rows: rows[0].update(canvas=None), "is damaged"),
    ],
)
def test_a_forged_sample_is_found(change: Callable[[Rows], None], words: str, data: Path) -> None:
    name = forge(data, "samples", change)
    found = faults(data)
    assert all(fault.startswith((name, "The manifest tells of")) for fault in found)
    assert any(fault.startswith(name) and words in fault for fault in found)


def _other_stroke(rows: Rows) -> None:
    rows[1]["actions"][7] = 1000 - rows[1]["actions"][7]


def _other_similarity(rows: Rows) -> None:
    rows[1]["similarity"][5] += 1e-12


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_other_stroke, "lead to another canvas"),
        (_other_similarity, "are others"),
        (lambda rows: rows[0].update(painter="nobody/1"), "is by another painter"),
        (lambda rows: rows[0].update(seed=7), "is of another seed"),
        (lambda rows: rows[0]["actions"].pop(), "is damaged"),
        (lambda rows: rows[0]["actions"].__setitem__(0, 1001), "is not in 0 to 1000"),
        (lambda rows: rows[0]["actions"].__setitem__(0, -1), "is not in 0 to 1000"),
        (lambda rows: rows[0].update(similarity=[]), "has not a similarity for each"),
        (lambda rows: rows.pop(), "is damaged"),
        (lambda rows: rows.reverse(), "is damaged"),
    ],
)
def test_a_forged_trajectory_is_found(change: Callable[[Rows], None], words: str, data: Path) -> None:
    name = forge(data, "trajectories", change)
    assert any(name in fault and words in fault for fault in faults(data))


def test_a_forged_picture_is_found(data: Path) -> None:
    def exchange(rows: Rows) -> None:
        rows[0]["image"], rows[1]["image"] = rows[1]["image"], rows[0]["image"]

    forge(data, "references", exchange)
    assert any("is another one" in fault for fault in faults(data))


def test_a_small_share_still_looks_into_every_shard(good: Path) -> None:
    data = DataSet(good)
    assert verify(data, share=0.001).references == len(data.shards())


def test_what_is_no_data_set_is_said_to_be_none(tmp_path: Path, data: Path) -> None:
    with pytest.raises(NotFound, match=r"no manifest\.json"):
        DataSet(tmp_path / "nowhere")
    (data / "manifest.json").write_text('{"format": "easel-trajectories/0"}')
    with pytest.raises(Conflict, match="not of the format easel-trajectories/1"):
        DataSet(data)


FIGURES: list[tuple[str, Any]] = [
    ("trajectories", 13),
    ("strokes", 1),
    ("mean_similarity", 0.99),
    ("distinct", 1),
    ("falling", 0),
    ("samples", {"train": {"C1": 1, "C2": 1}}),
    ("terms", []),
    ("bytes", {"references": 1, "trajectories": 1, "samples": 1}),
]


@pytest.mark.parametrize(("figure", "value"), FIGURES, ids=[name for name, _ in FIGURES])
def test_a_figure_of_the_manifest_that_the_tables_do_not_have_is_found(figure: str, value: Any, data: Path) -> None:
    manifest = json.loads((data / "manifest.json").read_text())
    assert manifest[figure] != value
    (data / "manifest.json").write_text(json.dumps(manifest | {figure: value}))
    assert faults(data) == (f"The manifest tells of {figure} what the tables do not.",)


@pytest.mark.parametrize("references", [{"train": 0}, {"train": -5}, {"train": 10**12}, {}, {"train": 8}], ids=str)
def test_a_manifest_whose_references_are_not_its_recipes_is_refused(references: dict[str, int], data: Path) -> None:
    manifest = json.loads((data / "manifest.json").read_text())
    (data / "manifest.json").write_text(json.dumps(manifest | {"references": references}))
    with pytest.raises(Conflict, match="contradicts itself"):
        DataSet(data)


def test_a_train_shard_over_the_validation_one_is_found(data: Path) -> None:
    manifest = json.loads((data / "manifest.json").read_text())
    for part in ("references", "trajectories", "samples"):
        train, validation = (sorted((data / part).glob(f"{split}-*"))[0] for split in ("train", "validation"))
        shutil.copy(train, validation)
        manifest["files"][f"{part}/{validation.name}"] = manifest["files"][f"{part}/{train.name}"]
    (data / "manifest.json").write_text(json.dumps(manifest))
    assert any("is in another shard, too" in fault for fault in faults(data))


@pytest.mark.parametrize("name", ["samples/deeper/a.parquet", "samples/b.PARQUET", "train.parquet", "notes.txt"])
def test_a_file_that_is_not_of_the_data_set_is_found_wherever_it_is(name: str, data: Path) -> None:
    (data / name).parent.mkdir(exist_ok=True)
    (data / name).write_bytes(b"PAR1")
    assert faults(data) == (f"{name} is not of this data set.",)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b"{}", b"null", b"[" * 100_000])
def test_a_manifest_that_is_none_is_said_to_be_none(content: bytes, data: Path) -> None:
    (data / "manifest.json").write_bytes(content)
    with pytest.raises(Conflict, match="not of the format"):
        DataSet(data)


def test_a_table_that_is_no_table_is_named_and_the_others_are_still_looked_at(data: Path) -> None:
    manifest = json.loads((data / "manifest.json").read_text())
    first, second = sorted((data / "samples").glob("train-*"))[:2]
    first.write_bytes(b"no table")
    digest = hashlib.sha256(b"no table").hexdigest()
    manifest["files"][f"samples/{first.name}"] |= {"sha256": digest, "bytes": 8}
    (data / "manifest.json").write_text(json.dumps(manifest))
    second.write_bytes(second.read_bytes()[:-1])
    found = faults(data)
    assert any(f"samples/{first.name} is damaged" in fault for fault in found)
    assert any(fault.startswith(f"samples/{second.name} is not the file") for fault in found)
