"""Pictures of unknown origin: taken in right, or refused with the reason."""

import io
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from easel_app.services.intake import Crop, take_in
from easel_app.services.problems import Invalid, Refusal, TooLarge, Unsupported

RED, GREEN, BLUE = (200, 30, 20), (10, 180, 40), (20, 40, 190)


def quarters(width: int = 96, height: int = 64) -> Image.Image:
    """Red top left, green top right, blue below."""
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[: height // 2, : width // 2] = RED
    pixels[: height // 2, width // 2 :] = GREEN
    pixels[height // 2 :] = BLUE
    return Image.fromarray(pixels)


def saved(image: Image.Image, form: str = "PNG", **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def near(pixel: np.ndarray, colour: tuple[int, ...], tolerance: int = 12) -> bool:
    return bool(np.abs(pixel.astype(int) - colour).max() <= tolerance)


@pytest.mark.parametrize("form, options", [("PNG", {}), ("JPEG", {"quality": 95}), ("WEBP", {"quality": 95})])
@pytest.mark.parametrize("size", [64, 128, 256])
def test_each_format_is_cropped_in_the_middle_and_scaled(form: str, options: dict[str, Any], size: int) -> None:
    picture = take_in(saved(quarters(), form, **options), size)
    assert picture.shape == (size, size, 3) and picture.dtype == np.uint8
    assert near(picture[size // 8, size // 8], RED)
    assert near(picture[size // 8, -size // 8], GREEN)
    assert near(picture[-size // 8, size // 2], BLUE)


def test_a_crop_takes_the_square_that_it_names() -> None:
    picture = take_in(saved(quarters()), 64, Crop(left=0.5, top=0.0, side=0.5))
    assert near(picture[32, 32], GREEN) and near(picture[2, 2], GREEN) and near(picture[60, 60], GREEN)


@pytest.mark.parametrize("crop", [Crop(0.9, 0, 0.5), Crop(0, 0.9, 0.5), Crop(0, 0, 0.01), Crop(1, 1, 1)])
def test_a_crop_outside_is_refused(crop: Crop) -> None:
    with pytest.raises(Invalid, match="crop"):
        take_in(saved(quarters()), 64, crop)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_undone(orientation: int) -> None:
    upright = quarters(64, 64)
    inverse = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # what brings the upright picture into the stored one
    stored = upright if orientation == 1 else upright.transpose(Image.Transpose(inverse[orientation]))
    exif = Image.Exif()
    exif[0x0112] = orientation
    assert (take_in(saved(stored, exif=exif), 64) == np.asarray(upright)).all()


def test_cmyk_becomes_rgb() -> None:
    picture = take_in(saved(quarters().convert("CMYK"), "JPEG", quality=98), 64)
    assert near(picture[8, 8], RED, 20)


@pytest.mark.parametrize("mode", ["L", "P", "1", "LA"])
def test_other_modes_become_rgb(mode: str) -> None:
    picture = take_in(saved(quarters().convert(mode)), 64)
    assert picture.shape == (64, 64, 3)
    if mode == "P":
        assert near(picture[8, 8], RED, 35)


def test_sixteen_bits_of_grey_are_scaled_not_clipped() -> None:
    ramp = np.repeat(np.linspace(0, 65535, 64).astype(np.uint16)[None], 64, 0)
    picture = take_in(saved(Image.fromarray(ramp)), 64)
    assert picture[0, 0, 0] == 0 and picture[0, -1, 0] == 255
    assert abs(int(picture[0, 32, 0]) - 129) <= 2


def test_sixteen_bits_of_colour_are_scaled() -> None:
    row = b"\0" + struct.pack(">3H", 0x8000, 0x4000, 0xFFFF) * 64
    header = struct.pack(">IIBBBBB", 64, 64, 16, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(row * 64)), (b"IEND", b"")]
    chunks = [struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts]
    picture = take_in(b"\x89PNG\r\n\x1a\n" + b"".join(chunks), 64)
    assert near(picture[5, 5], (128, 64, 255), 1)


def test_transparency_lies_on_white() -> None:
    clear = quarters().convert("RGBA")
    clear.putalpha(0)
    assert (take_in(saved(clear), 64) == 255).all()
    half = Image.new("RGBA", (64, 64), (0, 0, 0, 128))
    assert near(take_in(saved(half, "WEBP", lossless=True), 64)[5, 5], (127, 127, 127), 1)
    palette = quarters().convert("P")
    assert (take_in(saved(palette, transparency=palette.getpixel((0, 0))), 64)[4, 4] == 255).all()


def test_a_colour_profile_is_applied_and_a_broken_one_ignored() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    for broken in (b"not a profile", profile[:50], profile):
        assert near(take_in(saved(quarters(), icc_profile=broken), 64)[4, 4], RED)
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert near(take_in(saved(quarters(), icc_profile=srgb), 64)[4, 4], RED, 2)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9])
def test_truncated_files_are_refused(form: str, share: float) -> None:
    whole = saved(Image.fromarray(np.random.default_rng(0).integers(0, 256, (64, 64, 3)).astype(np.uint8)), form)
    with pytest.raises((Invalid, Unsupported)):
        take_in(whole[: int(len(whole) * share)], 64)


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script></svg>'


def test_other_formats_are_refused_whatever_their_name() -> None:
    for file in (SVG, saved(quarters(), "GIF"), saved(quarters(), "BMP"), saved(quarters(), "TIFF"),
                 saved(quarters(), "PDF"), b"%!PS-Adobe-3.0 EPSF-3.0\n", b"PK\x03\x04", b"", b"\0" * 100):  # fmt: skip
        with pytest.raises(Unsupported, match="PNG, JPEG or WebP"):
            take_in(file, 64)


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_several_frames_are_refused(form: str) -> None:
    with pytest.raises(Unsupported, match="frames"):
        take_in(saved(quarters(), form, save_all=True, append_images=[quarters().rotate(90)]), 64)
    gif = saved(quarters(), "GIF", save_all=True, append_images=[quarters().rotate(90)])
    with pytest.raises(Unsupported):
        take_in(gif, 64)


def test_bombs_are_refused_by_their_header() -> None:
    for width, height in ((60_000, 60_000), (5000, 5000), (2**31 - 1, 2**31 - 1)):
        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        chunk = struct.pack(">I", 13) + b"IHDR" + header + struct.pack(">I", zlib.crc32(b"IHDR" + header))
        with pytest.raises(Refusal):
            take_in(b"\x89PNG\r\n\x1a\n" + chunk + b"\0\0\0\0IDAT" + b"\0" * 100, 64)


def test_a_jpeg_of_a_thousand_scans_is_refused_unread() -> None:
    whole = saved(Image.new("RGB", (512, 512), RED), "JPEG", progressive=True)
    last = whole[:-2].rfind(b"\xff\xda")
    with pytest.raises(Invalid, match="scans"):
        take_in(whole[:-2] + whole[last:-2] * 1000 + b"\xff\xd9", 64)
    assert take_in(whole, 64).shape == (64, 64, 3)


def test_thin_and_tiny_pictures_are_refused() -> None:
    for shape in ((1, 5000), (5000, 1), (1, 1), (31, 64)):
        with pytest.raises(Invalid, match="32 px"):
            take_in(saved(Image.new("RGB", shape)), 64)


def test_more_than_8_mb_is_refused() -> None:
    with pytest.raises(TooLarge, match="8 MB"):
        take_in(b"\0" * (8 * 1024 * 1024 + 1), 64)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["PNG", "JPEG", "WEBP"]), st.integers(0, 2**32 - 1))
def test_flipped_bytes_never_crash(form: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    file = np.frombuffer(saved(quarters(), form), np.uint8).copy()
    file[rng.integers(0, len(file), 8)] = rng.integers(0, 256, 8)
    taken_or_refused(file.tobytes())


def taken_or_refused(file: bytes) -> None:
    try:
        assert take_in(file, 64).shape == (64, 64, 3)
    except Refusal as refusal:
        assert refusal.message


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([b"iCCP", b"zTXt", b"iTXt", b"eXIf", b"tRNS", b"PLTE", b"IDAT"]), st.binary(max_size=64))
def test_chunks_of_junk_never_crash(name: bytes, junk: bytes) -> None:
    whole = saved(quarters())
    chunk = struct.pack(">I", len(junk)) + name + junk + struct.pack(">I", zlib.crc32(name + junk))
    taken_or_refused(whole[:33] + chunk + whole[33:])
