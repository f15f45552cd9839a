"""Pages: what is read of them, and servers that lie, stall, swell and lead astray."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from easel_app.rubrics.tools.fetching import MOST_BYTES, Fetched, NoPage, checked, fetch
from easel_app.rubrics.tools.guarded import Reach
from easel_app.rubrics.tools.pages import MOST_TEXT, Pages, read
from easel_app.scoring.tool_use import call_outcome
from tests.llm.conftest import run
from tests.rubrics.tools.sites import Request, Site, dripping, moved, page, serving, zipped

HERE = Reach(loopback=True)
TIDES = "<title>Tides &amp; ferries</title><nav><a href=/>Home</a></nav><main><p>The tide rises by four metres.</main>"
LONG = "<title>Long</title><nav>" + "<a href=/>Go elsewhere</a> " * 400 + "</nav><main>"
LONG += "".join(f"<p>Sentence {n} of the main text says that the ferry waits for the tide.</p>" for n in range(400))
LONG += "</main><footer>Imprint</footer>"


def broken_off(request: Request) -> None:
    request.send(b"<p>half", length=1000, content_type="text/html")


def nonsense(request: Request) -> None:
    request.wfile.write(b"\xff\xfe nothing of HTTP\r\n\r\n")


def setting_cookies(request: Request) -> None:
    request.send(b"", 302, location="/cookies/seen", set_cookie="id=1; Path=/")


def cookies_seen(request: Request) -> None:
    request.send(f"<p>cookies: {request.headers.get('cookie', 'none')}".encode(), content_type="text/html")


PAGES = {
    "/tides": page(TIDES),
    "/long": page(LONG),
    "/text": page("plain, Grüße", "text/plain; charset=utf-8"),
    "/json": page('{"a": 1}', "application/json"),
    "/nokind": lambda request: request.send(TIDES.encode()),
    "/pdf": page(b"%PDF-1.7", "application/pdf"),
    "/png": page(b"\x89PNG\r\n\0\0", "image/png"),
    "/data": page(b"abc\0def", "text/plain"),
    "/blank": page("<html><body><script>document.write('x')</script></body></html>"),
    "/utf8-as-latin1": page("<p>Grüße aus Köln".encode(), "text/html; charset=iso-8859-1"),
    "/latin1-as-utf8": page("<p>Grüße aus Köln und schöne Wörter".encode("latin-1")),
    "/badcharset": page("<p>cafe", "text/html; charset*=utf-8''%ff; charset*0=a; charset*1*=%"),
    "/codec": page(b"<p>cafe", "text/html; charset=zip"),
    "/japanese": page("<meta charset=shift_jis><p>日本語のページです。".encode("shift_jis"), "text/html"),
    "/escapes": page("<p>red \x1b[31m\0\x07 &#0; end", "text/html; charset=utf-8"),
    "/zipped": zipped(TIDES.encode()),
    "/deflated": page(zlib.compress(TIDES.encode()), content_encoding="deflate"),
    "/bomb": zipped(b"<p>boom " + b"\0" * (200 * 2**20 // 8)),
    "/unzippable": page(b"no gzip", content_encoding="gzip"),
    "/brotli": page(b"....", content_encoding="br"),
    "/large": page("<p>" + "word " * (MOST_BYTES // 2)),
    "/half": broken_off,
    "/nonsense": nonsense,
    "/drip": dripping,
    "/there": moved("/tides", 301),
    "/loop": moved("/loop"),
    "/metadata": moved("http://169.254.169.254/latest/meta-data"),
    "/file": moved("file:///etc/passwd"),
    "/secrets": moved("http://name:word@127.0.0.1/"),
    "/gone": lambda request: request.send(b"<p>not here", 410),
    "/cookies": setting_cookies,
    "/cookies/seen": cookies_seen,
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serving(PAGES) as running:
        yield running


def opened(url: str) -> dict[str, Any]:
    found = run(Pages(HERE)({"url": url})).payload
    judged = call_outcome(
        {"function_name": "browser_get_page_text", "function_args": {"url": url}, "observation": found}
    )
    assert judged.success == (found["status"] == "success")
    return found


def test_a_page_is_told_with_its_title(site: Site) -> None:
    found = opened(f"{site.address}/tides#top")
    assert found["url"] == f"{site.address}/tides"
    assert found["title"] == "Tides & ferries"
    assert "The tide rises by four metres." in found["text"] and "Home" in found["text"]
    assert found["content_length"] == len(found["text"])


def test_of_a_long_page_its_main_text_is_told_so_far_as_it_goes(site: Site) -> None:
    found = opened(f"{site.address}/long")
    assert found["text"].startswith("Sentence 0") and "elsewhere" not in found["text"]
    assert MOST_TEXT - 100 < len(found["text"]) <= MOST_TEXT < found["content_length"]
    assert "first 8,000" in found["note"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("text", "plain, Grüße"),
        ("json", '{"a": 1}'),
        ("nokind", "four metres"),
        ("utf8-as-latin1", "Grüße aus Köln"),
        ("latin1-as-utf8", "Grüße aus Köln"),
        ("codec", "cafe"),
        ("badcharset", "cafe"),
        ("japanese", "日本語のページです。"),
        ("zipped", "four metres"),
        ("deflated", "four metres"),
        ("there", "four metres"),
        ("cookies", "cookies: none"),
    ],
)
def test_it_is_read_whatever_its_server_says(site: Site, path: str, text: str) -> None:
    assert text in opened(f"{site.address}/{path}")["text"]


def test_control_characters_stay_behind(site: Site) -> None:
    assert opened(f"{site.address}/escapes")["text"].isprintable()


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("pdf", "'application/pdf'"),
        ("png", "'image/png'"),
        ("data", "but data"),
        ("blank", "no text that can be read"),
        ("unzippable", "damaged"),
        ("brotli", "not asked for"),
        ("half", "broke off"),
        ("nonsense", "broke off"),
        ("loop", "more than 5 times"),
        ("metadata", "not in the public internet"),
        ("file", "begin with http"),
        ("secrets", "name or password"),
        ("gone", "HTTP 410 Gone"),
        ("nowhere", "HTTP 404 Not Found"),
    ],
)
def test_what_is_not_told_says_why(site: Site, path: str, why: str) -> None:
    found = opened(f"{site.address}/{path}")
    assert found["url"] == f"{site.address}/{path}" and why in found["error"]


def test_a_bomb_is_cut_as_it_swells(site: Site) -> None:
    page = run(fetch(f"{site.address}/bomb", HERE))
    assert len(page.content) == MOST_BYTES and not page.whole


def test_more_than_is_read_is_left_where_it_is(site: Site) -> None:
    found = opened(f"{site.address}/large")
    assert "Only the first 2 MB" in found["note"] and found["text"].startswith("word word")


def test_a_page_that_drips_has_its_time_and_no_more(site: Site) -> None:
    with pytest.raises(NoPage, match=r"did not come within 0\.3 s"):
        run(fetch(f"{site.address}/drip", HERE, seconds=0.3))


def test_a_page_that_keeps_its_reader_busy_is_given_up() -> None:
    attributes = "".join(f" a{n}=1" for n in range(150_000))  # a parser compares each with all before it
    with pytest.raises(NoPage, match="made so that"):
        run(read(Fetched("", "text/html", "", f"<p{attributes}>x".encode(), True), seconds=0.5))


def test_pages_are_off_limits_by_default(site: Site) -> None:
    before = len(site.asked)
    found = run(Pages()({"url": f"http://localhost:{site.port}/tides"})).payload
    assert found["status"] == "error" and len(site.asked) == before


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org/page",
        "ftp://example.org/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://",
        "http:///path",
        "http://a b/",
        "http://a\\@b/",
        "http://name@example.org/",
        "http://name:word@example.org/",
        "http://example.org:0/",
        "http://example.org:99999/",
        "http://[::1",
        "http://exa\nmple.org/",
        "http://example.org/\x00",
        "http://example.org/" + "a" * 3000,
        "http://\ud800.example/",
    ],
)
def test_what_is_no_address_of_a_page_is_not_asked_for(url: str) -> None:
    with pytest.raises(NoPage):
        checked(url)


def test_an_address_of_another_script_is_asked_for_by_its_usual_name() -> None:
    assert checked("https://bücher.example/ä?q=ü#x").raw_host == b"xn--bcher-kva.example"


def test_what_follows_a_compressed_page_is_not_read(site: Site) -> None:
    two = gzip.compress(TIDES.encode()) + gzip.compress(b"<p>and more")
    site.pages["/two"] = page(two, content_encoding="gzip")
    text = opened(f"{site.address}/two")["text"]
    assert "four metres" in text and "and more" not in text
