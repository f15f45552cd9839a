"""Going on from a step of a session over REST: by anyone, listed and watched as any session is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web.api import create_api
from tests.conftest import Server, Session
from tests.web.test_events import messages

Begin = Callable[..., Session]
WHO = {"kind": "human", "name": "Successor"}


class Fork(Session):
    """A session that goes on from another one, over HTTP."""

    def __init__(self, parent: Session, step: int, **more: Any) -> None:
        answer = post(parent, {"step": step, "player": WHO, **more})
        assert answer.status_code == 201, answer.text
        self.client, self.begun = parent.client, answer.json()
        self.id = self.begun["session_id"]
        self.headers = {"Authorization": f"Bearer {self.begun['write_token']}"}


def post(parent: Session, body: Any) -> httpx.Response:
    return parent.client.post(f"/api/sessions/{parent.id}/forks", json=body)


def picture(session: Session, step: int | None = None) -> bytes:
    params = {} if step is None else {"step": step}
    return session.client.get(f"/api/sessions/{session.id}/canvas.png", params=params).content


def refused(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert set(error) == {"code", "message", "field"} and "\n" not in error["message"]
    return error


@pytest.fixture(scope="module")
def begin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Begin]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("forks"), allowed_hosts=["testserver"])
    studio = Studio(settings)
    with TestClient(create_api(studio, settings), raise_server_exceptions=False) as client:
        yield lambda **wish: Session(client, **wish)
    studio.close()


def newest(session: Session) -> str:
    (row,) = session.client.get("/api/sessions", params={"limit": 1}).json()
    return str(row["session_id"])


def test_anyone_goes_on_without_a_token_and_gets_one_of_their_own(begin: Begin) -> None:
    parent = begin()
    for seed in range(3):
        parent.paint(seed)
    copy = Fork(parent, 2)
    assert (copy.begun["steps_left"], copy.begun["task"]["id"]) == (30, "programmatic-01")
    assert copy.begun["watch_url"] == f"http://testserver/?tab=watch&session={copy.id}"
    assert copy.view()["parent"] == {"session_id": parent.id, "step": 2} and parent.view()["parent"] is None
    assert picture(copy) == picture(parent, 2)
    assert copy.paint(7, "r0")["seq"] == 3, "r0 is the parent's"
    stranger = {"Authorization": copy.headers["Authorization"]}
    body = {"request_id": "x", "action": {"kind": "undo"}}
    answer = parent.client.post(f"/api/sessions/{parent.id}/actions", json=body, headers=stranger)
    assert refused(answer, 403)["code"] == "wrong_token"


def test_the_list_says_where_a_session_comes_from(begin: Begin) -> None:
    parent = begin()
    parent.paint(1)
    copy = Fork(parent, 1)
    rows = {row["session_id"]: row for row in parent.client.get("/api/sessions").json()}
    assert rows[copy.id]["parent"] == {"session_id": parent.id, "step": 1} and rows[parent.id]["parent"] is None
    assert (rows[copy.id]["step"], rows[copy.id]["score"]) == (1, rows[parent.id]["score"])
    assert rows[copy.id]["player"]["name"] == "Successor"


def test_its_log_begins_with_the_lines_of_its_parent(begin: Begin) -> None:
    parent = begin()
    parent.paint(1)
    parent.do("undo", "u")
    copy = Fork(parent, 2)
    copy.paint(2)
    (begun, *lines), (_, *theirs) = copy.log(), parent.log()
    assert (begun["format"], begun["parent_id"], begun["fork_step"]) == ("easel-log/1", parent.id, 2)
    assert lines[:2] == theirs and [line["seq"] for line in lines] == [1, 2, 3]
    assert copy.begun["write_token"] not in json.dumps(copy.log())


@pytest.mark.parametrize(
    "wrong",
    [
        {"step": -1}, {"step": 1.5}, {"step": "1"}, {"step": True}, {"step": None}, {"step": []}, {"player": None},
        {"player": {"kind": "human", "name": ""}}, {"player": {"kind": "human", "name": "a\u202eb"}},
        {"player": {"kind": "robot", "name": "x"}}, {"protocol": "chess"}, {"task_id": "natural-01"},
        {"write_token": "x"},
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_read_is_422_and_begins_nothing(begin: Begin, wrong: dict[str, Any]) -> None:
    parent = begin()
    refused(post(parent, {"step": 0, "player": WHO, **wrong}), 422)
    for missing in ("step", "player"):
        refused(post(parent, {key: value for key, value in {"step": 0, "player": WHO}.items() if key != missing}), 422)
    assert newest(parent) == parent.id


@pytest.mark.parametrize(
    ("wish", "status", "code", "field"),
    [
        ({"step": 2}, 404, "no_such_step", "step"),
        ({"step": 10**40}, 404, "no_such_step", "step"),
        ({"step": 1, "protocol": "benchmark"}, 409, "wrong_protocol", "protocol"),
    ],
)
def test_what_does_not_fit_is_told_so(begin: Begin, wish: dict[str, Any], status: int, code: str, field: str) -> None:
    parent = begin()
    parent.paint(1)
    error = refused(post(parent, {**wish, "player": WHO}), status)
    assert (error["code"], error["field"]) == (code, field)
    assert newest(parent) == parent.id


@pytest.mark.parametrize("name", ["0", "%00", "..%2f..", "x" * 500, "🎨"])
def test_a_session_that_is_not_there_is_404(begin: Begin, name: str) -> None:
    answer = begin().client.post(f"/api/sessions/{name}/forks", json={"step": 0, "player": WHO})
    refused(answer, 404)


def test_a_spent_session_has_no_step_left_at_its_end(begin: Begin) -> None:
    parent = begin()
    for seed in range(32):
        parent.paint(seed)
    assert refused(post(parent, {"step": 32, "player": WHO}), 409)["code"] == "no_steps_left"
    last = Fork(parent, 31)
    assert last.paint(99)["status"] == "spent"
    assert not last.view()["ranked"] and parent.view()["ranked"]


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30) as client:
        yield client


def test_viewers_of_each_hear_of_that_one_alone(http: httpx.Client) -> None:
    parent = Session(http)
    parent.paint(1)
    copy = Fork(parent, 1)
    with (
        http.stream("GET", f"/api/sessions/{parent.id}/events") as theirs,
        http.stream("GET", f"/api/sessions/{copy.id}/events") as own,
    ):
        seen, heard = messages(theirs), messages(own)
        first, second = next(seen), next(heard)
        assert (first[1], second[1]) == ("snapshot", "snapshot")
        assert (first[2]["parent"], second[2]["parent"]["session_id"]) == (None, parent.id)
        assert first[2]["canvas"] == second[2]["canvas"]
        copy.paint(2)
        parent.paint(3)
        for (seq, name, data), session in ((next(seen), parent), (next(heard), copy)):
            assert (seq, name, data["session_id"]) == (2, "action", session.id)
