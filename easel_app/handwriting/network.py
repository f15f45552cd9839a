"""The text recogniser of rapidocr (PP-OCRv6 small, Apache-2.0), run straight from the weights in its wheel.

Only the file is taken, not the package's code: rapidocr would load two more networks, set up a console logger and
download what it misses. onnxruntime runs the network in one thread, so that a reading never spins on a busy machine.
"""

from __future__ import annotations

import hashlib
import threading
import unicodedata
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnxruntime
from numpy.typing import NDArray

Floats = NDArray[np.float32]

WEIGHTS = "PP-OCRv6_rec_small.onnx"
DIGEST = "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884"
"""SHA-256 of the weights: others would read otherwise, and scores would no longer compare."""
LAYER = "p2o.pd_op.add.64.0"
"""The last map of the convolutions, (1, 384, 3, w / 4): what was seen, before it is joined to words."""
STEP = 8
"""Columns of the strip for one time step of the network's reading."""
FINE = 4
"""Columns of the strip for one time step of what it saw."""
ALPHABET = "-abcdefghijklmnopqrstuvwxyz#"
"""What a time step can be: nothing (a blank), a letter, or a glyph that is no letter."""
_ALIKE = {"0": "o", "1": "l", "|": "l", "!": "i", "5": "s", "9": "g", "6": "b", "2": "z"}
"""Glyphs that look like a letter when no other tells them apart."""
_NOTHING = " .,-_'`\"·"
"""Small marks that a stray dot is read as."""
_making = threading.Lock()


class Seen(NamedTuple):
    """What the network makes of a strip w columns wide."""

    map: Floats
    """float32 (w / 4, 1152): three heights of 384 features at each column of the last map."""
    signs: Floats
    """float32 (w / 8, 28): the chance of each sign of `ALPHABET` at each time step; a row sums to 1."""


def weights() -> bytes:
    """The recogniser in the wheel of rapidocr.

    Raises:
        RuntimeError: rapidocr is not there, or its wheel no longer holds these weights.
    """
    spec = find_spec("rapidocr")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / "models" / WEIGHTS
        if path.is_file():
            found = path.read_bytes()
            if hashlib.sha256(found).hexdigest() == DIGEST:
                return found
    raise RuntimeError(f"the installed rapidocr does not hold the {WEIGHTS} that reads here: install rapidocr 3.10")


def name() -> str:
    """Package and version of the recogniser."""
    return f"rapidocr/{version('rapidocr')}"


class Network:
    """A session of onnxruntime, and the fold of its 18,710 glyphs into `ALPHABET`. Any thread may call `run`."""

    def __init__(self) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        model = with_output(weights(), LAYER)
        self._session: Any = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._input: str = self._session.get_inputs()[0].name
        self._output: str = self._session.get_outputs()[0].name
        glyphs = self._session.get_modelmeta().custom_metadata_map["character"].splitlines()
        signs = np.array([ALPHABET.index(fold(glyph)) for glyph in ("", *glyphs, " ")])
        self._known = [np.flatnonzero(signs == sign) for sign in range(len(ALPHABET) - 1)]
        self._lock = threading.Lock()

    def run(self, values: Floats) -> Seen:
        """Read one strip, float32 (3, 48, w), see `crop.Strip`."""
        with self._lock:
            glyphs, seen = self._session.run([self._output, LAYER], {self._input: values[None]})
        known = np.stack([glyphs[0][:, own].sum(-1) for own in self._known], -1)
        signs = np.concatenate([known, np.maximum(1 - known.sum(-1, keepdims=True), 0)], -1)
        return Seen(seen[0].transpose(2, 0, 1).reshape(seen.shape[3], -1), signs)


def with_output(model: bytes, layer: str) -> bytes:
    """A model in ONNX that also hands out one of its inner layers.

    Two messages of Protocol Buffers in a row are one message, whose repeated fields are joined. So it is enough to
    append a `ModelProto` (field 7: graph) with a `GraphProto` (field 12: output) with a `ValueInfoProto` (field 1:
    name) to name one more output.
    """

    def field(number: int, content: bytes) -> bytes:
        return bytes([number << 3 | 2, len(content)]) + content

    return model + field(7, field(12, field(1, layer.encode())))


def fold(glyph: str) -> str:
    """The sign of `ALPHABET` that a class of the recogniser stands for."""
    if glyph == "" or glyph in _NOTHING:
        return ALPHABET[0]
    base = unicodedata.normalize("NFD", glyph)[0].lower()
    letter = _ALIKE.get(base, base)
    return letter if "a" <= letter <= "z" else ALPHABET[-1]


@cache
def _made() -> Network:
    return Network()


def network() -> Network:
    """The one network of the process, made at the first call."""
    with _making:
        return _made()
