"""Credits over HTTP: a plan, a line for each stroke as it comes, an end; and a closed connection stops the work."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi.testclient import TestClient

from easel_app.services.credit import AT_ONCE, CreditService
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web.api import create_api
from tests.conftest import Session, free_port, wait_until
from tests.services.test_credit import naive, slow
from tests.web.test_bad_input import refused

Begin = Callable[..., Session]


def lines(client: httpx.Client, session_id: str) -> list[dict[str, Any]]:
    answer = client.get(f"/api/sessions/{session_id}/credit")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    return [json.loads(line) for line in answer.text.splitlines()]


@contextmanager
def serving_here(studio: Studio, settings: Settings) -> Iterator[str]:
    """A real server on a real socket in this process, so that what it computes can be looked at."""
    port = free_port()
    config = uvicorn.Config(create_api(studio, settings), port=port, log_level="critical", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def test_a_plan_a_line_for_each_stroke_that_lies_and_an_end(client: TestClient, begin: Begin, studio: Studio) -> None:
    session = begin()
    for k in range(4):
        session.paint(k)
    session.do("undo", "u")
    session.paint(9)
    plan, *credits, done = lines(client, session.id)
    score = session.view()["score"]
    assert plan == {"type": "plan", "seq": 6, "of": 4, "score": score}
    assert done == {"type": "done"}
    assert credits == [
        {"type": "credit", "seq": seq, "without": without, "credit": score - without}
        for seq, without in naive(studio, session.id)
    ]
    assert lines(client, session.id) == [plan, *credits, done], "asked again"


def test_an_empty_canvas_has_a_plan_and_an_end(client: TestClient, begin: Begin) -> None:
    session = begin()
    assert lines(client, session.id) == [
        {"type": "plan", "seq": 0, "of": 0, "score": session.view()["score"]},
        {"type": "done"},
    ]


def test_refusals_come_before_the_first_line(client: TestClient, begin: Begin, studio: Studio) -> None:
    session = begin()
    session.paint(1)
    refused(client.get("/api/sessions/nothing/credit"), 404)
    refused(client.get(f"/api/sessions/{slow(studio, 'broken', 2, broken=True)}/credit"), 409)
    refused(client.get(f"/api/sessions/{slow(studio, 'over', 501)}/credit"), 409)
    studio.credit = CreditService(studio.sessions, patience=0.0)
    running = [studio.credit.follow(slow(studio, "x" * k, 100)) for k in range(1, AT_ONCE + 1)]
    try:
        refused(client.get(f"/api/sessions/{session.id}/credit"), 503)
    finally:
        for following in running:
            following.close()
    wait_until(lambda: not studio.credit._at_work, 30)
    assert lines(client, session.id)[-1] == {"type": "done"}


@pytest.mark.parametrize("read", [0, 1, 3])
def test_a_closed_connection_stops_the_computation(studio: Studio, settings: Settings, read: int) -> None:
    long = slow(studio, "long", 300)
    with serving_here(studio, settings) as url, httpx.Client(base_url=url, timeout=30) as client:
        with client.stream("GET", f"/api/sessions/{long}/credit") as response:
            assert response.status_code == 200
            (computation,) = studio.credit._at_work
            stream = response.iter_lines()
            seen = [json.loads(next(stream)) for _ in range(read)]
        assert [line["type"] for line in seen] == ["plan", "credit", "credit"][:read]
        wait_until(lambda: not studio.credit._at_work, 30)
        assert computation.stop.is_set() and not computation.complete and not computation.followers
        assert len(computation.found) < 100, "it stops soon"


def test_credits_come_while_the_rest_is_computed_and_one_who_leaves_takes_nothing_from_another(
    studio: Studio, settings: Settings
) -> None:
    long = slow(studio, "long", 12)
    with serving_here(studio, settings) as url, httpx.Client(base_url=url, timeout=30) as client:
        address = f"/api/sessions/{long}/credit"
        with client.stream("GET", address) as staying:
            stream = staying.iter_lines()
            plan, first = json.loads(next(stream)), json.loads(next(stream))
            (computation,) = studio.credit._at_work
            assert not computation.complete
            with closing(httpx.Client(base_url=url, timeout=30)) as other, other.stream("GET", address) as leaving:
                assert json.loads(next(leaving.iter_lines())) == plan
            rest = [json.loads(line) for line in stream]
    assert [first["seq"], *(line["seq"] for line in rest[:-1])] == list(range(1, 13))
    assert rest[-1] == {"type": "done"} and computation.complete


def test_the_stream_breaks_off_without_an_end_when_the_studio_closes(studio: Studio, settings: Settings) -> None:
    long = slow(studio, "long", 300)
    with (
        serving_here(studio, settings) as url,
        httpx.stream("GET", f"{url}/api/sessions/{long}/credit", timeout=30) as response,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        for _ in response.iter_lines():
            studio.credit.close()
