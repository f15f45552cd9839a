"""The hostile set, from hostile.txt: what code may try, and what has to come of it."""

from __future__ import annotations

import platform
import re
from pathlib import Path
from typing import NamedTuple


class Snippet(NamedTuple):
    """Code and what is expected of it. It prints REACHED where it got what it must not get."""

    code: str
    """Names in capitals with an @ before them are to be filled in."""
    outcome: str
    """Those that may be, with | between them."""
    told: str
    """A pattern in what the model is told: stdout, stderr or a note."""
    images: int


PRELUDES = {
    "@TRY": """
def tried(function, *arguments, **options):
    try:
        print("REACHED", function(*arguments, **options))
    except Exception as error:
        print("refused", type(error).__name__, error)
""",
    "@LIBC": """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def called(name, *arguments):
    print("REACHED" if getattr(libc, name)(*arguments) != -1 else "refused", name, ctypes.get_errno())
""",
    "@PNG": r"""
import struct, zlib
def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
def png(width, height, data=b"", more=b""):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + more + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")
""",
}


def read(text: str) -> dict[str, Snippet]:
    """Snippets by name, less those for another processor: `=== name`, fields, an empty line, code."""
    found = {}
    for part in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        head, _, code = part.partition("\n\n")
        name, *lines = head.splitlines()
        fields = dict(line.split(": ", 1) for line in lines)
        for prelude, content in PRELUDES.items():
            code = code.replace(f"{prelude}\n", content)
        if fields.get("machine", platform.machine()) == platform.machine():
            found[name] = Snippet(code, fields["outcome"], fields.get("told", ""), int(fields.get("images", 0)))
    return found


HOSTILE = read(Path(__file__).with_name("hostile.txt").read_text(encoding="utf-8"))
