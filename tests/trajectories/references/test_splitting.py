"""Validation is held out: nothing of a training picture is in one of validation's."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.trajectories.folder import Split
from easel_app.trajectories.recipe import DRAWN
from easel_app.trajectories.references import glyphs, photographs, text, words
from easel_app.trajectories.references.families import DRAWERS
from easel_app.trajectories.references.photographs import PHOTOGRAPHS, cells, free, meets
from easel_app.trajectories.references.reference import Reference
from easel_app.trajectories.references.splitting import beside, split_of

SHARES = (0.02, 0.25, 0.5)
COUNT = 500


def drawn(family: str, validation: float) -> dict[Split, list[Reference]]:
    """Candidates of a family by their splits; many enough that both are there at a share of 0.02."""
    found: dict[Split, list[Reference]] = {"train": [], "validation": []}
    for index in range(COUNT):
        one = DRAWERS[family](5, 32, validation).draw(index)
        assert isinstance(one, Reference)
        found[split_of(one.group, validation)].append(one)
    assert all(found.values())
    return found


@given(st.text(), st.floats(0, 0.5))
def test_the_split_is_the_groups_own_and_a_larger_share_only_adds(group: str, share: float) -> None:
    assert split_of(group, 0.0) == "train"
    assert split_of(group, 1.0) == "validation"
    if split_of(group, share) == "validation":
        assert split_of(group, min(0.5, share * 1.5)) == "validation"


def test_the_split_of_a_group_never_changes() -> None:
    """Whoever changes this moves references of every data set between its splits."""
    assert [k for k in range(100) if split_of(f"emoji {k}", 0.05) == "validation"] == [65]


@pytest.mark.parametrize("validation", SHARES)
def test_no_crop_of_validation_shares_a_pixel_with_one_of_train(validation: float) -> None:
    found = drawn("photographs", validation)
    for held in found["validation"]:
        for other in found["train"]:
            assert held.view and other.view
            assert held.view.picture != other.view.picture or not meets(held.view.box, other.view.box)


@pytest.mark.parametrize("validation", SHARES)
def test_no_room_for_crops_of_validation_meets_one_for_crops_of_train(validation: float) -> None:
    held = {one.file: free(one.file, "validation", validation) for one in PHOTOGRAPHS}
    assert any(held.values())
    for file, boxes in held.items():
        assert not any(meets(box, other) for box in boxes for other in free(file, "train", validation))
        assert not any(meets(box, other) for box in boxes for other in photographs.taken().get(file, ()))


def test_cells_cover_a_photograph_and_meet_nowhere() -> None:
    for one in PHOTOGRAPHS:
        height, width = photographs.whole(one.file).shape[:2]
        assert sum((c - a) * (d - b) for a, b, c, d in cells(one.file)) == width * height
        assert not any(meets(*pair) for pair in itertools.combinations(cells(one.file), 2))


@pytest.mark.parametrize("validation", SHARES)
def test_no_emoji_of_validation_is_in_a_picture_of_train(validation: float) -> None:
    shown = {
        split: {sprite.partition("/")[2] for one in ones for sprite in one.source.detail.split(" of ")[0].split(", ")}
        for split, ones in drawn("emoji", validation).items()
    }
    assert not shown["train"] & shown["validation"]


@pytest.mark.parametrize("validation", SHARES)
def test_no_sign_of_validation_is_in_a_picture_of_train_in_whichever_script(validation: float) -> None:
    def signs(title: str) -> list[str]:
        return title[1:-1].split(" ") if title.endswith("”") else [title[1]]

    shown = {
        split: {glyphs.group_of(sign) for one in ones for sign in signs(one.title)}
        for split, ones in drawn("glyphs", validation).items()
    }
    assert not shown["train"] & shown["validation"]
    assert glyphs.group_of("а") == glyphs.group_of("A") == glyphs.group_of("Α")


@pytest.mark.parametrize("validation", SHARES)
def test_no_word_of_validation_is_in_a_picture_of_train(validation: float) -> None:
    known = {*f"{words.LATIN} {words.GREEK} {words.CYRILLIC}".casefold().split()}
    shown: dict[Split, set[str]] = {}
    for split, ones in drawn("text", validation).items():
        written = [one for one in ones if one.group.removeprefix("text ") in known]
        shown[split] = {word.casefold() for one in written for word in one.title.strip("“”").split()}
        assert {one.group for one in written} <= {text.group_of(word) for word in shown[split]}
    assert shown["validation"] and not shown["train"] & shown["validation"]


@given(st.lists(st.text(), min_size=1), st.floats(0, 1))
def test_what_stands_beside_the_first_is_of_its_split_and_the_first_may(options: list[str], share: float) -> None:
    found = beside(options[0], options, str, share)
    assert options[0] in found
    assert {split_of(option, share) for option in found} == {split_of(options[0], share)}


def test_every_family_that_has_a_share_by_default_is_drawn() -> None:
    assert list(DRAWERS) == list(DRAWN)
