"""Sharing, guests and turns over REST: who may do what, and with which status a refusal comes."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from tests.conftest import Server, Session, new_session, paint
from tests.web.test_bad_input import refused
from tests.web.test_events import messages

Begin = Callable[..., Session]
INVALID = {"request_id": "i", "action": {"kind": "invalid", "reason": "No action."}}


class Guest:
    """Someone who joined a session over HTTP."""

    def __init__(self, session: Session, name: str = "Ada") -> None:
        answer = session.client.post(f"/api/sessions/{session.id}/guests", json={"name": name})
        assert answer.status_code == 201 and set(answer.json()) == {"guest_token"}
        self.client, self.path = session.client, f"/api/sessions/{session.id}"
        self.headers = {"Authorization": f"Bearer {answer.json()['guest_token']}"}

    def act(self, body: dict[str, Any]) -> httpx.Response:
        return self.client.post(f"{self.path}/actions", json=body, headers=self.headers)

    def hand_back(self) -> httpx.Response:
        return self.client.post(f"{self.path}/hand-back", headers=self.headers)


def share(session: Session, shared: Any, headers: dict[str, str] | None = None) -> httpx.Response:
    used = session.headers if headers is None else headers
    return session.client.put(f"/api/sessions/{session.id}/sharing", json={"shared": shared}, headers=used)


@pytest.fixture
def shared(begin: Begin) -> Session:
    session = begin()
    assert share(session, True).json() == {"shared": True, "guest": None}
    return session


def test_a_session_is_shared_from_its_begin_when_asked(client: TestClient) -> None:
    for wish, want in (({}, False), ({"shared": False}, False), ({"shared": True}, True)):
        session_id = client.post("/api/sessions", json={**new_session(), **wish}).json()["session_id"]
        assert client.get(f"/api/sessions/{session_id}").json()["turn"] == {"shared": want, "guest": None}
    refused(client.post("/api/sessions", json={**new_session(), "shared": 1}), 422)


def test_taking_turns_from_join_to_hand_back(shared: Session) -> None:
    shared.paint(1)
    guest = Guest(shared)
    assert guest.act(paint("g", 2)).json()["seq"] == 2
    assert shared.view()["turn"] == {"shared": True, "guest": "Ada"}
    waits = refused(shared.act(paint("late", 3)), 409)
    assert waits["code"] == "not_your_turn" and waits["message"].startswith("Ada is painting; try again when")
    assert guest.act({"request_id": "u", "action": {"kind": "undo"}}).json()["outcome"] == "applied"
    assert guest.hand_back().json() == {"shared": True, "guest": None}
    shared.paint(4)
    view = shared.view()
    assert (view["seq"], view["ranked"]) == (4, False)
    assert [entry["guest"] for entry in shared.log()[1:]] == [None, "Ada", "Ada", None]


def test_what_guests_may_not_do_is_403(shared: Session) -> None:
    guest, other = Guest(shared), Guest(shared, "Bob")
    for body in ({"request_id": "s", "action": {"kind": "submit"}}, INVALID):
        assert refused(guest.act(body), 403)["code"] == "guests_paint_only"
    assert refused(share(shared, False, guest.headers), 403)["code"] == "owner_only"
    guest.act(paint("g"))
    assert refused(other.act(paint("o")), 409)["code"] == "not_your_turn"
    assert refused(other.hand_back(), 403)["code"] == "not_your_turn"


def test_without_a_token_it_is_401_with_a_strangers_403_and_elsewhere_404(shared: Session, begin: Begin) -> None:
    stranger = begin().headers
    for verb, path, body in (
        ("PUT", "sharing", {"shared": False}), ("POST", "hand-back", None), ("POST", "actions", paint("x")),
    ):  # fmt: skip
        for headers, status in (({}, 401), (stranger, 403)):
            url = f"/api/sessions/{shared.id}/{path}"
            refused(shared.client.request(verb, url, json=body, headers=headers), status)
        refused(shared.client.request(verb, f"/api/sessions/0/{path}", json=body, headers=shared.headers), 404)
    refused(shared.client.post("/api/sessions/0/guests", json={"name": "Ada"}), 404)
    assert shared.view()["turn"] == {"shared": True, "guest": None}


def test_nobody_joins_a_session_that_is_not_shared_or_no_longer(shared: Session, begin: Begin) -> None:
    join = {"name": "Ada"}
    assert refused(begin().client.post(f"/api/sessions/{begin().id}/guests", json=join), 403)["code"] == "not_shared"
    guest = Guest(shared)
    guest.act(paint("g"))
    assert share(shared, False).json() == {"shared": False, "guest": None}
    refused(guest.act(paint("late")), 403)
    refused(shared.client.post(f"/api/sessions/{shared.id}/guests", json=join), 403)


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": " "}, {"name": "a\nb"}, {"name": "a\u202eb"}, {"name": "x" * 81}, {"name": 3},
             {"name": "Ada", "token": "x"}, [], None],
)  # fmt: skip
def test_a_guests_name_is_checked(shared: Session, body: Any) -> None:
    refused(shared.client.post(f"/api/sessions/{shared.id}/guests", json=body), 422)


@pytest.mark.parametrize("wish", [1, 0, "true", None, [], {"a": 1}])
def test_whether_to_share_is_yes_or_no(shared: Session, wish: Any) -> None:
    refused(share(shared, wish), 422)


def test_an_unreadable_reply_is_recorded_with_its_reason(begin: Begin) -> None:
    session = begin(protocol="benchmark")
    answer = session.act(INVALID).json()
    assert (answer["outcome"], answer["message"], answer["step"]) == ("invalid", "No action.", 1)
    assert session.act(INVALID).json() == answer
    assert session.log()[1]["kind"] == "invalid"


@pytest.mark.parametrize("reason", ["", "a\nb", "a\u0000b", "a\u202eb", "\u2028", "x" * 301, None, 3, ["a"]])
def test_a_hostile_reason_is_refused_and_costs_nothing(begin: Begin, reason: Any) -> None:
    session = begin()
    body = {"request_id": "i", "action": {"kind": "invalid", "reason": reason}}
    assert refused(session.act(body), 422)["field"] == "action.reason"
    assert session.view()["seq"] == 0


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30) as client:
        yield client


def test_viewers_are_told_of_sharing_turns_and_who_painted(http: httpx.Client) -> None:
    session = Session(http)
    with http.stream("GET", f"/api/sessions/{session.id}/events") as response:
        stream = messages(response)
        assert next(stream)[2]["turn"] == {"shared": False, "guest": None}
        share(session, True)
        guest = Guest(session)
        guest.act(paint("g", 5))
        guest.hand_back()
        session.paint(6)
        share(session, False)
        told = [next(stream) for _ in range(5)]
    assert [(seq, name) for seq, name, _ in told] == [
        (0, "turn"), (1, "action"), (1, "turn"), (2, "action"), (2, "turn"),
    ]  # fmt: skip
    assert {data["session_id"] for _, _, data in told} == {session.id}
    turns = [{k: data[k] for k in ("shared", "guest")} for _, name, data in told if name == "turn"]
    assert turns == [{"shared": shared, "guest": None} for shared in (True, True, False)]
    by_guest, by_owner = told[1][2], told[3][2]
    assert (by_guest["guest"], by_guest["actor"], by_owner["guest"]) == ("Ada", "human", None)
    assert by_guest["stroke"] == paint("g", 5)["action"]["stroke"]
