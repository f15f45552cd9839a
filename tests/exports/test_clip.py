"""Clips, read back by other programs' decoders."""

from __future__ import annotations

import sys
import threading
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from PIL import Image

from easel_app.exports.clip import Clip, write_clip
from easel_app.exports.containers import patches, write_gif, write_webp
from easel_app.exports.frames import frames
from easel_app.exports.service import Stopped
from easel_app.services.problems import Busy, Conflict, NotFound, Unsupported
from tests.exports.conftest import House

Pixels = NDArray[np.uint8]


def played(file: Path | BytesIO) -> list[tuple[Pixels, int]]:
    """Frames of an animation as Pillow shows them, with the ms for which each stays."""
    found = []
    with Image.open(file) as image:
        assert image.info["loop"] == 0
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            found.append((np.array(image.convert("RGB")), int(image.info["duration"])))
    return found


def expected(house: House, name: str, fps: int, **more: int | bool) -> list[tuple[Pixels, float]]:
    """The frames as they must show, with their seconds; equal neighbours are one."""
    task, _, actions = house.recorded(name)
    shown: list[tuple[Pixels, float]] = []
    whole = list(frames(task, actions, **({"most": 600} | more)))  # type: ignore[arg-type]
    for number, frame in enumerate(whole):
        lasts = 1.0 if number == len(whole) - 1 else 1 / fps
        if shown and (shown[-1][0] == frame).all():
            shown[-1] = frame, shown[-1][1] + lasts
        else:
            shown.append((frame, lasts))
    return shown


@pytest.mark.parametrize("name", ["painted", "maze", "empty"])
def test_a_webp_shows_each_canvas_to_the_bit_and_for_its_time(house: House, name: str, tmp_path: Path) -> None:
    task, _, actions = house.recorded(name)
    path = tmp_path / "clip.webp"
    write_clip(path, "webp", task, actions, Clip(fps=7))
    shown = expected(house, name, 7)
    found = played(path)
    assert len(found) == len(shown)
    for (frame, lasts), (wanted, seconds) in zip(found, shown, strict=True):
        assert (frame == wanted).all()
        assert abs(lasts - 1000 * seconds) <= 1
    assert abs(sum(lasts for _, lasts in found) - 1000 * sum(seconds for _, seconds in shown)) <= 1


@pytest.mark.parametrize("name", ["painted", "maze", "empty"])
def test_a_gif_shows_each_canvas_in_as_many_colours_as_it_can(house: House, name: str, tmp_path: Path) -> None:
    task, _, actions = house.recorded(name)
    path = tmp_path / "clip.gif"
    write_clip(path, "gif", task, actions, Clip(fps=7))
    shown = expected(house, name, 7)
    found = played(path)
    assert len(found) == len(shown)
    for (frame, lasts), (wanted, seconds) in zip(found, shown, strict=True):
        assert np.abs(frame.astype(int) - wanted).mean() < 4
        assert abs(lasts - 1000 * seconds) <= 10


def test_the_time_of_frames_adds_up_whatever_each_is_rounded_to(house: House, tmp_path: Path) -> None:
    task, _, actions = house.recorded("model")
    path = tmp_path / "clip.gif"
    write_clip(path, "gif", task, actions, Clip(fps=30))
    assert abs(sum(lasts for _, lasts in played(path)) - (task.budget / 30 + 1) * 1000) <= 10


@pytest.mark.parametrize("beside", [False, True])
def test_an_mp4_is_h264_in_420_with_its_index_in_front(house: House, tmp_path: Path, beside: bool) -> None:
    task, _, actions = house.recorded("painted")
    path = tmp_path / "clip.mp4"
    write_clip(path, "mp4", task, actions, Clip(fps=8, reference=beside))
    content = path.read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")
    wanted = list(frames(task, actions, most=600, beside=beside))
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert stream.average_rate == Fraction(8)
        found = [frame.to_ndarray(format="rgb24") for frame in container.decode(stream)]
    assert len(found) == len(wanted) + 7  # the last one stays for a second
    assert found[0].shape == wanted[0].shape
    for frame, canvas in zip(found, [*wanted, *wanted[-1:] * 7], strict=True):
        assert np.abs(frame.astype(int) - canvas).mean() < 6


def test_a_long_session_is_thinned(house: House, tmp_path: Path) -> None:
    task, _, actions = house.recorded("model")
    path = tmp_path / "clip.webp"
    write_clip(path, "webp", task, actions, Clip(frames=5))
    shown = expected(house, "model", 12, most=5)
    assert len(played(path)) == len(shown) == 5
    assert (played(path)[-1][0] == shown[-1][0]).all()


pictures = arrays(np.uint8, st.tuples(st.integers(1, 5), st.integers(7, 9), st.integers(5, 6), st.just(3)))


@given(pictures)
def test_any_frames_come_back_from_a_webp(frames: Pixels) -> None:
    file = BytesIO()
    write_webp(file, (frames.shape[2], frames.shape[1]), patches(iter(frames), 10, 1.0))
    assert same(played(file), frames)


@given(pictures)
def test_any_frames_of_few_colours_come_back_from_a_gif(frames: Pixels) -> None:
    frames = frames // 128 * 255  # eight colours
    file = BytesIO()
    write_gif(file, (frames.shape[2], frames.shape[1]), patches(iter(frames), 10, 1.0))
    assert same(played(file), frames)


def same(found: list[tuple[Pixels, int]], frames: Pixels) -> bool:
    """Whether what is shown at the middle of each frame's time, ten to a second, is that frame."""
    ends = np.cumsum([lasts for _, lasts in found])
    shown = [found[int(np.searchsorted(ends, 100 * number + 50))][0] for number in range(len(frames))]
    return all((one == other).all() for one, other in zip(shown, frames, strict=True))


def test_without_pyav_the_refusal_says_what_to_install(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)  # what Python does for a module that is not there
    task, _, actions = house.recorded("painted")
    with pytest.raises(Unsupported, match=r'pip install "easel-studio\[video\]"'):
        write_clip(tmp_path / "clip.mp4", "mp4", task, actions, Clip())


def test_a_third_clip_at_once_is_refused_and_a_place_is_free_again_afterwards(house: House) -> None:
    go, under_way = threading.Event(), [threading.Event(), threading.Event()]

    def slow(mine: threading.Event) -> bool:
        mine.set()
        return not go.wait(20)

    threads = [
        threading.Thread(
            target=lambda mine=mine: house.exports.clip(house.ids["painted"], "gif", Clip(), lambda: slow(mine)).close()
        )
        for mine in under_way
    ]
    for thread, mine in zip(threads, under_way, strict=True):
        thread.start()
        assert mine.wait(20)
    with pytest.raises(Busy):
        house.exports.clip(house.ids["painted"], "gif", Clip())
    go.set()
    for thread in threads:
        thread.join()
    with house.exports.clip(house.ids["painted"], "gif", Clip()) as file:
        assert file.read(6) == b"GIF89a"


def test_a_clip_that_nobody_waits_for_ends_and_frees_its_place(house: House) -> None:
    for _ in range(3):
        with pytest.raises(Stopped):
            house.exports.clip(house.ids["painted"], "mp4", Clip(), lambda: True)


def test_an_unknown_session_and_a_task_with_another_picture_are_refused(house: House) -> None:
    with pytest.raises(NotFound):
        house.exports.clip("nowhere", "gif", Clip())
    with pytest.raises(Conflict, match="another picture"):
        house.exports.clip(house.ids["other picture"], "gif", Clip())
