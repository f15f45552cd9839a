"""All five semantic tasks are solved in the page, by mouse and by touch, and the score is read from the screen."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable

import httpx
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from easel_app.painting.env import find_task
from easel_app.painting.stroke import PATH_FIELDS
from easel_app.painting.tasks import Task
from tests.browser.drawing import Semantic

pytestmark = pytest.mark.browser
LEAST = {"circle-outline": 0.9, "apple-outline": 0.9, "hello": 0.8, "simple-maze": 1.0, "harder-maze": 1.0}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
Easels = Callable[..., Semantic]


def the(task_id: str) -> Task:
    """A published task."""
    task = find_task(task_id)
    assert task
    return task


def check_end(page: Semantic, task_id: str) -> None:
    """The end as the page shows it is the end as the server has it."""
    view = page.view()
    assert view["status"] == "submitted"
    assert view["protocol"] == "benchmark"
    assert view["ranked"]
    assert view["intact"]
    assert page.score == pytest.approx(view["score"], abs=0.0005)
    assert page.score >= LEAST[task_id]
    assert (page.pixels() == page.server_pixels()).all()
    assert all(tuple(stroke) == PATH_FIELDS for stroke in page.strokes())
    overlay = httpx.get(f"{page.url}/api/sessions/{page.session_id}/overlay").json()
    expect(page.find("canvas[data-evidence]")).to_be_visible()
    picture = np.asarray(Image.open(io.BytesIO(base64.b64decode(overlay["png"]))).convert("RGBA"))
    assert (page.layer("evidence")[..., 3] == picture[..., 3]).all()
    assert picture[..., 3].any()
    assert page.find(".evidence-key li").all_inner_texts() == [entry["label"] for entry in overlay["legend"]]
    assert page.find(".told dt").all_inner_texts() == [fact["name"] for fact in overlay["facts"]]
    assert page.find("svg.evidence text").all_text_contents() == [label["text"] for label in overlay["labels"]]
    solved = page.score >= (0.9 if task_id.endswith("outline") else 1.0)
    expect(page.card(task_id).locator(".tag")).to_have_text(f"{'Solved' if solved else 'Done'}, {page.score:.3f}")
    best = next(entry for entry in httpx.get(f"{page.url}/api/tasks/best").json() if entry["task_id"] == task_id)
    assert best["human"]["score"] >= view["score"]
    expect(page.card(task_id).locator(".best-of")).to_contain_text(f"{best['human']['score']:.3f}")


@pytest.mark.parametrize("task_id", LEAST)
def test_a_person_solves_it_by_mouse(easels: Easels, task_id: str) -> None:
    page = easels("?tab=semantic", kind=Semantic)
    page.card(task_id).click()
    page.ready()
    expect(page.card(task_id)).to_have_attribute("aria-current", "true")
    page.solve(the(task_id))
    check_end(page, task_id)


@pytest.mark.parametrize("task_id", LEAST)
def test_a_person_solves_it_by_touch(easels: Easels, task_id: str) -> None:
    page = easels(f"?tab=semantic&task={task_id}", kind=Semantic, **PHONE)
    page.solve(the(task_id), finger=True)
    assert page.page.evaluate("document.documentElement.scrollWidth") == 390
    check_end(page, task_id)
