"""Settings come from options and the environment, and a local studio answers to its own names only."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from easel_app.settings import Settings, data_folder, static_folder


def test_the_environment_decides_and_an_option_decides_over_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EASEL_PORT", "7901")
    monkeypatch.setenv("EASEL_DATA_DIR", "~/paintings")
    assert Settings().port == 7901
    assert Settings().data_dir == Path.home() / "paintings"
    assert Settings(port=7902).port == 7902


@pytest.mark.parametrize("port", ["-1", "65536", "x", ""])
def test_an_impossible_port_is_refused(monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    monkeypatch.setenv("EASEL_PORT", port)
    with pytest.raises(ValidationError):
        Settings()


def test_host_names_follow_the_address() -> None:
    for host in ("127.0.0.1", "127.0.0.2", "localhost", "::1"):
        assert "*" not in Settings(host=host).hosts
        assert {"127.0.0.1", "localhost", "[::1]"} <= set(Settings(host=host).hosts)
    assert Settings(host="0.0.0.0").hosts == ["*"]
    assert Settings(allowed_hosts=["a.example"]).hosts == ["a.example"]


def test_the_projects_own_folders_are_found() -> None:
    assert (data_folder() / "tasks" / "catalogue.json").is_file()
    assert (static_folder() / "paint.js").is_file()
