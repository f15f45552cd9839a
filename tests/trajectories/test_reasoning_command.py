"""`easel trajectories reason` as it is typed: to its end, killed, interrupted, mistyped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from easel_app.settings import Settings
from easel_app.trajectories.reading import DataSet
from easel_app.trajectory_commands.reasoning import register
from tests.conftest import wait_until
from tests.endpoint import endpoint, with_faults
from tests.endpoint.app import Running
from tests.llm.conftest import free_address
from tests.test_run_command import environment
from tests.trajectories.texts import A_REFERENCE, finished_data, in_turn, writer

CANARY = "sk-canary-of-the-texts"
ALL = 8 * A_REFERENCE
ALONE = """
import typer
from easel_app.settings import Settings
from easel_app.trajectory_commands.reasoning import register
cli = typer.Typer()
cli.callback()(lambda: None)
register(cli, Settings)
cli()
"""
"""The command as a process."""


@pytest.fixture(scope="module")
def here() -> Iterator[CliRunner]:
    yield CliRunner(env={**dict.fromkeys(set(os.environ) - set(environment())), "EASEL_ENDPOINT_KEY": CANARY})


@pytest.fixture
def data(tmp_path: Path) -> DataSet:
    return finished_data(tmp_path / "set")


def arguments(folder: Path, at: Running | str, *options: str) -> list[str]:
    address = at if isinstance(at, str) else at.url
    return ["reason", str(folder), "--base-url", address, "--model", "a-writer", "--share", "1", *options]


def reason(here: CliRunner, folder: Path, at: Running | str, *options: str) -> Result:
    cli = typer.Typer()
    cli.callback()(lambda: None)
    register(cli, Settings)
    return here.invoke(cli, arguments(folder, at, *options))


def process(folder: Path, at: Running, *options: str, before: str = "") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", before + ALONE, *arguments(folder, at, *options)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())


def tables(data: DataSet) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((data.folder.path / "reasoning").glob("*.parquet"))}


def has_answers(data: DataSet, enough: int) -> bool:
    return answers(data) >= enough


def answers(data: DataSet) -> int:
    return sum(path.read_bytes().count(b"\n") for path in (data.folder.path / "reasoning").rglob("*.jsonl"))


def test_it_writes_all_texts_and_the_same_command_asks_nothing_again(here: CliRunner, data: DataSet) -> None:
    with endpoint(writer) as model:
        done = reason(here, data.folder.path, model, "--price-prompt", "1", "--price-completion", "2")
        assert done.exit_code == 0, done.output
        assert (
            f"finished: {ALL} of {ALL} strokes have a text, {ALL} calls, " in done.stdout and "cost 0." in done.stdout
        )
        again = reason(here, data.folder.path, model, "--json")
        assert (again.exit_code, len(model.requests)) == (0, ALL)
        noted = json.loads(again.stdout)
        assert noted == json.loads((data.folder.path / "reasoning" / "manifest.json").read_text())
        assert (noted["state"], noted["writer"]["model"], noted["calls"]) == ("finished", "a-writer", ALL)
        assert {request.headers["authorization"] for request in model.requests} == {f"Bearer {CANARY}"}
    assert CANARY not in done.output + again.output
    assert not any(CANARY.encode() in path.read_bytes() for path in data.folder.path.rglob("*") if path.is_file())


def test_strokes_without_a_text_and_a_stop_are_told_by_the_exit_code(here: CliRunner, data: DataSet) -> None:
    with endpoint(in_turn(writer, "no", "no", writer)) as model:
        left = reason(here, data.folder.path, model, "--concurrency", "1")
    assert left.exit_code == 2 and f"{ALL - 1} of {ALL}" in left.stdout and "1 left out (too short 1)" in left.stdout
    other = finished_data(data.folder.path.parent / "other").folder.path
    with endpoint(writer) as model:
        stopped = reason(here, other, model, "--most-tokens", "5000")
    assert (
        stopped.exit_code == 3 and "still to be asked about" in stopped.stdout and "raise the limit" in stopped.stderr
    )
    with endpoint(with_faults(writer, ("401-echo", lambda number, body: True))) as model:
        refused = reason(here, other, model)
    assert refused.exit_code == 3 and "right key" in refused.stderr and CANARY not in refused.output


@pytest.mark.crash
def test_a_run_that_is_killed_pays_for_no_answer_twice_and_ends_with_the_same_bytes(
    here: CliRunner, data: DataSet, tmp_path: Path
) -> None:
    undisturbed = finished_data(tmp_path / "other")
    with endpoint(writer) as model:
        assert reason(here, undisturbed.folder.path, model).exit_code == 0
    for enough in (3, 23):  # in either shard
        with endpoint(writer, latency=0.05) as model, process(data.folder.path, model, "--concurrency", "4") as running:
            wait_until(partial(has_answers, data, enough))
            running.kill()
        assert running.returncode == -signal.SIGKILL
    paid = answers(data)
    assert 23 <= paid < ALL
    with endpoint(writer) as model:
        assert reason(here, data.folder.path, model).exit_code == 0
        assert len(model.requests) == ALL - paid
    assert tables(data) == tables(undisturbed)


@pytest.mark.crash
def test_ctrl_c_lets_the_calls_under_way_come_to_their_end(data: DataSet) -> None:
    with endpoint(writer, latency=0.2) as model:
        running = process(data.folder.path, model, "--concurrency", "2")
        wait_until(lambda: len(model.requests) >= 3)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
        assert running.returncode == 3, err
        assert "Stopping: calls under way are still recorded" in err and "the same command goes on" in err
        assert answers(data) == len(model.requests) and f"{len(model.requests)} of {ALL} strokes" in out


@pytest.mark.crash
def test_a_full_disk_stops_it_and_loses_no_answer(here: CliRunner, data: DataSet) -> None:
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY))\n"
    with endpoint(writer) as model, process(data.folder.path, model, "--concurrency", "1", before=full) as running:
        _, err = running.communicate(timeout=60)
        assert running.returncode == 3 and "make room and go on" in err, err
        asked = len(model.requests)
    assert 0 < answers(data) == asked - 1 < ALL, "the answer that found no room is lost, and nothing is asked after it"
    with endpoint(writer) as model:
        assert reason(here, data.folder.path, model).exit_code == 0
        assert len(model.requests) == ALL - (asked - 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--share", "0"], "--share should be greater than 0"),
        (["--concurrency", "900"], "--concurrency should be less than or equal to 64"),
        (["--most-money", "1"], "a limit of money needs price_prompt"),
        (["--base-url", "ftp://x"], "the base URL must be an address"),
        (["--scale", "99"], "--scale should be less than or equal to 8"),
    ],
)
def test_a_wrong_option_is_told_in_one_sentence(here: CliRunner, data: DataSet, options: list[str], words: str) -> None:
    told = reason(here, data.folder.path, free_address(), *options)
    assert told.exit_code == 1 and told.stderr.count("\n") == 1 and words in told.stderr, told.stderr


def test_a_folder_without_a_finished_data_set_is_told(here: CliRunner, tmp_path: Path) -> None:
    told = reason(here, tmp_path, free_address())
    assert told.exit_code == 1 and "holds no data set of trajectories" in told.stderr


def test_a_file_that_cannot_be_read_is_told_and_loses_nothing(here: CliRunner, data: DataSet) -> None:
    data.file(data.shards()[1], "samples").write_bytes(b"PAR1 not at all PAR1")
    with endpoint(writer) as model:
        told = reason(here, data.folder.path, model)
    assert told.exit_code == 1 and "cannot be read or written" in told.stderr and "correct this" in told.stderr
