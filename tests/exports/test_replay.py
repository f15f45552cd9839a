"""The HTML file as text; that it works in a browser is shown in tests/browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.exports import replay
from easel_app.exports.service import Exports, line_of
from easel_app.painting import png
from easel_app.settings import static_folder
from tests.exports.conftest import HOSTILE, House


class Parts(HTMLParser):
    """The elements of a page with their attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.found:
            tag, attributes, text = self.found[-1]
            self.found[-1] = tag, attributes, text + data

    def of(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, text) for name, attributes, text in self.found if name == tag]

    def data(self) -> dict[str, Any]:
        return dict(json.loads(next(text for attributes, text in self.of("script") if "id" in attributes)))


@pytest.fixture
def exports(house: House, static: Path) -> Exports:
    return Exports(house.studio.sessions, house.studio.tasks, static)


def test_the_file_carries_session_task_log_and_reference(house: House, exports: Exports) -> None:
    data = Parts(exports.replay(house.ids["painted"])).data()
    task, session, _ = house.recorded("painted")
    assert data["log"] == house.log("painted")
    assert data["session"]["session_id"] == session.id
    assert data["session"]["watch_url"] == ""
    assert data["task"] == data["session"]["task"] == task.model_dump(mode="json")
    kind, _, content = data["reference"].partition(",")
    assert kind == "data:image/png;base64"
    assert (png.decode(base64.b64decode(content)) == task.reference).all()
    assert data["fingerprint"] == hashlib.sha256("".join(map(line_of, house.log("painted"))).encode()).hexdigest()
    assert house.recorded("painted")[1].token_hash not in exports.replay(session.id)


def test_an_own_picture_is_in_the_file_once(house: House, exports: Exports) -> None:
    task, _, _ = house.recorded("own")
    page = exports.replay(house.ids["own"])
    assert page.count(base64.b64encode(task.png).decode()) == 1
    assert Parts(page).data()["log"][0]["type"] == "session"


def test_nothing_in_the_file_may_come_from_outside_and_only_its_own_scripts_run(house: House, exports: Exports) -> None:
    parts = Parts(exports.replay(house.ids["painted"]))
    policy = next(a["content"] for a, _ in parts.of("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert policy
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert re.fullmatch(r"'nonce-[0-9a-f]{32}'", rules["script-src"])
    assert rules["img-src"] == "data: blob:"
    nonce = rules["script-src"][7:-1]
    scripts = parts.of("script")
    assert [attributes.get("nonce") for attributes, _ in scripts] == [nonce, nonce, None, nonce]
    assert [attributes.get("type") for attributes, _ in scripts][1:] == ["importmap", "application/json", "module"]
    assert not any(name in attributes for _, attributes, _ in parts.found for name in ("src", "onload", "onerror"))


def test_hostile_names_begin_no_markup(house: House, exports: Exports) -> None:
    parts = Parts(exports.replay(house.ids["painted"]))
    assert len(parts.of("script")) == 4
    assert parts.data()["session"]["player"]["name"] == HOSTILE
    assert parts.of("title")[0][1].strip() == f"Circle, triangle and square, painted by {HOSTILE}"


values = st.recursive(
    st.text() | st.integers() | st.none(), lambda inner: st.dictionaries(st.text(), inner), max_leaves=5
)


@given(values)
def test_json_in_a_script_element_holds_no_markup_and_is_the_same(value: Any) -> None:
    written = replay._json(value)
    assert "<" not in written
    assert json.loads(written) == value


def test_the_same_session_gives_the_same_file(house: House, exports: Exports) -> None:
    assert exports.replay(house.ids["fork"]) == exports.replay(house.ids["fork"])
    assert exports.replay(house.ids["fork"]) != exports.replay(house.ids["painted"])


def test_128_strokes_at_128_px_with_all_that_the_watch_tab_has_are_below_a_megabyte(house: House, static: Path) -> None:
    task = house.studio.tasks.get("natural-01")
    entry = dict(house.log("painted")[1], message="x" * 100)
    session = {"task": task.model_dump(mode="json"), "player": {"name": "x" * 80}, "curve": [1 / 3] * 129}
    folder = static.parent / "whole"
    folder.mkdir(exist_ok=True)
    for path in static_folder().rglob("*"):
        if path.is_file():
            (folder / path.relative_to(static_folder())).parent.mkdir(exist_ok=True, parents=True)
            (folder / path.relative_to(static_folder())).write_bytes(path.read_bytes())
    (folder / "replay.js").write_text('export { default } from "./watch.js";')
    assert task.budget == 128
    page = replay.page(session, [entry] * 129, task.png, "0" * 64, folder)
    assert 100_000 < len(page.encode()) < 1_000_000
