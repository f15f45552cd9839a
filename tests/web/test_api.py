"""The REST surface does what its description says, for good input."""

import inspect
import io
import json
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from easel_app.scoring import (
    comparisons,
    gap_pairing,
    judge_agreement,
    judge_effect,
    number_agreement,
    plan_table,
    rank_correlation,
    tier_agreement,
    uncertainty,
)
from easel_app.services.studio import Studio
from tests.conftest import Session, new_session, paint
from tests.full_disk import no_room

Begin = Callable[..., Session]
MODULES = (judge_agreement, judge_effect, comparisons, uncertainty, gap_pairing, number_agreement, plan_table,
           rank_correlation, tier_agreement)  # fmt: skip


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def test_tasks_are_listed_with_what_a_player_needs(client: TestClient) -> None:
    tasks = client.get("/api/tasks").json()
    assert len(tasks) == 115
    keys = {"id", "kind", "category", "title", "instruction", "width", "height", "budget", "anchors", "source"}
    assert all(set(task) == keys | {"brush", "metric"} for task in tasks)
    painted = [task for task in tasks if task["kind"] == "reconstruction"]
    assert all({"blank", "mean_fill", "dominant_fill"} <= set(task["anchors"]) for task in painted)
    assert all(task["anchors"] is None and task["brush"] for task in tasks if task not in painted)


def test_categories_filter_the_list(client: TestClient) -> None:
    counts = {
        name: len(client.get("/api/tasks", params={"category": name}).json())
        for name in ("programmatic", "spatial", "abstract", "natural", "semantic")
    }
    assert counts == {"programmatic": 15, "spatial": 40, "abstract": 15, "natural": 40, "semantic": 5}
    answer = client.get("/api/tasks", params={"category": "sculpture"})
    assert answer.status_code == 404 and answer.json()["error"]["field"] == "category"


def test_reference_is_the_picture_of_the_task_and_cacheable(client: TestClient) -> None:
    answer = client.get("/api/tasks/natural-01/reference.png")
    assert answer.headers["content-type"] == "image/png"
    assert pixels(answer.content).shape == (128, 128, 3)
    again = client.get("/api/tasks/natural-01/reference.png", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_session_from_first_stroke_to_submit(begin: Begin) -> None:
    session = begin()
    assert set(session.begun) == {"session_id", "write_token", "watch_url", "task", "steps_left"}
    assert session.begun["watch_url"].startswith("http://testserver/?tab=watch&session=")
    answer = session.paint(1)
    assert set(answer) == {"seq", "outcome", "message", "step", "steps_left", "status", "score", "scores", "contact"}
    assert set(answer["scores"]) == {"metric", "similarity", "ssim", "l1", "edge_iou"}
    assert (answer["seq"], answer["outcome"], answer["step"], answer["steps_left"]) == (1, "applied", 1, 31)
    undone = session.do("undo", "u").json()
    assert (undone["seq"], undone["step"]) == (2, 2)
    done = session.do("submit", "s").json()
    assert (done["seq"], done["step"], done["status"]) == (3, 2, "submitted")
    view = session.view()
    assert (view["status"], view["step"], view["strokes"], view["can_undo"]) == ("submitted", 2, 0, False)
    assert view["ranked"] and view["intact"]
    assert view["curve"][0] == view["curve"][2] == done["scores"]["similarity"]
    assert view["trajectory"]["best_step"] in (1, 2)


def test_canvas_of_any_step(begin: Begin, client: TestClient) -> None:
    session, seen = begin(), []
    for seed in range(5):
        session.paint(seed)
        seen.append(pixels(client.get(f"/api/sessions/{session.id}/canvas.png").content))
    for step, want in enumerate(seen, 1):
        got = client.get(f"/api/sessions/{session.id}/canvas.png", params={"step": step})
        assert (pixels(got.content) == want).all()
    blank = client.get(f"/api/sessions/{session.id}/canvas.png", params={"step": 0})
    assert (pixels(blank.content) == 255).all()
    for step in (6, -1):
        answer = client.get(f"/api/sessions/{session.id}/canvas.png", params={"step": step})
        assert answer.status_code == 404


def test_log_holds_what_was_sent_and_nothing_secret(begin: Begin) -> None:
    session = begin()
    body = paint("one", 7)
    session.act(body)
    session.do("undo", "two")
    head, first, second = session.log()
    assert head["type"] == "session" and head["renderer"] == "brush/1" and head["metric"] == "similarity/1"
    assert first["params"] == body["action"]["stroke"]
    assert [first["seq"], second["seq"]] == [1, 2]
    assert first["scores"]["metric"] == "similarity/1"
    text = json.dumps([head, first, second])
    assert "token" not in text and session.begun["write_token"] not in text


def test_a_retry_gets_the_first_answer_and_changes_nothing(begin: Begin) -> None:
    session = begin()
    first = session.act(paint("same", 1)).json()
    session.paint(2)
    assert session.act(paint("same", 3)).json() == first
    assert session.view()["step"] == 2


def test_practice_and_own_pictures_are_not_ranked(begin: Begin) -> None:
    practice = begin(protocol="practice").view()
    assert (practice["ranked"], practice["steps_left"]) == (False, None)


def test_health(client: TestClient) -> None:
    answer = client.get("/healthz").json()
    assert (answer["status"], answer["tasks"]) == ("ok", 115)


def test_the_description_covers_every_route_and_field(client: TestClient) -> None:
    description = client.get("/api/openapi.json").json()
    assert set(description["paths"]) == {
        "/api/tasks", "/api/tasks/{task_id}", "/api/tasks/{task_id}/reference.png", "/api/tasks/own",
        "/api/sessions", "/api/sessions/{session_id}", "/api/sessions/{session_id}/actions",
        "/api/sessions/{session_id}/canvas.png", "/api/sessions/{session_id}/log",
        "/api/sessions/{session_id}/events", "/api/sessions/{session_id}/evidence", "/api/sessions/events",
        "/api/sessions/{session_id}/sharing", "/api/sessions/{session_id}/guests",
        "/api/sessions/{session_id}/hand-back", "/api/sessions/{session_id}/painter", "/healthz",
        "/api/runs", "/api/runs/options", "/api/runs/{run_id}", "/api/runs/{run_id}/continue",
        "/api/sessions/{session_id}/overlay", "/api/sessions/{session_id}/readings", "/api/tasks/best",
        "/api/sessions/unread",
        "/api/results", "/api/results.csv", "/api/results/published", "/api/sessions/import",
        "/api/sessions/{session_id}/credit", "/api/sessions/{session_id}/export/atif.json",
        "/api/sessions/{session_id}/export/canvas.{form}", "/api/sessions/{session_id}/export/log.jsonl",
        "/api/sessions/{session_id}/export/replay.html", "/api/sessions/{session_id}/forks",
        "/api/rubrics/sets", "/api/rubrics/sets/{set_id}", "/api/rubrics/sets/{set_id}/scores",
        "/api/rubrics/sets/{set_id}/agreement", "/api/rubrics/sets/{set_id}/export/{name}",
        "/api/rubrics/published", "/api/rubrics/pictures/{digest}", "/api/rubrics/reviewers",
        "/api/rubrics/reviewers/tokens", "/api/rubrics/reviewers/me",
        "/api/rubrics/queues", "/api/rubrics/queues/{queue_id}",
        "/api/rubrics/queues/{queue_id}/walk", "/api/rubrics/queues/{queue_id}/disagreements",
        "/api/rubrics/queues/{queue_id}/next", "/api/rubrics/queues/{queue_id}/places/{place}",
        "/api/rubrics/entries/{entry_id}/votes", "/api/rubrics/entries/{entry_id}/reveal",
        "/api/rubrics/judgings", "/api/rubrics/judgings/{judging_id}", "/api/rubrics/judgings/{judging_id}/continue",
        "/api/rubrics/imports", "/api/rubrics/imports/source", "/api/rubrics/imports/{import_id}",
        "/api/rubrics/tools", "/api/rubrics/tool-runs", "/api/rubrics/tool-runs/{run_id}",
        "/api/rubrics/tool-runs/{run_id}/continue", "/api/rubrics/sets/{set_id}/analysis",
        "/api/rubrics/sets/{set_id}/analysis.csv", "/api/rubrics/sets/{set_id}/compare",
        "/api/rubrics/sets/{set_id}/reveal",
        "/api/rubrics/sets/{set_id}/answers", "/api/rubrics/sets/{set_id}/search",
        "/api/rubrics/answers/{answer}/trace", "/api/rubrics/drafts", "/api/rubrics/drafts/pictures",
        "/api/rubrics/drafts/export", "/api/rubrics/drafts/{draft_id}", "/api/rubrics/drafts/{draft_id}/versions",
        "/api/rubrics/drafts/{draft_id}/versions/{version}", "/api/rubrics/drafts/{draft_id}/trials",
        "/api/rubrics/drafts/{draft_id}/decisions",
        "/api/plans/sets", "/api/plans/sets/{set_id}", "/api/plans/sets/{set_id}/plans",
        "/api/plans/sets/{set_id}/step",
        "/api/plans/sets/{set_id}/find", "/api/plans/sets/{set_id}/queries/{query_id}/reference",
        "/api/plans/sets/{set_id}/scores", "/api/plans/sets/{set_id}/agreement",
        "/api/plans/sets/{set_id}/export/{name}", "/api/plans/published", "/api/plans/tools",
        "/api/plans/pictures/{digest}", "/api/plans/answers/{answer}", "/api/plans/answers/{answer}/raw",
        "/api/plans/answers/{answer}/votes", "/api/plans/answers/{answer}/reveal",
        "/api/plans/answers/{answer}/executions", "/api/plans/answers/{answer}/export/plan.html",
        "/api/plans/answers/{answer}/export/compare.html", "/api/plans/executions/backends",
        "/api/plans/imports", "/api/plans/imports/source", "/api/plans/imports/{import_id}",
        "/api/plans/inspections", "/api/plans/inspections/{inspection_id}",
        "/api/plans/inspections/{inspection_id}/continue", "/api/plans/inspections/{inspection_id}/stop",
        "/api/plans/plannings", "/api/plans/plannings/{planning_id}",
    }  # fmt: skip
    # the statistics are records of scoring, which knows no pydantic: each says as a whole what it holds
    statistics = {kind.__name__ for module in MODULES
                  for _, kind in inspect.getmembers(module, is_dataclass)}  # fmt: skip
    schemas = description["components"]["schemas"]
    assert all(schemas[name].get("description") for name in statistics & set(schemas))
    described: list[tuple[str, Any]] = [
        (f"{schema}.{name}", field)
        for schema, body in description["components"]["schemas"].items()
        for name, field in body.get("properties", {}).items()
        if not schema.endswith("ValidationError") and schema not in statistics
    ]
    for path, verbs in description["paths"].items():
        described += [(path, parameter) for verb in verbs.values() for parameter in verb.get("parameters", [])]
    assert [name for name, field in described if not field.get("description")] == []
    fields: dict[str, Any] = description["components"]["schemas"]["Stroke"]["properties"]
    assert len(fields) == 13
    assert all({"minimum", "maximum", "description"} <= set(field) for field in fields.values())


@pytest.mark.parametrize("path", ["/docs", "/redoc"])
def test_no_page_that_loads_from_another_host(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_full_disk_is_told_in_one_sentence(client: TestClient, studio: Studio) -> None:
    with no_room(studio):
        answers = [client.post("/api/sessions", json=new_session()) for _ in range(60)]
    assert answers[-1].status_code == 507
    found = answers[-1].json()["error"]
    assert found["code"] == "disk_full" and "make room, then go on" in found["message"]
    assert client.post("/api/sessions", json=new_session()).status_code == 201
