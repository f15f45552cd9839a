"""A browser for the tests, and a watch over each page: no error in its console, no request to another host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.easel import Easel
from tests.conftest import Server
from tools.setup.browser import find_browser

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def contexts(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser profiles; their motion is reduced, so that nothing depends on an animation."""
    made: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        options = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"} | options
        made.append(browser.new_context(reduced_motion="reduce", **options))
        return made[-1]

    yield make
    for context in made:
        context.close()


@pytest.fixture
def easels(server: Server, contexts: Callable[..., BrowserContext]) -> Iterator[Callable[..., Easel]]:
    """Opens the studio at an address, in a new profile or in a given one; all pages are checked at the end."""
    opened: list[Easel] = []

    def open_studio(
        query: str = "", *, context: BrowserContext | None = None, kind: type[Easel] = Easel, **options: Any
    ) -> Easel:
        easel = kind((context or contexts(**options)).new_page(), server.url)
        opened.append(easel)
        easel.open(query)
        return easel

    yield open_studio
    for easel in opened:
        assert not easel.errors, easel.errors
        foreign = [url for url in easel.requests if urlsplit(url).netloc not in ("", urlsplit(server.url).netloc)]
        assert not foreign, foreign


@pytest.fixture
def easel(easels: Callable[..., Easel]) -> Easel:
    """A newcomer's page on a small task."""
    return easels("?task=programmatic-05")
