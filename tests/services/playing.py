"""Sessions to export, with every kind of action, and their logs as they arrive elsewhere."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
from PIL import Image

from easel_app.painting.stroke import PATH_FIELDS
from easel_app.services.studio import Studio
from easel_app.services.views import Begun, NewAction, NewSession
from tests.conftest import new_session, paint

Lines = list[dict[str, Any]]
UNDO, SUBMIT = {"kind": "undo"}, {"kind": "submit"}
UNREADABLE = {"kind": "invalid", "reason": "The reply holds no JSON object."}
WALL = (0.0, 0.0, 0.5, 0.5, 1.0, 1.0)
PROTOCOLS = ("benchmark", "studio", "practice")
KINDS = {
    "reconstruction": "programmatic-01",
    "outline": "circle-64-3",
    "handwriting": "handwriting-128-1",
    "maze": "maze-64-7",
}


def path(*numbers: float) -> dict[str, Any]:
    return {"kind": "brush_stroke", "stroke": dict(zip(PATH_FIELDS, numbers, strict=True))}


def stroke(seed: int) -> dict[str, Any]:
    return dict(paint("", seed)["action"])


class Player:
    """Someone who paints in a studio."""

    def __init__(self, studio: Studio, begun: Begun) -> None:
        self.studio, self.id, self.token, self.count = studio, begun.session_id, begun.write_token, 0

    @classmethod
    def begin(cls, studio: Studio, task_id: str, protocol: str = "studio", **more: Any) -> Player:
        wish = {**new_session(task_id=task_id, protocol=protocol), **more}
        return cls(studio, studio.sessions.begin(NewSession.model_validate(wish)))

    def act(self, *actions: dict[str, Any], token: str = "") -> Player:
        for action in actions:
            self.count += 1
            wish = NewAction.model_validate({"request_id": f"r{self.count}", "action": action})
            self.studio.sessions.act(self.id, token or self.token, wish)
        return self

    def log(self) -> Lines:
        return lines_of(self.studio, self.id)


def lines_of(studio: Studio, session_id: str) -> Lines:
    """A session's log as it arrives elsewhere."""
    return [json.loads(json.dumps(entry)) for entry in studio.sessions.log(session_id)]


def text(lines: Lines) -> bytes:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def stored(studio: Studio) -> list[str]:
    return studio.sessions._store.ids()


def photo(seed: int = 1, size: int = 64) -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.random.default_rng(seed).integers(0, 256, (size, size, 3)).astype(np.uint8)).save(file, "PNG")
    return file.getvalue()


def played(studio: Studio, kind: str, protocol: str) -> Player:
    """A session with every kind of action and outcome that there is for its task and protocol."""
    player = Player.begin(studio, KINDS[kind], protocol)
    if kind == "reconstruction":
        player.act(stroke(1), UNREADABLE, stroke(2))
        return player if protocol == "benchmark" else player.act(UNDO, UNDO, UNDO, stroke(3), SUBMIT)
    wall = [path(*WALL)] if kind == "maze" else []
    player.act(UNDO, path(0.1, 0.5, 0.5, 0.1, 0.9, 0.5), UNREADABLE, *wall, UNDO)
    return player.act(path(0.02, 0.02, 0.03, 0.02, 0.03, 0.03), SUBMIT)
