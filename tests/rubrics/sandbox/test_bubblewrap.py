"""A sandbox is there only where it was seen to hold; everywhere else it is off and says why."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import pytest

from easel_app.rubrics.sandbox import host
from easel_app.rubrics.sandbox.bubblewrap import Bubblewrap
from easel_app.rubrics.sandbox.choosing import sandbox_of
from easel_app.rubrics.sandbox.execution import Outcome, Sandbox, SandboxUnavailable
from easel_app.rubrics.sandbox.none import NoSandbox
from easel_app.settings import Settings
from tests.rubrics.sandbox.looping import alone

REAL = shutil.which("bwrap")


def test_it_is_there_and_every_attempt_of_the_self_test_failed_to_get_out() -> None:
    sandbox = Bubblewrap()
    assert sandbox.off == ""
    assert len(sandbox.findings) > 12
    assert all(finding.holds for finding in sandbox.findings)


async def opening(sandbox: Sandbox) -> None:
    await (await sandbox.open({})).close()


def refused(sandbox: Sandbox) -> str:
    """Why a sandbox is off; it opens no session either."""
    with pytest.raises(SandboxUnavailable) as error:
        alone(opening(sandbox))
    assert str(error.value) == sandbox.off
    assert sandbox.off.endswith(".")
    assert "\n" not in sandbox.off
    return sandbox.off


def test_without_bubblewrap_it_is_off_and_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt-get install bubblewrap" in refused(Bubblewrap())


@pytest.fixture
def crippled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bwrap that a test writes, the only one that can be found."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path / "bwrap"


def write(path: Path, code: str) -> None:
    path.write_text(f"#!{sys.executable} -ISE\nimport os, sys\n{code}")
    path.chmod(0o755)


def test_where_it_does_not_start_the_reason_is_told(crippled: Path) -> None:
    write(crippled, "sys.exit('bwrap: No permissions to create new namespace\\n\\x1b[31m')")
    off = refused(Bubblewrap())
    assert "(bwrap: No permissions to create new namespace)" in off
    assert "user name spaces" in off


@pytest.mark.parametrize("code", ["sys.exit(0)", "os.write(1, b'x' * 4096)", "os.write(1, bytes(9)); os.close(1)"])
def test_something_else_of_that_name_is_not_believed(code: str, crippled: Path) -> None:
    write(crippled, code)
    assert "does not start here" in refused(Bubblewrap())


HOLES = {
    "calls are not filtered": ("at = line.index('--seccomp'); del line[at : at + 2]", "system calls are filtered"),
    "it can be written to": ("line[end:end] = ['--perms', '0777', '--tmpfs', '/mnt']", "read-only"),
    "the scratch folder has no limit": ("at = line.index('1777'); del line[at - 3 : at - 1]", "limited"),
    "files of this machine are there": ("line[1:1] = ['--ro-bind', '/etc', '/etc']", "files of this machine"),
    "processes are there": ("line[1:1] = ['--proc', '/proc']", "files of this machine"),
    "the environment is there": ("line[end:end] = ['--setenv', 'SECRET', 'x']", "no secret"),
}


@pytest.mark.parametrize("name", HOLES)
def test_a_hole_is_found(name: str, crippled: Path) -> None:
    code, found = HOLES[name]
    write(crippled, f"line = sys.argv[:]; end = line.index('--')\n{code}\nos.execv({REAL!r}, line)")
    off = refused(Bubblewrap())
    assert found in off
    assert "does not hold here" in off


def test_the_self_test_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox = Bubblewrap()
    first = sandbox.off
    monkeypatch.undo()
    assert sandbox.off == first != ""
    assert Bubblewrap().off == ""


def test_it_can_be_asked_within_a_loop_and_by_many_at_once() -> None:
    sandbox = Bubblewrap()

    async def scene() -> set[str]:
        return {sandbox.off, *await asyncio.gather(*(asyncio.to_thread(lambda: sandbox.off) for _ in range(8)))}

    assert alone(scene()) == {""}


def test_code_runs_in_the_loop_of_whoever_opens() -> None:
    async def scene() -> Outcome:
        session = await Bubblewrap().open({})
        try:
            return (await session.run("import numpy")).outcome
        finally:
            await session.close()

    assert alone(scene()) is Outcome.DONE


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"sandbox": "off"}, "switched that off"),
        ({"host": "0.0.0.0"}, "EASEL_SANDBOX"),
        ({"allowed_hosts": ["studio.example"]}, "EASEL_SANDBOX"),
        ({"sandbox": "off", "host": "0.0.0.0"}, "switched that off"),
    ],
)
def test_a_host_decides_whether_there_is_one(settings: dict[str, object], why: str) -> None:
    sandbox = sandbox_of(Settings(**settings))  # type: ignore[arg-type]
    assert isinstance(sandbox, NoSandbox)
    assert why in refused(sandbox)


@pytest.mark.parametrize("settings", [{}, {"sandbox": "on", "host": "0.0.0.0"}])
def test_where_there_is_one_it_is_bubblewrap(settings: dict[str, object]) -> None:
    assert isinstance(sandbox_of(Settings(**settings)), Bubblewrap)  # type: ignore[arg-type]


def test_what_is_shown_of_this_machine_is_software_alone() -> None:
    options = list(host.shown().options)
    sources = [options[k + 1] for k, word in enumerate(options) if word in ("--ro-bind", "--dev-bind")]
    site = {Path(place) for place in sys.path if "site-packages" in place}
    for source in map(Path, sources):
        if source.parts[1] in ("usr", "lib", "lib64", "dev"):
            continue
        base = Path(sys.base_prefix)
        assert base in (source, *source.parents) or any(place in source.parents for place in site), source
    assert not any(Path.home() == Path(source) for source in sources)
    assert not [option for option in options if option in ("--bind", "--bind-try", "--proc")]
    assert {source for source in sources if source.startswith("/dev")} == {
        f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom")
    }
