"""A browser for the tests, and a watch over each page: no error in its console, no request to another host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from tests.browser.easel import Easel
from tests.browser.profiles import WINDOW, Profiles
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
expect.set_options(timeout=15_000)  # a busy machine is no fault of the page


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def profiles(browser: Browser, server: Server) -> Profiles:
    return Profiles(browser, server.url)


@pytest.fixture
def contexts(profiles: Profiles) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser profiles that the test may change as it likes."""
    made: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        made.append(profiles.new(**options))
        return made[-1]

    yield make
    for context in made:
        context.close()


@pytest.fixture
def easels(server: Server, profiles: Profiles) -> Iterator[Callable[..., Easel]]:
    """Opens the studio at an address, in an empty profile or in a given one; all pages are checked at the end."""
    opened: list[Easel] = []
    with ExitStack() as loans:

        def open_studio(
            query: str = "", *, context: BrowserContext | None = None, kind: type[Easel] = Easel, **options: Any
        ) -> Easel:
            viewport = options.pop("viewport", WINDOW)  # a page's own, so that windows of all sizes share a profile
            page = context.new_page() if context else loans.enter_context(profiles.lent(**options))
            if not context:
                page.set_viewport_size(viewport)
            easel = kind(page, server.url)
            opened.append(easel)
            easel.open(query)
            return easel

        yield open_studio
        errors = [error for easel in opened for error in easel.errors]
        requests = [url for easel in opened for url in easel.requests]
        for easel in opened:
            easel.leave()
    assert not errors, errors
    foreign = [url for url in requests if urlsplit(url).netloc not in ("", urlsplit(server.url).netloc)]
    assert not foreign, foreign


@pytest.fixture
def easel(easels: Callable[..., Easel]) -> Easel:
    """A newcomer's page on a small task."""
    return easels("?task=programmatic-05")
