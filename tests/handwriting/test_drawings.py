"""The drawings that the reader is measured on: complete, split for good, sourced, and the same every time."""

from __future__ import annotations

import string
from pathlib import Path

import numpy as np
import pytest

from benchmarks.handwriting import bank
from benchmarks.handwriting.confusion import NONE, aligned, confusions
from benchmarks.handwriting.scribbling import KINDS, scribble
from benchmarks.handwriting.sets import HANDS, everything, rng_of
from benchmarks.handwriting.writing import mirrored, write

SOURCES = (Path(bank.__file__).parent / "SOURCES.md").read_text()


def test_every_font_has_every_letter() -> None:
    assert len(bank.fonts()) >= 60
    for font in bank.fonts():
        assert set(string.ascii_letters) <= set(font.glyphs), font.name
        assert all(len(glyph.curves) and np.isfinite(glyph.curves).all() for glyph in font.glyphs.values())


def test_no_font_is_in_both_halves() -> None:
    tune, test = ({font.name for font in bank.fonts(half)} for half in ("/tune", "/test"))
    assert len(tune) >= 20 <= len(test)
    assert not tune & test
    assert len(tune) + len(test) == len(bank.fonts())


def test_every_font_is_sourced_under_a_licence_that_we_may_ship() -> None:
    rows = [line.strip("| ").split(" | ") for line in SOURCES.splitlines() if line.startswith("| ")][2:]
    assert [(row[0], row[1]) for row in rows] == [(font.name, font.set) for font in bank.fonts()]
    assert {row[3] for row in rows} <= {"OFL-1.1", "Apache-2.0", "MIT"}
    assert all(len(row[4]) > 3 for row in rows)


@pytest.mark.parametrize("hand", HANDS)
def test_a_seed_makes_the_same_drawing_on_the_canvas(hand: str) -> None:
    font = bank.fonts("print/tune")[0]
    one, again = (write(rng_of(1, hand), font, "hello", HANDS[hand]) for _ in range(2))
    assert one.tobytes() == again.tobytes()
    assert one.min() >= 0
    assert one.max() <= 1
    if HANDS[hand].distortion:
        assert write(rng_of(2, hand), font, "hello", HANDS[hand]).tobytes() != one.tobytes()


@pytest.mark.parametrize("kind", KINDS)
def test_a_scribble_stays_on_the_canvas(kind: str) -> None:
    for seed in range(20):
        drawn = scribble(rng_of(seed, kind), kind)
        assert drawn.shape[1:] == (3, 2)
        assert 0 <= drawn.min() <= drawn.max() <= 1


def test_the_mirror_undoes_itself() -> None:
    drawn = scribble(rng_of(1), "walk")
    assert mirrored(mirrored(drawn)) == pytest.approx(drawn)


def test_there_are_at_least_500_drawings_a_third_of_the_words_random() -> None:
    words = [drawing.word for drawing in everything("test", 3) if drawing.font in {f.name for f in bank.fonts()}]
    written = [word for word in words if word]
    assert len(written) >= 500
    assert sum(word == "hello" for word in written) / len(written) == pytest.approx(1 / 3, abs=0.06)


def test_confusions_follow_the_shortest_edit() -> None:
    assert aligned("hello", "hiello") == [("h", "h"), (NONE, "i"), ("e", "e"), ("l", "l"), ("l", "l"), ("o", "o")]
    found = confusions([("hello", "helo"), ("hello", "hallo"), ("hello", "")])
    assert found == {("l", NONE): 1, ("e", "a"): 1}
