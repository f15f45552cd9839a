"""`easel import`, as it is typed: into a folder, beside a server, with logs of every sort."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from easel_app.cli import cli
from easel_app.services.logs import MOST_BYTES
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewSession
from easel_app.settings import Settings
from tests.conftest import Server, new_session, paint

runner = CliRunner()


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of logs: three that are good, one of them packed, one that lies, and one that is cut off."""
    folder = tmp_path_factory.mktemp("logs")
    studio = Studio(Settings(data_dir=folder / "data"))
    for name in ("one", "two", "three", "lies", "cut"):
        begun = studio.sessions.begin(NewSession.model_validate(new_session()))
        for body in (paint("a", 1), paint("b", 2), {"request_id": "c", "action": {"kind": "submit"}}):
            studio.sessions.act(begun.session_id, begun.write_token, NewAction.model_validate(body))
        lines = list(studio.sessions.log(begun.session_id))
        if name == "lies":
            lines[-1] = {**lines[-1], "scores": {**lines[-1]["scores"], "similarity": 2.0}}
        text = "\n".join(map(json.dumps, lines)).encode()
        (folder / name).write_bytes({"two": gzip.compress(text), "cut": text[:-5]}.get(name, text))
    studio.close()
    return folder


def imported(*files: Path, data_dir: Path) -> tuple[int, list[str], list[str]]:
    """Exit code, lines and complaints of an import."""
    result = runner.invoke(cli, ["import", *map(str, files), "--data-dir", str(data_dir)])
    return result.exit_code, result.stdout.splitlines(), result.stderr.splitlines()


def test_each_good_log_comes_into_the_folder_and_each_bad_one_is_named(logs: Path, tmp_path: Path) -> None:
    names = ("one", "cut", "two", "nowhere", "lies", ".")
    code, lines, complaints = imported(*(logs / name for name in names), data_dir=tmp_path)
    assert code == 1
    assert [line.partition(": session ")[0] for line in lines] == [str(logs / name) for name in ("one", "two", "lies")]
    assert all("3 actions, 2 steps, submitted, score 0." in line for line in lines)
    assert [line.partition("; ")[2] for line in lines[:2]] == ["its claims hold"] * 2
    assert "its claims differ in 1 scores, scores by up to 1." in lines[2]
    assert [line.partition(": ")[0] for line in complaints] == [str(logs / name) for name in ("cut", "nowhere", ".")]
    assert "Line 4 of the log" in complaints[0] and "No such file" in complaints[1] and "directory" in complaints[2]
    rescored = runner.invoke(cli, ["rescore", "--data-dir", str(tmp_path)])
    assert rescored.exit_code == 0 and rescored.output.count("3 actions: same") == 3


def test_all_good_is_success_and_the_same_again_is_not(logs: Path, tmp_path: Path) -> None:
    code, lines, complaints = imported(logs / "three", data_dir=tmp_path)
    assert (code, complaints) == (0, [])
    code, again, complaints = imported(logs / "three", data_dir=tmp_path)
    session_id = lines[0].partition("session ")[2][:16]
    assert (code, again, len(complaints)) == (1, [], 1) and session_id in complaints[0]


def test_beside_a_server_the_server_takes_it(logs: Path, server: Server) -> None:
    code, lines, complaints = imported(logs / "one", logs / "cut", logs / "two", data_dir=server.data_dir)
    assert (code, len(lines), len(complaints)) == (1, 2, 1) and "Line 4 of the log" in complaints[0]
    for line in lines:
        session_id = line.partition("session ")[2][:16]
        assert httpx.get(f"{server.url}/api/sessions/{session_id}").json()["imported"] is True


def test_a_folder_that_another_process_uses_without_serving_is_named(logs: Path, tmp_path: Path) -> None:
    studio = Studio(Settings(data_dir=tmp_path))
    code, lines, complaints = imported(logs / "one", data_dir=tmp_path)
    studio.close()
    assert (code, lines, len(complaints)) == (1, [], 1) and "EASEL_DATA_DIR" in complaints[0]


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(100 * MOST_BYTES)  # takes no room on the disk
    code, _, complaints = imported(large, data_dir=tmp_path)
    assert code == 1 and "more than 16 MB" in complaints[0]
