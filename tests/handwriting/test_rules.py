"""The rules of the reader, one by one, on real drawings."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from benchmarks.handwriting import agents
from benchmarks.handwriting.bank import fonts
from benchmarks.handwriting.scribbling import KINDS, scribble
from benchmarks.handwriting.sets import Drawing, rng_of
from benchmarks.handwriting.writing import Hand, mirrored, write
from easel_app.handwriting import VERSION, Reading, read
from easel_app.handwriting.crop import ink_box, lines
from easel_app.handwriting.network import ALPHABET, fold
from easel_app.painting import lettering
from easel_app.painting.brush import dressed
from easel_app.painting.renderer import render
from easel_app.scoring import BRUSH_COLOUR
from easel_app.scoring.handwriting import alignment, positional_match

HELLO = Drawing("agent", "agent 0", "hello", agents.drawings()[0][1])


def blank(size: int = 256) -> np.ndarray:
    return np.full((size, size, 3), 255, np.uint8)


def drawn(word: str, font: str = "short-stack", hand: Hand | None = None, size: int = 256) -> Drawing:
    own = next(f for f in fonts() if f.name == font)
    return Drawing("", font, word, write(rng_of(3, font, word), own, word, hand or Hand()), size)


def reading(drawing: Drawing) -> Reading:
    return read(drawing.canvas())


def test_an_empty_canvas_has_no_letters_and_no_box() -> None:
    found = read(blank())
    assert (found.letters, found.raw, found.confidence, found.mirrored, found.box, found.columns) == (
        *("", "", 0.0, False, None),
        (),
    )


def test_hello_is_read_with_its_box_columns_and_version() -> None:
    found = reading(HELLO)
    assert found.letters == found.raw == "hello"
    assert found.confidence > 0.9
    assert found.reader.startswith("rapidocr/")
    assert found.reader.endswith(VERSION)
    top, bottom, left, right = found.box
    ink = (HELLO.canvas()[..., 0] < 128).nonzero()
    assert (top, bottom, left, right) == (ink[0].min(), ink[0].max() + 1, ink[1].min(), ink[1].max() + 1)


def test_columns_hold_the_ink_of_their_letter_in_order() -> None:
    found = reading(HELLO)
    assert len(found.columns) == len(found.letters)
    assert found.columns[0][0] == found.box[2]
    assert found.columns[-1][1] == found.box[3]
    for (left, right), (after, _) in zip(found.columns, found.columns[1:], strict=False):
        assert left < right == after
    middles = [41, 91, 128, 151, 194]  # x in px of the middle of each letter's strokes, see agents.py
    for (left, right), middle in zip(found.columns, middles, strict=True):
        assert left < middle < right


@pytest.mark.parametrize(("word", "score"), [("hello", 1.0), ("hullo", 0.8)])
def test_one_wrong_letter_costs_a_fifth(word: str, score: float) -> None:
    found = reading(drawn(word))
    assert positional_match(found.letters, "hello") == pytest.approx(score)


def test_the_word_backwards_is_worth_a_fifth_at_most() -> None:
    found = reading(drawn("olleh"))
    assert found.letters == "olleh"
    assert positional_match(found.letters, "hello") <= 0.2 + 1e-9


@pytest.mark.parametrize("font", ["short-stack", "schoolbell", "delius", "patrick-hand"])
def test_mirror_writing_is_not_read(font: str) -> None:
    plain = drawn("hello", font)
    found = reading(plain._replace(curves=mirrored(plain.curves)))
    assert positional_match(found.letters, "hello") <= 0.2
    assert reading(plain).letters == "hello"


@pytest.mark.parametrize("kind", KINDS)
def test_a_scribble_earns_nothing(kind: str) -> None:
    rng = rng_of(5, kind)
    scores = []
    for _ in range(4):
        drawing = Drawing("", kind, "", scribble(rng, kind))
        scores.append(positional_match(reading(drawing).letters, "hello"))
    assert np.mean(scores) <= 0.05


@pytest.mark.parametrize("size", [64, 128, 256, 512])
def test_every_size_of_canvas_is_read(size: int) -> None:
    assert reading(HELLO._replace(size=size)).letters == "hello"


def test_capitals_are_read_as_small_letters() -> None:
    assert reading(drawn("hello", hand=Hand(upper=True))).letters == "hello"


def test_a_glyph_that_is_no_letter_keeps_its_place() -> None:
    assert [fold(glyph) for glyph in ("", "a", "A", "é", "0", "|", "中", "&", "β", ".", " ")] == [
        *("-", "a", "a", "e", "o", "l", "#", "#", "#", "-", "-")
    ]
    assert len(set(ALPHABET)) == len(ALPHABET) == 28


def test_a_word_of_few_strokes_is_read() -> None:
    assert read(HELLO.canvas()).letters == "hello"


def test_one_dot_and_a_full_canvas_are_no_words() -> None:
    dot = blank()
    dot[100:104, 50:54] = BRUSH_COLOUR
    full = blank()
    full[:] = BRUSH_COLOUR
    line = blank()
    line[128:131] = BRUSH_COLOUR
    corner = blank(64)
    corner[0, 0] = BRUSH_COLOUR
    for canvas in (dot, full, line, corner):
        found = read(canvas)
        assert found.box is not None
        assert alignment(found.letters, "hello") <= 0.2


def test_the_same_canvas_reads_the_same_in_many_threads() -> None:
    drawings = [HELLO, drawn("hullo"), drawn("olleh"), drawn("world")]
    alone = [reading(drawing) for drawing in drawings]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(reading, drawings * 3))
    assert together == alone * 3


def test_no_logger_is_touched_and_nothing_is_printed_or_fetched() -> None:
    """In a process of its own, whose sockets are broken."""
    program = """
import logging, socket
def refuse(*_, **__): raise OSError("no network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
root = logging.getLogger()
before = root.level, list(root.handlers)
from easel_app.handwriting import warm
warm()
assert (root.level, list(root.handlers)) == before
assert "RapidOCR" not in logging.root.manager.loggerDict
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_canvas_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="uint8"):
        read(np.zeros((8, 8), np.uint8))
    with pytest.raises(ValueError, match="uint8"):
        read(np.zeros((8, 8, 3), np.float64))  # type: ignore[arg-type]


def two_lines(first: str, second: str) -> np.ndarray:
    """One word above another, each in its half of the canvas."""
    paths = []
    for word, top in ((first, 0.0), (second, 0.5)):
        for path in lettering.write(word):
            moved = path.copy()
            moved[0::2], moved[1::2] = 0.1 + 0.8 * path[0::2], top + path[1::2] / 2
            paths.append(moved)
    return render(np.array([dressed(path) for path in paths]), np.full((256, 256, 3), 255, np.uint8))


@pytest.mark.parametrize("first, second", [("hello", "hello"), ("hello", "world"), ("fish", "zebra"), ("fish", "qqqq")])
def test_a_second_line_is_no_free_try(first: str, second: str) -> None:
    found = read(two_lines(first, second))
    assert found.letters == first + second and len(found.columns) == len(found.letters)
    assert positional_match(found.letters, first) <= 0.5


@pytest.mark.parametrize("word", ["jij", "ij", "i", "hiji"])
def test_dots_make_no_line_of_their_own(word: str) -> None:
    canvas = render(np.array([dressed(path) for path in lettering.write(word)]), np.full((256, 256, 3), 255, np.uint8))
    box = ink_box(canvas)
    assert box and lines(canvas, box) == [box]
