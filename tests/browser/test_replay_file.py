"""An exported replay in a browser, opened from disk."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page

from easel_app.exports.service import Exports
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewSession
from easel_app.settings import Settings, static_folder
from tests.conftest import stroke

pytestmark = pytest.mark.browser
NAME = "</script><script>pwned = 1</script><img src=x onerror='pwned = 1'> ${1}"
QUIRKS = "100% # \t é 漢 </script> <!-- ' \" ?a=b\\u0041"
ENTRY = """import { icon, h, f3 } from "./dom.js";
import watch from "./watch.js"; // brings all that the Watch tab needs
export default async function start(host, { session, task, log, reference, fingerprint }) {
  const { plural } = await import("./dom.js");
  const image = h("img", { alt: "" });
  image.src = reference;
  await image.decode();
  const words = [task.title, plural(log.length, "line"), f3(session.score), typeof watch, fingerprint.length];
  host.append(h("h1", {}, session.player.name), h("pre", { id: "quirks" }, QUIRKS), icon("undo"), image);
  host.append(h("p", { id: "words" }, words.join(", ")));
}
const QUIRKS = "100% # \\t é 漢 </script> <!-- ' \\" ?a=b\\\\u0041";
"""
# adds an element and says whether what it names came; one that names nothing is done at once
ADDED = """([tag, attributes]) => new Promise((done) => {
  const added = Object.assign(document.createElement(tag), attributes);
  added.onload = () => done("came");
  added.onerror = () => done("refused");
  document.head.append(added);
  if (!attributes.src && !attributes.href) done("added");
})"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A replay of two strokes by a player with a hostile name."""
    folder = tmp_path_factory.mktemp("replay")
    static = folder / "static"
    for path in static_folder().rglob("*"):
        if path.is_file():
            target = static / path.relative_to(static_folder())
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    (static / "replay.js").write_text(ENTRY, encoding="utf-8")
    studio = Studio(Settings(data_dir=folder / "data"))
    player = {"kind": "agent", "name": NAME}
    wish = {"task_id": "programmatic-05", "protocol": "studio", "player": player}
    begun = studio.sessions.begin(NewSession.model_validate(wish))
    for seed in range(2):
        act = {"request_id": f"r{seed}", "action": {"kind": "brush_stroke", "stroke": stroke(seed)}}
        studio.sessions.act(begun.session_id, begun.write_token, NewAction.model_validate(act))
    page = Exports(studio.sessions, studio.tasks, static).replay(begun.session_id)
    studio.close()
    path = folder / "replay.html"
    path.write_text(page, encoding="utf-8")
    yield path


@pytest.fixture
def opened(file: Path, contexts: Callable[..., BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Opens the file; nothing may be asked of any host, and nothing may stand in the console."""
    asked: list[str] = []
    said: list[str] = []

    def open_file(**options: str) -> Page:
        page = contexts(**options).new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(file.as_uri())
        page.wait_for_selector("[data-ready]", state="attached")  # the page's policy lets no condition be evaluated
        return page

    yield open_file
    assert {urlsplit(url).scheme for url in asked} <= {"file", "data"}
    assert [url for url in asked if url.startswith("file:")] == [file.as_uri()] * len(
        [url for url in asked if url == file.as_uri()]
    )
    assert not said


def test_a_replay_opens_from_disk_with_all_its_modules(opened: Callable[..., Page]) -> None:
    page = opened()
    assert page.inner_text("h1") == NAME
    assert page.text_content("#quirks") == QUIRKS
    assert page.inner_text("#words").startswith("Circle, triangle and square, 3 lines, 0.")
    assert page.inner_text("#words").endswith(", function, 64")
    assert page.evaluate("document.querySelector('main img').naturalWidth") == 64
    assert page.evaluate("document.querySelector('main svg use').getBoundingClientRect().width") > 0
    assert page.evaluate("typeof pwned") == "undefined"
    assert NAME in page.title()


def test_light_and_dark_are_the_system_s_and_follow_it(opened: Callable[..., Page]) -> None:
    page = opened(color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.emulate_media(color_scheme="light")
    page.wait_for_selector("html:not(.dark)", state="attached")
    assert page.evaluate(ground) != dark
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


def test_nothing_in_the_page_can_run_another_script_or_reach_a_host(
    file: Path, contexts: Callable[..., BrowserContext]
) -> None:
    page = contexts().new_page()
    page.goto(file.as_uri())
    page.wait_for_selector("[data-ready]", state="attached")
    with socket.create_server(("127.0.0.1", 0)) as host:
        address = f"http://127.0.0.1:{host.getsockname()[1]}/"
        for tag, attributes in (
            ("script", {"src": "data:text/javascript,pwned=1"}),
            ("script", {"src": address}),
            ("img", {"src": address}),
            ("link", {"rel": "stylesheet", "href": address}),
        ):
            assert page.evaluate(ADDED, [tag, attributes]) == "refused"
        page.evaluate(ADDED, ["script", {"text": "pwned = 1"}])
        for attempt in (f"fetch('{address}')", f"import('{address}')", "import('data:text/javascript,pwned=1')"):
            assert page.evaluate(f"{attempt}.then(() => 'done', () => 'refused')") == "refused"
        assert page.evaluate("typeof pwned") == "undefined"
        host.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody came
            host.accept()
