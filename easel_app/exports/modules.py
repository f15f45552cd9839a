"""The page's own modules in one file: an import map whose addresses are the modules themselves.

A page that is opened from disk may not import other files, and a `data:` module has no folder that `./x.js` could be
relative to. So each relative specifier becomes a bare one, and the import map says what it stands for.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

PREFIX = "easel/"
"""What bare specifiers begin with."""
_SPECIFIER = re.compile(
    r"""
    ( (?:^|[;}]) \s* (?:import|export) \b [^"'`;()]*? \b from \s*   # import { a } from, export * from
    | (?:^|[;}]) \s* import \s*                                     # import "./x.js"
    | \b import \s* \( \s* )                                        # import("./x.js")
    (["']) (\.{1,2}/[^"'\s]+) \2
    """,
    re.MULTILINE | re.VERBOSE,
)


def modules_of(entry: str, folder: Path) -> dict[str, str]:
    """An entry module and all that it imports, directly or not, by bare specifier, with bare specifiers inside.

    Args:
        entry: path of the module in the folder, such as `watch/one.js`.
        folder: where the modules are.

    Raises:
        FileNotFoundError: one of them is not in the folder.
    """
    found: dict[str, str] = {}
    waiting = [PurePosixPath(entry)]
    while waiting:
        path = waiting.pop()
        if specifier_of(path) in found:
            continue
        needed: list[PurePosixPath] = []

        def bare(match: re.Match[str], at: PurePosixPath = path, needed: list[PurePosixPath] = needed) -> str:
            target = _normal(at.parent / match[3])
            needed.append(target)
            return f"{match[1]}{match[2]}{specifier_of(target)}{match[2]}"

        found[specifier_of(path)] = _SPECIFIER.sub(bare, (folder / path).read_text(encoding="utf-8"))
        waiting += reversed(needed)
    return found


def specifier_of(path: PurePosixPath | str) -> str:
    """The bare specifier of a module."""
    return f"{PREFIX}{path}"


def data_url(source: str) -> str:
    """A module as a `data:` URL. Only what such a URL cannot hold is escaped: it grows by a few hundredths."""
    # a URL's tabs and line ends are dropped, # begins a fragment, and `%` the escapes themselves
    escaped = (
        char if " " <= char <= "~" and char not in "%#" else "".join(f"%{byte:02X}" for byte in char.encode())
        for char in source
    )
    return f"data:text/javascript;charset=utf-8,{''.join(escaped)}%0A"  # a URL that ends in a blank would lose it


def _normal(path: PurePosixPath) -> PurePosixPath:
    """A path without `.` and `..`; one that leaves the folder is not found in it."""
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    if ".." in parts:
        raise FileNotFoundError(f"the module {path} is outside the folder")
    return PurePosixPath(*parts)
