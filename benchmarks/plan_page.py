"""A plan of 200 calls in headless Chromium: until it is on show, and frames while one scrolls through it.

Run: python -m benchmarks.plan_page [--quick]; `benchmarks.plans` runs it too.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from pathlib import Path
from statistics import median

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.plans import call, sentence
from easel_app.plans.files import AnswerRecord
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.browser.conftest import FLAGS
from tests.services.plans.making import SET, add_answer, add_query, make_plan, make_query
from tests.serving import serving
from tools.setup.browser import find_browser

CALLS = 200
RENDERED = 500.0
"""Milliseconds from the wish for a plan to its being on show, in a page that is warm."""
FRAMES = 50.0
"""Frames a second while one scrolls."""
SCROLLED = 3000
"""Milliseconds that one scrolls."""

# From the wish for a plan to the second animation frame after all of its calls have their places (which is when pixels
# are down), and to the frame after the last of them is drawn, far from the window too.
OPENING = """
([id, calls]) => new Promise((done) => {
  const start = performance.now(), spent = {};
  const there = (what) => document.querySelectorAll(`.doc-body ${what}`).length;
  const look = () => {
    if (!spent.shown && there('.block.call') === calls && there('.tool') > 0) {
      spent.shown = -1;
      requestAnimationFrame(() => requestAnimationFrame(() => { spent.shown = performance.now() - start; }));
    }
    if (spent.shown > 0 && there('.block.call .tool') === calls) {
      spent.drawn = performance.now() - start;
      done(spent);
    } else requestAnimationFrame(look);
  };
  history.pushState({}, "", `?tab=plans&plan=${id}`);
  dispatchEvent(new CustomEvent("es:query"));
  requestAnimationFrame(look);
})
"""
# The page is moved by the same distance in each frame, down to its end and up again; frames are counted by the
# browser's own clock, and a screen is blank when no card or paragraph stands in the middle of the window.
SCROLLING = """
(ms) => new Promise((done) => {
  const frames = [], body = document.querySelector('.doc-body'), box = body.getBoundingClientRect();
  const middle = box.left + box.width / 2;
  let blank = 0, way = 1, start = null;
  const step = (now) => {
    start ??= now;
    frames.push(now);
    const hit = document.elementFromPoint(middle, innerHeight / 2)?.closest('.block');
    if (hit && !hit.firstElementChild) blank += 1;
    if (scrollY + innerHeight >= document.documentElement.scrollHeight - 2) way = -1;
    if (scrollY <= 0) way = 1;
    scrollBy({ top: way * 90, behavior: 'instant' });
    if (now - start < ms) requestAnimationFrame(step); else done({ frames, blank });
  };
  requestAnimationFrame(step);
})
"""


def prepare(folder: Path) -> tuple[int, int]:
    """A set with a short plan and one of 200 calls in the data folder; their ids."""
    studio = Studio(Settings(data_dir=folder))
    rng = random.Random(0)  # noqa: S311 - no secret
    parts = [part for _ in range(CALLS) for part in (" ".join(sentence(rng) for _ in range(4)), call(rng))]
    short = make_plan(studio.plans, "\n\n".join(parts[:2]))
    row = add_query(studio.plans, make_query(studio.plans))
    long = add_answer(studio.plans, row, AnswerRecord(query_id="q1", planner="long", text="\n\n".join(parts)))
    assert len(studio.plans.library.read(long).plan.calls) == CALLS, SET
    studio.close()
    return short, long


def opening(page: Page, url: str, short: int, long: int, count: int) -> bool:
    """Open the long plan again and again, from a short one that is on show."""
    shown, drawn = [], []
    for _ in range(count):
        page.goto(f"{url}/?tab=plans&plan={short}")
        page.locator(".doc-body .block.call .tool").first.wait_for()
        page.wait_for_timeout(300)
        spent = page.evaluate(OPENING, [long, CALLS])
        shown.append(spent["shown"])
        drawn.append(spent["drawn"])
    print(f"\nA plan of {CALLS} calls, opened {count} times (ms; limit {RENDERED:.0f}); load {os.getloadavg()[0]:.1f}")
    print(f"on show: median {median(shown):.0f}, worst {max(shown):.0f}; all cards drawn: median {median(drawn):.0f}")
    return median(shown) <= RENDERED


def scrolling(page: Page) -> bool:
    """Scroll through the plan that is on show."""
    found = page.evaluate(SCROLLING, SCROLLED)
    gaps = np.diff(found["frames"])
    rate = 1000 * len(gaps) / float(gaps.sum())
    print(f"Scrolled for {SCROLLED / 1000:.0f} s: {rate:.1f} frames a second (limit {FRAMES:.0f}), longest", end=" ")
    print(f"{gaps.max():.0f} ms, p95 {np.percentile(gaps, 95):.0f} ms; {found['blank']} frames on a blank place")
    return rate >= FRAMES and found["blank"] <= len(gaps) // 100


def main() -> bool:
    """Print both; True when all limits hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer openings")
    quick = parser.parse_known_args()[0].quick
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        short, long = prepare(Path(folder))
        with serving(Path(folder)) as server:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            good = [opening(page, server.url, short, long, 3 if quick else 9), scrolling(page)]
            browser.close()
    return all(good)


if __name__ == "__main__":
    raise SystemExit(not main())
