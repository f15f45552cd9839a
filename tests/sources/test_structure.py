"""Files that cost far more time than their size: refused before they are read; those that cameras make are not."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from easel_app.sources.pictures import NoPicture, identify
from easel_app.sources.structure import MOST_PARTS, MOST_SCANS, costly

END = b"\xff\xd9"


def saved(form: str, **options: object) -> bytes:
    file = io.BytesIO()
    Image.effect_noise((300, 200), 60).save(file, form, **options)
    return file.getvalue()


def chunk(kind: bytes, content: bytes = b"") -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


JPEG, PNG, GIF, WEBP = saved("JPEG", progressive=True), saved("PNG"), saved("GIF"), saved("WEBP")
LAST_SCAN = JPEG[JPEG.rfind(b"\xff\xda") : -2]
FIRST_FRAME = 13 + (3 << (GIF[10] & 7) + 1)


@pytest.mark.parametrize(
    ("content", "why"),
    {
        JPEG[:-2] + LAST_SCAN * MOST_SCANS + END: "scans",
        JPEG[:-2] + (b"\xff" * 9 + LAST_SCAN[1:]) * MOST_SCANS + END: "scans",
        JPEG[:2] + b"\xff\xef\0\2" * MOST_PARTS + JPEG[2:]: "parts",
        JPEG[:2] + b"\xff\xef\0\0" * MOST_PARTS + JPEG[2:]: "parts",
        JPEG[:2] + b"\xff" * MOST_PARTS + JPEG[2:]: "parts",
        PNG[:33] + chunk(b"prVt") * MOST_PARTS + PNG[33:]: "parts",
        PNG[:-12] + chunk(b"prVt") * MOST_PARTS + PNG[-12:]: "parts",
        PNG[:33] + chunk(b"IDAT") * MOST_PARTS + PNG[33:]: "parts",
        PNG[:33] + chunk(b"iCCP", b"k\0\0" + zlib.compress(bytes(9999))) * 100 + PNG[33:]: "parts",
        GIF[:FIRST_FRAME] + b"!\xfe\1x\0" * 1000 + GIF[FIRST_FRAME:]: "parts",
        GIF[:FIRST_FRAME] + b"!\xfe" + b"\1x" * MOST_PARTS + b"\0" + GIF[FIRST_FRAME:]: "parts",
        GIF[:FIRST_FRAME] + b"x" * (MOST_PARTS + 1) + GIF[FIRST_FRAME:]: "parts",
    }.items(),
    ids=lambda value: value if isinstance(value, str) else str(len(value)),
)
def test_a_file_that_takes_too_long_is_refused_unread(content: bytes, why: str) -> None:
    with pytest.raises(NoPicture, match=why):
        identify(content)


@pytest.mark.parametrize(
    "content",
    [
        JPEG,
        PNG,
        GIF,
        WEBP,
        saved("JPEG", restart_marker_blocks=1),
        JPEG + LAST_SCAN * 1000,  # as of a film behind a camera's picture
        JPEG[:2] + b"\xff\xe1\xff\xff" + b"\xff\xda" * 32766 + b"\0" + JPEG[2:],
        PNG[:33] + chunk(b"tEXt", b"k\0v") * 50 + PNG[33:],
        PNG + chunk(b"prVt") * MOST_PARTS,
        GIF[:FIRST_FRAME] + b"!\xfe" + b"\xff" * 256 * 40 + b"\0" + GIF[FIRST_FRAME:],
    ],
    ids=lambda content: content[-12:].hex(),
)
def test_pictures_of_cameras_and_programs_are_taken(content: bytes) -> None:
    assert identify(content).width == 300


@given(st.sampled_from([JPEG, PNG, GIF, WEBP]), st.integers(0, 900), st.integers(0, 40), st.binary(max_size=60))
def test_any_damage_is_looked_at_without_an_error(whole: bytes, at: int, gap: int, junk: bytes) -> None:
    assert costly(whole[:at] + junk + whole[at + gap :]) == ""
    assert costly((whole[:at] + junk)[: at + gap]) == ""
