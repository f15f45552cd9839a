"""What an environment does and what a studio records of it are the same, bit for bit; failures harm neither."""

import copy
import io
import pickle
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import gymnasium
import httpx
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st
from PIL import Image

import easel_app  # noqa: F401  registers the environment
from easel_app.painting.env import PaintingEnv
from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.painting.tasks import digest
from easel_app.recording import Recorded, RecordingError
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewGuest
from easel_app.settings import Settings
from tests.conftest import Server, free_port, paint

Log = list[dict[str, Any]]
TASK = "programmatic-01"


def strokes(seed: int, count: int) -> np.ndarray:
    return np.random.default_rng(seed).random((count, 13), np.float32)


def make(protocol: str = "benchmark") -> gymnasium.Env[Any, Any]:
    return gymnasium.make("easel_app/Painting-v0", task_id=TASK, protocol=protocol)


def log_of(studio: Studio, session_id: str) -> Log:
    return [entry for entry in studio.sessions.log(session_id) if entry["type"] == "action"]


def play(env: gymnasium.Env[Any, Any], actions: Any) -> Log:
    """What the environment says of each action, with the digest of its canvas."""
    told = []
    for action in actions:
        observation, _, _, _, info = env.step(action)
        told.append({**info, "canvas_digest": digest(observation["canvas"])})
    return told


def agree(told: Log, log: Log) -> None:
    """The environment's answers are those in the log, all floats to the last bit."""
    assert len(told) == len(log)
    for seq, (here, there) in enumerate(zip(told, log, strict=True), 1):
        scores = {name: here[name] for name in ("similarity", "ssim", "l1", "edge_iou")}
        assert there["scores"] == {"metric": "similarity/1", **scores}
        assert (there["seq"], there["actor"]) == (seq, "agent")
        for name in ("outcome", "message", "step", "canvas_digest"):
            assert there[name] == here[name]


class Http:
    """A studio's address, and its logs as anyone can read them."""

    def __init__(self, server: Server) -> None:
        self.to = server.url

    def log(self, session_id: str) -> Log:
        lines = httpx.get(f"{self.to}/api/sessions/{session_id}/log").text.splitlines()
        return [entry for entry in map(_json, lines) if entry["type"] == "action"]


class Folder:
    """A data folder, and its logs as a studio reads them afterwards."""

    def __init__(self, folder: Path) -> None:
        self.to = folder

    def log(self, session_id: str) -> Log:
        studio = Studio(Settings(data_dir=self.to))
        found = log_of(studio, session_id)
        studio.close()
        return found


def _json(line: str) -> dict[str, Any]:
    return dict(httpx.Response(200, text=line).json())


@pytest.fixture(params=["http", "folder"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Http | Folder:
    return Http(request.getfixturevalue("server")) if request.param == "http" else Folder(tmp_path / "recorded")


def test_every_kind_of_action_is_recorded_as_the_environment_answered(place: Http | Folder) -> None:
    env = Recorded(make("studio"), place.to, name="Searcher", model="beam-8")
    _, info = env.reset(seed=1)
    one, two = strokes(1, 2)
    junk = {"kind": 0, "stroke": np.full(13, np.nan)}
    kinds = [{"kind": 1, "stroke": one}, {"kind": 0, "stroke": one}, {"kind": 0, "stroke": two},
             {"kind": 1, "stroke": two}, junk, {"kind": 9, "stroke": one}, "?", {"kind": 2, "stroke": one}]  # fmt: skip
    told = play(env, kinds)
    env.close()
    log = place.log(info["session_id"])
    agree(told, log)
    assert [entry["kind"] for entry in log] == [
        "undo", "brush_stroke", "brush_stroke", "undo", "invalid", "invalid", "invalid", "submit",
    ]  # fmt: skip
    assert [entry["outcome"] for entry in log] == ["rejected"] + ["applied"] * 3 + ["invalid"] * 3 + ["applied"]
    assert list(log[1]["params"].values()) == one.astype(np.float64).tolist()
    assert log[-1]["status"] == "submitted"


def test_a_whole_benchmark_episode_is_watched_with_the_environments_pixels(server: Server) -> None:
    env = Recorded(make(), server.url)
    _, info = env.reset()
    assert info["watch_url"] == f"{server.url}/?tab=watch&session={info['session_id']}"
    for stroke in strokes(2, 32):
        observation, _, _, truncated, _ = env.step(stroke)
    assert truncated
    canvas = httpx.get(f"{server.url}/api/sessions/{info['session_id']}/canvas.png").content
    assert (np.asarray(Image.open(io.BytesIO(canvas))) == observation["canvas"]).all()
    view = httpx.get(f"{server.url}/api/sessions/{info['session_id']}").json()
    assert view["player"] == {"kind": "agent", "name": "Gymnasium", "model": None}
    assert (view["protocol"], view["status"], view["ranked"], view["intact"]) == ("benchmark", "spent", True, True)
    env.close()


@pytest.fixture(scope="module")
def shared_studio() -> Iterator[Studio]:
    folder = Path(tempfile.mkdtemp())
    studio = Studio(Settings(data_dir=folder))
    yield studio
    studio.close()
    shutil.rmtree(folder)


unit = st.floats(0.0, 1.0) | st.floats(0.0, 1.0, width=32) | st.sampled_from([0, 1, -0.0, 5e-324, 1 - 2**-53])
action = st.lists(unit, min_size=13, max_size=13).map(np.array) | st.sampled_from([None, np.zeros(12), np.full(13, 2)])


@trials(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(actions=st.lists(action, min_size=1, max_size=8), single=st.booleans())
def test_numbers_are_recorded_as_they_were_painted(shared_studio: Studio, actions: list[Any], single: bool) -> None:
    if single:
        actions = [a if a is None else np.asarray(a, np.float32) for a in actions]
    env = Recorded(make(), shared_studio)
    _, info = env.reset()
    told = play(env, actions)
    log = log_of(shared_studio, info["session_id"])
    agree(told, log)
    for sent, entry in zip(actions, log, strict=True):
        if entry["outcome"] == "applied":
            assert entry["params"] == dict(zip(STROKE_FIELDS, np.asarray(sent, np.float64).tolist(), strict=True))
    env.close()
    assert shared_studio.sessions.view(info["session_id"]).step == len(actions)  # a studio that was open stays open


@trials(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(values=st.lists(st.floats(0.0, 1.0), min_size=13, max_size=13))
def test_numbers_survive_http_to_the_last_bit(server: Server, values: list[float]) -> None:
    env = Recorded(make(), server.url)
    _, info = env.reset()
    play(env, [np.array(values)])
    env.close()
    assert list(Http(server).log(info["session_id"])[0]["params"].values()) == values


def test_only_episodes_that_are_wanted_are_recorded(place: Http | Folder) -> None:
    asked: list[int] = []

    def trigger(episode: int) -> bool:
        asked.append(episode)
        return episode % 2 == 1

    env, infos = Recorded(make(), place.to, episode_trigger=trigger), []
    for episode in range(4):
        infos.append(env.reset()[1])
        play(env, strokes(episode, 3))
    env.close()
    assert asked == [0, 1, 2, 3]
    assert ["session_id" in info for info in infos] == ["watch_url" in info for info in infos] == [False, True] * 2
    assert [len(place.log(info["session_id"])) for info in infos[1::2]] == [3, 3]


def test_nothing_is_opened_before_the_first_recorded_episode(tmp_path: Path) -> None:
    env = Recorded(make(), tmp_path / "data", episode_trigger=lambda _: False)
    env.reset()
    play(env, strokes(0, 2))
    env.close()
    assert not (tmp_path / "data").exists()


def test_environments_of_one_process_share_a_folder_until_the_last_is_closed(tmp_path: Path) -> None:
    one, two = Recorded(make(), tmp_path), Recorded(make(), tmp_path)
    ids = [env.reset()[1]["session_id"] for env in (one, two)]
    play(one, strokes(1, 2))
    one.close()
    one.close()
    play(two, strokes(2, 3))
    two.close()
    studio = Studio(Settings(data_dir=tmp_path))  # the folder is free again
    assert [len(log_of(studio, session_id)) for session_id in ids] == [2, 3]
    studio.close()


def test_a_folder_that_is_open_elsewhere_is_named_with_a_way_out(studio: Studio, settings: Settings) -> None:
    env = Recorded(make(), settings.data_dir)
    with pytest.raises(RecordingError, match="is open elsewhere already; record to"):
        env.reset()
    unharmed(env)
    studio.announce("http://127.0.0.1:1234")
    with pytest.raises(RecordingError, match=r"record to http://127\.0\.0\.1:1234"):
        env.reset()
    env.close()


def unharmed(env: gymnasium.Env[Any, Any], steps: int = 0) -> None:
    """The environment goes on as one that nobody records."""
    stroke = strokes(9, 1)[0]
    _, _, _, _, info = env.step(stroke)
    assert info["step"] == steps + 1 and info["outcome"] == "applied"


def test_a_studio_that_cannot_be_reached_harms_nothing() -> None:
    env = Recorded(make(), f"http://127.0.0.1:{free_port()}")
    with pytest.raises(RecordingError, match=r"cannot be reached \(.*refused.*\); start it or correct the address\.$"):
        env.reset()
    unharmed(env)
    env.close()


class Relay:
    """An address that passes bytes on to a server."""

    def __init__(self, server: Server, listener: socket.socket) -> None:
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.connections: list[socket.socket] = []
        self.lose_answer = threading.Event()
        self._server, self._listener = server, listener
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._server.port))
                self.connections.append(near)
                for source, sink in ((near, far), (far, near)):
                    source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    threading.Thread(target=self._pump, args=(source, sink, sink is near), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, back: bool) -> None:
        with source, sink, suppress(OSError):
            while block := source.recv(65536):
                if back and self.lose_answer.is_set():
                    self.lose_answer.clear()
                    break
                sink.sendall(block)
            for end in (source, sink):
                end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def relay(server: Server) -> Iterator[Relay]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield Relay(server, listener)
        listener.shutdown(socket.SHUT_RDWR)


def test_environments_that_record_to_one_address_share_a_connection_that_is_kept(relay: Relay) -> None:
    envs = [Recorded(make(), relay.address), Recorded(make(), relay.address + "/")]
    for env in envs:
        env.reset()
    for stroke in strokes(3, 10):
        for env in envs:
            env.step(stroke)
    assert len(relay.connections) == 1
    for env in envs:
        env.close()


def test_an_answer_that_is_lost_on_the_way_is_asked_for_again(server: Server, relay: Relay) -> None:
    env = Recorded(make(), relay.address)
    _, info = env.reset()
    told = play(env, strokes(4, 2))
    relay.lose_answer.set()
    told += play(env, strokes(5, 2))
    assert not relay.lose_answer.is_set() and len(relay.connections) == 2
    env.close()
    agree(told, Http(server).log(info["session_id"]))


def test_a_connection_that_was_closed_between_two_steps_loses_none(server: Server, relay: Relay) -> None:
    env = Recorded(make(), relay.address)
    _, info = env.reset()
    told = play(env, strokes(6, 2))
    relay.connections[0].shutdown(socket.SHUT_RDWR)
    told += play(env, strokes(7, 2))
    env.close()
    agree(told, Http(server).log(info["session_id"]))


def test_a_begin_whose_answer_is_lost_is_not_repeated(relay: Relay) -> None:
    env = Recorded(make(), relay.address)
    relay.lose_answer.set()
    with pytest.raises(RecordingError, match="cannot be reached"):
        env.reset()
    unharmed(env)
    env.close()


class Other(BaseHTTPRequestHandler):
    """Some other server: every answer is an empty JSON object."""

    status = 200

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: Any) -> None: ...


@pytest.mark.parametrize("status", [200, 307, 404, 500])
def test_what_is_no_studio_is_named(status: int) -> None:
    handler = type("Handler", (Other,), {"status": status})
    with HTTPServer(("127.0.0.1", 0), handler) as other:
        threading.Thread(target=other.serve_forever, args=(0.01,), daemon=True).start()
        env = Recorded(make(), f"http://127.0.0.1:{other.server_port}")
        with pytest.raises(RecordingError, match=rf"is no Easel Studio \(status {status}\); correct the address\.$"):
            env.reset()
        unharmed(env)
        env.close()
        other.shutdown()


def test_a_refusal_is_passed_on_and_the_episode_goes_on_unrecorded(server: Server) -> None:
    env = Recorded(make("studio"), server.url, shared=True)
    _, info = env.reset()
    stroke = strokes(6, 1)[0]
    play(env, [{"kind": 0, "stroke": stroke}])
    session = f"{server.url}/api/sessions/{info['session_id']}"
    token = httpx.post(f"{session}/guests", json={"name": "Ada"}).json()["guest_token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.post(f"{session}/actions", json=paint("g"), headers=headers).status_code == 200
    with pytest.raises(RecordingError, match="The studio refused step 2: Ada is painting"):
        env.step({"kind": 0, "stroke": stroke})
    play(env, [{"kind": 1, "stroke": stroke}])
    log = Http(server).log(info["session_id"])
    assert [entry["actor"] for entry in log] == ["agent", "human"]
    _, again = env.reset()
    assert again["session_id"] != info["session_id"]
    agree(play(env, [{"kind": 0, "stroke": stroke}]), Http(server).log(again["session_id"]))
    env.close()


def test_a_record_that_is_not_the_environments_is_an_error(studio: Studio) -> None:
    env = Recorded(make(), studio, shared=True)
    _, info = env.reset()
    session = info["session_id"]
    play(env, strokes(7, 1))
    guest = studio.sessions.join(session, NewGuest(name="Ada")).guest_token
    studio.sessions.act(session, guest, NewAction.model_validate(paint("g")))
    studio.sessions.hand_back(session, guest)
    with pytest.raises(RecordingError, match=r"^The record is at step 3 .*, the environment at 2 .*; keep guests"):
        env.step(strokes(8, 1)[0])
    unharmed(env, 2)
    assert len(log_of(studio, session)) == 3


class Twice(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Carries out every action two times."""

    def step(self, action: Any) -> Any:
        self.env.step(action)
        return self.env.step(action)


class Again(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Resets after every action."""

    def step(self, action: Any) -> Any:
        result = self.env.step(action)
        self.env.reset()
        return result


@pytest.mark.parametrize("wrapper", [Twice, Again])
def test_wrappers_beneath_that_do_more_than_one_step_are_found_out(studio: Studio, wrapper: Any) -> None:
    env = Recorded(wrapper(make()), studio)
    env.reset()
    with pytest.raises(RecordingError, match=r"wrappers that repeat|put Recorded around it before"):
        env.step(strokes(1, 1)[0])


def test_wrappers_beneath_that_change_actions_are_recorded_as_what_they_do(studio: Studio) -> None:
    env = Recorded(gymnasium.wrappers.RescaleAction(make(), np.float32(-1.0), np.float32(1.0)), studio)
    _, info = env.reset()
    env.step(np.zeros(13, np.float32))
    assert set(log_of(studio, info["session_id"])[0]["params"].values()) == {0.5}


def test_a_closed_episode_stays_an_error_of_the_environment(studio: Studio) -> None:
    env = Recorded(make("studio"), studio)
    _, info = env.reset()
    submit = {"kind": 2, "stroke": strokes(0, 1)[0]}
    play(env, [submit])
    with pytest.raises(Exception, match="episode is over"):
        env.step(submit)
    assert len(log_of(studio, info["session_id"])) == 1


def own_task() -> gymnasium.Env[Any, Any]:
    task = PaintingEnv(TASK).task
    return PaintingEnv(task=task.model_copy(update={"budget": 5}))


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"env": own_task}, "is no published task"),
        ({"env": lambda: gymnasium.make("CartPole-v1")}, "takes easel_app/Painting-v0, not CartPole"),
        ({"to": "127.0.0.1:7860"}, "`to` must be"),
        ({"to": "ftp://127.0.0.1"}, "`to` must be"),
        ({"to": "http://"}, "`to` must be"),
        ({"to": ".easel"}, "`to` must be"),
        ({"to": "http://me:secret@127.0.0.1"}, "`to` must be"),
        ({"to": None}, "`to` must be"),
        ({"name": "a\nb"}, "name"),
        ({"name": ""}, "name"),
        ({"model": "x" * 81}, "model"),
        ({"shared": "yes"}, "shared"),
    ],
    ids=lambda part: part if isinstance(part, str) else next(iter(part)),
)
def test_what_cannot_be_recorded_is_refused_at_once(change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    wish: dict[str, Any] = {"env": make, "to": tmp_path / "never", **change}
    with pytest.raises(ValueError, match=reason) as caught:
        Recorded(wish.pop("env")(), **wish)
    assert "\n" not in str(caught.value) and "secret" not in str(caught.value)
    assert not (tmp_path / "never").exists()


@pytest.mark.parametrize("branch", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_paints_alone_until_its_own_reset(tmp_path: Path, branch: Callable[[Recorded], Recorded]) -> None:
    env = Recorded(make(), tmp_path)
    _, info = env.reset()
    play(env, strokes(1, 2))
    twin = branch(env)
    play(twin, strokes(2, 5))
    told = play(env, strokes(3, 1))
    assert told[0]["step"] == 3
    _, other = twin.reset()
    play(twin, strokes(4, 1))
    env.close()
    twin.close()
    assert [len(Folder(tmp_path).log(i["session_id"])) for i in (info, other)] == [3, 1]


def test_a_copy_shares_an_open_studio(studio: Studio) -> None:
    env = Recorded(make(), studio)
    env.reset()
    _, info = copy.deepcopy(env).reset()
    assert studio.sessions.view(info["session_id"]).step == 0


def test_it_says_how_it_was_made() -> None:
    env = gymnasium.wrappers.TransformReward(Recorded(make(), "http://127.0.0.1:1", name="Ada"), float)
    spec = env.spec
    assert spec is not None
    kwargs = spec.additional_wrappers[-2].kwargs
    assert kwargs is not None and (kwargs["to"], kwargs["name"]) == ("http://127.0.0.1:1", "Ada")
    assert isinstance(gymnasium.make(spec).env, Recorded)
    env.close()


@pytest.mark.parametrize("mode, rest", [(AutoresetMode.NEXT_STEP, 7), (AutoresetMode.SAME_STEP, 8)])
def test_a_vector_of_three_records_each_episode_of_each(tmp_path: Path, mode: AutoresetMode, rest: int) -> None:
    envs = gymnasium.make_vec(
        "easel_app/Painting-v0", num_envs=3, vectorization_mode="sync", wrappers=(partial(Recorded, to=tmp_path),),
        vector_kwargs={"autoreset_mode": mode}, task_id=TASK,
    )  # fmt: skip
    _, info = envs.reset(seed=3)
    assert len(set(info["session_id"])) == 3
    envs.action_space.seed(0)
    for _ in range(40):  # past the budget of 32
        envs.step(envs.action_space.sample())
    envs.close()
    studio = Studio(Settings(data_dir=tmp_path))
    steps = [summary.step for summary in studio.sessions.newest(limit=10)]
    assert sorted(steps) == [rest] * 3 + [32] * 3
    assert all(found.worst == 0.0 and not found.differing for found in studio.sessions.rescore())
    studio.close()


def test_processes_of_a_vector_record_to_an_address(server: Server) -> None:
    envs = gymnasium.make_vec(
        "easel_app/Painting-v0", num_envs=3, vectorization_mode="async", task_id=TASK,
        wrappers=(partial(Recorded, to=server.url, name="Vector"),), vector_kwargs={"context": "spawn"},
    )  # fmt: skip
    _, info = envs.reset(seed=3)
    assert len(set(info["session_id"])) == 3
    envs.action_space.seed(0)
    for _ in range(4):
        observations, _, _, _, _ = envs.step(envs.action_space.sample())
    envs.close()
    for session_id, canvas in zip(info["session_id"], observations["canvas"], strict=True):
        log = Http(server).log(session_id)
        assert (len(log), log[-1]["canvas_digest"]) == (4, digest(canvas))


FORK = """
import os, sys, traceback
from pathlib import Path
import gymnasium, numpy as np
import easel_app
from easel_app.recording import Recorded, RecordingError
from easel_app.services.studio import Studio
from easel_app.settings import Settings

env = Recorded(gymnasium.make("easel_app/Painting-v0"), Path(sys.argv[1]))
other = Recorded(gymnasium.make("easel_app/Painting-v0"), Studio(Settings(data_dir=Path(sys.argv[2]))))
env.reset(), other.reset()
stroke = np.full(13, 0.5, np.float32)
env.step(stroke)
if child := os.fork():
    assert os.waitpid(child, 0)[1] == 0
    assert env.step(stroke)[4]["step"] == 2
    print(env.reset()[1]["session_id"])
    sys.exit()
try:
    for twin, error in ((env, RecordingError), (other, RuntimeError)):
        twin.step(stroke)
        twin.step(stroke)
        try:
            twin.reset()
        except error as caught:
            assert "already" in str(caught) or "process that opened it" in str(caught)
        else:
            raise AssertionError("the forked process records")
        twin.close()
except BaseException:
    traceback.print_exc()
    os._exit(1)
os._exit(0)
"""


def test_a_forked_process_neither_waits_nor_writes_into_its_parents_session(tmp_path: Path) -> None:
    folder, other = tmp_path / "one", tmp_path / "two"
    command = [sys.executable, "-W", "ignore", "-c", FORK, str(folder), str(other)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    studio = Studio(Settings(data_dir=folder))
    assert [summary.step for summary in studio.sessions.newest(limit=5)] == [0, 2]
    studio.close()


def test_a_generated_maze_is_recorded_with_its_walls_undo_and_submit(tmp_path: Path) -> None:
    env = Recorded(gymnasium.make("easel_app/Painting-v0", task_id="maze-64-3"), to=tmp_path)
    _, info = env.reset()
    wall, dot = np.array([0, 0, 0.5, 0.5, 1, 1], np.float32), np.full(6, 0.01, np.float32)
    actions = [(0, wall), (0, dot), (1, dot), (0, wall * 3), (2, dot)]
    told = play(env, [{"kind": kind, "stroke": numbers} for kind, numbers in actions])
    env.close()
    assert [entry["outcome"] for entry in told] == ["rejected", "applied", "applied", "invalid", "applied"]
    studio = Studio(Settings(data_dir=tmp_path))
    log = log_of(studio, info["session_id"])
    assert [entry["kind"] for entry in log] == ["brush_stroke", "brush_stroke", "undo", "invalid", "submit"]
    for here, there in zip(told, log, strict=True):
        scores = {name: here[name] for name in ("progress", "reached", "cells")}
        assert there["scores"] == {"metric": "maze/1", **scores}
        assert all(there[name] == here[name] for name in ("outcome", "message", "step", "canvas_digest"))
    studio.close()
