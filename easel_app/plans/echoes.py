"""Objects that others have planted in a text, so that a judge that only repeats one is known to have judged nothing.

A plan can carry a finished report anywhere: as JSON in its prose, as a value of a call, as a text within a value, with
backslashes before its quotation marks, or spelt so that only a willing reader sees JSON: by entities of HTML, escapes,
percent codes, full-width or typographic signs, single quotation marks, with characters of no width in between. All of
these are looked for, objects within others included.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import unquote

from easel_app.llm.objects import objects

DEEPEST: Final = 8
"""Texts within texts that are read."""
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_QUOTES: Final = str.maketrans({**dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("‘’‚‛", "'")})
_LOOSE = re.compile(r"[\s\\]+")
"""What spells the same object otherwise."""


class Planted:
    """What some texts hold."""

    def __init__(self, texts: Iterable[str]) -> None:
        kept = [spelling for text in texts for spelling in {text, meant(text)}]
        self._tight = [_LOOSE.sub("", text) for text in kept]
        self._objects = [
            found
            for text in kept
            for plain in {text, text.replace("\\", ""), text.replace("'", '"')}
            for found in _objects(plain, DEEPEST)
        ]

    def holds(self, found: str) -> bool:
        """Whether a JSON object stands in one of the texts: word for word but for blanks and backslashes, or respelt.

        Of a text with very many braces only a part is read as objects; word for word all of it is.
        """
        tight = _LOOSE.sub("", found)
        return any(tight in text for text in self._tight) or json.loads(found) in self._objects


def meant(text: str) -> str:
    """A text as a willing reader would take it: every way to spell an ordinary character otherwise is undone."""
    escaped = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    plain = unicodedata.normalize("NFKC", html.unescape(unquote(escaped))).translate(_QUOTES)
    return "".join(char for char in plain if unicodedata.category(char) != "Cf")


def _objects(text: str, depth: int) -> Iterator[dict[str, Any]]:
    """All objects in a text that a reader of JSON would see, however deep within others."""
    if depth and "{" in text:
        for found in objects(text):
            yield from _within(found, depth - 1)


def _within(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            yield each
            left += each.values()
        elif isinstance(each, list):
            left += each
        elif isinstance(each, str):
            yield from _objects(each, depth)
