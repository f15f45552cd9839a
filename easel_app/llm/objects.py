"""The JSON object that a model's answer ends with, when the model may think aloud before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from json import JSONDecodeError, JSONDecoder
from typing import Any

MOST_SCANNED = 16 * 1024 * 1024
"""Characters that are read at most. Each brace that begins no object costs all before it, whose lines are counted."""
AFTER = re.compile(r"\s*(?:```\s*)?\Z")
"""What may stand after the object: the end of a code fence."""


def last_object(text: str) -> str:
    """The last complete JSON object of a text, which is what the text must end with.

    A model that thinks aloud may quote objects that others wrote before it gives its own, so no earlier one counts. Nor
    does one within another: an object whose beginning cannot be read, such as one that quotes without escaping, would
    else give way to what it quotes. So the object must end the text, and no brace before it may have been left open.

    Raises:
        ValueError: there is no such object, or a key stands twice in it; a few words, to be put after "the answer: ".
    """
    repeated: list[str] = []
    decoder = JSONDecoder(object_pairs_hook=lambda pairs: _note(pairs, repeated))
    scanned = before = end = 0
    begin = -1
    at = text.find("{")
    while at >= 0:
        seen = len(repeated)
        try:
            _, stop = decoder.raw_decode(text, at)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        except JSONDecodeError as error:
            del repeated[seen:]
            stop, cost = at + 1, error.pos + 1
        else:
            before, begin, end, cost = end, at, stop, stop - at
            del repeated[:seen]
        scanned += cost
        if scanned > MOST_SCANNED:
            raise ValueError("it holds more braces than can be read")
        at = text.find("{", stop)
    if begin < 0:
        raise ValueError("it holds no complete JSON object")
    if not AFTER.match(text, end):
        raise ValueError("something follows its last complete JSON object")
    if text.count("{", before, begin) > text.count("}", before, begin):
        raise ValueError("a brace is left open before its last complete JSON object")
    if repeated:
        raise ValueError("a key stands twice in it")
    return text[begin:end]


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, from the first brace on that begins one; those within another are part of it.

    Of a text with very many braces that begin nothing only a part is looked at.
    """
    decoder, at, scanned = JSONDecoder(), text.find("{"), 0
    while at >= 0 and scanned <= MOST_SCANNED:
        try:
            found, stop = decoder.raw_decode(text, at)
        except RecursionError:
            stop, scanned = at + 1, scanned + len(text)
        except JSONDecodeError as error:
            stop, scanned = at + 1, scanned + error.pos + 1
        else:
            scanned += stop - at
            yield found
        at = text.find("{", stop)


def _note(pairs: Sequence[tuple[str, Any]], repeated: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            repeated.append(name)
        found[name] = value
    return found
