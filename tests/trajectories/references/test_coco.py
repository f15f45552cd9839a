"""Data sets in the layout of COCO and of Tiny ImageNet."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.services.problems import Invalid, NotFound
from easel_app.trajectories.references import json_stream
from easel_app.trajectories.references.coco import Box, Coco, _crop
from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.json_stream import top_level
from easel_app.trajectories.references.reference import Reference, Skipped
from easel_app.trajectories.references.tiny_imagenet import TinyImageNet
from tests.trajectories.references.files import file, noise


def coco(path: Path, **changes: Any) -> Path:
    """A data set of four pictures; picture 3 shows nothing but a crowd, picture 4 is not there."""
    told: dict[str, Any] = {
        "info": {"year": 2017},
        "licenses": [{"id": 4, "name": "Attribution License", "url": "http://creativecommons.org/licenses/by/2.0/"}],
        "images": [{"id": k, "file_name": f"{k}.jpg", "width": 300, "height": 200, "license": 4} for k in (1, 2, 3, 4)],
        "annotations": [
            {
                "id": 1,
                "image_id": 1,
                "category_id": 7,
                "bbox": [20, 30, 80, 60],
                "iscrowd": 0,
                "segmentation": [[1, 2]],
            },
            {"id": 2, "image_id": 2, "category_id": 7, "bbox": [10, 10, 60, 60], "iscrowd": 0},
            {"id": 3, "image_id": 2, "category_id": 9, "bbox": [80, 20, 60, 50], "iscrowd": 0},
            {"id": 4, "image_id": 2, "category_id": 9, "bbox": [200, 100, 90, 90], "iscrowd": 0},
            {"id": 5, "image_id": 2, "category_id": 9, "bbox": [0, 0, 8, 8], "iscrowd": 0},
            {"id": 6, "image_id": 3, "category_id": 9, "bbox": [0, 0, 90, 90], "iscrowd": 1},
            {"id": 7, "image_id": 4, "category_id": 9, "bbox": [0, 0, 90, 90], "iscrowd": 0},
        ],
        "categories": [{"id": 7, "name": "cat"}, {"id": 9, "name": "cup"}],
        **changes,
    }
    (path / "annotations").mkdir(parents=True)
    (path / "annotations" / "instances_train2017.json").write_text(json.dumps(told))
    (path / "train2017").mkdir()
    for k in (1, 2, 3):
        (path / "train2017" / f"{k}.jpg").write_bytes(file(noise(k, 300, 200), "JPEG"))
    return path


def drawn(source: Coco | TinyImageNet) -> dict[str, Reference | Skipped]:
    found = [source.draw(index) for index in range(source.count)]
    return {each.name if isinstance(each, Skipped) else each.source.detail.split(",")[0]: each for each in found}


def test_pictures_with_a_subject_are_cropped_to_it_and_told_with_their_licence(tmp_path: Path) -> None:
    found = drawn(pickle.loads(pickle.dumps(Coco(coco(tmp_path), 0, 64))))
    assert set(found) == {"1.jpg", "2.jpg", "4.jpg"}
    one = found["1.jpg"]
    assert isinstance(one, Reference)
    assert (one.family, one.title, one.pixels.shape) == ("coco", "Cat", (64, 64, 3))
    assert one.source.origin == "COCO, train2017"
    assert one.source.licence == "Attribution License (http://creativecommons.org/licenses/by/2.0/)"
    missing = found["4.jpg"]
    assert isinstance(missing, Skipped) and missing.reason == "missing"


@pytest.mark.parametrize("folder", ["train2017", "images", "images/train2017"])
def test_pictures_are_found_in_every_usual_place(tmp_path: Path, folder: str) -> None:
    path = coco(tmp_path)
    (path / "train2017").rename(path / "elsewhere")
    (path / folder).parent.mkdir(exist_ok=True)
    (path / "elsewhere").rename(path / folder)
    assert isinstance(drawn(Coco(path, 0, 32))["1.jpg"], Reference)


def test_only_what_is_not_held_out_is_read_unless_a_split_is_named(tmp_path: Path) -> None:
    path = coco(tmp_path)
    annotations, other = path / "annotations", path / "annotations" / "instances_val2017.json"
    other.write_text(
        (annotations / "instances_train2017.json").read_text().replace('"file_name": "', '"file_name": "v')
    )
    assert {name[0] for name in drawn(Coco(path, 0, 32))} == {"1", "2", "4"}
    for split in ("val2017", "val"):
        assert {name[0] for name in drawn(Coco(Path(f"{path}#{split}"), 0, 32))} == {"v"}
    with pytest.raises(Invalid, match=r"no annotations of a split test; name one of .*instances_val2017\.json"):
        Coco(Path(f"{path}#test"), 0, 32)
    (annotations / "instances_train2017.json").unlink()
    with pytest.raises(Invalid, match="no annotations outside of test and validation splits"):
        Coco(path, 0, 32)


def test_a_folder_whose_own_name_has_a_number_sign_is_read(tmp_path: Path) -> None:
    assert Coco(coco(tmp_path / "set#2"), 0, 32).count == 3


def test_one_two_and_many_subjects_all_come_up(tmp_path: Path) -> None:
    path = coco(tmp_path)
    titles = {drawn(Coco(path, seed, 32))["2.jpg"].title for seed in range(40)}  # type: ignore[union-attr]
    assert {"Cat", "Cat, cup", "Cup"} <= titles


BOXES = st.lists(
    st.builds(Box, st.floats(0, 900), st.floats(0, 700), st.floats(0, 600), st.floats(48, 600), st.integers(0, 3)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=100)
@given(BOXES, st.integers(32, 1000), st.integers(32, 1000), st.integers(0, 99))
def test_a_crop_lies_within_its_picture(boxes: list[Box], width: int, height: int, seed: int) -> None:
    left, top, side, shown = _crop(Dice(seed), boxes, width, height)
    assert 32 <= side <= min(width, height)
    assert 0 <= left <= width - side and 0 <= top <= height - side
    assert shown


def test_a_name_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.jpg").write_bytes(file(noise(9, 300, 200), "JPEG"))
    names = ["../../secret.jpg", str(tmp_path / "secret.jpg"), "a\0b.jpg"]
    images = [{"id": k, "file_name": name, "width": 300, "height": 200} for k, name in enumerate(names)]
    boxes = [{"image_id": k, "category_id": 7, "bbox": [0, 0, 90, 90]} for k in range(3)]
    source = Coco(coco(tmp_path / "set", images=images, annotations=boxes), 0, 32)
    assert {source.draw(k).reason for k in range(3)} == {"missing"}  # type: ignore[union-attr]


def test_a_picture_of_another_size_than_its_annotations_is_skipped(tmp_path: Path) -> None:
    path = coco(tmp_path)
    (path / "train2017" / "1.jpg").write_bytes(file(noise(1, 100, 100), "JPEG"))
    assert drawn(Coco(path, 0, 32))["1.jpg"].reason == "unlike its annotations"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"images": [{"id": 1}]}', '{"annotations": [3]}', '{"images": 3', "x", "[" * 9999]
)
def test_damaged_annotations_are_refused(tmp_path: Path, text: str) -> None:
    path = coco(tmp_path)
    (path / "annotations" / "instances_train2017.json").write_text(text)
    with pytest.raises(Invalid, match=r"instances_train2017\.json is damaged"):
        Coco(path, 0, 32)


def test_boxes_that_are_none_count_for_nothing(tmp_path: Path) -> None:
    boxes = [[0, 0, float("nan"), 90], [0, 0, float("inf"), 90], [-5, 0, 90, 90], [0, 0, 1e9, 90], [0, 0, 20, 20]]
    told = [{"image_id": 1, "category_id": 7, "bbox": box} for box in boxes]
    assert Coco(coco(tmp_path, annotations=told), 0, 32).count == 0


def test_folders_of_another_layout_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"There is no folder"):
        Coco(tmp_path / "none", 0, 32)
    with pytest.raises(Invalid, match="not laid out as COCO"):
        Coco(tmp_path, 0, 32)
    with pytest.raises(Invalid, match="no Tiny ImageNet"):
        TinyImageNet(tmp_path, 0, 32)


LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5)


@settings(max_examples=50)
@given(st.dictionaries(st.text(), VALUES, max_size=4), st.integers(1, 9), st.sampled_from([None, 2]))
def test_a_large_file_is_read_piece_by_piece_as_json_reads_it_whole(
    tmp_path_factory: pytest.TempPathFactory, content: dict[str, Any], chunk: int, indent: int | None
) -> None:
    path = tmp_path_factory.getbasetemp() / "large.json"
    path.write_text(json.dumps(content, indent=indent), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "CHUNK", chunk)
        found = list(top_level(path))
    assert found == [
        (name, each) for name, value in content.items() for each in (value if isinstance(value, list) else [value])
    ]


def tiny(path: Path) -> Path:
    for name in (
        "train/n01443537/images/n01443537_0.JPEG",
        "train/n09999999/images/n09999999_3.JPEG",
        "val/images/val_0.JPEG",
    ):
        (path / name).parent.mkdir(parents=True)
        (path / name).write_bytes(file(noise(sum(map(ord, name)), 64, 64), "JPEG"))
    (path / "test" / "images").mkdir(parents=True)
    (path / "test" / "images" / "test_0.JPEG").write_bytes(file(noise(5, 64, 64), "JPEG"))
    (path / "train" / "n01443537" / "n01443537_boxes.txt").write_text("n01443537_0.JPEG\t0\t0\t9\t9")
    (path / "words.txt").write_text("n01443537\tgoldfish, Carassius auratus\n")
    (path / "val" / "val_annotations.txt").write_text("val_0.JPEG\tn01443537\t0\t32\t44\t62\n")
    return path


def test_tiny_imagenet_gives_train_and_val_by_the_words_of_their_wnids_and_never_test(tmp_path: Path) -> None:
    source = pickle.loads(pickle.dumps(TinyImageNet(tiny(tmp_path), 0, 128)))
    found = drawn(source)
    assert {name: each.title for name, each in found.items()} == {  # type: ignore[union-attr]
        "train/n01443537/images/n01443537_0.JPEG": "goldfish",
        "train/n09999999/images/n09999999_3.JPEG": "n09999999",
        "val/images/val_0.JPEG": "goldfish",
    }
    assert all(isinstance(each, Reference) and each.pixels.shape == (128, 128, 3) for each in found.values())
    assert len({np.asarray(each.pixels).tobytes() for each in found.values()}) == 3  # type: ignore[union-attr]


def test_tiny_imagenet_without_its_lists_still_gives_pictures(tmp_path: Path) -> None:
    path = tiny(tmp_path)
    (path / "words.txt").unlink()
    (path / "val" / "val_annotations.txt").unlink()
    assert {each.title for each in drawn(TinyImageNet(path, 0, 32)).values()} == {  # type: ignore[union-attr]
        "n01443537",
        "n09999999",
        "val_0.JPEG",
    }


@pytest.mark.parametrize(
    "box", [[60, 1, 60, float("nan")], [1, float("inf"), 60, 60], [1, 1, -60, 60], [1e6, 1, 60, 60]]
)
def test_a_box_with_a_number_that_is_none_counts_for_nothing(box: list[float], tmp_path: Path) -> None:
    one = {"id": 1, "image_id": 1, "category_id": 7, "bbox": box, "iscrowd": 0}
    sound = {"id": 2, "image_id": 2, "category_id": 9, "bbox": [10, 10, 60, 60], "iscrowd": 0}
    assert list(drawn(Coco(coco(tmp_path, annotations=[one, sound]), 0, 64))) == ["2.jpg"]


def test_a_picture_whose_boxes_lie_outside_of_it_is_skipped(tmp_path: Path) -> None:
    away = {"id": 1, "image_id": 1, "category_id": 7, "bbox": [1e5, 1e5, 60, 60], "iscrowd": 0}
    found = drawn(Coco(coco(tmp_path, annotations=[away]), 0, 64))["1.jpg"]
    assert isinstance(found, Skipped)
    assert (found.reason, "outside" in found.message) == ("unlike its annotations", True)


def test_ids_of_several_types_have_an_order_all_the_same(tmp_path: Path) -> None:
    images = [{"id": k, "file_name": f"{number}.jpg", "width": 300, "height": 200} for number, k in ((1, 1), (2, "b"))]
    boxes = [{"id": 1, "image_id": k, "category_id": 7, "bbox": [10, 10, 60, 60], "iscrowd": 0} for k in (1, "b")]
    assert len(drawn(Coco(coco(tmp_path, images=images, annotations=boxes), 0, 64))) == 2
