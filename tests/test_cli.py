"""The `easel` command, as it is typed."""

import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from easel_app.cli import _listen, cli
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewSession
from easel_app.settings import Settings
from easel_app.store.records import ActionRecord
from tests.conftest import new_session, paint

runner = CliRunner()


def test_tasks_lists_all_or_one_category() -> None:
    assert len(runner.invoke(cli, ["tasks"]).output.splitlines()) == 115
    lines = runner.invoke(cli, ["tasks", "--category", "natural"]).output.splitlines()
    assert len(lines) == 40 and all("natural-" in line for line in lines)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    studio = Studio(Settings(data_dir=tmp_path))
    begun = studio.sessions.begin(NewSession.model_validate(new_session()))
    for body in (paint("a", 1), paint("b", 2), {"request_id": "c", "action": {"kind": "undo"}}):
        studio.sessions.act(begun.session_id, begun.write_token, NewAction.model_validate(body))
    studio.close()
    return tmp_path


def test_rescore_finds_every_log_as_it_was(folder: Path) -> None:
    result = runner.invoke(cli, ["rescore", "--data-dir", str(folder)])
    assert result.exit_code == 0
    assert result.output.endswith("3 actions: same\n")


def test_rescore_names_what_differs(folder: Path) -> None:
    studio = Studio(Settings(data_dir=folder))
    (session_id,) = studio.sessions._store.ids()
    last = studio.sessions._store.actions(session_id)[-1]
    wrong = {"seq": 4, "request_id": "d", "kind": "undo", "step": 4, "canvas_digest": "0" * 64}
    studio.sessions._store.append(ActionRecord(**{**vars(last), **wrong}))
    studio.close()
    result = runner.invoke(cli, ["rescore", "--data-dir", str(folder)])
    assert result.exit_code == 1
    assert "1 canvases differ" in result.output


def test_a_folder_in_use_is_named(folder: Path) -> None:
    studio = Studio(Settings(data_dir=folder))
    result = runner.invoke(cli, ["rescore", "--data-dir", str(folder)])
    assert result.exit_code == 1 and "EASEL_DATA_DIR" in result.output
    studio.close()


def test_a_port_in_use_is_named_at_once(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = runner.invoke(cli, ["serve", "--port", port, "--data-dir", str(tmp_path)])
    assert result.exit_code == 1
    assert f"Port {port}" in result.output and "make run PORT=" in result.output


def test_the_listener_says_that_it_is_tcp_so_that_answers_leave_at_once() -> None:
    with _listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EASEL_PORT", "many")
    result = runner.invoke(cli, ["serve"])
    assert result.exit_code == 1
    assert result.output.startswith("EASEL_PORT is 'many'")


@pytest.mark.parametrize("given", ["x", "[1]", '{"search": "http://ada:secret@host/"}', '{"code": "http://secret/"}'])
def test_a_wrong_backend_is_named_in_one_sentence_that_tells_no_password(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("EASEL_BACKENDS", given)
    result = runner.invoke(cli, ["plans", "list"])
    assert result.exit_code == 1 and result.output.startswith("EASEL_BACKENDS cannot be used: ")
    assert "secret" not in result.output and "value error" not in result.output and result.output.count("\n") == 1
