"""The Watch tab as a person sees it."""

from __future__ import annotations

import base64
import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Locator, Page

from tests.browser.easel import HTTP, Easel

PIXELS = """(canvas) => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return [btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join('')), canvas.width];
}"""


def shown(canvas: Locator) -> NDArray[np.uint8]:
    """The pixels of a canvas of the page, (n, n, 3)."""
    text, size = canvas.evaluate(PIXELS)
    return np.frombuffer(base64.b64decode(text), np.uint8).reshape(size, size, 4)[..., :3]


def stored(url: str, session_id: str) -> NDArray[np.uint8]:
    """The canvas as the server has it, (n, n, 3)."""
    png = HTTP.get(f"{url}/api/sessions/{session_id}/canvas.png").content
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


class Watch(Easel):
    """One page of the studio that is opened on the Watch tab."""

    def ready(self) -> None:
        self.page.locator(".s-watch:not([aria-busy])").wait_for()
        self.page.locator(".s-watch [data-ready]:not([hidden]), .s-watch [role=alert]").first.wait_for()

    def find(self, selector: str) -> Locator:
        return self.page.locator(f".s-watch {selector}")

    @property
    def one(self) -> Locator:
        """The view of one session."""
        return self.find("section:has(> .watch)")

    @property
    def canvas(self) -> Locator:
        """The picture of the session that is shown."""
        return self.find(".a-cv .pic > canvas:not(.over)")

    def tile(self, session_id: str) -> Locator:
        """A session on the wall."""
        return self.find(f'[data-session="{session_id}"]')

    def rows(self) -> list[str]:
        """Texts of the rows of the action list that are in the page."""
        return self.find(".rows li").all_inner_texts()

    def wait_rows(self, count: int) -> None:
        """Until the list knows this many actions."""
        self.page.wait_for_function(
            "(count) => Number(document.querySelector('.acts header .mut')?.textContent) === count",
            arg=count,
            polling=20,
        )

    def wait_step(self, step: int) -> None:
        """Until this step is counted and its pixels are down."""
        self.page.wait_for_function(
            "(step) => document.querySelector('.s-watch .a-cv figcaption b')?.textContent.match(/\\d+/)?.[0]"
            " === String(step)",
            arg=step,
            polling=20,
        )

    def wait_pixels(self, session_id: str) -> None:
        """Until the picture is the server's."""
        for _ in range(200):
            if (shown(self.canvas) == stored(self.url, session_id)).all():
                return
            self.settle()
        raise AssertionError("the canvas of the page is not the server's")


def has_focus(page: Page, selector: str) -> bool:
    """Whether the element that has the focus matches."""
    return bool(page.evaluate("(selector) => document.activeElement.matches(selector)", selector))
