"""A person's own picture becomes a task that is theirs alone."""

import io

import numpy as np
from fastapi.testclient import TestClient
from PIL import Image

from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.conftest import Session


def photo() -> bytes:
    pixels = np.random.default_rng(1).integers(0, 256, (90, 120, 3)).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", pnginfo=None)
    return file.getvalue()


def test_it_can_be_painted_but_is_in_no_list_and_no_ranking(client: TestClient) -> None:
    answer = client.post("/api/tasks/own", params={"size": 64}, content=photo())
    assert answer.status_code == 201
    task = answer.json()
    assert (task["category"], task["width"], task["budget"]) == ("own", 64, 32)
    assert task["id"] not in {t["id"] for t in client.get("/api/tasks").json()}
    reference = client.get(f"/api/tasks/{task['id']}/reference.png")
    assert "private" in reference.headers["cache-control"]
    session = Session(client, task_id=task["id"])
    session.paint(1)
    assert session.view()["ranked"] is False


def test_it_outlives_a_restart(client: TestClient, studio: Studio, settings: Settings) -> None:
    task = client.post("/api/tasks/own", params={"size": 128}, content=photo()).json()
    studio.close()
    again = Studio(settings)
    assert again.tasks.get(task["id"]).model_dump(mode="json") == task
    again.close()


def test_crop_and_size_are_checked(client: TestClient) -> None:
    for query in ({"size": 100}, {"size": "x"}, {"left": 0.1}, {"left": 2, "top": 0, "side": 1}, {"left": "nan"}):
        answer = client.post("/api/tasks/own", params=query, content=photo())
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"]["message"]


def test_status_tells_the_reason(client: TestClient) -> None:
    for content, status in ((b"", 415), (b"<svg/>", 415), (photo()[:200], 422), (b"\0" * 9_000_000, 413)):
        answer = client.post("/api/tasks/own", content=content)
        assert answer.status_code == status
        assert set(answer.json()["error"]) == {"code", "message", "field"}
