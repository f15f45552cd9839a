"""Families that the project draws itself."""

from __future__ import annotations

import hashlib
import io
import pickle
import zipfile

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from easel_app.painting.tasks import Catalogue
from easel_app.settings import data_folder
from easel_app.trajectories.references import emoji, lettering, photographs, words
from easel_app.trajectories.references.dice import Dice
from easel_app.trajectories.references.families import DRAWERS
from easel_app.trajectories.references.geometry import GROUPS, Geometry, Kind
from easel_app.trajectories.references.photographs import Box, empty_boxes, meets

FAMILIES = sorted(DRAWERS)
WHERE = data_folder() / "references"


@settings(max_examples=60)
@given(
    st.sampled_from(FAMILIES),
    st.integers(0, 2**32 - 1),
    st.integers(0, 10**9),
    st.sampled_from([32, 64, 128]),
    st.sampled_from([0.0, 0.02, 0.5]),
)
def test_a_picture_is_a_function_of_seed_size_and_index_alone(
    family: str, seed: int, index: int, size: int, validation: float
) -> None:
    source = DRAWERS[family](seed, size, validation)
    first = source.draw(index)
    source.draw(index + 1)
    again = pickle.loads(pickle.dumps(source)).draw(index)
    assert first.pixels.tobytes() == again.pixels.tobytes()
    assert first[1:] == again[1:]
    assert first.pixels.shape == (size, size, 3)
    assert first.pixels.dtype == np.uint8
    assert first.pixels.flags.c_contiguous
    assert first.family == family and first.group.startswith(f"{family} ")
    assert first.title.isprintable() and first.title
    assert all(value.isprintable() for value in first.source.model_dump().values())
    assert all((first.source.origin, first.source.author, first.source.licence, first.source.detail))


@pytest.mark.parametrize("family", FAMILIES)
def test_other_seeds_and_indices_give_other_pictures_and_none_is_empty(family: str) -> None:
    pictures = [DRAWERS[family](seed, 64, 0.02).draw(index).pixels for seed in (0, 1) for index in range(40)]
    assert len({picture.tobytes() for picture in pictures}) == 80
    assert sum(picture.reshape(-1, 3).std(axis=0).max() < 2 for picture in pictures) == 0


def test_a_picture_at_512_px_is_the_same_as_at_64_px_but_for_its_size() -> None:
    for index in range(12):
        large, small = (Geometry(3, size).draw(index).pixels for size in (512, 64))
        reduced = np.array(Image.fromarray(large).resize((64, 64), Image.Resampling.BOX), np.int16)
        assert np.abs(reduced - small).mean() < 1.5


def test_geometry_is_the_same_on_every_machine() -> None:
    """Whoever changes a drawing changes these digests, and the data sets that are made from then on."""
    digest = hashlib.sha256()
    for index in range(200):
        digest.update(Geometry(0, 32).draw(index).pixels.tobytes())
    assert digest.hexdigest()[:16] == "95765c6b5bb0dafb"


@pytest.mark.parametrize(
    "kind", [kind for kinds, _ in GROUPS.values() for kind in kinds], ids=lambda kind: kind.__name__
)
def test_every_kind_of_geometry_draws_pictures_that_differ_and_says_what_is_seen(kind: Kind) -> None:
    drawn = [kind(Dice(1, number), 48) for number in range(6)]
    assert len({canvas.bytes().tobytes() for canvas, _ in drawn}) == 6
    assert all(title[0].isupper() or title[0].isdigit() for _, title in drawn)


def test_all_characters_that_fonts_claim_leave_ink_of_their_own() -> None:
    box = (0.5, 0.5, 0.8, 0.8)
    for face in lettering.faces().values():
        for characters in face.characters.values():
            missing = lettering.mask(["\ue000"], face.style, 32, box).tobytes()
            for sign in characters.strip():
                drawn = lettering.mask([sign], face.style, 32, box)
                assert drawn.max() > 0.2, (face.style, sign)
                assert drawn.tobytes() != missing, (face.style, sign)


def test_every_font_can_write_every_word_of_its_scripts() -> None:
    faces = [face for style, face in lettering.faces().items() if style != "symbols"]
    assert len(faces) >= 8
    for script, known in (("latin", words.LATIN), ("greek", words.GREEK), ("cyrillic", words.CYRILLIC)):
        for face in (face for face in faces if script in face.characters):
            for word in known.split():
                assert set(word + word.capitalize() + word.upper()) <= set(face.characters[script]), (face.style, word)


def test_fonts_and_emoji_are_small_and_each_font_has_its_licence() -> None:
    assert (WHERE / "emoji.zip").stat().st_size <= 4_000_000
    fonts = sorted((WHERE / "fonts").glob("*.ttf"))
    assert sum(font.stat().st_size for font in fonts) < 600_000
    assert sorted(font.stem for font in fonts) == sorted(lettering.faces())
    for font in fonts:
        licence = font.with_name(f"{font.stem}.LICENSE.txt").read_text(encoding="utf-8")
        assert "SIL OPEN FONT LICENSE" in licence or "Apache License" in licence


def test_sources_names_every_font_emoji_set_and_photograph() -> None:
    text = (WHERE / "SOURCES.md").read_text(encoding="utf-8")
    for face in lettering.faces().values():
        assert f"| fonts/{face.style}.ttf | {face.family} | {face.author} | {face.licence} |" in text
    for photograph in photographs.PHOTOGRAPHS:
        assert f"| {photograph.file} | {photograph.title} | {photograph.author} | {photograph.licence} |" in text
    for name in ("fluent", "noto"):
        count = sum(sprite.startswith(f"{name}/") for sprite in emoji.names())
        assert f"| {name} | {count} |" in text


def test_no_emoji_of_a_task_is_among_the_sprites_and_all_are_sound() -> None:
    used = {
        t.source.origin.rpartition(", ")[2] for t in Catalogue(data_folder() / "tasks") if "Emoji" in t.source.origin
    }
    assert "fox" in used
    assert not used & {name.partition("/")[2] for name in emoji.names()}
    assert len(emoji.names()) >= 800
    with zipfile.ZipFile(WHERE / "emoji.zip") as archive:
        for name in emoji.names()[::40]:
            with Image.open(io.BytesIO(archive.read(f"{name}.webp"))) as image:
                assert (image.size, image.mode) == ((128, 128), "RGBA")


def test_no_crop_of_a_photograph_meets_what_a_task_shows_of_it() -> None:
    taken = photographs.taken()
    assert sum(map(len, taken.values())) == 27
    files = set()
    for index in range(600):
        drawn = photographs.Photographs(9, 32, 0.25).draw(index)
        assert drawn.view
        (file, box), source = drawn.view, drawn.source
        assert file == source.origin.rpartition("data/")[2].rstrip(")")
        assert f"crop of {box[2] - box[0]} × {box[3] - box[1]} px at ({box[0]}, {box[1]})" in source.detail
        assert not any(meets(box, other) for other in taken.get(file, ()))
        files.add(file)
    assert files == {each.file for each in photographs.PHOTOGRAPHS}


_SPANS = st.tuples(st.integers(0, 400), st.integers(1, 300))


@settings(max_examples=60)
@given(st.integers(80, 500), st.integers(80, 500), st.lists(st.tuples(_SPANS, _SPANS), max_size=4))
@example(200, 200, [])
def test_empty_boxes_meet_nothing_and_leave_no_room_out(
    width: int, height: int, spans: list[tuple[tuple[int, int], tuple[int, int]]]
) -> None:
    taken: list[Box] = [
        (x, y, min(x + w, width), min(y + h, height)) for (x, w), (y, h) in spans if x < width and y < height
    ]
    found = empty_boxes(width, height, taken)
    for box in found:
        assert not any(meets(box, other) for other in taken)
        assert 0 <= box[0] < box[2] <= width and 0 <= box[1] < box[3] <= height
    rng = np.random.default_rng(0)
    for left, top in rng.integers(0, (width - 79, height - 79), (40, 2)).tolist():
        square = (left, top, left + 80, top + 80)
        if not any(meets(square, other) for other in taken):
            assert any(b[0] <= left and b[1] <= top and b[2] >= left + 80 and b[3] >= top + 80 for b in found)
