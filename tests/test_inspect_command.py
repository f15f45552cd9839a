"""`easel plans inspect` as it is typed: alone, beside a server, interrupted, mistyped."""

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
from tests.endpoint.inspector import asked, inspector
from tests.runs.inspected import CALLS, REPORTS, inspected_set
from tests.services.plans.making import SET
from tests.serving import forked
from tests.test_run_command import environment

CANARY = "sk-canary-of-the-command"
NOWHERE = "http://127.0.0.1:9/v1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    studio = Studio(Settings(data_dir=tmp_path))
    inspected_set(studio)
    studio.close()
    return tmp_path


@pytest.fixture(scope="module")
def here() -> Iterator[CliRunner]:
    unset = dict.fromkeys(set(os.environ) - set(environment()))
    yield CliRunner(env={**unset, "EASEL_ENDPOINT_KEY": CANARY, "EASEL_CHIEF_KEY": f"{CANARY}-chief"})


def inspect(here: CliRunner, folder: Path, at: Running | str, *options: str, plan_set: str = SET) -> Result:
    address = at if isinstance(at, str) else at.url
    command = ["plans", "inspect", plan_set, "--data-dir", str(folder), "--base-url", address, "--model", "a-judge"]
    return here.invoke(cli, [*command, *options])


def test_it_inspects_and_the_same_command_asks_nothing_again(here: CliRunner, folder: Path) -> None:
    with endpoint(inspector) as model:
        done = inspect(here, folder, model, plan_set=f"Made up {SET}")
        assert done.exit_code == 0, done.output
        assert "finished: 18 of 18 reports (precision 6, recall 6, chief 6), judge a-judge" in done.stdout
        told = " ".join(done.stdout.split())
        assert "2 of the plans are empty and were not sent." in told and "68.30" in told and "three roles" in told
        assert "it is inspected here" in done.stderr
        again = inspect(here, folder, model, "--concurrency", "2", "--json")
        assert (again.exit_code, len(model.requests)) == (0, CALLS)
        view = json.loads(again.stdout)
        assert (view["state"], view["done"], view["judge"]) == ("finished", REPORTS, "a-judge")
        keys = {asked(sent.body).inspector: sent.headers["authorization"] for sent in model.requests}
        assert keys == {
            "precision": f"Bearer {CANARY}",
            "recall": f"Bearer {CANARY}",
            "chief": f"Bearer {CANARY}-chief",
        }
    assert CANARY not in done.output + again.output
    assert not any(CANARY.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_what_is_unscored_and_a_stop_are_told_by_the_exit_code(here: CliRunner, folder: Path) -> None:
    shy = with_faults(inspector, ("prose-refusal", lambda number, body: number < 2))
    with endpoint(shy) as model:
        left = inspect(here, folder, model, "--concurrency", "1", "--name", "shy")
        assert left.exit_code == 2, left.output
        assert "2 without a report" in left.stdout and "No report on 1: " in left.stdout
        stopped = inspect(here, folder, model, "--most-tokens", "5000")
        told = " ".join(stopped.stdout.split())
        assert stopped.exit_code == 3 and told.count("raise the limit") == 1  # a reason is told once


def test_its_options_reach_the_inspectors(here: CliRunner, folder: Path) -> None:
    with endpoint(inspector) as model, endpoint(inspector) as other:
        options = ("--chief-model", "c", "--recall-model", "b", "--recall-url", other.url, "--temperature", "0.5")
        options += ("--planner", "planner b", "--most", "2", "--seed", "2", "--pictures", "--max-cost", "9")
        done = inspect(here, folder, model, *options, "--price-prompt", "1", "--price-completion", "2", "--json")
        view = json.loads(done.stdout)
        sent = {asked(each.body).inspector: each.body for each in [*model.requests, *other.requests]}
        assert {asked(each.body).inspector for each in other.requests} == {"recall"}
    assert {role: each["model"] for role, each in sent.items()}.items() <= view["models"].items()
    assert {each["temperature"] for each in sent.values()} == {0.5} and view["cost"] > 0
    assert (view["judge"], view["settings"]["pictures"]) == ("a-judge + b + c", "pool")
    assert (view["plan"]["planners"], view["plan"]["most_plans"], view["plan"]["most_money"]) == (["planner b"], 2, 9)


def test_beside_a_server_the_server_inspects(here: CliRunner, folder: Path) -> None:
    with endpoint(inspector) as model, serving(folder, forked) as server:
        done = inspect(here, folder, model)
        assert done.exit_code == 0 and f"The studio at {server.url} inspects" in done.stderr, done.output
        (view,) = httpx.get(f"{server.url}/api/plans/inspections", params={"set_id": SET}).json()
        assert (view["state"], view["done"]) == ("finished", REPORTS)
        assert {sent.headers["authorization"] for sent in model.requests} == {
            f"Bearer {CANARY}",
            f"Bearer {CANARY}-chief",
        }
        gone = inspect(here, folder, model, "--planner", "nobody", "--name", "other")
        assert gone.exit_code == 1 and "no plan of 'nobody'" in gone.stderr


def test_ctrl_c_stops_it_and_the_same_command_goes_on(here: CliRunner, folder: Path) -> None:
    with endpoint(inspector, latency=0.8) as model:  # long enough to be stopped on a busy machine
        command = [sys.executable, "-m", "easel_app.cli", "plans", "inspect", SET, "--data-dir", str(folder)]
        command += ["--base-url", model.url, "--model", "a-judge", "--concurrency", "1"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
        wait_until(lambda: len(model.requests) > 2, 60)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
        assert process.returncode == 3 and "Stopping: calls under way" in output and "Stopped on demand" in output
        assert len(model.requests) < CALLS
    with endpoint(inspector) as model:
        assert inspect(here, folder, model).exit_code == 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--concurrency", "65"), "--concurrency"),
        (("--max-cost", "1"), "price"),
        (("--temperature", "-1"), "--temperature"),
        (("--name", "n" * 81), "--name"),
        (("--planner", "nobody"), "no plan of 'nobody'"),
        (("--base-url", "ftp://x"), "must be an address"),
    ],
)
def test_what_is_mistyped_is_told_in_one_line(
    here: CliRunner, folder: Path, options: tuple[str, ...], reason: str
) -> None:
    done = inspect(here, folder, NOWHERE, *options)
    assert (done.exit_code, done.stdout) == (1, "")
    assert reason in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_a_model_or_a_set_that_is_missing_is_told(here: CliRunner, folder: Path) -> None:
    command = ["plans", "inspect", SET, "--data-dir", str(folder), "--base-url", NOWHERE, "--recall-model", "b"]
    missing = here.invoke(cli, command)
    assert missing.exit_code == 1 and "give --model, or one of its own to each of the three roles" in missing.stderr
    gone = inspect(here, folder, NOWHERE, plan_set="nowhere")
    assert gone.exit_code == 1 and f"There is no set of plans 'nowhere'; there are {SET}" in gone.stderr
