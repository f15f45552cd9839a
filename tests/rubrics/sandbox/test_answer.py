"""Whoever has taken the sandbox over may answer what they like: it is a lawful answer, or there is none."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.rubrics.sandbox.answer import ALL_IMAGES, Answer, Broken, ending, received
from easel_app.rubrics.sandbox.execution import Limits, Outcome
from easel_app.rubrics.sandbox.inside import frames
from tests.rubrics.sandbox.looping import alone

LIMITS = Limits(output=64, images=2, image_bytes=100)
HEAD: dict[str, Any] = {
    "how": "done", "status": 0, "left_out": [0, 0], "names": ["a.png"], "large": [], "not_shown": [], "more": 0,
    "variables_gone": False,
}  # fmt: skip
BLOBS = [b"out", b"", b"err", b"", b"picture"]


def read(content: bytes) -> Answer | None:
    """What is made of an answer, and nothing is read beyond it."""

    async def reading() -> Answer | None:
        reader = asyncio.StreamReader()
        reader.feed_data(content)
        reader.feed_eof()
        return await received(reader.readexactly, LIMITS)

    return alone(reading())


def framed(head: Any, blobs: Sequence[bytes] = BLOBS) -> bytes:
    return b"".join(frames.pack(head, blobs))


def raw(text: bytes, *blobs: bytes) -> bytes:
    return frames.LENGTH.pack(len(text)) + text + b"".join(blobs)


def test_a_lawful_answer_is_read() -> None:
    found = read(framed(HEAD))
    assert found
    assert (found.outcome, found.output, found.names, found.images) == (
        Outcome.DONE, (b"out", b"", b"err", b""), ("a.png",), (b"picture",)
    )  # fmt: skip


def test_being_ready_is_no_answer_to_a_call() -> None:
    assert read(framed({"ready": True}, [])) is None


BAD: dict[str, bytes] = {
    "nothing": b"",
    "half a length": b"\0\0",
    "a head that is not there": frames.LENGTH.pack(9),
    "a head of 4 GB": b"\xff" * 4 + b"{}",
    "no JSON": raw(b"nonsense"),
    "JSON without an end": raw(b"[" * 200_000),
    "no object": raw(b"[]"),
    "a number": raw(b"7"),
    "no UTF-8": raw(b"\xff\xfe\xff"),
    "nothing in it": framed({}, []),
    "an unknown outcome": framed({**HEAD, "how": "fine"}),
    "an outcome that is none": framed({**HEAD, "how": []}),
    "a status that is no number": framed({**HEAD, "status": "0"}),
    "a status that is true": framed({**HEAD, "status": True}),
    "a negative count": framed({**HEAD, "left_out": [-1, 0]}),
    "a count without an end": framed({**HEAD, "more": 10**400}),
    "a number of too many digits": raw(b'{"ready": ' + b"9" * 5000 + b"}"),
    "a count with a fraction": framed({**HEAD, "more": 0.5}),
    "a count that is not finite": framed({**HEAD, "more": float("inf")}),
    "too few counts": framed({**HEAD, "left_out": [0]}),
    "more names than images": framed({**HEAD, "names": ["a", "b"]}),
    "more images than names": framed({**HEAD, "names": []}),
    "too many images": framed({**HEAD, "names": ["a"] * 3}, [*BLOBS[:4], b"", b"", b""]),
    "names that are no text": framed({**HEAD, "names": [7]}),
    "a name of a mile": framed({**HEAD, "names": ["a" * 201]}),
    "too many files that are not shown": framed({**HEAD, "not_shown": ["a"] * 3}),
    "an output that is too long": framed(HEAD, [b"x" * 34, *BLOBS[1:]]),
    "an image that is too large": framed(HEAD, [*BLOBS[:4], b"x" * 101]),
    "sizes that are not met": framed(HEAD)[:-1],
    "no outputs": framed({**HEAD, "names": []}, []),
    "sizes that are none": raw(json.dumps({**HEAD, "sizes": "12345"}).encode()),
    "an image of a size below nothing": raw(json.dumps({**HEAD, "sizes": [0, 0, 0, 0, -5]}).encode()),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_answer_is_none(name: str) -> None:
    with pytest.raises(Broken):
        read(BAD[name])


def test_all_images_together_are_limited() -> None:
    limits = Limits(images=ALL_IMAGES + 1, image_bytes=100)

    async def reading(count: int) -> Answer | None:
        reader = asyncio.StreamReader()
        blobs = [b"", b"", b"", b"", *[b"x" * 100] * count]
        reader.feed_data(framed({**HEAD, "names": ["a"] * count}, blobs))
        reader.feed_eof()
        return await received(reader.readexactly, limits)

    assert alone(reading(ALL_IMAGES))
    with pytest.raises(Broken):
        alone(reading(ALL_IMAGES + 1))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*HEAD, "sizes", "ready"]), inner),
    max_leaves=8,
)


@given(
    st.one_of(
        st.binary(max_size=64),
        json_values.map(lambda value: raw(json.dumps(value).encode(), b"x" * 64)),
        st.tuples(st.sampled_from([*HEAD]), json_values).map(lambda pair: framed({**HEAD, pair[0]: pair[1]})),
    )
)
def test_nothing_else_comes_of_it_whatever_is_sent(content: bytes) -> None:
    try:
        found = read(content)
    except Broken:
        return
    assert found is None or (len(found.names) == len(found.images) <= LIMITS.images and found.outcome in Outcome)


def test_a_process_has_ended_by_itself_or_by_a_signal() -> None:
    assert ending(0x0300) == "it ended itself with status 3"
    assert ending(11) == "it was ended by SIGSEGV"
    assert ending(127) == "it was ended by signal 127"
    assert ending(2**40) == "it ended itself with status 0"


def test_frames_are_read_as_they_were_written() -> None:
    incoming, outgoing = os.pipe()
    frames.write(outgoing, frames.pack({"a": [1]}, [b"x" * 9, b""]))
    os.close(outgoing)
    exactly = frames.reader(incoming)
    head, blobs = frames.read(exactly)
    assert (head["a"], blobs) == ([1], [b"x" * 9, b""])
    with pytest.raises(EOFError):
        exactly(1)
    os.close(incoming)
