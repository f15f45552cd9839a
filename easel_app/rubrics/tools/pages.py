"""The text of a public web page."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from easel_app.rubrics.tools import extraction
from easel_app.rubrics.tools.fetching import MOST_URL, Fetched, NoPage, fetch
from easel_app.rubrics.tools.guarded import Reach
from easel_app.rubrics.tools.observation import Observation
from easel_app.rubrics.tools.payloads import clean, failure, one_line, with_note

MOST_TEXT = 8000
"""Characters of a page's text that are told, as published."""
READING = 10.0
"""Seconds of the clock for reading a page."""
_HTML = frozenset({"text/html", "application/xhtml+xml"})
_TEXT = re.compile(r"text/[\w.+-]+|application/(?:json|xml|javascript|(?:[\w.-]+\+)?(?:json|xml))")
_LOOKS_LIKE_HTML = re.compile(rb"\s*(?:<!doctype\s+html|<html|<head|<body|<!--)", re.IGNORECASE)


class Text(NamedTuple):
    """What is to be read on a page; untrusted."""

    title: str
    text: str
    """Its first `MOST_TEXT` characters."""
    length: int
    """Characters of all of it."""


class Pages:
    """The tool, on pages of the public internet."""

    backend = "service"

    def __init__(self, reach: Reach | None = None) -> None:
        """Fetch within a reach; None: public addresses only."""
        self._reach = reach

    async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
        """`url` (after redirects), `title`, `text`, `status`, `content_length` in characters; or `error`."""
        asked = arguments["url"]
        try:
            page = await fetch(asked, self._reach)
            told = await read(page)
            if not told.text:
                raise NoPage("The page holds no text that can be read without running its scripts.")
        except NoPage as error:
            return failure(str(error), url=one_line(asked, MOST_URL))
        payload = {
            "url": one_line(page.url, MOST_URL),
            "title": one_line(told.title, 300),
            "text": told.text,
            "status": "success",
            "content_length": told.length,
        }
        cut = f"These are its first {MOST_TEXT:,} of {told.length:,} characters." if told.length > MOST_TEXT else ""
        return Observation(with_note(payload, cut, "" if page.whole else "Only the first 2 MB of the page were read."))


async def read(page: Fetched, seconds: float = READING) -> Text:
    """The text of a page, read by a process of its own (see `extraction`).

    Raises:
        NoPage: it is no text, or cannot be read.
    """
    html = page.kind in _HTML or (not page.kind and _LOOKS_LIKE_HTML.match(page.content) is not None)
    if not html and not _TEXT.fullmatch(page.kind or "text/plain"):
        raise NoPage(f"The page is no text but {one_line(page.kind, 80)!r}, which is not read.")
    if not html and b"\0" in page.content[:1024] and page.content[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise NoPage("The page is no text but data, which is not read.")
    wish = json.dumps({"html": html, "charset": page.charset, "most": MOST_TEXT})
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        str(Path(extraction.__file__)),
        env={},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(seconds):
            out, _ = await process.communicate(wish.encode() + b"\n" + page.content)
    except TimeoutError:
        raise NoPage("The page is made so that it cannot be read in time.") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise NoPage("The page is made so that it cannot be read.")
    told = json.loads(out)
    return Text(told["title"], clean(told["text"], MOST_TEXT), told["length"])
