"""Several sessions in one stream: a snapshot of each, then every action once, in order, with the right pixels."""

import threading
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from easel_app.web.sessions import MOST_TOGETHER
from tests.conftest import Server, Session
from tests.web.test_bad_input import refused
from tests.web.test_events import Canvas, messages, pixels


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30) as client:
        yield client


def follow(server: Server, ids: list[str], until: int, ready: threading.Event) -> dict[str, Canvas]:
    canvases: defaultdict[str, Canvas] = defaultdict(Canvas)
    query = {"session": ids}
    with (
        httpx.Client(base_url=server.url, timeout=30) as client,
        client.stream("GET", "/api/sessions/events", params=query) as response,
    ):
        assert response.headers["content-type"].startswith("text/event-stream")
        for message in messages(response):
            canvases[message[2]["session_id"]].take(message)
            if len(canvases) == len(ids):
                ready.set()
                if all(canvas.seq >= until for canvas in canvases.values()):
                    return canvases
    raise AssertionError("the stream ended early")


def test_three_sessions_painted_at_once_arrive_whole_in_one_stream(server: Server, http: httpx.Client) -> None:
    sessions = [Session(http, task_id=f"natural-0{k}") for k in (4, 5, 6)]
    sessions[1].paint(99, "before")
    ready = threading.Event()
    with ThreadPoolExecutor(4) as pool:
        wall = pool.submit(follow, server, [session.id for session in sessions], 20, ready)
        assert ready.wait(10)
        for session in sessions:
            pool.submit(lambda session=session: [session.paint(k) for k in range(20)])
        canvases = wall.result(30)
    for session in sessions:
        canvas = canvases[session.id]
        done = 19 if session is sessions[1] else 20
        assert canvas.seen[: done + 1] == ["snapshot"] + ["action"] * done
        want = http.get(f"/api/sessions/{session.id}/canvas.png", params={"step": canvas.seq}).content
        assert (canvas.pixels == pixels(want)).all()


def test_snapshots_come_first_in_the_order_asked_for_and_twice_asked_is_once(http: httpx.Client) -> None:
    ids = [Session(http).id for _ in range(3)]
    with http.stream("GET", "/api/sessions/events", params={"session": [*ids[::-1], *ids]}) as response:
        stream = messages(response)
        told = [next(stream) for _ in range(3)]
    assert [(name, data["session_id"]) for _, name, data in told] == [("snapshot", name) for name in ids[::-1]]


def test_an_unknown_session_among_them_is_404_and_not_half_a_stream(http: httpx.Client) -> None:
    known = Session(http).id
    for ids in ([known, "nothing"], ["nothing"], [""]):
        refused(http.get("/api/sessions/events", params={"session": ids}), 404)


def test_no_session_and_too_many_are_refused(http: httpx.Client) -> None:
    known = Session(http).id
    refused(http.get("/api/sessions/events"), 422)
    refused(http.get("/api/sessions/events", params={"session": [known] * (MOST_TOGETHER + 1)}), 422)
    with http.stream("GET", "/api/sessions/events", params={"session": [known] * MOST_TOGETHER}) as response:
        assert next(messages(response))[1] == "snapshot"


def test_a_full_wall_gets_one_snapshot_of_each(http: httpx.Client) -> None:
    ids = [Session(http).id for _ in range(MOST_TOGETHER)]
    with http.stream("GET", "/api/sessions/events", params={"session": ids}) as response:
        stream = messages(response)
        assert [next(stream)[2]["session_id"] for _ in ids] == ids
