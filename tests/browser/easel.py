"""The Paint tab as a person sees it: what tests can do and read there."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from typing import Any, cast

import httpx
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import ConsoleMessage, FloatRect, Locator, Page

Point = tuple[float, float]
HTTP = httpx.Client(verify=False, limits=httpx.Limits(max_keepalive_connections=0))
"""As `httpx.get` and its like do, a connection for each request; but those read all certificates each time, too."""


def try_now(alert: Locator) -> None:
    """Press "Try now" where a connection was lost; the page may have come back by itself, and then nothing is there."""
    button = alert.get_by_role("button", name="Try now", include_hidden=True)
    button.evaluate_all("buttons => buttons.forEach((button) => button.click())")


class Easel:
    """One page of the studio."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.expected_errors = 0
        self._listeners: list[tuple[str, Callable[[Any], object]]] = []
        self.listen("pageerror", lambda error: self.errors.append(str(error)))
        self.listen("console", self._console)
        self.listen("request", lambda request: self.requests.append(request.url))

    def listen(self, event: str, listener: Callable[[Any], object]) -> None:
        """Hear of an event of the page until one leaves it."""
        self._listeners.append((event, listener))
        cast(Any, self.page).on(event, listener)

    def leave(self) -> None:
        """Hear of nothing any more: the page may be lent to somebody else."""
        for event, listener in self._listeners:
            cast(Any, self.page).remove_listener(event, listener)
        self._listeners.clear()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        # the browser itself logs each failed request; a test that breaks the network says so
        if "Failed to load resource" in message.text and self.expected_errors:
            return
        self.errors.append(message.text)

    def open(self, query: str = "") -> None:
        self.page.goto(f"{self.url}/{query}")
        self.ready()

    def reload(self) -> None:
        self.page.reload()
        self.ready()

    def ready(self) -> None:
        self.page.locator(".s-paint[data-ready]").wait_for()
        self.page.wait_for_function("!document.querySelector('.s-paint').inert")

    def find(self, selector: str) -> Locator:
        return self.page.locator(f".s-paint {selector}")

    @property
    def canvas(self) -> Locator:
        return self.find("[data-frame]")

    def at(self, point: Point, frame: str = "[data-frame]") -> Point:
        """Window coordinates of a point of a picture, in fractions of its frame."""
        box = self.find(frame).bounding_box()
        assert box
        return box["x"] + point[0] * box["width"], box["y"] + point[1] * box["height"]

    def drag(self, *points: Point, steps: int = 6, release: bool = True) -> None:
        """Draw with the mouse through points of the canvas."""
        mouse = self.page.mouse
        mouse.move(*self.at(points[0]))
        mouse.down()
        for point in points[1:]:
            mouse.move(*self.at(point), steps=steps)
        if release:
            mouse.up()

    def paint(self, *points: Point, steps: int = 6) -> None:
        """Draw, and wait until the stroke is painted and scored."""
        self.ready()
        before = self.step
        self.drag(*points, steps=steps)
        self.wait_step(before + 1)

    @staticmethod
    def still(element: Locator) -> FloatRect:
        """The box of an element in the window, once layout has come to rest: the same in two frames, and not empty."""
        element.evaluate(
            """async (element) => {
              const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
              for (let last = null; ;) {
                const box = element.getBoundingClientRect(), now = JSON.stringify(box);
                if (now === last && box.width > 8) return;
                last = now;
                await frame();
              }
            }"""
        )
        box = element.bounding_box()
        assert box
        return box

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def step(self) -> int:
        return int(self.find("figcaption [data-step]").inner_text())

    def wait_step(self, step: int) -> None:
        """Until this step is counted, its pixels are down and nothing is under way."""
        self.page.wait_for_function(
            """(step) => Number(document.querySelector('.s-paint figcaption [data-step]').textContent) === step
               && !document.querySelector('.s-paint .big.waiting')
               && document.querySelector('[data-frame]').getAttribute('aria-busy') !== 'true'""",
            arg=step,
            polling=20,  # not by frames: a page behind another has few
        )

    def settle(self) -> None:
        """Until what was changed is drawn: controls follow in the next frame."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def front(self) -> None:
        """Bring this page before the others; the browser gives frames to the one in front."""
        self.page.bring_to_front()

    @property
    def session_id(self) -> str:
        return str(self.page.evaluate("new URLSearchParams(location.search).get('session')"))

    def view(self) -> dict[str, Any]:
        return dict(HTTP.get(f"{self.url}/api/sessions/{self.session_id}").json())

    def strokes(self) -> list[dict[str, float]]:
        """The strokes of the server's log, in order."""
        log = HTTP.get(f"{self.url}/api/sessions/{self.session_id}/log").text
        entries = [json.loads(line) for line in log.splitlines()]
        return [entry["params"] for entry in entries if entry.get("kind") == "brush_stroke"]

    def pixels(self) -> NDArray[np.uint8]:
        """The canvas as this page shows it, (n, n, 3)."""
        return self._pixels("[data-canvas]")[..., :3]

    def server_pixels(self) -> NDArray[np.uint8]:
        """The canvas as the server has it."""
        png = HTTP.get(f"{self.url}/api/sessions/{self.session_id}/canvas.png").content
        return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))

    def layer(self, name: str) -> NDArray[np.uint8]:
        """A layer over the canvas with its opacity, (n, n, 4)."""
        return self._pixels(f"[data-{name}]")

    def _pixels(self, selector: str) -> NDArray[np.uint8]:
        text = self.find(selector).first.evaluate(
            """(canvas) => {
              const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
              let text = '';
              for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode(...data.subarray(i, i + 32768));
              return [btoa(text), canvas.width];
            }"""
        )
        return np.frombuffer(base64.b64decode(text[0]), np.uint8).reshape(text[1], text[1], 4)

    def module(self, path: str, code: str, argument: object = None) -> Any:
        """Run `code`, a function of (module, argument), with one of the page's own modules."""
        source = f"""async (argument) => {{
          const base = document.querySelector('link[href*="/css/tokens.css"]').href.replace('css/tokens.css', '');
          return ({code})(await import(base + {json.dumps(path)}), argument);
        }}"""
        return cast(Any, self.page.evaluate(source, argument))

    @property
    def said(self) -> str:
        """What a screen reader was told last."""
        return self.page.locator("#es-live").inner_text()

    @property
    def hex(self) -> str:
        self.settle()
        return self.find("[data-hex]").inner_text()
