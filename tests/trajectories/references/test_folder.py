"""Any folder of pictures, however hostile."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from easel_app.services.problems import NotFound
from easel_app.trajectories.references import decoding
from easel_app.trajectories.references.pictures import Folder, listed
from easel_app.trajectories.references.reference import Reference, Skipped
from tests.sources.test_structure import LAST_SCAN
from tests.trajectories.references.files import animation, bomb, file, noise


def drawn(path: Path, seed: int = 0, size: int = 32) -> dict[str, Reference | Skipped]:
    """What each file of a folder gives, by its name."""
    source = Folder(path, seed, size)
    found = [source.draw(index) for index in range(source.count)]
    return {each.name if isinstance(each, Skipped) else each.source.detail.split(",")[0]: each for each in found}


def only(path: Path, content: bytes, name: str = "a.png") -> Reference | Skipped:
    (path / name).write_bytes(content)
    return drawn(path)[name]


SOUND = {
    "grey": file(Image.fromarray(noise(1)).convert("L")),
    "one bit": file(Image.fromarray(noise(1)).convert("1")),
    "16 bits of grey": file(np.arange(64 * 64, dtype=np.uint16).reshape(64, 64) * 16),
    "palette": file(Image.fromarray(noise(1)).convert("P")),
    "transparent": file(Image.fromarray(np.dstack([noise(1), np.full((48, 60), 128, np.uint8)]))),
    "transparent palette": file(Image.fromarray(noise(1)).convert("P"), transparency=3),
    "CMYK": file(Image.fromarray(noise(1)).convert("CMYK"), "JPEG"),
    "progressive JPEG": file(noise(1), "JPEG", progressive=True),
    "WebP": file(noise(1), "WEBP"),
    "GIF": file(noise(1), "GIF"),
    "false ending": file(noise(1), "JPEG"),
    "very wide": file(noise(1, 3000, 40)),
}


@pytest.mark.parametrize("kind", SOUND)
def test_every_sound_kind_gives_a_square_of_rgb_bytes(tmp_path: Path, kind: str) -> None:
    found = only(tmp_path, SOUND[kind])
    assert isinstance(found, Reference), found
    assert (found.pixels.shape, found.pixels.dtype, found.pixels.flags.c_contiguous) == ((32, 32, 3), np.uint8, True)
    assert found.family == "folder"


REFUSED = {
    "broken": (file(noise(1))[:300], "broken"),
    "broken JPEG": (file(noise(1), "JPEG")[:40], "broken"),
    "empty": (b"", "not a picture"),
    "text": (b"hello", "not a picture"),
    "drawing": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a picture"),
    "postscript": (b"%!PS-Adobe-3.0 EPSF-3.0\n", "not a picture"),
    "pixel bomb": (bomb(), "huge"),
    "more than 40 megapixels": (bomb(8000, 6000), "huge"),
    "tiny": (file(noise(1, 31, 200)), "tiny"),
    "one pixel": (file(noise(1, 1, 1)), "tiny"),
    "header of no pixels": (bomb(0, 0), "broken"),
    "too many scans": (file(noise(1), "JPEG")[:-2] + LAST_SCAN * 100 + b"\xff\xd9", "broken"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_every_unsound_file_is_skipped_with_a_code_and_one_sentence(tmp_path: Path, kind: str) -> None:
    content, reason = REFUSED[kind]
    found = only(tmp_path, content)
    assert isinstance(found, Skipped)
    assert found.reason == reason
    assert found.message.startswith("a.png gives no reference, for ") and found.message.endswith(".")
    assert "\n" not in found.message


def test_a_file_of_too_many_bytes_is_not_even_read(tmp_path: Path) -> None:
    with (tmp_path / "a.png").open("wb") as large:
        large.write(file(noise(1)))
        large.truncate(decoding.MOST_BYTES + 1)
    found = drawn(tmp_path)["a.png"]
    assert isinstance(found, Skipped) and found.reason == "huge"


def test_of_an_animation_the_first_frame_is_taken_and_told(tmp_path: Path) -> None:
    found = only(tmp_path, animation(4), "a.gif")
    assert isinstance(found, Reference)
    assert "first of 4 frames" in found.source.detail
    assert np.abs(found.pixels[16, 16].astype(int) - [0, 200, 90]).max() <= 4


def test_transparency_is_laid_on_white(tmp_path: Path) -> None:
    found = only(tmp_path, file(Image.new("RGBA", (40, 40), (0, 0, 0, 0))))
    assert isinstance(found, Reference) and (found.pixels == 255).all()


def test_16_bits_of_grey_are_scaled_and_not_cut(tmp_path: Path) -> None:
    found = only(tmp_path, file(np.full((40, 40), 0x8000, np.uint16)))
    assert isinstance(found, Reference) and (found.pixels == 128).all()


def test_a_camera_that_was_held_sideways_gives_an_upright_picture(tmp_path: Path) -> None:
    pixels = np.zeros((60, 40, 3), np.uint8)
    pixels[:30] = 255
    exif = Image.Exif()
    exif[0x0112] = 6
    found = only(tmp_path, file(np.rot90(pixels).copy(), "JPEG", exif=exif, quality=95), "a.jpg")
    assert isinstance(found, Reference)
    assert found.pixels[0].mean() > 200 > 60 > found.pixels[-1].mean()


def test_what_cannot_be_opened_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "dangling.png").symlink_to(tmp_path / "nowhere")
    (tmp_path / "circle.png").symlink_to(tmp_path / "circle.png")
    os.mkfifo(tmp_path / "pipe.png")
    found = drawn(tmp_path)
    assert {name: each.reason for name, each in found.items() if isinstance(each, Skipped)} == dict.fromkeys(
        ("dangling.png", "circle.png", "pipe.png"), "unreadable"
    )


def test_links_in_a_circle_come_to_an_end_and_no_folder_is_entered_twice(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "one.png").write_bytes(file(noise(1)))
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "a")
    assert [Path(name).name for name in listed(tmp_path)] == ["one.png"]


def test_hidden_files_and_folders_are_left_out_and_folders_below_are_not(tmp_path: Path) -> None:
    for name in (".hidden.png", ".git/a.png", "deep/er/b.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(file(noise(1)))
    assert list(listed(tmp_path)) == ["deep/er/b.png"]


def test_the_order_is_the_seeds_and_not_the_file_systems(tmp_path: Path) -> None:
    names = [f"{k % 3}/{k}.png" for k in range(24)]
    for place, order in (("x", names), ("y", names[::-1])):
        for name in order:
            (tmp_path / place / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / place / name).write_bytes(file(noise(int(Path(name).stem))))
    first, second = ([Folder(tmp_path / place, 5, 32).draw(k) for k in range(24)] for place in ("x", "y"))
    assert all(isinstance(each, Reference) for each in first)
    assert [each.key for each in first] == [each.key for each in second]  # type: ignore[union-attr]
    other = Folder(tmp_path / "x", 6, 32)
    assert [other.draw(k).title for k in range(24)] != [each.title for each in first]  # type: ignore[union-attr]


def test_a_source_can_be_pickled_and_names_that_do_not_show_are_made_visible(tmp_path: Path) -> None:
    (tmp_path / "a\nb\u202e.png").write_bytes(file(noise(1)))
    (tmp_path / "bad\udcff.png".encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")).write_bytes(b"")
    source = pickle.loads(pickle.dumps(Folder(tmp_path, 0, 32)))
    found = [source.draw(index) for index in range(source.count)]
    for each in found:
        text = each.message if isinstance(each, Skipped) else each.title + each.source.detail
        assert text.isprintable()
        text.encode()
    assert len(found) == 2


def test_a_folder_that_is_not_there_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "none", tmp_path / "file"):
        with pytest.raises(NotFound, match=r"The folder of pictures .* cannot be read"):
            Folder(path, 0, 32)
