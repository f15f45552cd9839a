"""The Semantic tab as a person sees it, and a hand that draws what the built-in scripts would."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Locator

from easel_app.painting.painters import painter
from easel_app.painting.protocol import ProtocolName
from easel_app.painting.rollout import Rollout
from easel_app.painting.tasks import Task
from tests.browser.easel import Easel, Point

SCRIPTS = {"outline": "tracer", "handwriting": "writer", "maze": "solver"}
"""The script that knows the answer of a kind of task."""


def along(path: NDArray[np.float64]) -> list[Point]:
    """Points of a path stroke's curve, its ends included, close enough for a hand."""
    start, control, end = np.reshape(path, (3, 2))
    length = float(np.hypot(*(control - start)) + np.hypot(*(end - control)))
    t = np.linspace(0, 1, max(5, round(length * 48)))[:, None]
    curve = (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t * t * end
    return [(float(x), float(y)) for x, y in curve]


def script(task: Task) -> Iterator[NDArray[np.float64]]:
    """The paths by which the script of a task reaches its end, float64 (6,) each.

    A hand is not exact, and the script would draw over again what it does not find on the canvas to the pixel; so it
    looks at a canvas on which each of its paths is painted as it was meant.
    """
    ideal = Rollout(task, ProtocolName.BENCHMARK)
    hand = painter(SCRIPTS[task.kind], task.reference, task.budget, 0, task.truth)
    while (path := hand.next(ideal.pixels, ideal.step)) is not None:
        yield path
        ideal.paint(path)


class Semantic(Easel):
    """One page of the studio that is opened on the Semantic tab."""

    def ready(self) -> None:
        self.page.locator(".s-semantic[data-ready]").wait_for()
        self.page.wait_for_function("!document.querySelector('.s-semantic').inert")

    def find(self, selector: str) -> Locator:
        return self.page.locator(f".s-semantic {selector}")

    @property
    def step(self) -> int:
        return int(self.find("[data-step]").inner_text())

    def wait_step(self, step: int) -> None:
        self.page.wait_for_function(
            """(step) => Number(document.querySelector('.s-semantic [data-step]').textContent) === step
               && document.querySelector('.s-semantic [data-frame]').getAttribute('aria-busy') !== 'true'""",
            arg=step,
            polling=20,
        )

    def card(self, task_id: str) -> Locator:
        """The card of one of the five tasks."""
        return self.find(f'[data-task="{task_id}"]')

    def touch(self, *points: Point) -> None:
        """Draw with one finger through points of the canvas."""
        self.canvas.scroll_into_view_if_needed()
        device = self.page.context.new_cdp_session(self.page)
        places = [dict(zip("xy", self.at(point), strict=True)) for point in points]
        device.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": places[:1]})
        for place in places[1:]:
            device.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
        device.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        device.detach()

    def solve(self, task: Task, *, finger: bool = False) -> None:
        """Draw what the script of a task would, stroke by stroke, and submit."""
        for path in script(task):
            before = self.step
            if finger:
                self.touch(*along(path))
            else:
                self.drag(*along(path), steps=1)
            self.wait_step(before + 1)
        self.submit()

    def submit(self) -> None:
        """Submit, and wait for the score."""
        self.find("[data-act=submit]").click()
        self.find("[data-score]").wait_for()

    @property
    def score(self) -> float:
        """The final score as it stands on the screen."""
        return float(self.find("[data-score]").inner_text())
