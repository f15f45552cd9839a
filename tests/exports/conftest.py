"""A studio with one session of each kind, made once: painted, solved, forked, by a model, open, of an own picture."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from easel_app.exports.service import Exports
from easel_app.services.ledger import now
from easel_app.services.studio import Studio
from easel_app.services.views import Begun, NewAction, NewFork, NewSession, Player
from easel_app.settings import Settings
from easel_app.store.records import ExchangeRecord, SessionStore
from tests.conftest import stroke

HOSTILE = "</script><script>alert(1)</script> | `x` [a](javascript:b) ../\u00e9"
Act = dict[str, Any]


@dataclass
class House:
    """A studio, its exports, and the ids of its sessions by what they are."""

    studio: Studio
    exports: Exports
    ids: dict[str, str]

    def log(self, name: str) -> list[dict[str, Any]]:
        return list(self.studio.sessions.log(self.ids[name]))

    def recorded(self, name: str) -> tuple[Any, Any, Any]:
        session, actions = self.studio.sessions.records(self.ids[name])
        return self.studio.tasks.get(session.task_id), session, actions


def strokes(count: int, first: int = 0) -> list[Act]:
    return [{"kind": "brush_stroke", "stroke": stroke(seed)} for seed in range(first, first + count)]


def path(x0: float, y0: float, x1: float, y1: float) -> Act:
    ends = {"x_start": x0, "y_start": y0, "x_end": x1, "y_end": y1}
    middle = {"x_control": (x0 + x1) / 2, "y_control": (y0 + y1) / 2}
    return {"kind": "brush_stroke", "stroke": {**ends, **middle}}


UNDO, SUBMIT = {"kind": "undo"}, {"kind": "submit"}
NOTHING_READ = {"kind": "invalid", "reason": "The reply holds no JSON object."}


def begin(studio: Studio, task: str, kind: str, name: str, protocol: str = "studio", **more: Any) -> Begun:
    player = Player.model_validate({"kind": kind, "name": name, **more})
    return studio.sessions.begin(NewSession.model_validate({"task_id": task, "protocol": protocol, "player": player}))


def play(studio: Studio, session_id: str, acts: list[Act], exchange: Callable[[int], Any] | None = None) -> None:
    for act in acts:
        seq = studio.sessions.state(session_id).seq + 1
        wish = NewAction.model_validate({"request_id": f"r{seq}", "action": act})
        studio.sessions.play(session_id, wish, exchange and exchange(seq))


def exchange_of(session_id: str, text: str | None, tokens: int, cost: float | None) -> Callable[[int | None], Any]:
    message = {"role": "assistant", "content": text, "reasoning_content": "I think of red."}
    return lambda seq: ExchangeRecord(
        session_id=session_id,
        seq=seq,
        shown=[],
        reply={"choices": [{"message": message}]},
        notes=["a number as text"],
        prompt_tokens=tokens,
        completion_tokens=tokens // 10,
        cost=cost,
        latency=0.25,
        retries=[{"reason": "HTTP 429", "waited": 0.5}],
        at=now(),
    )


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    studio = Studio(Settings(data_dir=tmp_path_factory.mktemp("house")))
    ids: dict[str, str] = {}

    def keep(name: str, begun: Begun, acts: list[Act]) -> str:
        ids[name] = begun.session_id
        play(studio, begun.session_id, acts)
        return begun.session_id

    painted = keep(
        "painted",
        begin(studio, "programmatic-05", "human", HOSTILE),
        [*strokes(5), UNDO, UNDO, *strokes(2, 5), NOTHING_READ, UNDO, *strokes(3, 7), SUBMIT],
    )
    wall = path(0.02, 0.02, 0.98, 0.98)  # through every wall there is
    keep("maze", begin(studio, "maze-64-7", "painter", "Solver"), [wall, UNDO, wall, SUBMIT])
    keep("fork", fork(studio, painted, 4), [*strokes(3, 20), SUBMIT])
    model = begin(studio, "programmatic-01", "agent", "tester", "benchmark", model="tester-1")
    ids["model"] = model.session_id
    for number, act in enumerate([*strokes(2, 30), NOTHING_READ]):
        told = exchange_of(model.session_id, "Red first." if number else None, 100 * (number + 1), 0.01)
        play(studio, model.session_id, [act], lambda _seq, told=told: told)
        if number == 0:  # a reply that a guest was faster than
            studio.sessions.note(exchange_of(model.session_id, "Too late.", 50, None)(None))
    budget = studio.tasks.get("programmatic-01").budget
    play(studio, model.session_id, strokes(budget - 3, 40))
    keep("open", begin(studio, "natural-01", "human", "Opener"), strokes(2))
    keep("empty", begin(studio, "natural-02", "human", "Looker"), [])
    file = io.BytesIO()
    Image.fromarray(np.random.default_rng(3).integers(0, 255, (80, 80, 3), np.uint8)).save(file, "PNG")
    own = studio.tasks.add_own(file.getvalue(), 64, None)
    keep("own", begin(studio, own.id, "human", "Owner"), [*strokes(2), SUBMIT])
    # a session of a task whose picture was another one then, as an earlier version of the tasks leaves it
    record, actions = studio.sessions.records(painted)
    ids["other picture"] = "0123456789abcdef"
    SessionStore(studio._database).adopt(
        replace(record, id=ids["other picture"], task_digest="0" * 64),
        [replace(action, session_id=ids["other picture"]) for action in actions],
    )
    yield House(studio, Exports(studio.sessions, studio.tasks), ids)
    studio.close()


def fork(studio: Studio, parent: str, step: int) -> Begun:
    player = Player.model_validate({"kind": "human", "name": "Second hand"})
    return studio.sessions.fork(parent, NewFork(step=step, player=player))


ENTRY = """import { h } from "./dom.js";
export default async function start(host, { session, task, log, reference, fingerprint }) {
  const image = h("img", { alt: "" });
  image.src = reference;
  await image.decode();
  const words = log.map(({ type, seq, message }) => `${type} ${seq ?? ""} ${message ?? ""}`);
  host.append(h("h1", {}, session.player.name), h("p", {}, task.title), h("pre", {}, words.join("\\n")));
  host.append(h("code", {}, fingerprint), image);
}
"""


@pytest.fixture(scope="session")
def static(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of scripts and styles with a small entry."""
    folder = tmp_path_factory.mktemp("static")
    (folder / "css").mkdir()
    (folder / "css" / "tokens.css").write_text(":root{--wall:#fff} .dark{--wall:#111} body{background:var(--wall)}")
    (folder / "icons.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><defs><symbol id="i-x"/></defs></svg>')
    (folder / "replay.js").write_text(ENTRY)
    (folder / "dom.js").write_text(
        "export const h = (tag, attributes = {}, ...children) => {\n"
        "  const element = Object.assign(document.createElement(tag), attributes);\n"
        "  element.append(...children);\n  return element;\n};\n"
    )
    return folder
