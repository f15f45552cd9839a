"""Browser profiles: new ones, and ones that are emptied and lent again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page

MOST_IDLE = 4
WINDOW = {"width": 1440, "height": 900}
QUIET = "/healthz"
"""A page of the studio without a script."""


class Profiles:
    """The profiles of one browser.

    A new profile, its window and a page in it cost Chromium as much time as the studio that is opened there. A lent one
    has them already, and its cache of files; whatever the studio stores is emptied between loans.
    """

    def __init__(self, browser: Browser, origin: str) -> None:
        """Lend profiles to pages of `origin`."""
        self._browser, self._origin = browser, origin
        self._idle: list[tuple[str, Page]] = []

    def new(self, **options: Any) -> BrowserContext:
        """A profile of the caller's own; motion is reduced in all of them, so that nothing depends on an animation."""
        options = {"viewport": WINDOW, "color_scheme": "light"} | options
        return self._browser.new_context(reduced_motion="reduce", **options)

    @contextmanager
    def lent(self, **options: Any) -> Iterator[Page]:
        """The page of an empty profile, for as long as the block lasts.

        The borrower may do with it, and with pages that it opens beside it, what it likes, but takes its own listeners
        away (`Easel.leave`), lets keys go, and must not change the profile itself (routes, scripts, permissions): for
        that there is `new`.
        """
        kind = json.dumps(options, sort_keys=True)
        at = next((at for at, (other, _) in enumerate(self._idle) if other == kind), None)
        page = self.new(**options).new_page() if at is None else self._idle.pop(at)[1]
        try:
            yield page
        except BaseException:
            page.context.close()
            raise
        if not self._emptied(page, options.get("viewport", WINDOW)):
            page.context.close()
            return
        self._idle.append((kind, page))
        if len(self._idle) > MOST_IDLE:
            self._idle.pop(0)[1].context.close()

    def _emptied(self, page: Page, viewport: Any) -> bool:
        """Whether a page and its profile are as new again: they are not if it was closed or its server is gone."""
        try:
            for other in page.context.pages:
                if other != page:
                    other.close()
            page.unroute_all(behavior="ignoreErrors")
            page.goto(self._origin + QUIET)
            page.evaluate("sessionStorage.clear()")
            page.mouse.up()
            page.mouse.move(0, 0)
            page.set_viewport_size(viewport)
            page.context.clear_cookies()
            devtools = page.context.new_cdp_session(page)
            devtools.send("Storage.clearDataForOrigin", {"origin": self._origin, "storageTypes": "all"})
            devtools.send("Page.resetNavigationHistory")
            devtools.detach()
        except Error:
            return False
        return True
