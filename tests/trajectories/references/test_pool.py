"""The pool of all families."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from easel_app.services.problems import Invalid, Refusal
from easel_app.settings import data_folder
from easel_app.trajectories.recipe import PoolWish
from easel_app.trajectories.references.families import quotas
from easel_app.trajectories.references.pictures import visible
from easel_app.trajectories.references.pool import BITS, OVERLAP, Placed, interleaved, overlap, pool
from easel_app.trajectories.references.reference import Box, Skipped
from easel_app.trajectories.references.splitting import split_of
from tests.trajectories.references.files import file, noise

SHARES = st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1e6), min_size=1)


def wish(**changes: Any) -> PoolWish:
    return PoolWish(**{"references": 40, "size": 32, "validation": 0.25, **changes})


def placed(asked: PoolWish) -> list[Placed]:
    return [each for each in pool(asked) if isinstance(each, Placed)]


def with_pictures(path: Path, count: int) -> Path:
    for k in range(count):
        (path / f"{k:03}.png").write_bytes(file(noise(k)))
    return path


@given(SHARES, st.integers(1, 10_000))
def test_quotas_are_exact_and_within_one_of_the_shares(shares: dict[str, float], total: int) -> None:
    if sum(shares.values()) <= 0:
        with pytest.raises(Invalid, match="No family of references has a share"):
            quotas(shares, total)
        return
    given_ = quotas(shares, total)
    whole = sum(shares.values())
    assert sum(given_.values()) == total
    assert all(abs(given_[name] - total * share / whole) < 1 + 1e-6 for name, share in shares.items())


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 60), min_size=1))
def test_families_take_turns_so_that_every_beginning_has_its_share_of_each(wanted: dict[str, int]) -> None:
    order = list(interleaved(wanted))
    assert Counter(order) == Counter({name: count for name, count in wanted.items() if count})
    for end in range(len(order)):
        begun = Counter(order[:end])
        assert all(abs(begun[name] - wanted[name] * end / len(order)) < len(wanted) for name in wanted)


def test_the_same_wish_gives_the_same_references_and_each_is_numbered_within_its_split() -> None:
    first, again = placed(wish()), placed(wish())
    assert [(each.key, each.split, each.number) for each in first] == [(e.key, e.split, e.number) for e in again]
    assert len(first) == len({each.key for each in first}) == 40
    assert all(each.key == each.reference.key and len(each.key) == 16 for each in first)
    for split in ("train", "validation"):
        own = [each.number for each in first if each.split == split]
        assert own == list(range(len(own))) and own
    assert Counter(each.reference.family for each in first) == quotas(wish().families, 40)


def test_a_longer_pool_begins_with_the_shorter_one_of_each_family() -> None:
    short = {each.reference.family: [] for each in placed(wish())}
    for each in placed(wish()):
        short[each.reference.family].append(each.key)
    longer = placed(wish(references=80))
    for family, keys in short.items():
        assert [each.key for each in longer if each.reference.family == family][: len(keys)] == keys


def test_another_seed_gives_other_references() -> None:
    assert not {each.key for each in placed(wish())} & {each.key for each in placed(wish(seed=1))}


def test_the_split_has_about_its_share_and_is_the_groups() -> None:
    found = placed(wish(references=200, size=32, families={"geometry": 1.0}))
    assert 0.1 < sum(each.split == "validation" for each in found) / len(found) < 0.4
    assert all(each.split == split_of(each.reference.group, 0.25) for each in found)
    assert all(each.split == "train" for each in placed(wish(validation=0.0)))


def test_no_two_crops_of_a_photograph_share_more_than_half() -> None:
    views = []
    skips: Counter[str] = Counter()
    for each in pool(wish(references=150, families={"photographs": 1.0})):
        if isinstance(each, Skipped):
            skips[each.reason] += 1
        else:
            assert each.reference.view
            views.append(each.reference.view)
    assert skips["overlapping"] > 10
    for one, other in itertools.combinations(views, 2):
        assert one.picture != other.picture or overlap(one.box, other.box) <= OVERLAP


BOXES = st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 20), st.integers(1, 20)).map(
    lambda box: (box[0], box[1], box[0] + box[2], box[1] + box[3])
)


@given(BOXES, BOXES)
def test_overlap_is_the_share_of_pixels_of_both_that_both_have(one: Box, other: Box) -> None:
    masks = np.zeros((2, 41, 41), bool)
    for mask, (left, top, right, bottom) in zip(masks, (one, other), strict=True):
        mask[top:bottom, left:right] = True
    assert overlap(one, other) == pytest.approx((masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum())


def test_a_folder_gives_each_picture_once_and_the_rest_is_told(tmp_path: Path) -> None:
    with_pictures(tmp_path, 5)
    (tmp_path / "copy.png").write_bytes((tmp_path / "000.png").read_bytes())
    (tmp_path / "again.webp").write_bytes(file(noise(1), "WEBP", lossless=True))
    (tmp_path / "nearly.jpg").write_bytes(file(noise(2), "JPEG", quality=80))
    (tmp_path / "broken.png").write_bytes(b"\x89PNG")
    found = []
    with pytest.raises(Refusal) as refused:
        for each in pool(wish(references=6, families={f"folder:{tmp_path}": 1.0})):
            found.append(each)
    assert sum(isinstance(each, Placed) for each in found) == 5
    assert Counter(each.reason for each in found if isinstance(each, Skipped)) == {
        "duplicate": 2,
        "near duplicate": 1,
        "broken": 1,
    }
    assert refused.value.code == "too_few_references"
    for part in ("gives 5 references of 9 candidates", "2 duplicate", "1 broken", "6 are asked for", "smaller share"):
        assert part in refused.value.message


def test_a_folder_that_is_too_small_is_refused_before_the_first_picture(tmp_path: Path) -> None:
    with_pictures(tmp_path, 3)
    with pytest.raises(Invalid, match="has 3 candidates, and 20 are asked for"):
        next(pool(wish(families={f"folder:{tmp_path}": 1.0, "geometry": 1.0})))


def test_a_picture_of_a_task_in_a_folder_is_left_out_by_name(tmp_path: Path) -> None:
    with_pictures(tmp_path, 4)
    with Image.open(data_folder() / "tasks" / "natural-03.png") as image:
        image.transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(tmp_path / "cat.jpg", quality=80)
    found = []
    with pytest.raises(Refusal):
        for each in pool(wish(references=5, size=128, families={f"folder:{tmp_path}": 1.0})):
            found.append(each)
    skipped = [each for each in found if isinstance(each, Skipped)]
    assert [each.reason for each in skipped] == ["like task natural-03"]
    assert skipped[0].message.startswith("cat.jpg") and "must not be trained on" in skipped[0].message


def test_flat_pictures_of_different_colours_are_not_the_same(tmp_path: Path) -> None:
    for k in range(6):
        Image.new("RGB", (40, 40), (40 * k, 255 - 40 * k, 128)).save(tmp_path / f"{k}.png")
    assert len(placed(wish(references=6, families={f"folder:{tmp_path}": 1.0}))) == 6


def test_what_a_folder_gives_does_not_depend_on_what_else_is_asked_for(tmp_path: Path) -> None:
    name = f"folder:{with_pictures(tmp_path, 12)}"
    alone = [each.key for each in placed(wish(references=10, families={name: 1.0}))]
    mixed = placed(wish(references=20, families={"geometry": 1.0, name: 1.0}))
    assert [each.key for each in mixed if each.reference.family == "folder"] == alone


@pytest.mark.parametrize("name", ["nothing", "folder", "folder:", "geometry:x", "hub:", "unknown:/tmp", ""])
def test_an_unknown_family_is_refused_with_those_that_there_are(name: str) -> None:
    with pytest.raises(Invalid, match=r"There is no family of references .* geometry, text, .* hub:PLACE"):
        next(pool(wish(families={name: 1.0})))


def test_a_family_of_no_share_is_not_even_opened() -> None:
    asked = wish(families={"geometry": 1.0, "folder:/nowhere": 0.0})
    assert len(placed(asked)) == 40


def test_what_was_seen_is_found_again_after_the_table_has_grown(tmp_path: Path) -> None:
    from easel_app.trajectories.references.geometry import Geometry
    from easel_app.trajectories.references.leaks import Tasks
    from easel_app.trajectories.references.pool import Seen

    seen, source = Seen(Tasks([])), Geometry(4, 32)
    pictures = [source.draw(index) for index in range(1060)]
    taken = [picture for picture in pictures if seen.refusal(picture, picture.key) is None]
    assert len(taken) > 1030
    assert {seen.refusal(picture, picture.key)[0] for picture in taken} == {"duplicate"}  # type: ignore[index]
    moved = taken[0]._replace(pixels=np.clip(taken[0].pixels.astype(int) + 1, 0, 255).astype(np.uint8))
    assert seen.refusal(moved, moved.key) == ("near duplicate", "a picture that looks the same is there already")
    assert BITS < 16


@pytest.mark.parametrize(
    "name", ["folder:~nobody-of-that-name/x", "folder:\0", "coco:~nobody-of-that-name", "hub:~nobody-x/y"]
)
def test_a_place_that_no_path_can_name_is_refused(name: str) -> None:
    with pytest.raises(Refusal):
        list(pool(PoolWish(references=1, families={name: 1.0})))


def test_a_title_of_any_length_is_kept_short() -> None:
    assert visible("word " * 10**6) == f"{('word ' * 60)[:299]}…"
    assert visible("cat") == "cat"
