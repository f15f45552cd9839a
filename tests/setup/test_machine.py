"""What has to come from the machine: a browser for the tests and the libraries that skia needs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.setup import browser, debian, libraries


def program(path: Path, body: str) -> Path:
    """An executable shell script."""
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_the_browser_that_the_environment_names_is_the_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = program(tmp_path / "browser", "exit 0")
    program(tmp_path / "chromium", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("EASEL_CHROMIUM", str(named))
    assert browser.find_browser() == browser.ensure_browser() == str(named)


def test_a_named_browser_that_does_not_start_is_an_error_and_no_other_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "chromium", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("EASEL_CHROMIUM", str(tmp_path / "nothing"))
    assert browser.find_browser() is None
    with pytest.raises(SystemExit, match="does not start as a browser"):
        browser.ensure_browser()


def test_a_stub_that_only_says_how_to_get_a_browser_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "chromium-browser", "echo install me; exit 1")
    good = program(tmp_path / "google-chrome", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("EASEL_CHROMIUM", raising=False)
    assert browser.find_browser() == str(good)


def test_nothing_is_installed_where_there_is_no_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert debian.install("libegl1") is False


@pytest.mark.parametrize("need", [libraries.SKIA, libraries.PLAYWRIGHT], ids=["skia", "playwright"])
def test_what_the_packages_need_is_here(need: libraries.Need) -> None:
    assert libraries.missing_library(Path(sys.executable), need) is None


def fail_with(folder: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> Path:
    """A Python that fails as the real one does without a library, in a world without apt-get."""
    monkeypatch.setenv("PATH", str(folder))  # nothing is installed by a test
    return program(folder / "python", f"echo '{said}' >&2; exit 1")


@pytest.mark.parametrize(
    ("need", "said", "told"),
    [
        (libraries.SKIA, "ImportError: libEGL.so.1: cannot open shared object file", "libegl1 libgl1 libexpat1;"),
        (libraries.SKIA, "ImportError: libGL.so.1: cannot open shared object file", "libegl1 libgl1 libexpat1;"),
        (
            libraries.PLAYWRIGHT,
            "driver/node: error while loading shared libraries: libatomic.so.1: cannot open shared object file",
            "libatomic1;",
        ),
    ],
)
def test_a_missing_library_is_named_with_the_command_that_gets_it(
    need: libraries.Need, said: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = fail_with(tmp_path, monkeypatch, said)
    library = said.split(": cannot open")[0].split(": ")[-1]
    with pytest.raises(SystemExit) as stop:
        libraries.ensure(python, need)
    assert f"needs the system library {library}, which is missing" in str(stop.value)
    assert f"sudo apt-get install {told}" in str(stop.value)


def test_the_library_is_found_in_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "skia.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file: No such file')\n")
    need = libraries.SKIA._replace(probe=("-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import skia"))
    assert libraries.missing_library(Path(sys.executable), need) == "libGL.so.1"


def test_a_missing_library_that_nobody_foresaw_is_named_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = fail_with(tmp_path, monkeypatch, "ImportError: libnew.so.7: cannot open shared object file")
    with pytest.raises(SystemExit, match=r"libnew\.so\.7, which is missing: install it, then try again"):
        libraries.ensure(python, libraries.SKIA)


def test_another_failure_is_shown_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = fail_with(tmp_path, monkeypatch, "GLIBC_2.99 not found")
    with pytest.raises(SystemExit, match=r"GLIBC_2\.99 not found"):
        libraries.ensure(python, libraries.SKIA)
