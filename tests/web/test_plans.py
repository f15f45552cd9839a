"""Plans over HTTP: what is sent to whom, what is refused, and that what is untrusted gets through as text only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from easel_app.services.plans.plans import Plans
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.sources.fields import UNSTORABLE
from easel_app.web.api import create_api
from tests.services.plans.making import GOOD, INSPECTION, JUDGE, SET, call, inspect, make_plan, make_set, picture, said

API = "/api/plans"


def enrol(client: httpx.Client, name: str) -> dict[str, str]:
    answer = client.post("/api/rubrics/reviewers", json={"name": name})
    return {"Authorization": f"Bearer {answer.json()['token']}"}


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("data")))
    yield studio
    studio.close()


@pytest.fixture(scope="module")
def client(studio: Studio) -> Iterator[TestClient]:
    api = create_api(studio, Settings(allowed_hosts=["testserver"]))
    with TestClient(api, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def plans(studio: Studio) -> Plans:
    return studio.plans


@pytest.fixture(scope="module")
def made(plans: Plans) -> list[int]:
    made = make_set(plans)
    inspect(plans, made)
    return made


def get(client: httpx.Client, path: str, **more: Any) -> Any:
    answer = client.get(f"{API}/{path}", **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def vote(client: httpx.Client, answer: int, part: str, headers: dict[str, str], **more: Any) -> httpx.Response:
    body = said(part, **more).model_dump(mode="json")
    return client.post(f"{API}/answers/{answer}/votes", json=body, headers=headers)


def test_a_set_is_listed_with_what_it_holds(client: TestClient, made: list[int]) -> None:
    found = get(client, f"sets/{SET}")
    assert (found["set_id"], found["queries"], found["answers"], found["sample"]) == (SET, 3, 6, False)
    assert [each["inspection_id"] for each in found["inspections"]] == [INSPECTION]
    assert found in get(client, "sets")
    assert [tool["name"] for tool in get(client, "tools")] == ["reference", "diffusion", "search", "code", "edit"]


def test_an_inspection_by_rest_from_enrolment_to_the_last_part(client: TestClient, made: list[int]) -> None:
    ada = enrol(client, "Ada")
    first = get(client, f"sets/{SET}/step?open=true", headers=ada)["open"]
    assert first == made[0]
    view = get(client, f"answers/{first}", headers=ada)
    assert "SECRET" not in json.dumps(view) and view["mine"]["calls"] == {}
    told = ["SECRET call 1", "SECRET precision", "SECRET recall", "SECRET recall", "SECRET chief"]
    for part, token in zip(("call:1", "call:2", "gaps", "plan", "fs"), told, strict=True):
        answer = vote(client, first, part, ada)
        assert answer.status_code == 200 and token in answer.text, answer.text
    assert all(answer.json()["mine"]["blind"].values())
    assert answer.json() == get(client, f"answers/{first}", headers=ada)
    page = get(client, f"sets/{SET}/plans?limit=1", headers=ada)
    assert (page["plans"][0]["done"], page["plans"][0]["fs"], page["plans"][0]["gaps"], page["next"]) == (1, 55, 1, 1)
    assert get(client, f"sets/{SET}/step?open=true", headers=ada)["open"] == made[1]
    assert "Ada" in get(client, f"sets/{SET}")["reviewers"]
    upheld = vote(client, first, f"gap:{JUDGE}/1", ada).json()
    assert upheld["mine"]["upheld"] == {f"{JUDGE}/1": True}


def test_only_a_reader_without_a_name_may_read_everything_at_once(client: TestClient, made: list[int]) -> None:
    ben = enrol(client, "Ben")
    shown = client.get(f"{API}/answers/{made[5]}?reports=shown")
    assert "SECRET chief" in shown.text and shown.json()["mine"] is None
    refused = client.get(f"{API}/answers/{made[5]}?reports=shown", headers=ben)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_revealed")
    revealed = client.post(f"{API}/answers/{made[5]}/reveal", json={"part": "all"}, headers=ben)
    assert revealed.status_code == 200 and "SECRET chief" in revealed.text
    assert client.get(f"{API}/answers/{made[5]}?reports=shown", headers=ben).json() == revealed.json()
    assert vote(client, made[5], "fs", ben).json()["mine"]["blind"] == {"fs": False}


def test_every_plan_has_an_address_by_its_names(client: TestClient, made: list[int]) -> None:
    found = get(client, f"sets/{SET}/find", params={"query_id": "q2", "planner": "planner b"})
    assert found == {"answer": made[3]}
    assert get(client, f"sets/{SET}/queries/q2/reference")["planner"] == "reference answer"
    assert get(client, f"answers/{made[0]}?inspection={INSPECTION}")["judges"][0]["judge"] == JUDGE


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("POST", "answers/1/votes", 401, "no_token"),
        ("POST", "answers/1/reveal", 401, "no_token"),
        ("GET", "answers/999", 404, "no_such_plan"),
        ("GET", "answers/999/raw", 404, "no_such_plan"),
        ("GET", "answers/0", 422, "invalid"),
        ("GET", "answers/9223372036854775808", 422, "invalid"),
        ("GET", "answers/1?reports=some", 422, "invalid"),
        ("GET", "answers/1?inspection=nobody", 404, "no_such_inspection"),
        ("GET", "sets/nowhere", 404, "no_such_set"),
        ("GET", "sets/nowhere/plans", 404, "no_such_set"),
        ("GET", "sets/nowhere/step", 404, "no_such_set"),
        ("GET", "sets/made/plans?inspection=nobody", 404, "no_such_inspection"),
        ("GET", "sets/made/plans?tool=hammer", 422, "invalid"),
        ("GET", "sets/made/plans?gap=wide", 422, "invalid"),
        ("GET", "sets/made/plans?limit=501", 422, "invalid"),
        ("GET", "sets/made/find?query_id=q9&planner=x", 404, "no_such_plan"),
        ("GET", "sets/made/queries/q9/reference", 404, "no_such_reference"),
        ("GET", "pictures/" + "0" * 64, 404, "no_such_picture"),
        ("GET", "pictures/..%2f..%2feasel.db", 404, "not_found"),
        ("GET", "pictures/easel.db", 404, "no_such_picture"),
    ],
)
def test_what_cannot_be_is_refused_in_one_shape(
    client: TestClient, made: list[int], method: str, path: str, status: int, code: str
) -> None:
    answer = client.request(method, f"{API}/{path}", json={} if method == "POST" else None)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"about": "fs", "content": {"about": "fs", "fs": 101}}, 422),
        (
            {"about": "gaps", "content": {"about": "gaps", "gaps": [{"after_block": 1, "type": "unmet_request"}] * 2}},
            422,
        ),
        ({"about": "fs", "content": {"about": "fs", "fs": "70"}}, 422),
        ({"about": "king", "content": None}, 422),
        ({"about": "fs", "content": {"about": "plan", "verdict": "accept"}}, 422),
        ({"about": "call", "key": "7", "content": None}, 404),
        ({"about": "fs", "content": None}, 409),
        ({"about": "fs", "content": {"about": "fs", "fs": 7}, "note": "x" * 4001}, 422),
        ({"about": "fs", "content": {"about": "fs", "fs": 7}, "request_id": "\x00"}, 422),
    ],
    ids=str,
)
def test_a_vote_that_is_none_is_refused(client: TestClient, made: list[int], body: dict[str, Any], code: int) -> None:
    ada = enrol(client, f"Cleo {body}"[:80].strip().replace("\x00", ""))
    answer = client.post(f"{API}/answers/{made[0]}/votes", json={"request_id": "r"} | body, headers=ada)
    assert answer.status_code == code, answer.text
    assert get(client, f"answers/{made[0]}", headers=ada)["mine"]["revealed"] == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"about": "zzz"}, "content.about must be one of 'call', 'gaps', 'gap', 'fs', 'plan'; it is 'zzz'"),
        ({"fs": 5}, "content.about must be one of those known; it is missing"),
    ],
)
def test_a_vote_about_nothing_is_told_what_a_vote_can_be_about(
    client: TestClient, made: list[int], content: dict[str, Any], words: str
) -> None:
    """And not what a painter's action can be, which is told apart by another field."""
    body = {"about": "fs", "content": content, "request_id": "about-nothing"}
    answer = client.post(f"/api/plans/answers/{made[0]}/votes", json=body, headers=enrol(client, f"A {len(words)}"))
    assert answer.status_code == 422 and answer.json()["error"]["message"].startswith(words)


@pytest.mark.parametrize("name", ["\u3164", "a\u2800"])
def test_a_reviewer_whose_name_is_not_seen_is_refused_in_plain_words(client: TestClient, name: str) -> None:
    answer = client.post("/api/rubrics/reviewers", json={"name": name})
    message = answer.json()["error"]["message"]
    assert answer.status_code == 422 and "it holds a letter that looks like a blank; correct" in message
    assert "Value error" not in message


def test_a_picture_is_sent_as_what_it_is(client: TestClient, plans: Plans) -> None:
    image = picture(plans).picture
    assert image
    answer = client.get(f"{API}/pictures/{image.digest}")
    assert answer.content.startswith(b"\x89PNG") and answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff" and "immutable" in answer.headers["cache-control"]
    page = plans.pictures.put(b"<script>alert(1)</script>")
    assert client.get(f"{API}/pictures/{page}").status_code == 404, "what is no picture is not sent as one"


def test_raw_text_is_a_file_and_never_a_page(client: TestClient, plans: Plans) -> None:
    text = "<script>alert(1)</script>\x00\r\n\ufeff\u202e" + GOOD
    plan = make_plan(plans, text, "raw")
    answer = client.get(f"{API}/answers/{plan}/raw")
    assert answer.content.decode() == text
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-disposition"].startswith("attachment")


def test_a_hostile_plan_is_sent_as_text_that_can_be_stored(client: TestClient, plans: Plans) -> None:
    parts = [
        "\ud800<img src=http://evil.example/x onerror=alert(1)>\x00",
        "![x](http://evil.example/x.png) [y](javascript:alert(1))",
        call("search", query="\udfff\x00\u202e"),
        call("code", diagram_type="bar", data={"\ud800": [1, 2], "x": ["\x00", "b"]}, code="\ud800"),
        '<tool>{"tool_name": "\\ud800", "params": {"\\udc00": "\\u0000"}}</tool>',
        "<tool>\ud800</tool>",
    ]
    answer = make_plan(plans, "\n\n".join(parts), "hostile")
    for path in (f"answers/{answer}", "sets/hostile/plans", "sets/hostile/plans?q=evil.example"):
        sent = client.get(f"{API}/{path}")
        assert sent.status_code == 200 and not UNSTORABLE.search(str(sent.json())), path
    view = get(client, f"answers/{answer}")
    kinds = {node[0] for piece in view["pieces"] for node in piece["nodes"]}
    assert kinds <= {"p", "pre"} and len(view["calls"]) == 4
    assert get(client, "sets/hostile/plans", params={"q": "\x00"})["total"] == 1


def test_the_sample_set_is_there_from_the_first_look_on(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, allowed_hosts=["testserver"])
    studio = Studio(settings)
    with TestClient(create_api(studio, settings)) as client:
        sets = get(client, "sets")
        for found in sets:
            assert found["sample"]
            for plan in get(client, f"sets/{found['set_id']}/plans?limit=500")["plans"]:
                get(client, f"answers/{plan['answer']}?reports=shown")
    studio.close()
