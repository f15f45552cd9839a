"""`easel run` as it is typed: alone, beside a server, interrupted, killed, mistyped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from easel_app.cli import cli
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.conftest import serving, wait_until
from tests.serving import forked

TASKS = ("--task", "programmatic-01", "--task", "programmatic-02")


def command(data_dir: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "easel_app.cli", "run", "--data-dir", str(data_dir), *options]


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("EASEL_", "OPENAI_"))}
    return {**kept, **more}


def easel_run(data_dir: Path, *options: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(data_dir, *options), capture_output=True, text=True, env=environment(**more), timeout=120, check=False
    )


def steps(data_dir: Path) -> int:
    """Actions in the store, read beside whoever writes it."""
    import sqlite3

    try:
        with sqlite3.connect(f"file:{data_dir}/easel.db?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT COUNT(*) FROM actions").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def test_it_plays_tasks_and_prints_the_published_columns(tmp_path: Path) -> None:
    done = easel_run(tmp_path, "--painter", "random", *TASKS)
    assert done.returncode == 0, done.stderr
    for column in ("Category", "Final", "@50%", "AUC", "Best", "F-B gap", "Repeats", "programmatic", "all"):
        assert column in done.stdout
    assert "no published" in done.stdout and "finished: 2 of 2 sessions done" in done.stdout


def test_its_result_can_be_had_as_json(tmp_path: Path) -> None:
    done = easel_run(tmp_path, "--painter", "random", *TASKS, "--json")
    view = json.loads(done.stdout)
    assert (view["state"], view["attempts"]["done"], view["summary"][-1]["n"]) == ("finished", 2, 2)


def test_beside_a_server_the_server_plays_it(tmp_path: Path) -> None:
    with serving(tmp_path, forked) as server:
        done = easel_run(tmp_path, "--painter", "random", *TASKS)
        assert done.returncode == 0 and f"The studio at {server.url} plays the run" in done.stderr
        runs = httpx.get(f"{server.url}/api/runs").json()
        assert [run["state"] for run in runs] == ["finished"]
        sessions = httpx.get(f"{server.url}/api/sessions", params={"run": runs[0]["run_id"]}).json()
        assert {session["task_id"] for session in sessions} == {"programmatic-01", "programmatic-02"}


def test_ctrl_c_stops_it_and_the_same_command_goes_on(tmp_path: Path) -> None:
    tasks = [part for n in range(1, 17) for part in ("--task", f"natural-{n:02}")]
    wish = ("--painter", "random", *tasks, "--protocol", "studio")
    process = subprocess.Popen(command(tmp_path, *wish), stdout=subprocess.PIPE, text=True, env=environment())
    wait_until(lambda: steps(tmp_path) > 50, 60)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 3 and "Stopped on demand" in output
    before = steps(tmp_path)
    done = easel_run(tmp_path, *wish, "--json")
    assert done.returncode == 0 and before < steps(tmp_path) == 16 * 128


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ((), "needs base_url and model"),
        (("--painter", "rembrandt"), "which is none of model, greedy"),
        (("--painter", "random", "--task", "nowhere"), "no task 'nowhere'"),
        (("--painter", "random", "--category", "nothing"), "no category 'nothing'"),
        (("--painter", "random", "--repeats", "0"), "--repeats"),
        (("--base-url", "ftp://x", "--model", "m"), "must be an address"),
        (("--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--coordinates", "polar"), "--coordinates"),
        (("--painter", "random", "--base-url", "http://127.0.0.1:1/v1"), "needs no --base-url"),
        (("--painter", "random", "--task", "natral-01"), "did you mean natural-01?"),
        (("--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--most-money", "1"), "price"),
    ],
)
def test_what_is_mistyped_is_told_in_one_line(tmp_path: Path, options: tuple[str, ...], reason: str) -> None:
    here = CliRunner(env=dict.fromkeys(set(os.environ) - set(environment())))
    done = here.invoke(cli, ["run", "--data-dir", str(tmp_path), *options])
    assert done.exit_code == 1 and done.stdout == ""
    assert reason in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_a_shell_is_told_of_it_by_status_and_standard_error(tmp_path: Path) -> None:
    done = easel_run(tmp_path, "--painter", "rembrandt")
    assert done.returncode == 1 and done.stdout == ""
    assert "which is none of" in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_endpoint_model_and_key_may_stand_in_the_environment(tmp_path: Path) -> None:
    given = {"EASEL_BASE_URL": "http://127.0.0.1:9/v1", "EASEL_MODEL": "m", "OPENAI_API_KEY": "canary-key"}
    done = easel_run(tmp_path, "--task", "programmatic-01", "--painter", "random", **given)
    assert done.returncode == 0, done.stderr  # a painter needs none of them
    assert "canary" not in done.stdout + done.stderr
    assert not any(b"canary" in path.read_bytes() for path in tmp_path.iterdir())


def test_sessions_of_a_finished_run_can_be_opened_later(tmp_path: Path) -> None:
    easel_run(tmp_path, "--painter", "random", "--task", "programmatic-01")
    studio = Studio(Settings(data_dir=tmp_path))
    rescored: list[Any] = list(studio.sessions.rescore())
    assert [(entry.actions, entry.worst, entry.differing) for entry in rescored] == [(32, 0.0, 0)]
    studio.close()
