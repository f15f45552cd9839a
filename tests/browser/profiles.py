"""Browser profiles: new ones, and ones that are emptied and lent again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext

MOST_IDLE = 4
WINDOW = {"width": 1440, "height": 900}


class Profiles:
    """The profiles of one browser.

    A new profile and its window cost Chromium as much time as the page that is opened in them. A lent one has its
    window and its cache of files already; whatever pages store is emptied between loans.
    """

    def __init__(self, browser: Browser, origin: str) -> None:
        """Lend profiles to pages of `origin`."""
        self._browser, self._origin = browser, origin
        self._idle: list[tuple[str, BrowserContext]] = []

    def new(self, **options: Any) -> BrowserContext:
        """A profile of the caller's own; motion is reduced in all of them, so that nothing depends on an animation."""
        options = {"viewport": WINDOW, "color_scheme": "light"} | options
        return self._browser.new_context(reduced_motion="reduce", **options)

    @contextmanager
    def lent(self, **options: Any) -> Iterator[BrowserContext]:
        """An empty profile with an empty page, for as long as the block lasts.

        The borrower may do with pages of its own what it likes, but must not change the profile itself (routes,
        scripts, permissions): for that there is `new`.
        """
        kind = json.dumps(options, sort_keys=True)
        at = next((at for at, (other, _) in enumerate(self._idle) if other == kind), None)
        context = self._opened(options) if at is None else self._idle.pop(at)[1]
        try:
            yield context
            self._empty(context)
        except BaseException:
            context.close()
            raise
        self._idle.append((kind, context))
        if len(self._idle) > MOST_IDLE:
            self._idle.pop(0)[1].close()

    def _opened(self, options: dict[str, Any]) -> BrowserContext:
        context = self.new(**options)
        context.new_page()
        return context

    def _empty(self, context: BrowserContext) -> None:
        window, *pages = context.pages
        for page in pages:
            page.close()
        context.clear_cookies()
        devtools = context.new_cdp_session(window)
        devtools.send("Storage.clearDataForOrigin", {"origin": self._origin, "storageTypes": "all"})
        devtools.detach()
