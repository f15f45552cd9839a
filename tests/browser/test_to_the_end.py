"""The main job, whole: two tasks painted to their last step with a pointer, through a reload and a crash half-way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.easel import Easel
from tests.conftest import serving
from tests.serving import forked

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("task, budget, protocol", [("programmatic-05", 32, "studio"), ("spatial-02", 96, "benchmark")])
def test_a_task_is_painted_to_the_end(
    contexts: Callable[..., BrowserContext], tmp_path: Path, task: str, budget: int, protocol: str
) -> None:
    rng = np.random.default_rng(budget)
    with serving(tmp_path, forked) as server:
        easel = Easel(contexts().new_page(), server.url)
        easel.open(f"?task={task}")
        easel.page.get_by_role("button", name=protocol.capitalize(), exact=True).click()
        for step in range(1, budget + 1):
            x, y = rng.uniform(0.05, 0.7, 2)
            easel.paint((x, y), (x + 0.2, y + 0.1), (x + 0.25, y + 0.25), steps=3)
            if step == budget // 2:
                before = easel.pixels()
                easel.reload()
                easel.wait_step(step)
                assert (easel.pixels() == before).all()
                easel.expected_errors = 1
                server.kill()
                server.start()
        expect(easel.find("figcaption [data-step]")).to_have_text(str(budget))
        view, strokes = easel.view(), easel.strokes()
        assert (view["status"], view["step"], view["protocol"]) == ("spent", budget, protocol)
        assert len(strokes) == view["strokes"] == budget
        assert view["intact"] and view["ranked"]
        assert (easel.pixels() == easel.server_pixels()).all()
        easel.drag((0.1, 0.1), (0.9, 0.9))
        assert easel.view()["step"] == budget, "a spent budget takes no more"
        assert not easel.errors
