"""The event stream of a real server: a snapshot, then every action once, in order, with the right pixels."""

import base64
import io
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from tests.conftest import Server, Session, serving

Message = tuple[int, str, dict[str, Any]]


def pixels(png: bytes) -> np.ndarray:
    return np.array(Image.open(io.BytesIO(png)).convert("RGB"))


def messages(response: httpx.Response) -> Iterator[Message]:
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            yield int(fields["id"]), fields["event"], json.loads(fields["data"])
            fields = {}


class Canvas:
    """What a viewer shows: snapshot and patches, laid on in order."""

    def __init__(self) -> None:
        self.pixels, self.seq, self.seen = np.empty(0), -1, []  # type: ignore[var-annotated]

    def take(self, message: Message) -> None:
        seq, name, data = message
        if name == "snapshot":
            self.pixels = pixels(base64.b64decode(data["canvas"]))
        else:
            assert seq == self.seq + 1, "a hole in the stream"
            patch = data["patch"]
            if patch:
                box = pixels(base64.b64decode(patch["png"]))
                top, left = patch["top"], patch["left"]
                self.pixels[top : top + patch["height"], left : left + patch["width"]] = box
        self.seq = seq
        self.seen.append(name)


def follow(url: str, session_id: str, until: int, ready: threading.Event) -> Canvas:
    canvas = Canvas()
    with (
        httpx.Client(base_url=url, timeout=30) as client,
        client.stream("GET", f"/api/sessions/{session_id}/events") as response,
    ):
        assert response.headers["content-type"].startswith("text/event-stream")
        for message in messages(response):
            canvas.take(message)
            ready.set()
            if canvas.seq >= until:
                return canvas
    raise AssertionError("the stream ended early")


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30) as client:
        yield client


def test_three_viewers_of_a_burst_see_every_stroke_and_the_servers_bytes(server: Server, http: httpx.Client) -> None:
    session = Session(http, task_id="natural-02")
    ready = [threading.Event() for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        viewers = [pool.submit(follow, server.url, session.id, 41, event) for event in ready]
        assert all(event.wait(10) for event in ready)
        for k in range(40):
            session.paint(k)
        session.do("undo", "u")
        canvases = [viewer.result(30) for viewer in viewers]
    want = pixels(http.get(f"/api/sessions/{session.id}/canvas.png").content)
    for canvas in canvases:
        assert canvas.seen == ["snapshot"] + ["action"] * 41
        assert (canvas.pixels == want).all()


def test_who_comes_late_starts_from_a_snapshot(server: Server, http: httpx.Client) -> None:
    session = Session(http)
    for k in range(5):
        session.paint(k)
    canvas = follow(server.url, session.id, 5, threading.Event())
    assert canvas.seen == ["snapshot"]
    assert (canvas.pixels == pixels(http.get(f"/api/sessions/{session.id}/canvas.png").content)).all()


def test_joining_in_the_middle_of_a_burst_never_misses_a_stroke(server: Server, http: httpx.Client) -> None:
    session = Session(http, task_id="natural-03")
    with ThreadPoolExecutor(12) as pool:
        viewers = []
        for k in range(48):
            if k % 4 == 0:
                viewers.append(pool.submit(follow, server.url, session.id, 48, threading.Event()))
            session.paint(k)
        canvases = [viewer.result(30) for viewer in viewers]
    want = pixels(http.get(f"/api/sessions/{session.id}/canvas.png").content)
    assert all((canvas.pixels == want).all() for canvas in canvases)


def test_the_snapshot_is_the_session_as_get_shows_it(server: Server, http: httpx.Client) -> None:
    session = Session(http)
    session.paint(1)
    with http.stream("GET", f"/api/sessions/{session.id}/events") as response:
        _, name, data = next(messages(response))
    del data["canvas"]
    assert name == "snapshot"
    view = session.view()
    assert data == {**view, "watch_url": f"/?tab=watch&session={session.id}"}


def test_an_action_event_says_what_the_answer_said(server: Server, http: httpx.Client) -> None:
    session = Session(http)
    with http.stream("GET", f"/api/sessions/{session.id}/events") as response:
        stream = messages(response)
        next(stream)
        answer = session.paint(3)
        seq, name, data = next(stream)
    assert (seq, name, data["kind"], data["actor"], data["can_undo"]) == (1, "action", "brush_stroke", "human", True)
    assert {key: data[key] for key in answer} == answer


def test_the_server_stops_while_someone_watches(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serving(tmp_path_factory.mktemp("stop")) as server, httpx.Client(base_url=server.url) as client:
        session = Session(client)
        with client.stream("GET", f"/api/sessions/{session.id}/events") as response:
            stream = messages(response)
            next(stream)
            assert server.stop() in (0, -15)
            assert list(stream) == []
