"""Texts of others within a prompt: between lines that no text can forge, so that each is known to end where it does.

A text that is to be judged may say that it ends here, and that an instruction follows. It cannot: the lines around it
carry a mark that is made from the contents themselves and that stands in none of them. The same contents have the same
mark, so the same question is the same request.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import count

LENGTH = 16
"""Hexadecimal digits of a mark."""


def mark(contents: Iterable[str], *, others: Iterable[str] = ()) -> str:
    """A mark that stands in none of the texts, in whatever case.

    Args:
        contents: what it is made from.
        others: texts that it stands in neither; they do not change it, but for the one case in 2**64 that it would.
    """
    made_from, digest = list(contents), hashlib.sha256()
    for text in made_from:
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    found = [text.lower() for text in (*made_from, *others)]
    for number in count():
        tried = digest.copy()
        tried.update(number.to_bytes(8, "big"))
        candidate = tried.hexdigest()[:LENGTH]
        if not any(candidate in text for text in found):
            return candidate
    raise AssertionError  # count() has no end


def fenced(name: str, content: str, mark: str) -> str:
    """A text between its two lines, byte for byte."""
    return f"[BEGIN {name} {mark}]\n{content}\n[END {name} {mark}]"
