"""/api/rubrics/imports: a file that is sent, a source that is named, and what they answer whatever comes."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import pytest
from fastapi.testclient import TestClient

from easel_app.services.studio import Studio
from easel_app.services.taking_in.imports import AT_ONCE, MOST_KEPT, MOST_UPLOAD
from easel_app.settings import Settings
from easel_app.web.api import create_api
from tests.conftest import wait_until
from tests.rubrics import files
from tests.rubrics.files import answer, cells, judged, lines, picture, response, row, task, url, verdict
from tests.rubrics.test_reading_hub import running

ROUTE = "/api/rubrics/imports"
GOOD = [task("t1"), answer("t1"), verdict("t1")]


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


def test_a_file_that_is_sent_becomes_a_set_packed_or_not(client: TestClient, own: str) -> None:
    found = client.post(ROUTE, params={"name": own}, content=body(*GOOD))
    assert found.status_code == 201
    report = found.json()
    assert (report["state"], report["name"], report["source"]) == ("imported", own, "a file that was sent")
    assert report["added"] == {"tasks": 1, "items": 2, "answers": 1, "verdicts": 1, "votes": 0}
    listed = {each["set_id"]: each for each in client.get("/api/rubrics/sets").json()}
    assert listed[report["set_id"]]["answers"] == 1
    again = client.post(ROUTE, params={"name": own}, content=gzip.compress(body(*GOOD)))
    assert again.status_code == 201 and again.json()["there"]["tasks"] == 1


def test_the_benchmarks_own_files_can_be_sent(client: TestClient, own: str, tmp_path: Path) -> None:
    table = files.parquet(tmp_path / "x.parquet", [row("t1", images_by_turn=[cells(picture(1))])])
    assert client.post(ROUTE, params={"name": own}, content=table.read_bytes()).json()["added"]["tasks"] == 1
    for entry, kind in ((response("t1"), "answers"), (judged({"i0-a": "Met", "i0-b": "Not Met"}), "verdicts")):
        sent = client.post(
            ROUTE, params={"name": own, "model": "m", "judge": "o"}, content=json.dumps([entry]).encode()
        )
        assert sent.status_code == 201 and sent.json()["added"][kind] > 0, sent.text


def test_a_refused_file_answers_with_the_one_shape_of_errors_and_its_report(client: TestClient, own: str) -> None:
    sent = {"params": {"name": own}, "content": body(*GOOD, b"nonsense", answer("nowhere"))}
    found = client.post(ROUTE, **sent)
    message = refused(found, 422, "import_refused")
    assert message.startswith("Nothing was imported, for 2 records are refused, first line 4: it is not valid JSON")
    report = found.json()["report"]
    assert found.json()["error"]["field"] == "line 4" and report["state"] == "refused"
    assert [fault["place"] for fault in report["faults"]] == ["line 4", "line 5"]
    assert own not in {each["name"] for each in client.get("/api/rubrics/sets").json()}
    partly = client.post(ROUTE, params={"name": own, "partial": True}, content=sent["content"])
    assert (partly.status_code, partly.json()["state"], partly.json()["refused"]) == (201, "imported in part", 2)


def test_each_other_refusal_has_its_status(client: TestClient, studio: Studio, own: str) -> None:
    name = {"name": own}
    refused(client.post(ROUTE, params=name, content=b""), 422, "import_refused")
    refused(client.post(ROUTE, content=body(*GOOD)), 422, "set_name")
    refused(client.post(ROUTE, params={"name": "x" * 81}, content=body(*GOOD)), 422, "invalid")
    refused(client.post(ROUTE, params={**name, "more": 1}, content=body(*GOOD)), 422, "invalid")
    refused(client.post(ROUTE, params=name, content=gzip.compress(body(*GOOD))[:-9]), 422, "file_damaged")
    refused(client.post(ROUTE, params=name, content=gzip.compress(body(*GOOD)) + b"x"), 422, "file_damaged")
    refused(client.post(ROUTE, params=name, content=b"\x1f\x8bnonsense"), 422, "file_damaged")
    refused(client.post(ROUTE, params=name, content=gzip.compress(bytes(MOST_UPLOAD + 1), 1)), 413, "file_too_large")
    refused(client.post(ROUTE, params=name, content=bytes(MOST_UPLOAD + 1)), 413, "too_large")
    foreign = {"Origin": "http://elsewhere"}
    refused(client.post(ROUTE, params=name, content=body(*GOOD), headers=foreign), 403, "foreign_origin")
    assert own not in {each["name"] for each in client.get("/api/rubrics/sets").json()}


def test_a_file_between_the_drain_and_the_limit_arrives_whole(client: TestClient, own: str) -> None:
    wide = body(task("t1")) + b" " * (33 * 1024 * 1024) + b"\n" + body(task("t2"))
    assert client.post(ROUTE, params={"name": own}, content=wide).json()["added"]["tasks"] == 2


def test_a_file_that_is_sent_names_no_file_of_the_server(client: TestClient, own: str) -> None:
    for name in ("/etc/hostname", "upload", "../upload", "easel.db"):
        shown = task("p")
        shown["turns"][0]["pictures"] = [name]
        message = refused(client.post(ROUTE, params={"name": own}, content=body(shown)), 422, "import_refused")
        assert "data URL" in message
    shown["turns"][0]["pictures"] = [url(picture())]
    assert client.post(ROUTE, params={"name": own}, content=body(shown)).status_code == 201


def test_a_source_of_the_server_is_imported_in_the_background(client: TestClient, own: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", GOOD)
    view = ended(client, {"source": str(path), "name": own})
    assert (view["state"], view["stage"], view["bytes"], view["reason"]) == ("done", "importing", view["size"], "")
    assert view["report"]["added"]["tasks"] == 1 and view["total"] == view["records"] == 3
    lines(path, [*GOOD, "nonsense"])
    view = ended(client, {"source": str(path), "name": own})
    assert (view["state"], view["report"]["refused"]) == ("refused", 1)
    view = ended(client, {"source": str(path), "name": own, "partial": True})
    assert (view["state"], view["report"]["state"]) == ("done", "imported in part")


@pytest.mark.parametrize("where", ["/nowhere/at/all", "nowhere.jsonl", "a/b/c", "", "x\0y", "~nobody/x", "/dev/zero"])
def test_a_source_that_is_none_is_told(client: TestClient, own: str, where: str) -> None:
    if not where:
        refused(client.post(f"{ROUTE}/source", json={"source": where}), 422, "invalid")
        return
    view = ended(client, {"source": where, "name": own})
    assert view["state"] == "failed" and view["reason"] and view["report"] is None


def test_a_data_set_of_the_hub_is_fetched_and_imported(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = files.parquet(tmp_path / "x.parquet", [row("t1", images_by_turn=[cells(picture(1))])])
    with running({"data/test-0.parquet": table.read_bytes()}) as hub:
        # as HF_ENDPOINT and HF_HOME would have it
        template = f"{hub.url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", hub.url)
        monkeypatch.setattr(huggingface_hub.constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        view = ended(client, {"source": "ann/set"})
        assert view["state"] == "done", view["reason"]
        assert (view["report"]["name"], view["report"]["added"]["tasks"]) == ("set", 1)
        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "empty"))
        hub.fault = (404, "RepoNotFound")
        view = ended(client, {"source": "ann/set"})
    assert view["state"] == "failed" and "the hub has no such data set" in view["reason"]


def test_an_import_can_be_stopped_and_a_third_one_waits(client: TestClient, own: str, tmp_path: Path) -> None:
    many = lines(tmp_path / "x.jsonl", (task(f"t{n}") for n in range(60_000)))
    begun = [
        client.post(f"{ROUTE}/source", json={"source": str(many), "name": f"{n} {own}"[:80]}) for n in range(AT_ONCE)
    ]
    message = refused(client.post(f"{ROUTE}/source", json={"source": str(many)}), 503, "busy")
    assert "2 imports" in message
    for each in begun:
        place = f"{ROUTE}/{each.json()['import_id']}"
        assert client.get(place).json()["stage"] in ("fetching", "checking", "importing")
        assert client.delete(place).status_code == 200
        wait_until(lambda place=place: client.get(place).json()["state"] == "stopped")  # type: ignore[misc]
        assert "goes on" in client.get(place).json()["reason"]
    refused(client.get(f"{ROUTE}/nonsense"), 404, "no_such_import")
    refused(client.delete(f"{ROUTE}/nonsense"), 404, "no_such_import")


def test_only_the_last_imports_are_kept(client: TestClient, own: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", ["nonsense"])
    first = ended(client, {"source": str(path), "name": own})["import_id"]
    for _ in range(MOST_KEPT + 1):
        last = ended(client, {"source": str(path), "name": own})["import_id"]
    refused(client.get(f"{ROUTE}/{first}"), 404, "no_such_import")
    assert client.get(f"{ROUTE}/{last}").status_code == 200


def test_where_other_machines_reach_the_studio_its_disk_is_none_of_their_business(tmp_path: Path, own: str) -> None:
    hosted = Settings(data_dir=tmp_path / "data", host="0.0.0.0")
    with TestClient(create_api(Studio(hosted), hosted)) as client:
        for where in ("/etc/hostname", "ScaleAI/VisualToolBench"):
            message = refused(client.post(f"{ROUTE}/source", json={"source": where}), 403, "imports_forbidden")
            assert "easel rubrics import" in message
        assert client.post(ROUTE, params={"name": own}, content=body(*GOOD)).status_code == 201


def test_a_file_that_is_packed_twice_is_refused_before_it_swells(client: TestClient) -> None:
    twice = gzip.compress(gzip.compress(b"\n" * 10_000_000))
    answer = client.post(f"{ROUTE}?name=twice", content=twice)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "file_packed_twice")
