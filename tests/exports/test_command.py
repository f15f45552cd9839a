"""`easel export`, while a studio has the data folder open."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import typer
from click.testing import Result
from PIL import Image
from typer.testing import CliRunner

from easel_app.exports import command
from easel_app.settings import Settings
from tests.exports.conftest import House

Run = Callable[..., Result]


@pytest.fixture
def run(house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the command in a folder of its own, on the data folder that the studio of `house` has open."""
    cli = typer.Typer()
    command.register(cli, lambda **given: Settings(**{name: value for name, value in given.items() if value}))
    monkeypatch.setenv("EASEL_DATA_DIR", str(house.studio._database._path.parent))
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(cli, list(arguments))


@pytest.mark.parametrize(
    ("form", "begins"),
    [
        ("html", b"<!doctype html>"),
        ("webp", b"RIFF"),
        ("gif", b"GIF89a"),
        ("mp4", b"\0\0\0"),
        ("png", b"\x89PNG"),
        ("atif", b"{"),
        ("log", b'{"type": "session"'),
    ],
)
def test_a_session_becomes_a_file_named_by_task_player_and_session(
    house: House, run: Run, tmp_path: Path, form: str, begins: bytes
) -> None:
    result = run(house.ids["painted"], "--as", form)
    assert result.exit_code == 0, result.output
    (path,) = tmp_path.iterdir()
    assert result.stdout.strip() == path.name
    kind = {"atif": "atif.json", "log": "jsonl"}.get(form, form)
    assert path.name == f"programmatic-05-script-script-alert-1-script-x-a-javascr-{house.ids['painted']}.{kind}"
    assert path.read_bytes().startswith(begins)


def test_the_log_is_the_studio_s_and_the_trajectory_too(house: House, run: Run, tmp_path: Path) -> None:
    assert run(house.ids["fork"], "--as", "log", "--out", "a.jsonl").exit_code == 0
    assert (tmp_path / "a.jsonl").read_text() == "".join(house.exports.log(house.ids["fork"]))
    assert run(house.ids["model"], "--as", "atif", "--out", "a.json").exit_code == 0
    assert json.loads((tmp_path / "a.json").read_text()) == house.exports.atif(house.ids["model"])


def test_a_picture_of_a_step_is_enlarged(house: House, run: Run, tmp_path: Path) -> None:
    assert run(house.ids["painted"], "--as", "png", "--step", "3", "--scale", "4", "--out", "a.png").exit_code == 0
    plain = io.BytesIO(house.studio.sessions.canvas(house.ids["painted"], 3))
    with Image.open(tmp_path / "a.png") as large, Image.open(plain) as small:
        assert large.size == (4 * small.width, 4 * small.height)
        assert large.tobytes() == small.resize(large.size, Image.Resampling.NEAREST).tobytes()


def test_a_set_of_sessions_becomes_a_folder(house: House, run: Run, tmp_path: Path) -> None:
    result = run("--task", "programmatic-05", "--as", "dataset", "--out", "set")
    assert result.exit_code == 0, result.output
    assert "2 sessions" in result.stdout
    assert pq.read_table(tmp_path / "set" / "data" / "sessions.parquet").num_rows == 2
    again = run("--all", "--as", "dataset", "--out", "set")
    assert again.exit_code == 1
    assert "not an empty folder" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nowhere"], "no session of that id"),
        (["nowhere", "--as", "gif"], "no session of that id"),
        ([], "one session"),
        (["--all"], "--as dataset"),
        (["x", "--task", "maze-64-7"], "--as dataset"),
        (["x", "--push", "a/b"], "--as dataset"),
        (["--as", "dataset"], "give one of these"),
        (["x", "--all", "--as", "dataset"], "give one of these"),
        (["--all", "--task", "maze-64-7", "--as", "dataset"], "give one of these"),
        (["--run", "none", "--as", "dataset"], "no run 'none'"),
        (["--player", "Nobody", "--as", "dataset"], "No ended session"),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_nothing(
    run: Run, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_step_that_is_not_there_and_a_place_that_cannot_be_written_leave_the_old_file(
    house: House, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_text("old")
    assert "is at step" in run(house.ids["painted"], "--as", "png", "--step", "999", "--out", "a.png").stderr
    assert (tmp_path / "a.png").read_text() == "old"
    result = run(house.ids["painted"], "--as", "log", "--out", "nowhere/a.jsonl")
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_a_folder_without_a_database_is_said(run: Run, tmp_path: Path) -> None:
    result = run("x", "--data-dir", str(tmp_path / "none"))
    assert result.exit_code == 1
    assert "There is no database" in result.stderr
