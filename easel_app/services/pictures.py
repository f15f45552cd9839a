"""An own picture that a log brings along: the same pixels or nothing."""

from __future__ import annotations

import base64
import struct

import numpy as np
from numpy.typing import NDArray

from easel_app.painting.tasks import digest
from easel_app.services.intake import take_in
from easel_app.services.problems import Invalid
from easel_app.services.tasks import OWN_BUDGETS

_HEADER = struct.Struct(">8sI4sIIBB")
"""Signature, length and name of the first chunk, width, height, bits, colour type (PNG specification, 5.2, 11.2.2)."""
_BEGINNING, _RGB = (b"\x89PNG\r\n\x1a\n", 13, b"IHDR"), (8, 2)


def received(encoded: str, sha256: str) -> NDArray[np.uint8]:
    """The picture of an own task, uint8 (n, n, 3), from a PNG file in base64 of unknown origin.

    Args:
        encoded: 8 bits RGB, square, of a size that own pictures come in; nothing is scaled or cropped.
        sha256: digest that the pixels must have.

    Raises:
        Invalid: it is no such picture.
        TooLarge, Unsupported: as `take_in` does.
    """
    try:
        file = base64.b64decode(encoded, validate=True)
        *beginning, width, height, bits, colours = _HEADER.unpack_from(file)
    except (ValueError, struct.error):  # no base64, or shorter than a header
        file, beginning, width, height, bits, colours = b"", [], 0, 0, 0, 0
    if tuple(beginning) != _BEGINNING or (bits, colours) != _RGB or width != height or width not in OWN_BUDGETS:
        sizes = ", ".join(map(str, OWN_BUDGETS))
        message = f"reference_png must be a square RGB picture of 8 bits as PNG in base64, {sizes} px wide."
        raise Invalid("picture_format", message)
    reference = take_in(file, width)  # of that size already: pixels stay as they are
    if digest(reference) != sha256:
        message = "reference_png is not the picture that task_digest names; send the log as it was."
        raise Invalid("picture_other", message)
    return reference
