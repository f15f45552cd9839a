"""A session as a clip: animated WebP or GIF, or MP4 where PyAV is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from easel_app.exports.containers import patches, write_gif, write_webp
from easel_app.exports.frames import frames
from easel_app.painting.stroke import Strict
from easel_app.painting.tasks import Task
from easel_app.services.problems import Unsupported
from easel_app.store.records import ActionRecord

Pixels = NDArray[np.uint8]
Form = Literal["webp", "gif", "mp4"]
MOST_FRAMES = 600
LAST = 1.0
"""Seconds for which the last frame is held."""
ENCODER: Final = "libx264"
NO_VIDEO = 'MP4 needs PyAV, which is not installed here: pip install "easel-studio[video]", or take WebP or GIF.'


class Clip(Strict):
    """How a session is shown as a clip."""

    fps: Annotated[int, Field(ge=1, le=30)] = Field(default=12, description="Frames a second.")
    frames: Annotated[int, Field(ge=2, le=MOST_FRAMES)] = Field(
        default=240, description="Frames at most; a longer session is thinned evenly, first and last step stay."
    )
    reference: bool = Field(default=False, description="Show the task's picture at the left of the canvas.")


def write_clip(
    path: Path,
    form: Form,
    task: Task,
    actions: Sequence[ActionRecord],
    wish: Clip,
    stopping: Callable[[], bool] = lambda: False,
) -> None:
    """Write a clip of the canvas after each step to a file; frames are made as they are written.

    Args:
        path: the file.
        form: its format.
        task: what is painted.
        actions: the whole log.
        wish: pace, length and what is shown.
        stopping: asked before each step; the file is then cut short.

    Raises:
        Conflict: the log no longer gives the recorded canvas.
        Unsupported: MP4, and PyAV is not installed.
    """
    found = frames(task, actions, most=wish.frames, beside=wish.reference, stopping=stopping)
    first = next(found, None)
    if first is None:  # stopped before it began
        return
    whole: Iterator[Pixels] = chain([first], found)
    if form == "mp4":
        _write_mp4(path, whole, wish.fps)
        return
    size = first.shape[1], first.shape[0]
    with path.open("wb") as file:
        (write_webp if form == "webp" else write_gif)(file, size, patches(whole, wish.fps, LAST))


def _write_mp4(path: Path, found: Iterable[Pixels], fps: int) -> None:
    """H.264 in 4:2:0, which every browser plays, with its index at the front."""
    try:
        import av
    except ImportError as error:
        raise Unsupported("no_video", NO_VIDEO) from error
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = None
        for pixels in _held(found, max(1, round(LAST * fps))):
            if stream is None:
                stream = container.add_stream(ENCODER, rate=fps, options={"crf": "18", "preset": "veryfast"})
                stream.height, stream.width = pixels.shape[:2]
                stream.pix_fmt = "yuv420p"
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        if stream:
            container.mux(stream.encode(None))


def _held(found: Iterable[Pixels], times: int) -> Iterator[Pixels]:
    """The same frames, the last one several times."""
    last: Pixels | None = None
    for last in found:
        yield last
    if last is not None:
        yield from [last] * (times - 1)
