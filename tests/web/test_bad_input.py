"""Whatever is sent: a 4xx with one sentence, nothing stored, the session unharmed."""

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st

from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web.api import create_api
from tests.conftest import Session, new_session, paint

Begin = Callable[..., Session]
WRONG: list[Any] = [math.nan, math.inf, -math.inf, -1e-9, 1.5, 1e308, 10**400, "0.5", "", None, True, [], {}, [[[]]]]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One studio for all of these tests, since what is refused leaves no mark on it."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("studio"), allowed_hosts=["testserver"], open_sessions=8)
    studio = Studio(settings)
    with TestClient(create_api(studio, settings), raise_server_exceptions=False) as client:
        yield client
    studio.close()


def refused(answer: Any, *statuses: int) -> dict[str, Any]:
    assert answer.status_code in statuses, answer.text
    error = answer.json()["error"]
    assert set(answer.json()) == {"error"} and set(error) == {"code", "message", "field"}
    assert error["message"] and "\n" not in error["message"] and len(error["message"]) < 400
    return dict(error)


def send(session: Session, body: Any) -> Any:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {**session.headers, "Content-Type": "application/json"}
    return session.client.post(f"/api/sessions/{session.id}/actions", content=raw, headers=headers)


@pytest.mark.parametrize("name", STROKE_FIELDS)
def test_every_number_of_a_stroke_is_checked(begin: Begin, name: str) -> None:
    session = begin()
    for value in WRONG:
        body = paint("bad")
        body["action"]["stroke"][name] = value
        assert refused(send(session, body), 422)["field"] == f"action.stroke.{name}"
    body = paint("bad")
    del body["action"]["stroke"][name]
    refused(send(session, body), 422)
    assert session.view()["seq"] == 0
    assert session.paint(1)["seq"] == 1


@pytest.mark.parametrize("value", [*WRONG, "a b", "x" * 65, "é", "\n", "a\u0000"], ids=repr)
def test_the_request_id_is_checked(begin: Begin, value: Any) -> None:
    session = begin()
    if value == "0.5":
        return
    body = paint("x")
    body["request_id"] = value
    refused(send(session, body), 422)
    assert session.view()["seq"] == 0


@pytest.mark.parametrize("kind", [None, "", "erase", "BRUSH_STROKE", 1, ["undo"], {"a": 1}])
def test_unknown_kinds_are_refused(begin: Begin, kind: Any) -> None:
    session = begin()
    assert "kind" in str(refused(send(session, {"request_id": "x", "action": {"kind": kind}}), 422)["field"])


@pytest.mark.parametrize(
    "change",
    [
        lambda b: b.update(extra=1),
        lambda b: b["action"].update(extra=1),
        lambda b: b["action"]["stroke"].update(alpha=1),
        lambda b: b.pop("action"),
        lambda b: b.pop("request_id"),
        lambda b: b["action"].pop("stroke"),
        lambda b: b["action"].update(stroke=[0.5] * 13),
        lambda b: b.update(action=[b["action"]]),
        lambda b: b["action"].update(kind="undo"),
    ],
)
def test_missing_extra_and_misplaced_fields_are_refused(begin: Begin, change: Callable[[Any], Any]) -> None:
    session, body = begin(), paint("x")
    change(body)
    refused(send(session, body), 422)
    assert session.view()["seq"] == 0


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"{" * 30_000, b"[" * 60_000, b'{"a":' * 10_000,
        b'{"request_id": "x", "action": {"kind": "undo"}', b"NaN", "\ud800".encode("utf-8", "surrogatepass"),
        b'{"request_id": "\\ud800", "action": {"kind": "undo"}}',
    ],
)  # fmt: skip
def test_what_is_not_json_is_refused(begin: Begin, raw: bytes) -> None:
    session = begin()
    refused(send(session, raw), 400, 422)
    assert session.view()["seq"] == 0
    assert session.paint(1)["seq"] == 1


def test_a_body_of_10_mb_is_refused_before_it_is_parsed(begin: Begin, client: TestClient) -> None:
    session, huge = begin(), b'{"request_id": "' + b"x" * 10_000_000 + b'"}'
    refused(send(session, huge), 413)
    refused(client.post("/api/sessions", content=huge, headers={"Content-Type": "application/json"}), 413)

    def chunks() -> Any:  # without a content-length
        for _ in range(160):
            yield b" " * 65536

    path = f"/api/sessions/{session.id}/actions"
    refused(client.post(path, content=chunks(), headers=session.headers), 413)
    assert session.paint(1)["seq"] == 1


nested = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@trials(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(where=st.sampled_from(["body", "action", "stroke", "player"]), junk=nested)
def test_junk_anywhere_is_refused(client: TestClient, begin: Begin, where: str, junk: Any) -> None:
    session = begin()
    body = paint("junk")
    if where == "player":
        refused(client.post("/api/sessions", content=json.dumps({**new_session(), "player": junk})), 422)
        return
    if where == "body":
        body = junk
    elif where == "action":
        body["action"] = junk
    else:
        body["action"]["stroke"] = junk
    refused(send(session, body), 422, 400)
    assert session.view()["seq"] == 0


@pytest.mark.parametrize("verb, path", [
    ("GET", "/api/tasks/nothing"), ("GET", "/api/tasks/nothing/reference.png"), ("GET", "/api/sessions/0"),
    ("GET", "/api/sessions/0/canvas.png"), ("GET", "/api/sessions/0/log"), ("GET", "/api/sessions/0/events"),
    ("GET", "/api/nothing"), ("DELETE", "/api/tasks"), ("PUT", "/api/sessions"), ("GET", "/api/tasks/..%2f..%2fetc"),
    ("GET", "/api/sessions/%00"), ("GET", "/api/sessions/' OR 1=1 --"), ("GET", "/api/tasks/" + "x" * 5000),
])  # fmt: skip
def test_unknown_things_are_404(client: TestClient, verb: str, path: str) -> None:
    refused(client.request(verb, path), 404)


def test_acting_in_an_unknown_session_is_404(client: TestClient) -> None:
    headers = {"Authorization": "Bearer x"}
    refused(client.post("/api/sessions/0/actions", json=paint("x"), headers=headers), 404)


@pytest.mark.parametrize("token", ["wrong", "", "é", "x" * 4000, "null"])
def test_a_wrong_token_is_403_and_a_missing_one_401(begin: Begin, token: str) -> None:
    session = begin()
    session.headers = {"Authorization": f"Bearer {token}".encode()}  # type: ignore[dict-item]
    refused(session.act(paint("x")), 403 if token else 401)
    for headers in ({}, {"Authorization": "Basic abc"}, {"Authorization": "Bearer"}):
        session.headers = headers
        refused(session.act(paint("x")), 401, 403)
    assert session.view()["seq"] == 0


def test_one_sessions_token_does_not_open_another(begin: Begin) -> None:
    one, other = begin(), begin()
    one.headers = other.headers
    refused(one.act(paint("x")), 403)


def test_a_finished_or_spent_session_is_409(begin: Begin) -> None:
    submitted, spent = begin(), begin(protocol="benchmark")
    submitted.do("submit", "s")
    for seed in range(32):
        spent.paint(seed)
    for session in (submitted, spent):
        before = session.view()
        for answer in (session.act(paint("late", 99)), session.do("undo", "late"), session.do("submit", "late")):
            assert refused(answer, 409)["code"] == "session_closed"
        assert session.view() == before
        assert session.log()[-1]["request_id"] != "late"


@pytest.mark.parametrize("kind", ["undo", "submit"])
def test_what_the_protocol_does_not_know_is_409_and_costs_nothing(begin: Begin, kind: str) -> None:
    session = begin(protocol="benchmark")
    assert refused(session.do(kind, "x"), 409)["code"] == "not_allowed"
    assert session.view()["step"] == 0


@pytest.mark.parametrize("change", [
    {"task_id": "nothing"}, {"task_id": 3}, {"task_id": None}, {"protocol": "free"}, {"protocol": None}, {"extra": 1},
    {"player": {"kind": "robot", "name": "x"}}, {"player": {"kind": "human"}},
    {"player": {"kind": "human", "name": ""}},
    {"player": {"kind": "human", "name": "x" * 81}}, {"player": {"kind": "human", "name": "a\u202eb"}},
    {"player": {"kind": "human", "name": "a\nb"}}, {"player": {"kind": "human", "name": "\u0000"}},
    {"player": {"kind": "human", "name": "x", "token": "y"}}, {"player": "human"},
])  # fmt: skip
def test_a_session_cannot_begin_on_wrong_terms(client: TestClient, change: dict[str, Any]) -> None:
    refused(client.post("/api/sessions", json={**new_session(), **change}), 404, 422)


def test_hostile_names_come_back_as_they_were(client: TestClient) -> None:
    name = "<img src=x onerror=alert(1)>'; DROP TABLE sessions; --"
    wish = {**new_session(), "player": {"kind": "agent", "name": name, "model": "${7*7}{{7*7}}"}}
    session_id = client.post("/api/sessions", json=wish).json()["session_id"]
    assert client.get(f"/api/sessions/{session_id}").json()["player"]["name"] == name


@pytest.mark.parametrize("step", ["x", "1e3", "1.5", "", "9" * 30])
def test_a_step_that_is_no_number_is_refused(begin: Begin, client: TestClient, step: str) -> None:
    session = begin()
    refused(client.get(f"/api/sessions/{session.id}/canvas.png", params={"step": step}), 404, 422)


def test_a_foreign_host_name_is_refused(client: TestClient) -> None:
    assert client.get("/api/tasks", headers={"Host": "evil.example"}).status_code == 400
