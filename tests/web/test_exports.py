"""A session as a file over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from PIL import Image

from easel_app.services.studio import Studio
from easel_app.web import errors, exports
from tests.conftest import Session, paint

Begin = Callable[..., Session]
PATHS = ("canvas.webp", "canvas.gif", "canvas.mp4", "atif.json", "log.jsonl")


@pytest.fixture
def session(begin: Begin) -> Session:
    session = begin(task_id="programmatic-05")
    for seed in range(4):
        session.paint(seed)
    session.do("undo", "u")
    return session


@pytest.fixture
def replaying(studio: Studio, tmp_path: Path) -> Iterator[TestClient]:
    """The routes alone, with an entry module of the test's own."""
    (tmp_path / "css").mkdir()
    (tmp_path / "icons.svg").write_text("<svg></svg>")
    (tmp_path / "replay.js").write_text("export default () => {};")
    app = FastAPI()
    errors.install(app)
    app.include_router(exports.router(studio, tmp_path), prefix="/api")
    with TestClient(app) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("canvas.webp", "image/webp"),
        ("canvas.gif", "image/gif"),
        ("canvas.mp4", "video/mp4"),
        ("atif.json", "application/json"),
        ("log.jsonl", "application/x-ndjson"),
    ],
)
def test_each_is_a_file_to_be_kept_under_a_name_that_says_what_it_is(session: Session, path: str, kind: str) -> None:
    answer = session.client.get(f"/api/sessions/{session.id}/export/{path}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].partition(";")[0] == kind
    end = {"atif.json": "atif.json", "log.jsonl": "jsonl"}.get(path, path.rpartition(".")[2])
    name = f"programmatic-05-Tester-{session.id}.{end}"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert answer.content


def test_a_clip_shows_what_was_asked_for(session: Session) -> None:
    answer = session.client.get(f"/api/sessions/{session.id}/export/canvas.webp?fps=4&frames=3&reference=true")
    with Image.open(BytesIO(answer.content)) as clip:
        assert clip.size == (2 * 256 + 8, 256)
        assert getattr(clip, "n_frames", 1) <= 3
        clip.seek(getattr(clip, "n_frames", 1) - 1)
        last = np.array(clip.convert("RGB"))
    with Image.open(BytesIO(session.client.get(f"/api/sessions/{session.id}/canvas.png").content)) as canvas:
        scaled = canvas.convert("RGB").resize((256, 256), Image.Resampling.NEAREST)
    assert (last[:, 264:] == np.array(scaled)).all()


def test_the_log_and_the_trajectory_are_whole(session: Session) -> None:
    log = session.client.get(f"/api/sessions/{session.id}/export/log.jsonl").text
    assert [json.loads(line) for line in log.splitlines()] == session.log()
    steps = session.client.get(f"/api/sessions/{session.id}/export/atif.json").json()["steps"]
    assert len(steps) == 1 + 5
    picture = steps[-1]["observation"]["results"][0]["content"][1]["source"]["path"]
    assert session.client.get(picture).headers["content-type"] == "image/png"


def test_a_replay_is_kept_rather_than_run_here(session: Session, replaying: TestClient) -> None:
    answer = replaying.get(f"/api/sessions/{session.id}/export/replay.html")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert answer.headers["content-security-policy"] == "sandbox"
    assert session.id in answer.text
    assert session.begun["write_token"] not in answer.text


@pytest.mark.parametrize("path", [*PATHS, "replay.html"])
def test_no_session_is_a_404(client: TestClient, replaying: TestClient, path: str) -> None:
    answer = (replaying if path == "replay.html" else client).get(f"/api/sessions/nowhere/export/{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "no_such_session"


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("canvas.webp?frames=601", "frames"),
        ("canvas.webp?frames=1", "frames"),
        ("canvas.gif?fps=0", "fps"),
        ("canvas.gif?fps=31", "fps"),
        ("canvas.mp4?fps=nan", "fps"),
        ("canvas.mp4?speed=2", "speed"),
    ],
)
def test_a_clip_has_limits(session: Session, path: str, field: str) -> None:
    answer = session.client.get(f"/api/sessions/{session.id}/export/{path}")
    assert answer.status_code == 422
    assert field in answer.json()["error"]["field"]


@pytest.mark.parametrize("path", ["canvas.bmp", "canvas.", "", "../log.jsonl", "replay.htm"])
def test_other_forms_are_not_there(session: Session, path: str) -> None:
    assert session.client.get(f"/api/sessions/{session.id}/export/{path}").status_code in (404, 422)


def test_a_canvas_is_enlarged_pixel_by_pixel_and_within_reason(session: Session) -> None:
    def picture(query: str) -> Image.Image:
        answer = session.client.get(f"/api/sessions/{session.id}/canvas.png{query}")
        assert answer.status_code == 200, answer.text
        return Image.open(BytesIO(answer.content))

    plain, large = picture("?step=2"), picture("?step=2&scale=3")
    assert large.tobytes() == plain.resize(large.size, Image.Resampling.NEAREST).tobytes()
    assert large.width == 3 * plain.width
    for scale in ("0", "9", "x"):
        assert session.client.get(f"/api/sessions/{session.id}/canvas.png?scale={scale}").status_code == 422


def test_a_canvas_too_wide_to_be_enlarged_so_is_refused(begin: Begin) -> None:
    large = begin(task_id="circle-512-1")
    answer = large.client.get(f"/api/sessions/{large.id}/canvas.png?scale=8")
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == "scale"
    assert large.client.get(f"/api/sessions/{large.id}/canvas.png?scale=4").status_code == 200


def test_a_hostile_name_is_no_part_of_a_header(client: TestClient) -> None:
    player = {"kind": "agent", "name": 'a"; filename="b.exe… \\ ../é'}
    wish = {"task_id": "programmatic-05", "protocol": "studio", "player": player}
    begun = client.post("/api/sessions", json=wish).json()
    headers = {"Authorization": f"Bearer {begun['write_token']}"}
    assert client.post(f"/api/sessions/{begun['session_id']}/actions", json=paint("1"), headers=headers).is_success
    answer = client.get(f"/api/sessions/{begun['session_id']}/export/log.jsonl")
    name = f"programmatic-05-a-filename-b-exe-{begun['session_id']}.jsonl"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
