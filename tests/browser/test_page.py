"""The shell: what we assume of Gradio's page, first paint, headers, widths."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import BrowserContext
from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from easel_app.settings import static_folder
from easel_app.ui.page import Assets, FirstPaint, Tab
from easel_app.ui.studio import TABS
from tests.browser.easel import Easel
from tests.conftest import Server

pytestmark = pytest.mark.browser

FACTS = {
    "the config is inlined and has the tabs": "window.gradio_config.components.some("
    "c => c.type === 'tabs' && c.props.elem_id === 'es-tabs' && 'selected' in c.props)",
    "the tab bar is built as css/frame.css and tabs.js expect": "!!document.querySelector("
    "'#es-tabs > .tab-wrapper > .tab-container[role=tablist] > button[role=tab][data-tab-id=paint]"
    "[aria-selected=true]#es-tab-paint-button')",
    "there is no overflow menu": "!document.querySelector('#es-tabs .overflow-menu')",
    "a panel is a child of the tabs": "!!document.querySelector('#es-tabs > .tabitem[role=tabpanel]#es-tab-paint')",
    "the panel is named by its tab": "document.querySelector('#es-tab-paint').getAttribute('aria-labelledby')"
    " === 'es-tab-paint-button'",
    "the tab bar is the header": "document.querySelector('#es-tabs > .tab-wrapper').offsetHeight === 56"
    " && document.querySelector('#es-tabs > .tab-wrapper').getBoundingClientRect().top === 0",
    "nothing of Gradio's frame is left": "document.querySelector('#es-paint').getBoundingClientRect().left === 0"
    " && !document.querySelector('footer')?.offsetHeight",
    "the splash is gone": "!document.querySelector('#es-splash')",
    "the theme is on body": "!document.body.classList.contains('dark')",
    "stock components follow our tokens": "getComputedStyle(document.querySelector('.gradio-container'))"
    ".getPropertyValue('--button-primary-background-fill').trim() === 'var(--accent)'"
    " || getComputedStyle(document.querySelector('.gradio-container'))"
    ".getPropertyValue('--button-primary-background-fill').trim() === '#0b6652'",
}


def test_gradios_page_is_what_the_shell_assumes(easel: Easel) -> None:
    tabs = easel.page.locator("#es-tabs > .tab-wrapper [role=tab]")
    assert tabs.all_inner_texts() == [tab.label for tab, _ in TABS]
    assert easel.page.title() == "Paint · Easel Studio"
    assert [name for name, fact in FACTS.items() if not easel.page.evaluate(fact)] == []


def test_each_script_of_the_page_is_named_and_markup_cannot_run_one(server: Server, easel: Easel) -> None:
    answer = httpx.get(server.url)
    policy = answer.headers["content-security-policy"]
    nonce = re.search(r"'nonce-([^']+)'", policy)
    assert nonce
    scripts = re.findall(r"<script[^>]*>", answer.text)
    assert scripts
    assert all(f'nonce="{nonce[1]}"' in script for script in scripts)
    assert httpx.get(server.url).headers["content-security-policy"] != policy, "a nonce is used once"
    easel.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = 1\">')")
    easel.page.wait_for_function("document.querySelector('img[src=x]').complete")
    assert easel.page.evaluate("window.ran") is None
    refused = [error for error in easel.errors if "Content Security Policy" in error]
    assert refused, "the browser must have refused the handler"
    easel.errors.clear()


def test_the_page_speaks_of_no_other_host(server: Server) -> None:
    page = httpx.get(server.url).text
    head = page.split("<script", 1)[0] + re.sub(r"<script.*?</script>", "", page, flags=re.S)
    assert set(re.findall(r"https?://[^\"'<> ]+", head)) <= {server.url}
    assert "@Gradio" not in page


def test_answers_say_what_they_are_and_files_are_kept_for_ever(server: Server) -> None:
    page = httpx.get(server.url)
    assert page.headers["cache-control"] == "no-cache"
    style = re.search(r'href="(static/\w+/css/tokens\.css)"', page.text)
    assert style
    answer = httpx.get(f"{server.url}/{style[1]}")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-encoding"] == "gzip"
    for path in ("/", "/api/tasks", "/healthz", f"/{style[1]}"):
        headers = httpx.get(server.url + path).headers
        assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "same-origin")
    assert "svg" in httpx.get(f"{server.url}/favicon.ico").headers["content-type"]


def test_nobody_can_fill_the_disk_through_gradio(server: Server) -> None:
    answer = httpx.post(f"{server.url}/gradio_api/upload", files={"files": b"x" * 1000})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_a_tab_brings_its_own_files_and_the_first_is_the_default() -> None:
    async def gradio(scope: Scope, receive: Receive, send: Send) -> None:
        page = HTMLResponse("<head></head><script>'<gradio-app>'</script><gradio-app></gradio-app>")
        await page(scope, receive, send)

    tabs = [Tab("one", "One"), Tab("two", "Two & more", styles=("paint.css",), fetches=("api/tasks?x=1&y=2",))]
    client = TestClient(FirstPaint(gradio, assets=Assets(static_folder()), tabs=tabs))
    page, other = client.get("/").text, client.get("/?tab=two").text
    assert client.get("/?tab=three").text.count("paint.css") == page.count("paint.css") == 0
    assert other.count("paint.css") == 1
    assert 'href="api/tasks?x=1&amp;y=2"' in other
    assert "<span data-tab-id=two>Two &amp; more</span>" in page
    assert page.index('id="es-splash"') > page.rindex("</script>"), (
        "before the element, not inside a script that names it"
    )


@pytest.mark.parametrize(("system", "stored", "dark"), [
    ("light", None, False), ("dark", None, True), ("light", "dark", True), ("dark", "light", False),
])  # fmt: skip
def test_no_frame_is_in_the_wrong_colours(
    contexts: Callable[..., BrowserContext], server: Server, system: str, stored: str | None, dark: bool
) -> None:
    context = contexts(color_scheme=system)
    if stored:
        context.add_init_script(f"localStorage.setItem('es-theme', '{stored}')")
    context.add_init_script("""
      window.seen = new Set();
      const look = () => {
        if (document.body) window.seen.add(getComputedStyle(document.body).backgroundColor);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    """)
    easel = Easel(context.new_page(), server.url)
    easel.open()
    assert easel.page.evaluate("[...window.seen]") == ["rgb(16, 19, 18)" if dark else "rgb(242, 244, 243)"]


def test_the_chosen_theme_is_kept(easel: Easel) -> None:
    easel.page.get_by_role("button", name="Switch between light and dark").click()
    assert easel.page.evaluate("document.body.classList.contains('dark')")
    easel.page.emulate_media(color_scheme="dark")
    easel.page.emulate_media(color_scheme="light")
    easel.reload()
    assert easel.page.evaluate("document.body.classList.contains('dark')"), "a choice outranks the system"


@pytest.mark.parametrize("width", [1920, 1440, 1280, 1180, 1000, 900, 721, 720, 390, 360, 320])
def test_nothing_overflows_sideways(easels: Callable[..., Easel], width: int) -> None:
    easel = easels("?task=natural-02", viewport={"width": width, "height": 844})
    assert easel.page.evaluate("document.documentElement.scrollWidth") <= width
    cut = easel.page.evaluate("""[...document.querySelectorAll('.s-paint .btn, .s-paint .slide, .s-paint figcaption')]
      .filter((e) => e.offsetParent && e.scrollWidth > e.clientWidth + 7).map((e) => e.textContent)""")
    assert cut == []


@pytest.mark.parametrize(("width", "ratio"), [(1440, 1), (1440, 2), (1280, 1.5), (390, 2), (390, 3), (412, 2.625)])
def test_a_pixel_of_the_task_is_a_whole_number_of_device_pixels(
    easels: Callable[..., Easel], width: int, ratio: float
) -> None:
    easel = easels("?task=natural-02", viewport={"width": width, "height": 844}, device_scale_factor=ratio)
    side = easel.canvas.evaluate("(frame) => frame.getBoundingClientRect().width") * ratio / 128
    assert side == pytest.approx(round(side), abs=0.02)
    if width > 720:
        assert easel.find("[data-ref-frame]").bounding_box()["width"] == pytest.approx(side * 128 / ratio)  # type: ignore[index]


def test_a_first_load_that_fails_can_be_tried_again(contexts: Callable[..., BrowserContext], server: Server) -> None:
    context = contexts()
    context.route("**/api/tasks", lambda route: route.abort())
    easel = Easel(context.new_page(), server.url)
    easel.expected_errors = 1
    easel.page.goto(server.url)
    failed = easel.page.get_by_role("alert").filter(has_text="The tasks could not be loaded")
    failed.wait_for()
    context.unroute("**/api/tasks")
    failed.get_by_role("button", name="Try again").click()
    easel.ready()
    assert not failed.is_visible()
