"""/api/plans/imports: a file that is sent, a source that is named, and what they answer whatever comes."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from easel_app.plans.files import MOST_PLAN
from easel_app.services.studio import Studio
from easel_app.services.taking_in.imports import AT_ONCE, MOST_UPLOAD
from easel_app.settings import Settings
from easel_app.web.api import create_api
from tests.conftest import wait_until
from tests.plans.planfiles import answer, cites, lines, query, report, row, vote
from tests.rubrics.files import picture, url

ROUTE = "/api/plans/imports"
GOOD = [query(), answer(), report(), vote()]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("data")))
    yield studio
    studio.close()


@pytest.fixture(scope="module")
def client(studio: Studio) -> Iterator[TestClient]:
    """A studio that only this machine can reach."""
    with TestClient(create_api(studio, Settings()), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def own(request: pytest.FixtureRequest) -> str:
    """A name of this test's own for its set."""
    return str(request.node.name)[:80]


def body(*entries: Any) -> bytes:
    return b"\n".join(each if isinstance(each, bytes) else json.dumps(each).encode() for each in entries)


def refused(response: Any, status: int, code: str) -> str:
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (status, code), response.text
    return str(error["message"])


def ended(client: TestClient, wish: dict[str, Any]) -> dict[str, Any]:
    begun = client.post(f"{ROUTE}/source", json=wish)
    assert begun.status_code == 202, begun.text
    place = f"{ROUTE}/{begun.json()['import_id']}"
    wait_until(lambda: client.get(place).json()["state"] != "running")
    return dict(client.get(place).json())


def test_a_file_that_is_sent_becomes_a_set_packed_or_not(client: TestClient, studio: Studio, own: str) -> None:
    found = client.post(ROUTE, params={"name": own}, content=body(*GOOD))
    assert found.status_code == 201, found.text
    report = found.json()
    assert (report["state"], report["name"], report["source"]) == ("imported", own, "a file that was sent")
    assert report["added"] == {"queries": 1, "answers": 1, "reports": 1, "votes": 1}
    assert studio.plans.store.counts(report["set_id"]) == {"queries": 1, "answers": 1}
    again = client.post(ROUTE, params={"name": own}, content=gzip.compress(body(*GOOD)))
    assert again.status_code == 201 and again.json()["there"]["queries"] == 1


def test_settings_of_an_import_count(client: TestClient, studio: Studio, own: str) -> None:
    content = body(row(gt=None, model_answer=cites(1)))
    how = {"name": own, "planner": "Ash", "pool_order": "documents_first"}
    assert "choose index_base 0 or 1" in refused(client.post(ROUTE, params=how, content=content), 422, "import_refused")
    found = client.post(ROUTE, params={**how, "index_base": "1"}, content=content)
    assert found.status_code == 201, found.text
    (stored,) = studio.plans.store.answers(found.json()["set_id"])
    (asked,) = studio.plans.store.queries(found.json()["set_id"])
    assert (stored.planner, stored.record["index_base"]) == ("Ash", 1)
    assert asked.record["pool_order"] == "documents_first"
    for wrong in ({"index_base": "2"}, {"pool_order": "any"}, {"planner": "a\nb"}, {"more": "1"}):
        refused(client.post(ROUTE, params={"name": own, **wrong}, content=content), 422, "invalid")


def test_a_bare_text_can_be_sent(client: TestClient, studio: Studio, own: str) -> None:
    text = "\ufeff# Cats\r\n\0 <tool>"
    found = client.post(ROUTE, params={"name": own}, content=text.encode())
    assert found.json()["added"] == {"queries": 1, "answers": 1, "reports": 0, "votes": 0}
    (stored,) = studio.plans.store.answers(found.json()["set_id"])
    assert (stored.planner, stored.record["text"]) == ("imported planner", text)


def test_a_plan_of_ten_megabytes_can_be_sent(client: TestClient, studio: Studio, own: str) -> None:
    text = "Cats. " * (MOST_PLAN // 6)
    found = client.post(ROUTE, params={"name": own}, content=body(query(), answer(text=text)))
    assert found.status_code == 201, found.text
    (stored,) = studio.plans.store.answers(found.json()["set_id"])
    assert stored.record["text"] == text


def test_a_refused_file_answers_with_the_one_shape_of_errors_and_its_report(client: TestClient, own: str) -> None:
    sent = {"params": {"name": own}, "content": body(*GOOD, b"nonsense", answer("nowhere"))}
    found = client.post(ROUTE, **sent)
    message = refused(found, 422, "import_refused")
    assert message.startswith("Nothing was imported, for 2 records are refused, first line 5: it is not valid JSON")
    assert found.json()["error"]["field"] == "line 5" and found.json()["report"]["state"] == "refused"
    partly = client.post(ROUTE, params={"name": own, "partial": True}, content=sent["content"])
    assert (partly.status_code, partly.json()["state"], partly.json()["refused"]) == (201, "imported in part", 2)


def test_each_other_refusal_has_its_status(client: TestClient, own: str) -> None:
    name = {"name": own}
    refused(client.post(ROUTE, params=name, content=b""), 422, "import_refused")
    refused(client.post(ROUTE, content=body(*GOOD)), 422, "set_name")
    refused(client.post(ROUTE, params=name, content=gzip.compress(body(*GOOD))[:-9]), 422, "file_damaged")
    refused(client.post(ROUTE, params=name, content=bytes(MOST_UPLOAD + 1)), 413, "too_large")
    refused(client.post(ROUTE, params=name, content=body(*GOOD), headers={"Origin": "http://x"}), 403, "foreign_origin")


def test_a_file_that_is_sent_names_no_file_of_the_server(client: TestClient, studio: Studio, own: str) -> None:
    for name in ("/etc/hostname", "upload", "../upload", "easel.db"):
        sent = body(query(query_images=[name]))
        assert "data URL" in refused(client.post(ROUTE, params={"name": own}, content=sent), 422, "import_refused")
    assert (
        client.post(ROUTE, params={"name": own}, content=body(query(query_images=[url(picture())]))).status_code == 201
    )
    found = client.post(ROUTE, params={"name": f"{own} 2"}, content=body(row(image_query="/etc/hostname", gt=None)))
    (asked,) = studio.plans.store.queries(found.json()["set_id"])
    assert "no files beside it" in asked.record["query_images"][0]["missing"]


def test_a_source_of_the_server_is_imported_in_the_background(client: TestClient, own: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", GOOD)
    view = ended(client, {"source": str(path), "name": own})
    assert (view["state"], view["stage"], view["bytes"], view["reason"]) == ("done", "importing", view["size"], "")
    assert view["report"]["added"]["queries"] == 1 and view["total"] == view["records"] == 4
    lines(path, [*GOOD, b"nonsense"])
    assert ended(client, {"source": str(path), "name": own})["state"] == "refused"
    view = ended(client, {"source": str(tmp_path), "name": own, "partial": True, "index_base": "0"})
    assert (view["state"], view["report"]["state"]) == ("done", "imported in part")
    for where in ("/nowhere/at/all", "x\0y", "~nobody/x", "/dev/zero", "ann/set"):
        view = ended(client, {"source": where, "name": own})
        assert view["state"] == "failed" and view["reason"] and view["report"] is None


def test_an_import_can_be_stopped_and_a_third_one_waits(client: TestClient, own: str, tmp_path: Path) -> None:
    many = lines(tmp_path / "x.jsonl", (query(f"q{n}") for n in range(40_000)))
    begun = [client.post(f"{ROUTE}/source", json={"source": str(many), "name": f"{n} {own}"}) for n in range(AT_ONCE)]
    refused(client.post(f"{ROUTE}/source", json={"source": str(many)}), 503, "busy")
    for each in begun:
        place = f"{ROUTE}/{each.json()['import_id']}"
        assert client.delete(place).status_code == 200
        wait_until(lambda place=place: client.get(place).json()["state"] == "stopped")  # type: ignore[misc]
    refused(client.get(f"{ROUTE}/nonsense"), 404, "no_such_import")
    refused(client.delete(f"{ROUTE}/nonsense"), 404, "no_such_import")


def test_where_other_machines_reach_the_studio_its_disk_is_none_of_their_business(tmp_path: Path, own: str) -> None:
    hosted = Settings(data_dir=tmp_path / "data", host="0.0.0.0")
    with TestClient(create_api(Studio(hosted), hosted)) as client:
        message = refused(client.post(f"{ROUTE}/source", json={"source": "/etc/hostname"}), 403, "imports_forbidden")
        assert "easel plans import" in message
        assert client.post(ROUTE, params={"name": own}, content=body(*GOOD)).status_code == 201
