"""`easel plans generate` as it is typed: alone, beside a server, killed, mistyped."""

from __future__ import annotations

import json
import os
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
from tests.endpoint.app import Answer, Body, Headers, Running
from tests.endpoint.faults import error
from tests.endpoint.planner import planner
from tests.services.plans.making import SET, make_set
from tests.serving import forked
from tests.test_run_command import environment

CANARY = "sk-canary-of-the-command"
QUERIES = 8


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    studio = Studio(Settings(data_dir=tmp_path))
    make_set(studio.plans, QUERIES, planners=())
    studio.close()
    return tmp_path


@pytest.fixture(scope="module")
def here() -> Iterator[CliRunner]:
    yield CliRunner(env={**dict.fromkeys(set(os.environ) - set(environment())), "EASEL_ENDPOINT_KEY": CANARY})


def command(folder: Path, at: Running | str, *options: str, plan_set: str = SET) -> list[str]:
    address = at if isinstance(at, str) else at.url
    given = ["--data-dir", str(folder), "--base-url", address, "--model", "a-model"]
    return ["plans", "generate", plan_set, *given, *options]


def generate(here: CliRunner, folder: Path, at: Running | str, *options: str, plan_set: str = SET) -> Result:
    return here.invoke(cli, command(folder, at, *options, plan_set=plan_set))


def broken(number: int, body: Body, headers: Headers) -> Answer:
    return error(400, "This request is malformed.")


def test_it_plans_and_the_same_command_asks_nothing_again(here: CliRunner, folder: Path) -> None:
    with endpoint(planner) as model:
        done = generate(here, folder, model, "--shots", "3", "--most", "5", "--seed", "2", plan_set=f"Made up {SET}")
        assert done.exit_code == 0, done.output
        assert "finished: 5 of 5 plans there, planner a-model (3-shot)" in done.stdout and "tokens" in done.stdout
        again = generate(here, folder, model, "--shots", "3", "--concurrency", "2", "--json")
        assert (again.exit_code, len(model.requests)) == (0, QUERIES)
        view = json.loads(again.stdout)
        assert (view["state"], view["done"], view["settings"]["shots"]) == ("finished", QUERIES, 3)
        assert {request.headers["authorization"] for request in model.requests} == {f"Bearer {CANARY}"}
    assert CANARY not in done.output + again.output
    assert not any(CANARY.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_queries_without_an_answer_and_a_stop_are_told_by_the_exit_code(here: CliRunner, folder: Path) -> None:
    with endpoint(with_faults(planner, (broken, lambda number, body: number == 1))) as model:
        left = generate(here, folder, model, "--concurrency", "1")
        assert left.exit_code == 2, left.output
        assert "No answer to 1 query: " in left.stdout
        prices = ("--price-prompt", "1", "--price-completion", "1")
        dear = generate(here, folder, model, "--max-cost", "0.0005", *prices, "--planner", "dear", "--concurrency", "1")
        assert dear.exit_code == 3 and "raise the limit" in " ".join(dear.stdout.split())


def test_beside_a_server_the_server_plans(here: CliRunner, folder: Path) -> None:
    with endpoint(planner) as model, serving(folder, forked) as server:
        done = generate(here, folder, model)
        assert done.exit_code == 0 and f"The studio at {server.url} plans" in done.stderr, done.output
        view = json.loads(generate(here, folder, model, "--json").stdout)
        assert (view["state"], view["done"], len(model.requests)) == ("finished", QUERIES, QUERIES)
        again = httpx.get(f"{server.url}/api/plans/plannings/{view['planning_id']}").json()
        assert again == view and CANARY not in json.dumps(view)


def test_a_killed_one_goes_on_where_it_stood(here: CliRunner, folder: Path) -> None:
    with endpoint(planner, latency=0.15) as model:
        typed = [sys.executable, "-m", "easel_app.cli", *command(folder, model, "--concurrency", "1")]
        process = subprocess.Popen(typed, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
        wait_until(lambda: len(model.requests) > 2, 60)
        process.kill()
        process.wait(timeout=30)
        asked = len(model.requests)
        assert asked < QUERIES
        done = generate(here, folder, model)
        assert done.exit_code == 0 and f"finished: {QUERIES} of {QUERIES}" in done.stdout, done.output
        assert len(model.requests) <= QUERIES + 1  # at most the call that was under way is made again


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--shots", "2"), "--shots should be 0 or 3;"),
        (("--most-money", "1"), "price"),
        (("--temperature", "-1"), "--temperature"),
        (("--planner", "n" * 81), "--planner"),
        (("--index-base", "2"), "--index-base"),
    ],
)
def test_what_is_mistyped_is_told_in_one_line(
    here: CliRunner, folder: Path, options: tuple[str, ...], reason: str
) -> None:
    done = generate(here, folder, "http://127.0.0.1:9/v1", *options)
    assert (done.exit_code, done.stdout) == (1, "")
    assert reason in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_a_set_that_is_not_there_is_told(here: CliRunner, folder: Path) -> None:
    gone = generate(here, folder, "http://127.0.0.1:9/v1", plan_set="nowhere")
    assert gone.exit_code == 1 and "There is no set of plans 'nowhere'; there are " in gone.stderr
