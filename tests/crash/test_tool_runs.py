"""A killed tool run goes on where it stood: the same answers in the end, and no stored round is asked for again."""

from __future__ import annotations

import signal
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from easel_app.rubrics.records import Answer
from easel_app.rubrics.sandbox.bubblewrap import Bubblewrap
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.tool_runs import ToolRunStore
from tests.conftest import wait_until
from tests.endpoint import endpoint
from tests.endpoint.app import Running
from tests.endpoint.judge import grader
from tests.endpoint.painter import digest
from tests.endpoint.tool_user import Play, Wish, tool_user
from tests.runs.answered import answers, fill, of_model, timeless
from tests.serving import Command, forked
from tests.test_run_command import environment

pytestmark = pytest.mark.crash
TASKS, CONCURRENCY = 4, 2
CODES = (
    "open('kept.txt', 'w').write('seven')",
    "from PIL import Image; Image.open('image_1.png').rotate(180).save('a.png')",
    "print(open('kept.txt').read(), open('a.png', 'rb').read(8))",
)
SUMS = Play(rounds=[[Wish("calculator", {"expression": f"{n} + 1"})] for n in range(6)], answer="It is blue.")
CODED = Play(rounds=[[Wish("python_image_processing", {"code": code})] for code in CODES], answer="blue, seven")
PLAYS = {"Question 1 of t2: what is on the sign?": CODED}
ROUNDS = 3 * 7 + 4


def start(folder: Path, model: Running, sandbox: str) -> Command:
    options = ["--base-url", model.url, "--model", "m", "--concurrency", str(CONCURRENCY), "--judge", "j"]
    command = ["tools", "run", "small", "--data-dir", str(folder), *options]
    return forked(command, environment(EASEL_SANDBOX=sandbox))


def finish(run: Command) -> None:
    assert run.stdout
    with run.stdout:
        output = run.stdout.read()
    assert run.wait(120) == 0, output


def stored(folder: Path) -> int:
    """Rounds in the store, read beside whoever writes it."""
    with sqlite3.connect(f"file:{folder}/easel.db?mode=ro", uri=True) as connection:
        return int(connection.execute("SELECT COUNT(*) FROM tool_rounds").fetchone()[0])


def found(folder: Path) -> tuple[list[Answer], list[tuple[Any, ...]], int]:
    """Answers, verdicts by item (of one answer each), and queues."""
    studio = Studio(Settings(data_dir=folder))
    (run,) = ToolRunStore.beside(studio.rubrics.store).runs()
    made = answers(studio)
    assert {answer.origin for answer in made} == {run.id}
    (judging,) = studio.rubrics.judgings.judgings("small")
    rows = sorted((row.item, row.verdict) for row in studio.rubrics.judgings.verdicts(judging.id))
    queues = len(studio.rubrics.queues.of_set("small"))
    studio.close()
    return made, rows, queues


def test_killed_twice_it_ends_with_the_answers_of_an_undisturbed_one(tmp_path: Path) -> None:
    sandbox = "off" if Bubblewrap().off else "on"
    for name in ("whole", "killed"):
        studio = Studio(Settings(data_dir=tmp_path / name))
        fill(studio, TASKS)
        studio.close()
    with endpoint(of_model("j", grader, tool_user(PLAYS, SUMS)), latency=0.03) as model:
        finish(start(tmp_path / "whole", model, sandbox))
        before = [request.body for request in model.requests]
        for share in (0.3, 0.6):
            run = start(tmp_path / "killed", model, sandbox)
            assert run.stdout
            with run.stdout:
                wait_until(lambda share=share: stored(tmp_path / "killed") >= share * ROUNDS, 60)  # type: ignore[misc]
                run.kill()
                assert run.wait(20) == -signal.SIGKILL, "it was killed before its end"
        assert stored(tmp_path / "killed") < ROUNDS
        finish(start(tmp_path / "killed", model, sandbox))
        after = [request.body for request in model.requests[len(before) :]]
    one, other = found(tmp_path / "whole"), found(tmp_path / "killed")
    assert timeless(one[0]) == timeless(other[0]) and len(one[0]) == TASKS
    assert one[1:] == other[1:] and len(one[1]) == 2 * TASKS and one[2] == 1
    assert stored(tmp_path / "whole") == stored(tmp_path / "killed") == ROUNDS
    # what was under way when the process died is on no record, and is asked again: no more than that
    asked = [Counter(digest(body) for body in bodies if body["model"] == "m") for bodies in (before, after)]
    assert set(asked[0]) == set(asked[1]) and (asked[1] - asked[0]).total() <= 2 * CONCURRENCY
