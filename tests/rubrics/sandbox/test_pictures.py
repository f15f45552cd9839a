"""Images that code saved are what they claim to be or are left out with a reason; output is kept in part."""

from __future__ import annotations

import io
import os
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from easel_app.rubrics.sandbox.execution import Limits
from easel_app.rubrics.sandbox.inside.streams import Stream
from easel_app.rubrics.sandbox.pictures import checked

LIMITS = Limits(image_bytes=50_000, image_pixels=10_000)


def picture(form: str, size: tuple[int, int] = (60, 40), **options: object) -> bytes:
    file = io.BytesIO()
    Image.effect_noise(size, 60).save(file, form, **options)
    return file.getvalue()


def png(width: int, height: int, more: bytes = b"") -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + more + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_the_four_kinds_are_taken_byte_for_byte(form: str) -> None:
    content = picture(form)
    images, notes = checked(["x.bin"], [content], LIMITS)
    assert ([image.content for image in images], notes) == ([content], [])


@pytest.mark.parametrize(
    ("content", "why"),
    {
        b"": "empty",
        b"text": "no PNG, JPEG",
        b"\x89PNG": "damaged or cut off",
        b"<svg onload='alert(1)'/>": "SVG",
        picture("PNG", (101, 100)): "megapixels",
        picture("JPEG", (101, 100)): "megapixels",
        png(2**31 - 1, 2**31 - 1): "megapixels",
        png(100_000, 1): "megapixels",
        png(0, 9): "damaged",
        picture("PNG")[:-400]: "damaged or cut off",
        picture("GIF")[:300]: "damaged or cut off",
        picture("WEBP")[:90]: "damaged or cut off",
        picture("TIFF"): "no PNG, JPEG",
        picture("BMP"): "no PNG, JPEG",
        picture("PNG") + bytes(50_000): "more than",
    }.items(),
)
def test_others_are_left_out_with_a_reason(content: bytes, why: str) -> None:
    good = picture("PNG")
    images, (note,) = checked(["a.png", "b\n.png", "c.png"], [good, content, good], LIMITS)
    assert [image.name for image in images] == ["a.png", "c.png"]
    assert note.startswith("b�.png is not shown, since ")
    assert note.endswith(".")
    assert why in note


def test_pixels_of_all_images_are_limited_too() -> None:
    large = picture("PNG", (100, 100))
    images, notes = checked([f"{k}.png" for k in range(6)], [large] * 6, LIMITS)
    assert [image.name for image in images] == ["0.png", "1.png", "2.png", "3.png"]
    assert notes[0] == "4.png is not shown, since a call's images have more than 0.04 megapixels together."
    assert len(notes) == 2


@given(
    st.binary(max_size=200), st.sampled_from(["PNG", "JPEG", "WEBP", "GIF"]), st.integers(0, 600), st.integers(0, 400)
)
def test_no_damage_makes_it_fail(junk: bytes, form: str, at: int, gap: int) -> None:
    whole = picture(form)
    images, notes = checked(["x"], [whole[:at] + junk + whole[at + gap :]], LIMITS)
    assert len(images) + len(notes) == 1


@given(st.lists(st.binary(max_size=40), max_size=20), st.integers(2, 64))
def test_the_beginning_and_the_end_are_kept_and_the_rest_is_counted(parts: list[bytes], limit: int) -> None:
    reading, writing = os.pipe()
    stream = Stream(reading, limit)
    for part in parts:
        os.write(writing, part)
        stream.read()
    os.close(writing)
    stream.drain()
    os.close(reading)
    content, half = b"".join(parts), limit // 2
    assert stream.head == content[:half]
    assert stream.tail == content[half:][max(0, len(content) - 2 * half) :]
    assert len(stream.head) + len(stream.tail) + stream.left_out == len(content)
    assert stream.ended
