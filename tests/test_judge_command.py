"""`easel rubrics judge` as it is typed: alone, beside a server, interrupted, mistyped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from click.testing import Result
from typer.testing import CliRunner

from easel_app.cli import cli
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from tests.conftest import serving, wait_until
from tests.endpoint import endpoint, with_faults
from tests.endpoint.app import Running
from tests.endpoint.judge import grader
from tests.rubrics.making import small_set
from tests.serving import forked
from tests.test_run_command import environment

CANARY = "sk-canary-of-the-command"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    studio = Studio(Settings(data_dir=tmp_path))
    small_set(studio.rubrics.store)
    studio.close()
    return tmp_path


@pytest.fixture(scope="module")
def here() -> Iterator[CliRunner]:
    yield CliRunner(env={**dict.fromkeys(set(os.environ) - set(environment())), "EASEL_ENDPOINT_KEY": CANARY})


def judge(here: CliRunner, folder: Path, at: Running | str, *options: str, rubric_set: str = "small") -> Result:
    address = at if isinstance(at, str) else at.url
    command = ["rubrics", "judge", rubric_set, "--data-dir", str(folder), "--base-url", address, "--model", "a-judge"]
    return here.invoke(cli, [*command, *options])


def test_it_judges_and_the_same_command_asks_nothing_again(here: CliRunner, folder: Path) -> None:
    with endpoint(grader) as model:
        done = judge(here, folder, model, rubric_set="Set small")
        assert done.exit_code == 0, done.output
        assert "finished: 16 of 16 items judged, 8 met, 8 not met" in done.stdout and "tokens" in done.stdout
        assert "it is judged here" in done.stderr
        again = judge(here, folder, model, "--concurrency", "2", "--json")
        assert (again.exit_code, len(model.requests)) == (0, 16)
        view = json.loads(again.stdout)
        assert (view["state"], view["done"], view["judge"]) == ("finished", 16, "a-judge")
        assert {request.headers["authorization"] for request in model.requests} == {f"Bearer {CANARY}"}
    assert CANARY not in done.output + again.output
    assert not any(CANARY.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_items_without_a_verdict_and_a_stop_are_told_by_the_exit_code(here: CliRunner, folder: Path) -> None:
    with endpoint(with_faults(grader, ("prose-refusal", lambda number, body: number < 4))) as model:
        left = judge(here, folder, model, "--concurrency", "1", "--name", "shy")
        assert left.exit_code == 2, left.output
        assert "2 without a verdict" in left.stdout and "No verdict on 2: " in left.stdout
        stopped = judge(here, folder, model, "--most-tokens", "2000")
        assert stopped.exit_code == 3 and "raise the limit" in " ".join(stopped.stdout.split())  # lines are folded
    with endpoint(with_faults(grader, ("401-echo", lambda number, body: True))) as model:
        refused = judge(here, folder, model)
        assert refused.exit_code == 3 and "right key" in refused.stdout and CANARY not in refused.output


def test_its_options_reach_the_judge(here: CliRunner, folder: Path) -> None:
    with endpoint(grader) as model:
        options = ("--temperature", "0.5", "--answers-of", "model-b", "--most-items", "3", "--seed", "2", "--name", "j")
        done = judge(here, folder, model, *options, "--pictures", "--json")
        view = json.loads(done.stdout)
        assert {request.body["temperature"] for request in model.requests} == {0.5} and len(model.requests) == 3
    assert (view["judge"], view["settings"]["pictures"], view["total"]) == ("j", "task", 3)
    assert (view["plan"]["models"], view["plan"]["seed"]) == (["model-b"], 2)


def test_beside_a_server_the_server_judges(here: CliRunner, folder: Path) -> None:
    with endpoint(grader) as model, serving(folder, forked) as server:
        done = judge(here, folder, model)
        assert done.exit_code == 0 and f"The studio at {server.url} judges" in done.stderr, done.output
        (view,) = httpx.get(f"{server.url}/api/rubrics/judgings", params={"set": "small"}).json()
        assert (view["state"], view["done"]) == ("finished", 16)
        assert {request.headers["authorization"] for request in model.requests} == {f"Bearer {CANARY}"}
        gone = judge(here, folder, model, "--answers-of", "nobody", "--name", "other")
        assert gone.exit_code == 1 and "no answer of 'nobody'" in gone.stderr


def test_ctrl_c_stops_it_and_the_same_command_goes_on(here: CliRunner, folder: Path) -> None:
    with endpoint(grader, latency=0.8) as model:  # long enough to be stopped on a busy machine
        command = [sys.executable, "-m", "easel_app.cli", "rubrics", "judge", "small", "--data-dir", str(folder)]
        command += ["--base-url", model.url, "--model", "a-judge", "--concurrency", "1"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
        wait_until(lambda: len(model.requests) > 2, 60)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
        assert process.returncode == 3 and "Stopping: calls under way" in output and "Stopped on demand" in output
        assert len(model.requests) < 16
    with endpoint(grader) as model:
        assert judge(here, folder, model).exit_code == 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--concurrency", "65"), "--concurrency"),
        (("--most-money", "1"), "price"),
        (("--temperature", "-1"), "--temperature"),
        (("--name", "n" * 81), "--name"),
        (("--answers-of", "nobody"), "no answer of 'nobody'"),
    ],
)
def test_what_is_mistyped_is_told_in_one_line(
    here: CliRunner, folder: Path, options: tuple[str, ...], reason: str
) -> None:
    done = judge(here, folder, "http://127.0.0.1:9/v1", *options)
    assert (done.exit_code, done.stdout) == (1, "")
    assert reason in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_an_address_that_is_none_and_a_set_that_is_not_there_are_told(here: CliRunner, folder: Path) -> None:
    wrong = judge(here, folder, "ftp://x")
    assert wrong.exit_code == 1 and "must be an address" in wrong.stderr
    gone = judge(here, folder, "http://127.0.0.1:9/v1", rubric_set="nowhere")
    assert gone.exit_code == 1 and "There is no rubric set 'nowhere'; there are small" in gone.stderr
