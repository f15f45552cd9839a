"""PaintingEnv keeps Gymnasium's contract and the session's rules."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import easel_app  # noqa: F401  registers the environment
from easel_app.painting.env import PaintingEnv, catalogue
from easel_app.painting.painters import painter
from easel_app.painting.rollout import Closed
from easel_app.painting.stroke import BrushStroke, Invalid


@pytest.mark.parametrize("protocol", ["benchmark", "studio", "practice"])
def test_check_env_passes(protocol: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the checker advises on spaces, which it does not count as faults
        check_env(PaintingEnv("programmatic-01", protocol, render_mode="rgb_array"), skip_render_check=False)


@pytest.mark.parametrize("task_id", ["circle-outline", "handwriting-128-2", "maze-64-1"])
def test_check_env_passes_for_semantic_tasks(task_id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(PaintingEnv(task_id, render_mode="rgb_array"), skip_render_check=False)


def test_a_maze_is_solved_by_paths_and_the_return_is_its_score() -> None:
    env = PaintingEnv("maze-64-1")
    observation, _ = env.reset()
    assert env.action_space["stroke"].shape == (6,) and (observation["reference"] == observation["canvas"]).all()
    wall = {"kind": 0, "stroke": np.array([0, 0, 0.5, 0.5, 1, 1], np.float32)}
    total, (observation, reward, terminated, truncated, info) = 0.0, env.step(wall)
    assert (info["outcome"], reward, info["progress"]) == ("rejected", 0.0, 0.0) and "touches a wall" in info["message"]
    hired = painter("solver", env.task.reference, env.task.budget, 0, env.task.truth)
    while not (terminated or truncated):
        path = hired.next(observation["canvas"], 0)
        action = {"kind": 2 if path is None else 0, "stroke": np.zeros(6) if path is None else path}
        observation, reward, terminated, truncated, info = env.step(action)
        total += reward
    assert terminated and not truncated and info["progress"] == total == 1.0
    with pytest.raises(Closed):
        env.step(wall)


@pytest.mark.parametrize("kind", [1.9, "1", True, None, [0, 1], 3, -1])
def test_what_is_no_kind_is_invalid_and_not_guessed(kind: object) -> None:
    env = PaintingEnv("maze-64-1")
    env.reset()
    *_, info = env.step({"kind": kind, "stroke": np.full(6, 0.01)})
    assert info["outcome"] == "invalid"


@pytest.mark.parametrize("value", ["0.5", True, None, 0.5j])
def test_what_are_no_numbers_is_invalid_and_not_guessed(value: object) -> None:
    env = PaintingEnv("maze-64-1")
    env.reset()
    *_, info = env.step({"kind": 0, "stroke": [value] * 6})
    assert info["outcome"] == "invalid"


def test_thirteen_numbers_are_no_path() -> None:
    env = PaintingEnv("maze-64-1")
    env.reset()
    *_, info = env.step({"kind": 0, "stroke": np.full(13, 0.5)})
    assert (info["outcome"], info["message"]) == (
        "invalid", "A stroke is 6 finite numbers in [0, 1] here; the step is used.",
    )  # fmt: skip


@pytest.mark.parametrize("mode, kwargs", [("sync", {}), ("async", {"context": "spawn"})], ids=["sync", "async"])
def test_it_is_registered_and_vectorises(mode: str, kwargs: dict[str, str]) -> None:
    alone = [PaintingEnv("programmatic-02") for _ in range(3)]
    envs = gymnasium.make_vec(
        "easel_app/Painting-v0", num_envs=3, vectorization_mode=mode, vector_kwargs=kwargs, task_id="programmatic-02"
    )
    observations, _ = envs.reset(seed=1)
    assert observations["canvas"].shape == (3, 64, 64, 3)
    envs.action_space.seed(0)
    for env in alone:
        env.reset()
    for _ in range(3):
        actions = envs.action_space.sample()
        observations, rewards, _, _, info = envs.step(actions)
        for k, env in enumerate(alone):
            observation, reward, _, _, told = env.step(actions[k])
            assert (observation["canvas"] == observations["canvas"][k]).all()
            assert (reward, told["similarity"]) == (rewards[k], info["similarity"][k])
    envs.close()


def test_a_full_episode_of_a_vector_is_followed_by_the_next() -> None:
    envs = gymnasium.make_vec("easel_app/Painting-v0", num_envs=3, task_id="programmatic-02")
    envs.reset(seed=1)
    truncations = np.array([envs.step(envs.action_space.sample())[3] for _ in range(34)])
    assert (truncations.sum(0) == 1).all() and truncations[31].all()
    envs.close()


def test_the_last_action_is_told_as_a_session_would_record_it() -> None:
    env = PaintingEnv("programmatic-01", protocol="studio")
    assert env.last is None
    env.reset()
    numbers = np.linspace(0, 1, 13, dtype=np.float32)
    for action, kind, outcome in [
        ({"kind": 1, "stroke": numbers}, "undo", "rejected"),
        ({"kind": 0, "stroke": numbers}, "brush_stroke", "applied"),
        ({"kind": 0, "stroke": numbers * 2}, "invalid", "invalid"),
        (None, "invalid", "invalid"),
        ({"kind": 2, "stroke": numbers}, "submit", "applied"),
    ]:
        *_, info = env.step(action)
        assert env.last is not None
        told, turn = env.last
        assert (told.kind, turn.outcome, turn.message, turn.step) == (kind, outcome, info["message"], info["step"])
        if isinstance(told, BrushStroke):
            assert told.stroke.to_vector().tolist() == numbers.astype(np.float64).tolist()
        if isinstance(told, Invalid):
            assert told.reason == turn.message
    with pytest.raises(Closed):
        env.step({"kind": 2, "stroke": numbers})
    assert env.last[0].kind == "submit"
    env.reset()
    assert env.last is None


def test_return_is_the_last_score_minus_the_first() -> None:
    env = PaintingEnv("programmatic-03")
    _, info = env.reset(seed=0)
    env.action_space.seed(0)
    first, total, truncated = info["similarity"], 0.0, False
    while not truncated:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
        total += reward
        assert not terminated
    assert total == pytest.approx(info["similarity"] - first)
    assert info["step"] == env.task.budget
    with pytest.raises(Closed):
        env.step(env.action_space.sample())


def test_submit_terminates_and_undo_is_an_action_in_the_studio() -> None:
    env = PaintingEnv("programmatic-03", protocol="studio")
    _, start = env.reset()
    stroke = np.full(13, 0.5, np.float32)
    env.step({"kind": 0, "stroke": stroke})
    observation, _, terminated, truncated, info = env.step({"kind": 1, "stroke": stroke})
    assert (observation["canvas"] == 255).all()
    assert info["similarity"] == start["similarity"]
    assert observation["steps_left"][0] == env.task.budget - 2
    assert not (terminated or truncated)
    assert env.step({"kind": 2, "stroke": stroke})[2]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -0.1, 1.1])
def test_a_stroke_that_cannot_be_read_costs_a_step(bad: float) -> None:
    env = PaintingEnv("programmatic-01")
    env.reset()
    action = np.full(13, 0.5)
    action[4] = bad
    observation, reward, _, _, info = env.step(action)
    assert (info["outcome"], info["step"], reward) == ("invalid", 1, 0.0)
    assert (observation["canvas"] == 255).all()


@pytest.mark.parametrize(
    "junk",
    [None, "hello", {}, {"kind": 0}, {"kind": -1, "stroke": [0.5] * 13}, {"kind": 7, "stroke": [0.5] * 13},
     {"kind": 0, "stroke": [[1], [2, 3]]}, {"kind": 0, "stroke": "x"}, {"kind": "undo"},
     {"kind": 0, "stroke": [0.5] * 12}],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("protocol", ["benchmark", "studio"])
def test_junk_is_invalid_never_something_else(junk: object, protocol: str) -> None:
    env = PaintingEnv("programmatic-01", protocol)
    env.reset()
    _, reward, terminated, truncated, info = env.step(junk)
    assert (info["outcome"], info["step"], reward, terminated, truncated) == ("invalid", 1, 0.0, False, False)


def test_observations_do_not_change_afterwards() -> None:
    env = PaintingEnv("programmatic-01")
    before, _ = env.reset()
    kept = before["canvas"].copy()
    env.step(np.full(13, 0.4))
    assert (before["canvas"] == kept).all()


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="no task"):
        PaintingEnv("nothing-01")
    with pytest.raises(ValueError, match="render_mode"):
        PaintingEnv("programmatic-01", render_mode="human")
    with pytest.raises(ValueError, match="free"):
        PaintingEnv("programmatic-01", protocol="free")


def test_every_task_starts() -> None:
    for task in catalogue():
        env = PaintingEnv(task=task)
        observation, info = env.reset()
        assert observation["reference"].shape == (task.height, task.width, 3)
        if task.anchors:
            assert info["similarity"] == pytest.approx(task.anchors.blank, abs=1e-8)
        else:
            assert info[{"outline": "dice", "handwriting": "match", "maze": "progress"}[task.kind]] == 0.0
