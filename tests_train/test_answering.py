"""An adapter that was trained by the command answers by the command, and `easel run` plays it like any model."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from easel_app.painting.stroke import STROKE_FIELDS
from easel_app.trajectories.reading import Sample
from tests_train.samples import export, samples, task
from tests_train.settings import small, write_toml

EASEL = [sys.executable, "-m", "easel_app.cli"]
LEARNT = 2
"""Strokes that are learnt by heart: the second is asked for on the canvas that the first has made."""
UPDATES = 160
TASK = 0


class Served(NamedTuple):
    """An adapter at an endpoint."""

    url: str
    printed: str
    trained: str
    """What the training printed."""
    learnt: list[Sample]


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("EASEL_", "OPENAI_"))}


def easel(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [*EASEL, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=800, check=False)


@pytest.fixture(scope="module")
def served(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The first strokes of a painting, learnt by heart, and served."""
    folder = tmp_path_factory.mktemp("served")
    learnt = list(samples(TASK, "C1", LEARNT))
    data = export(folder / "data", learnt, 1)
    run = {"schedule": "linear", "weight_decay": 0.0, "logging_steps": 20}
    training = small(1, steps=UPDATES, effective_batch_size=LEARNT, batch_per_process=LEARNT, **run)
    config = write_toml(training, folder / "heart.toml")
    train = ("trajectories", "train", config, "--data", data, "--output", folder / "output", "--base", base)
    done = easel(*train)
    assert done.returncode == 0, done.stderr
    command = [*EASEL, "trajectories", "answer", str(folder / "output" / "adapter"), "--port", "0"]
    with subprocess.Popen(
        [*command, "--precision", "float32"], stdout=subprocess.PIPE, text=True, env=environment()
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline(), process.stdout.readline()]
        found = re.search(r"http://127\.0\.0\.1:[0-9]+/v1", lines[0])
        try:
            assert found, lines
            yield Served(found[0], "".join(lines), done.stdout, learnt)
        finally:
            process.terminate()


def test_the_commands_say_what_was_trained_and_how_to_play_it(served: Served) -> None:
    assert "in full: model.visual.merger" in served.trained
    found = re.search(rf"{UPDATES} updates; the loss went from ([0-9.]+) to ([0-9.]+)\. ", served.trained)
    assert found and float(found[2]) < 0.1 < float(found[1])
    assert (
        f"easel run --base-url {served.url} --model easel-adapter --coordinates integer --calling text"
        in served.printed
    )


def test_a_run_gets_the_strokes_that_were_learnt_and_ends_like_any_other(served: Served, tmp_path: Path) -> None:
    words = served.printed.splitlines()[1].split()
    assert words[:2] == ["easel", "run"]
    done = easel(*words[1:], "--data-dir", tmp_path, "--task", task(TASK).id, "--max-tokens", "200", "--json")
    assert done.returncode == 0, done.stderr
    view = json.loads(done.stdout)
    assert (view["state"], view["attempts"]["done"]) == ("finished", 1)
    with sqlite3.connect(f"file:{tmp_path}/easel.db?mode=ro", uri=True) as store:
        rows = store.execute("SELECT kind, params FROM actions ORDER BY seq").fetchall()
        notes = store.execute("SELECT seq, notes FROM exchanges ORDER BY seq").fetchall()
    assert len(rows) == task(TASK).budget
    for (kind, params), sample in zip(rows[:LEARNT], served.learnt, strict=True):
        assert kind == "brush_stroke"
        assert json.loads(params) == dict(zip(STROKE_FIELDS, (each / 1000 for each in sample.action), strict=True))
    assert [json.loads(told) for _, told in notes[:LEARNT]] == [[]] * LEARNT  # so they pass the strict reading too
    print(f"\nafter the {LEARNT} learnt strokes: {[kind for kind, _ in rows[LEARNT:]]}")


def test_temperature_seed_and_length_are_heard(served: Served) -> None:
    def answer(**more: object) -> dict[str, object]:
        body = {"model": "easel-adapter", "messages": [{"role": "user", "content": "Who are you?"}], **more}
        reply = httpx.post(f"{served.url}/chat/completions", json=body, timeout=120)
        assert reply.status_code == 200, reply.text
        choice = reply.json()["choices"][0]
        return {"said": choice["message"]["content"], "usage": reply.json()["usage"], "why": choice["finish_reason"]}

    short = answer(max_tokens=7)
    assert (short["why"], dict(short["usage"])["completion_tokens"]) == ("length", 7)  # type: ignore[call-overload]
    warm = [answer(max_tokens=20, temperature=2.0, seed=seed)["said"] for seed in (1, 1, 2)]
    assert warm[0] == warm[1] != warm[2]


def test_an_adapter_that_is_none_is_told_in_a_sentence(base: Path, tmp_path: Path) -> None:
    done = easel("trajectories", "answer", tmp_path, "--base", base, "--port", "0")
    assert done.returncode == 1 and len(done.stderr.strip().splitlines()) == 1
    assert "holds no training" in done.stderr


def test_nonsense_costs_steps_and_no_more(served: Served, tmp_path: Path) -> None:
    words = served.printed.splitlines()[1].split()
    more = ("--temperature", "2", "--max-tokens", "30", "--task", task(TASK).id, "--json")
    done = easel(*words[1:], "--data-dir", tmp_path, *more)
    assert (done.returncode, json.loads(done.stdout)["state"]) == (0, "finished"), done.stderr
    with sqlite3.connect(f"file:{tmp_path}/easel.db?mode=ro", uri=True) as store:
        kinds = [kind for (kind,) in store.execute("SELECT kind FROM actions")]
    assert kinds == ["invalid"] * task(TASK).budget
