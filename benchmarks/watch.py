"""Replay in headless Chromium: time to the first frame, frames while one scrubs. Run: python -m benchmarks.watch."""

from __future__ import annotations

import argparse
import io
import tempfile
import time
from pathlib import Path
from statistics import median

import httpx
import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from benchmarks.browser import SIZE, large_task
from tests.browser.conftest import FLAGS
from tests.browser.watching import shown
from tests.conftest import serving
from tools.setup.browser import find_browser

STROKES = 500
FIRST_FRAME = 500.0
"""Milliseconds from the wish for a painting to its first frame, in a page that is warm."""
FRAMES = 50.0
"""Frames a second while the scrubber is dragged across all steps."""
DRAG = 2.0
"""Seconds that the drag takes."""

# From the wish for a session to the second animation frame after the session's picture was drawn.
OPENING = """
(id) => new Promise((done) => {
  const start = performance.now(), draw = CanvasRenderingContext2D.prototype.drawImage;
  CanvasRenderingContext2D.prototype.drawImage = function (...rest) {
    const result = draw.apply(this, rest);
    if (this.canvas.matches?.('.a-cv .pic > canvas')) { // a blank sheet is filled, not drawn
      CanvasRenderingContext2D.prototype.drawImage = draw;
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
    }
    return result;
  };
  history.pushState({}, "", `?tab=watch&session=${id}`);
  dispatchEvent(new CustomEvent("es:query"));
})
"""
# Frames are counted by the browser's own clock, and every one in which the head stood elsewhere counts as moved.
COUNTING = """
() => {
  window.scrub = {frames: [], moved: 0, last: null, on: true};
  const tick = (now) => {
    const at = document.querySelector('.watch .plot').getAttribute('aria-valuenow');
    scrub.frames.push(now);
    if (at !== scrub.last) { scrub.moved += 1; scrub.last = at; }
    if (scrub.on) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
"""


def long_session(url: str, task: str, seed: int) -> str:
    """A session of 500 random strokes by practice rules; returns its id."""
    rng = np.random.default_rng(seed)
    player = {"kind": "painter", "name": "Random strokes"}
    names = ("x_start", "y_start", "x_control", "y_control", "x_end", "y_end")
    names += ("radius_start", "opacity_start", "radius_end", "opacity_end", "red", "green", "blue")
    with httpx.Client(base_url=f"{url}/api", timeout=60) as client:
        wish = {"task_id": task, "protocol": "practice", "player": player}
        begun = client.post("/sessions", json=wish).raise_for_status().json()
        headers = {"authorization": f"Bearer {begun['write_token']}"}
        for step in range(STROKES):
            numbers = rng.random(13)
            numbers[[6, 8]] *= 0.4  # a brush of up to a tenth of the canvas, as people and agents use it
            stroke = dict(zip(names, numbers.tolist(), strict=True))
            action = {"request_id": str(step), "action": {"kind": "brush_stroke", "stroke": stroke}}
            address = f"/sessions/{begun['session_id']}/actions"
            client.post(address, json=action, headers=headers).raise_for_status()
    return str(begun["session_id"])


def opening(page: Page, url: str, session: str, count: int) -> bool:
    """Open the session again and again by its link, from the wall of a page that has shown one before."""
    spent = []
    for _ in range(count):
        page.goto(f"{url}/?tab=watch")
        page.locator(".s-watch [data-ready]:not([hidden])").first.wait_for()
        spent.append(page.evaluate(OPENING, session))
    print(f"\n{STROKES} strokes at {SIZE} px, opened to the first frame, {count} times (ms; limit {FIRST_FRAME:.0f})")
    print(f"median {median(spent):.0f}, worst {max(spent):.0f}")
    return median(spent) <= FIRST_FRAME


def scrubbing(page: Page, url: str, session: str) -> bool:
    """Drag the head across all steps and back to one in the middle."""
    page.goto(f"{url}/?tab=watch&session={session}")
    page.wait_for_function("document.querySelector('.watch .check')?.textContent === 'all pictures as recorded'")
    box = page.locator(".watch .plot").bounding_box()
    assert box
    knob = page.locator(".watch .plot .knob")
    right = knob.bounding_box()
    assert right
    y, end, left = right["y"] + 7, right["x"] + 7, box["x"] + 40
    page.mouse.move(end, y)
    page.mouse.down()
    page.evaluate(COUNTING)
    start = time.perf_counter()
    while (share := (time.perf_counter() - start) / DRAG) < 1:
        page.mouse.move(end + (left - end) * share, y)
    page.mouse.move(left + (end - left) * 0.4, y)
    page.evaluate("() => { scrub.on = false; }")
    page.mouse.up()
    frames, moved = page.evaluate("scrub.frames"), page.evaluate("scrub.moved")
    gaps = np.diff(frames)
    rate = 1000 * len(gaps) / (frames[-1] - frames[0])
    step = int(page.locator(".watch .plot").get_attribute("aria-valuenow") or -1)
    page.wait_for_timeout(300)
    log = httpx.get(f"{url}/api/sessions/{session}/canvas.png", params={"step": step}).content
    there = shown(page.locator(".s-watch .a-cv .pic > canvas:not(.over)"))
    right_pixels = bool((there == np.asarray(Image.open(io.BytesIO(log)).convert("RGB"))).all())
    print(f"Scrubber dragged across them in {DRAG:.0f} s: {rate:.1f} frames a second (limit {FRAMES:.0f})")
    print(
        f"longest frame {gaps.max():.0f} ms, p95 {np.percentile(gaps, 95):.0f} ms; the head moved in {moved} frames; "
        f"ends on step {step} with the right pixels: {right_pixels}"
    )
    return rate >= FRAMES and right_pixels


def main() -> bool:
    """Print both; True when all limits hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer openings")
    quick = parser.parse_known_args()[0].quick
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        session = long_session(server.url, large_task(server.url), 0)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        good = [opening(page, server.url, session, 3 if quick else 9), scrubbing(page, server.url, session)]
        browser.close()
    return all(good)


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
