"""Reads the text of a page: a program of its own, started by `pages` with a time limit.

A page may be made to keep a parser busy for hours or to crash it, and a parser in native code can neither be
interrupted nor survive. So each page has a process, which has nothing but the page: no environment, and limits on
processor time and memory. Input: one line of JSON (`html`, `charset`, `most`), then the page's bytes. Output: JSON with
`title`, `text` (`most` characters at most) and `length` of all the text.

Resiliparse reads HTML as browsers do, tells the main text from navigation, and knows the web's encodings. Its rules for
the main text also leave out lists and captions, so they are asked only where not all of the text can be told.
"""

from __future__ import annotations

import codecs
import json
import sys
from contextlib import suppress

CPU_SECONDS = 5
MEMORY = 1024**3
"""Bytes of address space; 2 MB of the worst pages take a quarter of it."""
SHORT = 100
"""Characters; what is shorter is most likely not the main text of a long page, and all of its text is taken."""


def main() -> None:
    """Read a page from standard input."""
    _confine()
    wish = json.loads(sys.stdin.buffer.readline())
    content = sys.stdin.buffer.read()
    told = read(content, html=wish["html"], charset=wish["charset"], most=wish["most"])
    sys.stdout.write(json.dumps(told))  # ASCII, so that nothing depends on the locale


def read(content: bytes, html: bool, charset: str, most: int) -> dict[str, str | int]:
    """Title, text and its length.

    Args:
        content: of the page.
        html: whether it is HTML; else it is text.
        charset: as the server names it; empty or unknown: it is found out.
        most: characters of the text that are wanted.
    """
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str
    from resiliparse.parse.html import HTMLTree

    text, title = bytes_to_str(content, _encoding(content, html, charset), errors="replace"), ""
    if html:
        tree = HTMLTree.parse(text)
        title = tree.title or ""
        text = extract_plain_text(tree, main_content=False)
        if len(text) > most and len(main := extract_plain_text(tree, main_content=True).strip()) >= SHORT:
            text = main
    text = text.strip()
    return {"title": title[:1000], "text": text[:most], "length": len(text)}


def _encoding(content: bytes, html: bool, charset: str) -> str:
    """What the bytes are written in, by the surest sign: servers often name an encoding that it is not.

    Names are mapped to the encodings of the web, else one could be that of a codec such as zip or idna.
    """
    from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5

    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if content.startswith(mark):
            return encoding
    if not content.isascii() and _is_utf8(content):
        return "utf-8"
    named = map_encoding_to_html5(charset, fallback_utf8=False) if charset.isascii() else None
    return named or detect_encoding(content, from_html_meta=html) or "utf-8"


def _is_utf8(content: bytes) -> bool:
    """Whether it can be nothing else; a character that is cut off at the end does not count."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError:
        return False
    return True


def _confine() -> None:
    with suppress(ImportError, ValueError, OSError):  # not everywhere, and never a reason not to read
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    main()
