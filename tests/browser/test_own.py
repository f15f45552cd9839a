"""Paint your own picture: choose, crop, size; and what is refused is refused in place."""

from __future__ import annotations

import io
from collections.abc import Callable

import httpx
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import FilePayload, Locator, expect

from tests.browser.easel import Easel

pytestmark = pytest.mark.browser


def picture(width: int = 300, height: int = 200, kind: str = "PNG") -> bytes:
    """Left half red, right half blue."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, : width // 2, 0] = pixels[:, width // 2 :, 2] = 255
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, kind)
    return file.getvalue()


def payload(content: bytes, name: str = "own.png", kind: str = "image/png") -> FilePayload:
    return FilePayload(name=name, mimeType=kind, buffer=content)


def opened(easel: Easel) -> Locator:
    easel.press("t")
    easel.page.get_by_role("button", name="Add a picture").click()
    return easel.page.get_by_role("dialog", name="Paint your own picture")


def test_a_picture_becomes_a_task_that_is_never_ranked(easel: Easel) -> None:
    box = opened(easel)
    box.locator("input[type=file]").set_input_files(payload(picture()))
    expect(box).to_contain_text("200 × 200 px of 300 × 200")
    box.get_by_role("button", name="64", exact=True).click()
    box.get_by_role("button", name="Paint this picture").click()
    expect(box).not_to_be_visible()
    expect(easel.find(".meta")).to_have_text("Your own pictures, never ranked")
    reference = easel.layer("reference")
    assert reference.shape == (64, 64, 4)
    assert tuple(reference[32, 4, :3]) == (255, 0, 0)
    assert tuple(reference[32, 60, :3]) == (0, 0, 255)
    easel.paint((0.2, 0.2), (0.8, 0.8))
    assert easel.view()["ranked"] is False
    task = easel.view()["task"]["id"]
    assert task not in [t["id"] for t in httpx.get(f"{easel.url}/api/tasks").json()]
    easel.reload()
    easel.wait_step(1)
    easel.press("t")
    expect(easel.page.locator(f"[data-task={task}]")).to_be_visible()


@pytest.mark.parametrize("way", ["keys", "drag", "corner"])
def test_the_square_can_be_moved_and_resized(easel: Easel, way: str) -> None:
    box = opened(easel)
    box.locator("input[type=file]").set_input_files(payload(picture()))
    square = box.locator(".crop-square")
    expect(square).to_be_focused()
    frame = easel.still(square)
    across, down = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    if way == "keys":
        easel.press(*["Shift+ArrowLeft"] * 10)
    elif way == "drag":
        easel.page.mouse.move(across, down)
        easel.page.mouse.down()
        easel.page.mouse.move(across - 400, down, steps=4)
        easel.page.mouse.up()
    else:
        easel.page.mouse.move(frame["x"] + frame["width"] - 4, frame["y"] + frame["height"] - 4)
        easel.page.mouse.down()
        easel.page.mouse.move(across - 20, down - 20, steps=4)
        easel.page.mouse.up()
        expect(box).not_to_contain_text("200 × 200 px of")
    box.get_by_role("button", name="Paint this picture").click()
    easel.find(".meta").filter(has_text="never ranked").wait_for()
    reference = easel.layer("reference")[..., :3]
    edge = 96 if way != "corner" else 128  # 150 of the left 200 columns are red
    assert (reference[:, : edge - 2, 0] > 200).mean() > 0.95
    if edge < 128:
        assert (reference[:, edge + 2 :, 2] > 200).all()


def test_an_svg_is_refused_in_place(easel: Easel) -> None:
    box = opened(easel)
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
    box.locator("input[type=file]").set_input_files(payload(svg, "drawing.svg", "image/svg+xml"))
    expect(box.get_by_role("alert")).to_contain_text("“drawing.svg” is not a PNG, JPEG or WebP picture")
    box.locator("input[type=file]").set_input_files(payload(svg, "disguised.png"))
    expect(box.get_by_role("alert")).to_contain_text("cannot be read as a picture")
    box.locator("input[type=file]").set_input_files(payload(picture()))
    expect(box.get_by_role("alert")).not_to_be_visible()


def test_a_picture_that_is_too_large_is_not_sent(easel: Easel) -> None:
    box = opened(easel)
    box.locator("input[type=file]").set_input_files(payload(b"\0" * (9 << 20), "huge.png"))
    expect(box.get_by_role("alert")).to_contain_text("more than the 8 MB that are taken")


def test_what_the_server_refuses_is_said_in_place(easels: Callable[..., Easel]) -> None:
    easel = easels()
    easel.expected_errors = 1
    box = opened(easel)
    file = io.BytesIO()
    frames = [Image.new("RGB", (64, 64), colour) for colour in ("red", "blue")]
    frames[0].save(file, "WEBP", save_all=True, append_images=frames[1:], duration=100)
    box.locator("input[type=file]").set_input_files(payload(file.getvalue(), "moving.webp", "image/webp"))
    easel.page.route(
        "**/api/tasks/own**",
        lambda route: route.fulfill(
            status=415, json={"error": {"code": "moving", "message": "It moves.", "field": None}}
        ),
    )
    box.get_by_role("button", name="Paint this picture").click()
    expect(box.get_by_role("alert")).to_have_text("It moves.")
    expect(box.get_by_role("button", name="Paint this picture")).to_be_enabled()
