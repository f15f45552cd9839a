"""Rubric review in headless Chromium: from a key press to the next criterion. Run: python -m benchmarks.review."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median

import httpx
from playwright.sync_api import expect, sync_playwright

from tests.browser.conftest import FLAGS
from tests.browser.grading import API, Grading
from tests.serving import serving
from tools.setup.browser import find_browser

ITEMS = 60
NEXT = 150.0
"""Milliseconds from the press of Enter to the next criterion on screen."""

# From the moment at which the browser had the key to the second animation frame after another entry was on show, which
# is when its pixels are down.
TIMING = """
() => {
  window.spent = [];
  let pressed = null;
  addEventListener('keydown', (event) => { if (event.key === 'Enter') pressed = event.timeStamp; }, true);
  new MutationObserver(() => {
    if (pressed === null) return;
    const start = pressed;
    pressed = null;
    requestAnimationFrame(() => requestAnimationFrame(() => spent.push(performance.now() - start)));
  }).observe(document.querySelector('.ballot[data-entry]'), { attributes: true, attributeFilter: ['data-entry'] });
}
"""


def main() -> bool:
    """Grade sample items by keyboard and print how long each next one took; True when the limit holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer items")
    items = 20 if parser.parse_known_args()[0].quick else ITEMS
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        sets = httpx.get(f"{server.url}{API}/sets", timeout=60).json()
        page = Grading(browser.new_page(viewport={"width": 1440, "height": 900}), server.url)
        page.open(f"&queue={sets[0]['queues'][0]['queue_id']}")
        page.enrol("Benchmark")
        page.page.evaluate(TIMING)
        answers = set()
        for k in range(items):
            page.go_on()
            answers.add(page.find(".meta").first.inner_text())
            page.page.wait_for_function("(count) => spent.length === count", arg=k + 1)
            page.vote("mn"[k % 2])
            expect(page.judged.first).to_be_visible()
        spent: list[float] = page.page.evaluate("spent")
        browser.close()
    print(f"\nNext criterion after the key press, {items} times over {len(answers)} answers (ms; limit {NEXT:.0f})")
    print(f"median {median(spent):.0f}, worst {max(spent):.0f}")
    return median(spent) <= NEXT


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
