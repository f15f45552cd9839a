"""The analysis over HTTP: figures, comparisons, lists, traces and search; refusals; nothing hidden is told."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.web import errors, rubric_analysis, rubrics
from tests.services.rubrics.analysing import BAD, GOOD, IMAGE, Made, analyses
from tests.services.rubrics.making import SET, make_queue

API = "/api/rubrics"
SETS = f"{API}/sets/{SET}"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One studio for all: two players, two tasks; what `b` answered waits for a blind vote."""
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("data"), allowed_hosts=["testserver"]))
    made = Made(studio)
    made.task("t1", category="temporal", domain="physics")
    made.task("t2", category="follow_up", domain="finance")
    for task, verdicts in (("t1", "mm"), ("t2", "nm")):
        made.answer(task, "a", verdicts, [IMAGE, GOOD, BAD])
        made.answer(task, "b", verdicts[::-1])
    make_queue(studio.rubrics, models=("b",))
    yield studio
    studio.close()


@pytest.fixture(scope="module")
def client(studio: Studio) -> Iterator[TestClient]:
    api = FastAPI()
    errors.install(api)
    api.include_router(rubrics.router(studio, Settings()), prefix="/api")
    api.include_router(rubric_analysis.router(studio, analyses(studio)), prefix="/api")
    yield TestClient(api, raise_server_exceptions=False)


def got(client: TestClient, path: str, **headers: str) -> Any:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_analysis_tells_both_players(client: TestClient) -> None:
    found = got(client, f"{SETS}/analysis")
    assert [(one["player"], one["apr"]["value"], one["apr"]["n"]) for one in found["players"]] == [
        ("a", 0.5, 2),
        ("b", 1.0, 2),
    ]
    assert found["players"][0]["tools"]["success_rate"] | {"low": 0, "high": 0} == {
        "value": pytest.approx(2 / 3), "low": 0, "high": 0, "n": 6
    }  # fmt: skip
    assert (found["tasks"], found["judge"], found["critical"]) == (2, "Judge", "weight")
    assert got(client, f"{SETS}/analysis?by=people")["players"][0]["apr"]["value"] is None


def test_the_table_is_a_file_of_the_same_figures(client: TestClient) -> None:
    answer = client.get(f"{SETS}/analysis.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="made-analysis.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    of = {(row["player"], row["figure"], row["group"]): row for row in rows}
    assert (of["a", "APR", ""]["value"], of["a", "APR", ""]["n"]) == ("0.5", "2")
    assert of["a", "image calls with the operation", "crop"]["value"] == "2"


def test_a_comparison_hides_what_waits_for_a_blind_vote_and_tells_the_whole(client: TestClient) -> None:
    found = got(client, f"{SETS}/compare?a=a&b=b")
    assert (found["hidden"], found["only_b"], found["p_value"]) == (2, 1, 1.0)
    assert [(task["a"]["status"], task["b"]["status"]) for task in found["tasks"]] == [("scored", "hidden")] * 2
    told = got(client, f"{SETS}/compare?a=a&b=b&tell=true")
    assert [task["b"]["passed"] for task in told["tasks"]] == [True, True]


def test_from_the_list_to_the_trace_and_on_to_the_next(client: TestClient) -> None:
    lines = got(client, f"{SETS}/answers?player=a&limit=1")
    assert (lines["total"], len(lines["answers"])) == (2, 1)
    trace = got(client, f"{API}/answers/{lines['answers'][0]['answer']}/trace")
    assert [(step["round"], len(step["calls"])) for step in trace["turns"][0]["steps"]] == [(1, 2), (2, 1)]
    after = got(client, f"{API}/answers/{trace['following']}/trace?critical=flag")
    assert (after["task_id"], after["previous"], after["passed"]) == ("t2", trace["answer"], True)
    assert got(client, f"{SETS}/answers?category=follow_up&status=failed")["answers"][0]["player"] == "a"
    assert got(client, f"{SETS}/answers?task=t2&player=b")["total"] == 1


def test_a_hidden_trace_says_nothing_without_being_asked_to(client: TestClient) -> None:
    (line, _) = got(client, f"{SETS}/answers?player=b")["answers"]
    for url in (f"{API}/answers/{line['answer']}/trace", f"{API}/answers/{line['answer']}/trace?by=people"):
        text = json.dumps(got(client, url))
        assert "SECRET" not in text and '"met"' not in text and "not_met" not in text
        assert (got(client, url)["hidden"], got(client, url)["score"]) == (2, None)
    assert "SECRET" in client.get(f"{API}/answers/{line['answer']}/trace?tell=true").text


def test_a_reviewer_sees_what_no_longer_waits_for_them(client: TestClient, studio: Studio) -> None:
    token = client.post(f"{API}/reviewers", json={"name": "Ada"}).json()["token"]
    ada = {"Authorization": f"Bearer {token}"}
    (line, _) = got(client, f"{SETS}/answers?player=b", **ada)["answers"]
    entries = [
        entry for queue in studio.rubrics.reviews.queues(SET) for entry in studio.rubrics.reviews.entries(queue.id)
    ]
    for entry in entries:
        if entry.answer == line["answer"]:
            vote = {"request_id": f"e{entry.id}", "verdict": "met"}
            assert client.post(f"{API}/entries/{entry.id}/votes", json=vote, headers=ada).status_code == 200
    trace = f"{API}/answers/{line['answer']}/trace"
    assert got(client, trace, **ada)["status"] == "scored" and got(client, trace)["status"] == "hidden"


@pytest.mark.parametrize("whole", [False, True])
def test_whoever_is_told_everything_gives_their_blind_votes_up(client: TestClient, studio: Studio, whole: bool) -> None:
    token = client.post(f"{API}/reviewers", json={"name": f"Bea {whole}"}).json()["token"]
    bea = {"Authorization": f"Bearer {token}"}
    line, other = got(client, f"{SETS}/answers?player=b", **bea)["answers"]
    trace = f"{API}/answers/{line['answer']}/trace"
    paths = (trace, f"{SETS}/compare?a=a&b=b", f"{SETS}/answers", f"{SETS}/agreement")
    for url in [f"{path}{'&' if '?' in path else '?'}tell=true" for path in paths]:
        refused = client.get(url, headers=bea)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "reveal_first"), url
        assert "SECRET" not in refused.text
    waiting = [got(client, f"{API}/answers/{each['answer']}/trace", **bea)["hidden"] for each in (line, other)]
    given = client.post(f"{SETS}/reveal", json={} if whole else {"answer": line["answer"]}, headers=bea)
    assert given.json() == {"entries": sum(waiting) if whole else waiting[0]} and all(waiting)
    assert "SECRET" in client.get(trace, headers=bea).text, "nothing waits for her any more"
    assert got(client, f"{API}/answers/{other['answer']}/trace", **bea)["hidden"] == (0 if whole else waiting[1])
    (queue,) = studio.rubrics.reviews.queues(SET)
    entries = [each for each in studio.rubrics.reviews.entries(queue.id) if each.answer == line["answer"]]
    vote = {"request_id": f"b{whole}", "verdict": "met"}
    cast = client.post(f"{API}/entries/{entries[0 if whole else -1].id}/votes", json=vote, headers=bea).json()
    assert cast["vote"]["blind"] is False and cast["blind_verdict"] is None
    assert client.post(f"{SETS}/reveal", json={}).status_code == 401


def test_search_finds_and_says_where(client: TestClient) -> None:
    found = got(client, f"{SETS}/search?q=ZOOM.png&player=a")
    assert (found["total"], found["more"], found["hits"][0]["where"], found["hits"][0]["call"]) == (2, False, "code", 1)
    assert got(client, f"{SETS}/search?q=zero&failures=true&tool=calculator&where=observation&limit=1")["total"] == 2
    assert got(client, f"{SETS}/search?q=%ED%A0%80%00.*%5B")["total"] == 0


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        (f"{API}/sets/nowhere/analysis", 404, "no_such_set"),
        (f"{API}/sets/nowhere/analysis.csv", 404, "no_such_set"),
        (f"{API}/sets/nowhere/search?q=a", 404, "no_such_set"),
        (f"{API}/sets/nowhere/answers", 404, "no_such_set"),
        (f"{SETS}/analysis?by=nobody", 404, "no_such_judging"),
        (f"{SETS}/analysis?critical=mood", 422, "invalid"),
        (f"{SETS}/compare?a=a", 422, "invalid"),
        (f"{SETS}/compare?a=a&b=nobody", 404, "no_such_player"),
        (f"{SETS}/answers?status=good", 422, "invalid"),
        (f"{SETS}/answers?limit=0", 422, "invalid"),
        (f"{SETS}/answers?offset=-1", 422, "invalid"),
        (f"{SETS}/search", 422, "invalid"),
        (f"{SETS}/search?q=" + "x" * 401, 422, "invalid"),
        (f"{SETS}/search?q=a&where=verdict", 422, "invalid"),
        (f"{SETS}/search?q=a&limit=201", 422, "invalid"),
        (f"{API}/answers/999/trace", 404, "no_such_answer"),
        (f"{API}/answers/0/trace", 422, "invalid"),
        (f"{API}/answers/1/trace?by=nobody", 404, "no_such_judging"),
    ],
)
def test_refusals_have_the_one_error_shape(client: TestClient, path: str, status: int, code: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize("path", ["compare?a=a&b=b", "answers"])
def test_a_strangers_token_is_refused(client: TestClient, path: str) -> None:
    answer = client.get(f"{SETS}/{path}", headers={"Authorization": "Bearer made-up"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "wrong_token")
