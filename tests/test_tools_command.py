"""`easel tools` as it is typed: run, list, show, check; alone, beside a server, interrupted, mistyped."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from easel_app.cli import cli
from easel_app.rubrics.sandbox.bubblewrap import Bubblewrap
from easel_app.runs.tool_run_settings import ToolRunView, Underway
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.tool_commands.following import Pace, picture
from tests.conftest import serving, wait_until
from tests.endpoint import endpoint, with_faults
from tests.endpoint.app import Running
from tests.endpoint.faults import error
from tests.endpoint.judge import grader
from tests.endpoint.tool_user import tool_user
from tests.runs.answered import SUM, fill, of_model
from tests.serving import forked
from tests.test_run_command import environment

CANARY = "sk-canary-of-the-command"
script = of_model("j", grader, tool_user({}, SUM))


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small set and the samples, for commands that begin nothing."""
    folder: Path = tmp_path_factory.mktemp("quiet")
    studio = Studio(Settings(data_dir=folder))
    studio.rubrics.library.names()  # brings the samples in
    fill(studio, 3, turns={2: 2})
    studio.close()
    return folder


@pytest.fixture
def folder(quiet: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(quiet, tmp_path / "data"))


@pytest.fixture(scope="module")
def here() -> Iterator[CliRunner]:
    hidden = dict.fromkeys(set(os.environ) - set(environment()))
    yield CliRunner(env={**hidden, "EASEL_ENDPOINT_KEY": CANARY, "EASEL_SANDBOX": "off"})


def tools(here: CliRunner, folder: Path, *arguments: str) -> Result:
    return here.invoke(cli, ["tools", *arguments, "--data-dir", str(folder)])


def run(here: CliRunner, folder: Path, at: Running | str, *options: str, rubric_set: str = "small") -> Result:
    address = at if isinstance(at, str) else at.url
    return tools(here, folder, "run", rubric_set, "--base-url", address, "--model", "m", *options)


def flat(text: str) -> str:
    """Without the folding of lines."""
    return " ".join(text.split())


def test_one_command_goes_from_tasks_to_a_queue_and_asks_nothing_again(here: CliRunner, folder: Path) -> None:
    with endpoint(script) as model:
        done = run(here, folder, model, "--judge", "j", "--required", "1", rubric_set="Set small")
        assert done.exit_code == 0, done.output
        told = flat(done.stdout)
        assert "finished: 3 of 3 attempts answered, 8 rounds, 4 tool calls" in told and "tokens, cost unknown" in told
        assert "Turns: 4 answered." in told and "Calls by tool: calculator 4." in told
        assert "By judge j: means over what is scored" in told
        for name in ("APR", "ARS"):
            assert re.search(rf"{name} +\S+ +\S+ +3 +3 answers +golden +tools-strong/1\+[0-9a-f]+", done.stdout), (
                done.stdout
            )
        assert "history of golden answers, network recorded (sample)" in told
        assert "code were off: Code is not run here, for its host has switched that off" in told
        assert re.search(r"start a studio \(easel serve\), then open /\?tab=rubrics&set=small&queue=queue-\w+", told)
        assert "the model is run here" in done.stderr
        asked = len(model.requests)
        again = run(here, folder, model, "--judge", "j", "--required", "1", "--concurrency", "2", "--json")
        assert (again.exit_code, len(model.requests)) == (0, asked), again.output
        view = json.loads(again.stdout)
        assert (view["state"], view["done"], view["score"]["scored"]) == ("finished", 3, 3)
        assert 0 < view["score"]["ars"]["value"] < 1
        assert {request.headers["authorization"] for request in model.requests} == {f"Bearer {CANARY}"}
        listed = tools(here, folder, "list", "--set", "small")
        assert listed.exit_code == 0 and view["run_id"] in listed.stdout and "history of golden" in listed.stdout
        shown = tools(here, folder, "show", view["run_id"])
        assert shown.exit_code == 0 and "APR" in shown.stdout and "3 of 3 attempts answered" in shown.stdout
        assert json.loads(tools(here, folder, "show", view["run_id"], "--json").stdout)["queue_id"] == view["queue_id"]
        more = run(here, folder, model, "--judge", "j", "--repeats", "2", "--most", "2")
        assert more.exit_code == 0 and re.search(r"pass@2 +\S+ +\S+ +2 +3 tasks +golden", more.stdout), more.stdout
        assert re.search(r"pass\^2 +\S+ +\S+ +2 +3 tasks +golden", more.stdout)
    assert CANARY not in done.output + again.output + listed.output
    assert not any(CANARY.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_its_options_reach_the_run(here: CliRunner, folder: Path) -> None:
    options = (
        *("--prompt", "weak", "--tools", "no_vision", "--history", "own", "--temperature", "none", "--effort", "low"),
        *("--variables", "kept", "--network", "off", "--most-rounds", "5", "--max-tokens", "77", "--pictures", "user"),
        *("--task", "t2", "--task", "t1", "--most", "1", "--seed", "3", "--repeats", "2", "--player", "p", "--json"),
    )
    with endpoint(script) as model:
        view = json.loads(run(here, folder, model, *options).stdout)
        body = model.requests[0].body
    assert (view["player"], view["total"], view["done"]) == ("p", 2, 2)
    given = {
        name: view["settings"][name] for name in ("prompt", "tools", "history", "temperature", "effort", "variables")
    }
    assert list(given.values()) == ["weak", "no_vision", "own", None, "low", "kept"]
    assert view["settings"]["most_rounds"] == 5 and view["settings"]["pictures"] == "user"
    assert (body["max_tokens"], body["reasoning_effort"], "temperature" in body) == (77, "low", False)
    assert (view["plan"]["tasks"], view["plan"]["seed"]) == (["t2", "t1"], 3)


def test_what_is_left_and_a_stop_are_told_by_the_exit_code(here: CliRunner, folder: Path) -> None:
    def busy(number: int, body: Any, headers: Any) -> Any:
        return error(400, "messages must be shorter")

    with endpoint(with_faults(script, (busy, lambda number, body: "of t2" in str(body["messages"][-1])))) as model:
        left = run(here, folder, model, "--concurrency", "1")
        assert left.exit_code == 2, left.output
        assert "finished: 2 of 3 attempts answered" in left.stdout and "No answer in 1 attempt: " in left.stdout
        stopped = run(here, folder, model, "--most-tokens", "100", "--player", "short")
        assert stopped.exit_code == 3 and "raise the limit" in flat(stopped.stdout)


def test_ctrl_c_stops_it_and_the_same_command_goes_on(here: CliRunner, folder: Path) -> None:
    with endpoint(script, latency=0.8) as model:  # long enough to be stopped on a busy machine
        command = [sys.executable, "-m", "easel_app.cli", "tools", "run", "small", "--data-dir", str(folder)]
        command += ["--base-url", model.url, "--model", "m", "--concurrency", "1"]
        settings = environment(EASEL_SANDBOX="off")
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings)
        wait_until(lambda: len(model.requests) > 2, 60)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
        assert process.returncode == 3 and "Stopping: calls under way" in output and "Stopped on demand" in output
        heard = len(model.requests)
        assert heard < 8
    with endpoint(script) as model:
        view = json.loads(tools(here, folder, "list", "--json").stdout)
        assert (view["state"], view["rounds"]) == ("stopped", heard)


def test_beside_a_server_the_server_runs_it(here: CliRunner, folder: Path) -> None:
    with endpoint(script) as model, serving(folder, forked) as server:
        address = server.url
        done = run(here, folder, model, "--judge", "j", "--json")
        assert done.exit_code == 0 and f"The studio at {address} runs the model" in done.stderr, done.output
        view = json.loads(done.stdout)
        assert f"People review the answers at {address}/?tab=rubrics&set=small&queue={view['queue_id']}" in done.stderr
        assert {request.headers["authorization"] for request in model.requests} == {f"Bearer {CANARY}"}
        assert view["run_id"] in tools(here, folder, "list").stdout
        shown = tools(here, folder, "show", view["run_id"])
        assert "finished: 3 of 3" in shown.stdout and "ARS" in shown.stdout
        gone = run(here, folder, model, "--task", "nothing", "--player", "other")
        assert gone.exit_code == 1 and "no task 'nothing'" in gone.stderr
        lost = tools(here, folder, "show", "nothing")
        assert lost.exit_code == 1 and "easel tools list lists them" in lost.stderr


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--concurrency", "65"), "--concurrency"),
        (("--most-money", "1"), "price"),
        (("--temperature", "hot"), "--temperature"),
        (("--effort", "Very High"), "--effort"),
        (("--tools", "some"), "--tools"),
        (("--player", "p" * 81), "--player"),
        (("--task", "x" * 129), "--task"),
        (("--cassette", "../x"), "--cassette"),
        (("--record", "x"), "network service"),
        (("--judge", "j", "--required", "0"), "--required"),
        (("--judge", "j", "--judge-base-url", "ftp://x"), "http"),
        (("--judge", "j" * 81), "--judge"),
        (("--task", "t9"), "did you mean"),
        (("--network", "service"), "EASEL_TOOL_SERVICES"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, tuple) else None,
)
def test_a_wrong_option_is_told_in_one_sentence(
    here: CliRunner, quiet: Path, options: tuple[str, ...], reason: str
) -> None:
    wrong = run(here, quiet, "http://127.0.0.1:9/v1", *options)
    assert wrong.exit_code == 1 and reason in wrong.stderr, wrong.output
    assert wrong.stderr.count("\n") == 1 and "Traceback" not in wrong.output and CANARY not in wrong.output


def test_sets_that_are_not_there_are_told(here: CliRunner, quiet: Path) -> None:
    wrong = run(here, quiet, "http://127.0.0.1:9/v1", rubric_set="nowhere")
    assert wrong.exit_code == 1 and "no rubric set 'nowhere'; there are small, sample-studio-pictures" in wrong.stderr
    assert "no tool run yet" in tools(here, quiet, "list").stderr


def test_check_tells_whether_code_can_be_run_and_what_the_sandbox_shuts(here: CliRunner, quiet: Path) -> None:
    off = tools(here, quiet, "check")
    assert off.exit_code == 1 and "sandbox: off" in off.stdout and "switched that off" in off.stdout
    assert "services: none" in off.stdout and "cassettes: sample" in off.stdout
    there = CliRunner(env={**here.env, "EASEL_SANDBOX": "on"})
    found = tools(there, quiet, "check")
    if why := Bubblewrap().off:
        assert found.exit_code == 1 and why in found.stdout
    else:
        assert found.exit_code == 0 and "sandbox: on" in found.stdout and found.stdout.count("  holds: ") > 5
        told = json.loads(tools(there, quiet, "check", "--json").stdout)
        assert told["sandbox"] and all(finding["holds"] for finding in told["findings"])


def test_the_live_table_shows_who_is_at_what_and_nothing_in_it_steers_a_terminal() -> None:
    doing = [
        Underway(task_id=f"t{n}\x1b[31m", attempt=1, turn=1, turns=2, round=n, doing="model") for n in range(1, 11)
    ]
    doing[1] = doing[1].model_copy(update={"doing": "[bold]python\x1b]0;x\x07"})
    view = ToolRunView(
        run_id="m-1", set_id="s", player="m", settings={}, plan={}, created_at="", state="running", reason="", total=20,
        done=3, endings={"answered": 3, "most_rounds": 1}, unanswered=[], under_way=doing, rounds=40, tool_calls=39,
        by_tool={}, calls=40, prompt_tokens=1000, completion_tokens=50, cost=0.5, elapsed=60, eta=75, trouble="",
        left_out=[], sandbox_off="", judging_id=None, queue_id=None,
    )  # fmt: skip
    file = io.StringIO()
    pace = Pace(view.model_copy(update={"rounds": 9}), time.monotonic() - 60)
    Console(file=file, width=120, force_terminal=False).print(picture(view, pace))
    drawn = flat(file.getvalue())
    assert "3 / 20 attempts" in drawn and "asks the model" in drawn and "and 2 more" in drawn and "\x1b" not in drawn
    assert "[bold]python" in drawn and "31 rounds/min" in drawn and "1 min 15 s to go" in drawn
    assert "cost 0.5000" in drawn and "Turns: 3 answered, 1 most rounds." in drawn
    judging = {"state": "judging", "under_way": [], "judged": 30, "to_judge": 90}
    file.truncate(0)
    Console(file=file, width=120, force_terminal=False).print(picture(view.model_copy(update=judging), pace))
    drawn = flat(file.getvalue())
    assert "30 / 90 items judged" in drawn and "30 of 90 items judged" in drawn and "answering now" not in drawn
