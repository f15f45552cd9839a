"""The committed tasks are complete and licensed, and the build script makes the same bytes again."""

from __future__ import annotations

import io
import json
import tarfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tools.build_tasks import (
    abstract,
    catalogue,
    emoji,
    glyphs,
    natural,
    packages,
    programmatic,
    sheet,
    sources,
    spatial,
    variety,
)
from tools.build_tasks import shapes as s
from tools.build_tasks.raster import Picture, conic, coverage, linear, radial
from tools.build_tasks.recipe import Dice, Recipe
from tools.build_tasks.spatial import land, over, still, tangram

TASKS = Path(__file__).parents[2] / "data" / "tasks"
CATALOGUE = json.loads((TASKS / "catalogue.json").read_text(encoding="utf-8"))
ENTRIES: list[dict[str, Any]] = CATALOGUE["tasks"]
NOWHERE = Path("no such folder")
"""A build folder that drawings never open."""


def pixels(task_id: str) -> np.ndarray:
    with Image.open(TASKS / f"{task_id}.png") as file:
        assert file.mode == "RGB"
        return np.asarray(file)


def committed() -> list[catalogue.Task]:
    return [catalogue.Task(entry, pixels(entry["id"])) for entry in ENTRIES]


# the committed set


def test_every_category_has_the_published_number_of_tasks() -> None:
    assert Counter(entry["category"] for entry in ENTRIES) == {
        "programmatic": 15,
        "spatial": 40,
        "abstract": 15,
        "natural": 40,
    }


def test_budgets_add_up_to_the_published_number_of_steps() -> None:
    assert sum(entry["budget"] for entry in ENTRIES) == 10_880


@pytest.mark.parametrize(
    ("category", "size", "budget"),
    [("programmatic", 64, 32), ("spatial", 128, 96), ("abstract", 128, 96), ("natural", 128, 128)],
)
def test_sizes_and_budgets_are_the_published_ones(category: str, size: int, budget: int) -> None:
    found = {(e["width"], e["height"], e["budget"]) for e in ENTRIES if e["category"] == category}
    assert found == {(size, size, budget)}


def test_ids_count_up_within_a_category_and_titles_differ() -> None:
    assert [e["id"] for e in ENTRIES] == [
        f"{category.name}-{number:02d}" for category in catalogue.CATEGORIES for number in range(1, category.tasks + 1)
    ]
    titles = [entry["title"].casefold() for entry in ENTRIES]
    assert len(set(titles)) == len(titles)
    assert max(map(len, titles)) <= 40, "a title fits under a thumbnail"


def test_pictures_are_the_ones_that_the_catalogue_names() -> None:
    for entry in ENTRIES:
        picture = pixels(entry["id"])
        assert picture.shape == (entry["height"], entry["width"], 3)
        assert catalogue.digest(picture) == entry["sha256"], entry["id"]


def test_the_folder_holds_nothing_else_and_stays_small() -> None:
    expected = {f"{entry['id']}.png" for entry in ENTRIES} | {"catalogue.json", "SOURCES.md"}
    assert {path.name for path in TASKS.iterdir()} == expected
    assert sum(path.stat().st_size for path in TASKS.iterdir()) < 6_000_000


def test_every_task_names_source_author_and_a_free_licence() -> None:
    free = {"Apache-2.0", "MIT", "CC0-1.0", "CC-BY-2.0", "Public domain", "No known copyright restrictions"}
    for entry in ENTRIES:
        assert set(entry["source"]) == {"origin", "author", "licence", "detail"}
        assert all(entry["source"].values()), entry["id"]
        assert entry["source"]["licence"] in free, entry["id"]


def test_sources_page_is_the_one_of_this_catalogue() -> None:
    page = (TASKS / "SOURCES.md").read_text(encoding="utf-8")
    assert page == sources.as_markdown(committed())
    for entry in ENTRIES:
        assert f"| {entry['id']} | {entry['title']} |" in page
    for notice in (
        "Apache License",
        "MIT License",
        "creativecommons.org/licenses/by/2.0",
        "danielbuechele",
        "vultilion",
    ):
        assert notice in page


def test_catalogue_file_is_written_by_the_build() -> None:
    assert CATALOGUE["task_set"] == catalogue.TASK_SET
    assert (TASKS / "catalogue.json").read_text(encoding="utf-8") == catalogue.as_json(committed())


def test_few_natural_pictures_are_grey() -> None:
    natural_ones = [pixels(e["id"]).astype(int) for e in ENTRIES if e["category"] == "natural"]
    assert sum(np.ptp(picture, axis=2).max() < 16 for picture in natural_ones) <= 8


def test_no_two_tasks_look_nearly_the_same() -> None:
    variety.check(committed())


# the same bytes again


def drawings() -> dict[str, Recipe]:
    lists = {
        "programmatic": programmatic.recipes(),
        "spatial": spatial.recipes(),
        "abstract": abstract.recipes(NOWHERE),
    }
    return {f"{name}-{k:02d}": recipe for name, own in lists.items() for k, recipe in enumerate(own, start=1)}


REBUILT = """programmatic-02 programmatic-04 programmatic-07 programmatic-10
spatial-02 spatial-08 spatial-16 spatial-29 abstract-05 abstract-11"""
"""Drawings that between them use every kind of paint, curve and seeded choice."""


@pytest.mark.parametrize("task_id", REBUILT.split())
def test_a_drawing_comes_out_as_it_was_committed(task_id: str) -> None:
    recipe = drawings()[task_id]
    picture = recipe.paint()
    entry = next(entry for entry in ENTRIES if entry["id"] == task_id)
    assert recipe.title == entry["title"]
    assert catalogue.digest(picture) == entry["sha256"]


def test_a_photograph_is_cropped_as_it_was_committed() -> None:
    number = next(k for k, view in enumerate(natural.VIEWS, start=1) if view.photograph == "chelsea")
    entry = next(entry for entry in ENTRIES if entry["id"] == f"natural-{number:02d}")
    assert catalogue.digest(natural.recipes(NOWHERE)[number - 1].paint()) == entry["sha256"]


@pytest.mark.parametrize(
    "draw", [programmatic.waves, programmatic.letter, over.links, still.pears, land.ranges, abstract.truchet]
)
def test_another_seed_makes_another_picture_and_the_same_seed_the_same(draw: Callable[[Dice], Picture]) -> None:
    made = [draw(Dice(seed)).bytes().tobytes() for seed in (1, 1, 2, 3, 4)]
    assert made[0] == made[1]
    assert len(set(made)) > 1


def test_png_keeps_the_pixels_and_is_the_same_twice() -> None:
    picture = pixels("spatial-01")
    assert catalogue.png(picture) == catalogue.png(picture)
    with Image.open(io.BytesIO(catalogue.png(picture))) as file:
        assert (np.asarray(file) == picture).all()
        assert file.info == {}


# what the build refuses


def test_nearly_equal_pictures_are_named() -> None:
    a = pixels("natural-03")
    moved = np.roll(a, 7, axis=1)
    tasks = [catalogue.Task({"id": "x", "title": "a"}, a), catalogue.Task({"id": "y", "title": "b"}, moved)]
    with pytest.raises(ValueError, match=r"x and y are only 0\.0"):
        variety.check(tasks)


def test_a_featureless_picture_is_named() -> None:
    flat = np.full((128, 128, 3), 90, np.uint8)
    with pytest.raises(ValueError, match=r"z \(fog\) is featureless"):
        variety.check([catalogue.Task({"id": "z", "title": "fog"}, flat)])


@pytest.mark.parametrize(("left", "top", "side"), [(0, 0, 127), (-1, 0, 128), (0, 73, 128), (173, 0, 128)])
def test_a_crop_outside_or_too_small_is_refused(left: int, top: int, side: int) -> None:
    with pytest.raises(ValueError, match="does not fit 300 × 200 px"):
        natural.crop(np.zeros((200, 300, 3), np.uint8), left, top, side)


def test_a_recipe_of_the_wrong_size_is_refused() -> None:
    recipe = drawings()["spatial-01"]
    with pytest.raises(ValueError, match="not 64 px"):
        catalogue.task(catalogue.CATEGORIES[0], 1, recipe)


def test_a_glyph_without_strokes_is_refused() -> None:
    with pytest.raises(ValueError, match="no glyph is drawn for 'Q'"):
        glyphs.glyph("Q", 0, 0, 10, 10, 1)


def test_a_package_without_the_file_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"skimage does not ship data/none\.png"):
        packages.installed("skimage", "data/none.png")


# the rasteriser


def test_edges_on_pixel_borders_stay_sharp() -> None:
    picture = Picture(8, (0, 0, 0))
    picture.fill(s.rect(2, 3, 5, 7), (255, 255, 255))
    expected = np.zeros((8, 8, 3), np.uint8)
    expected[3:7, 2:5] = 255
    assert (picture.bytes() == expected).all()


def test_half_a_pixel_takes_half_the_colour_rounded_up() -> None:
    picture = Picture(8, (0, 0, 0))
    picture.fill(s.rect(0, 0, 0.5, 1), (255, 100, 1))
    assert picture.bytes()[0, 0].tolist() == [128, 50, 1]


@given(st.floats(8, 24), st.floats(8, 24), st.floats(1, 7))
@settings(max_examples=30)
def test_a_disc_covers_its_area(x: float, y: float, radius: float) -> None:
    area = coverage(s.disc(x, y, radius), 32).sum() / 64
    assert area == pytest.approx(np.pi * radius**2, rel=0.02, abs=0.3)


@given(st.floats(-40, 60), st.floats(-40, 60), st.floats(-40, 60), st.floats(-40, 60))
@settings(max_examples=30)
def test_a_rectangle_that_leaves_the_picture_is_cut_off(a: float, b: float, c: float, d: float) -> None:
    left, right, top, bottom = min(a, b), max(a, b), min(c, d), max(c, d)
    inside = coverage(s.rect(left, top, right, bottom), 16)
    middle = (np.arange(128) + 0.5) / 8
    expected = np.outer((middle > top) & (middle < bottom), (middle > left) & (middle < right))
    assert (inside != expected).sum() <= 256, "only samples on an edge may differ"


def test_shapes_that_overlap_join_and_a_ring_keeps_its_hole() -> None:
    one, other = s.disc(12, 16, 6), s.polygon((26, 10), (10, 10), (10, 20))
    both = coverage(s.join(one, other), 32)
    assert (both == coverage(one, 32) | coverage(other, 32)).all()
    hole = coverage(s.ring(16, 16, 10, 4), 32)
    assert not hole[128, 128]
    assert hole[128, 128 + 80]


def test_a_mirrored_shape_still_joins() -> None:
    half = s.polygon((4, 4), (18, 4), (18, 28), (4, 28))
    both = coverage(s.join(half, s.scale(half, -1, 1, 16, 16)), 32)
    assert both[32:224, 32:224].all()


def test_a_full_turn_changes_nothing() -> None:
    shape = s.star(16, 16, 12, 5, 5)
    assert (coverage(s.turn(shape, 360, 16, 16), 32) == coverage(shape, 32)).all()


def test_paint_falls_only_where_all_limits_are() -> None:
    picture = Picture(8, (0, 0, 0))
    picture.fill(s.rect(0, 0, 8, 8), (9, 9, 9), within=[s.rect(0, 0, 5, 5), s.rect(3, 3, 8, 8)])
    assert np.argwhere(picture.bytes()[..., 0]).tolist() == [[3, 3], [3, 4], [4, 3], [4, 4]]


def test_opacity_is_the_share_of_the_paint() -> None:
    picture = Picture(8, (100, 100, 100))
    picture.fill(s.rect(0, 0, 8, 8), (200, 0, 100), opacity=0.25)
    assert (picture.bytes() == (125, 75, 100)).all()


def test_gradients_hit_their_stops() -> None:
    stops = [(0.0, (0, 0, 0)), (1.0, (200, 100, 50))]
    x, y = np.array([0.0, 5.0, 10.0]), np.array([0.0, 0.0, 0.0])
    ramp = [[0, 0, 0], [100, 50, 25], [200, 100, 50]]
    assert linear((0, 0), (10, 0), *stops)(x, y).tolist() == ramp
    assert radial((0, 0), 10, *stops)(x, y).tolist() == ramp
    quarter = conic((0, 0), 0, *stops)(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    assert quarter.tolist() == [[0, 0, 0], [50, 25, 12.5]]


# helpers of the pictures


def test_the_stream_of_choices_is_the_same_with_every_python() -> None:
    dice = Dice(1)
    assert dice.between(0, 1) == 0.13436424411240122
    assert [dice.whole(1, 6) for _ in range(6)] == [6, 5, 2, 3, 3, 4]


@given(st.integers(0, 10_000), st.lists(st.integers(), max_size=8))
def test_choices_stay_in_range_and_a_shuffle_keeps_everything(seed: int, options: list[int]) -> None:
    dice = Dice(seed)
    assert -2 <= dice.between(-2, 3) < 3
    assert 4 <= dice.whole(4, 6) <= 6
    assert sorted(dice.shuffled(options)) == sorted(options)


@pytest.mark.parametrize("figure", [tangram.BOAT, tangram.CAT, tangram.FISH], ids=["boat", "cat", "fish"])
def test_tangrams_use_the_seven_pieces_without_overlap(figure: tangram.Figure) -> None:
    pieces = [coverage(s.move(s.scale(s.polygon(*piece), 16, 16, 0, 0), 16, 16), 128) for piece in figure]
    areas = [piece.sum() / 64 / 256 for piece in pieces]
    assert areas == pytest.approx([2, 2, 1, 0.5, 0.5, 1, 1], rel=0.02)
    assert np.sum(pieces, axis=0).max() == 1


def test_an_emoji_is_laid_into_its_box() -> None:
    red = '<rect width="2" height="2" fill="#f00"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2" width="2" height="2">{red}</svg>'
    picture = emoji.place(Picture(128, (0, 0, 255)), svg, (16, 32, 64))
    expected = np.full((128, 128, 3), (0, 0, 255), np.uint8)
    expected[32:96, 16:80] = (255, 0, 0)
    assert (picture == expected).all()


def test_an_emoji_is_read_from_the_package_in_the_build_folder(tmp_path: Path) -> None:
    icons = json.dumps({"width": 32, "height": 32, "icons": {"dot": {"body": "<circle r='1'/>"}}}).encode()
    with tarfile.open(tmp_path / "iconify-json-set-1.0.0.tgz", "w:gz") as archive:
        member = tarfile.TarInfo("package/icons.json")
        member.size = len(icons)
        archive.addfile(member, io.BytesIO(icons))
    svg = packages.emoji(tmp_path, "set", "1.0.0", "dot")
    assert "<circle r='1'/></svg>" in svg
    assert 'viewBox="0 0 32 32"' in svg
    with pytest.raises(KeyError):
        packages.emoji(tmp_path, "set", "1.0.0", "none")


def test_a_contact_sheet_has_room_for_every_picture(tmp_path: Path) -> None:
    picture = np.full((64, 64, 3), (200, 0, 0), np.uint8)
    sheet.contact_sheet([("a", picture), ("b", picture), ("c", picture)], tmp_path / "s.png", side=128, columns=2)
    with Image.open(tmp_path / "s.png") as file:
        assert file.size == (2 * 142 + 14, 2 * 154 + 14)
        assert file.getpixel((20, 14 + 154 + 5)) == (200, 0, 0)
