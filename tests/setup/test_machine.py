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


def test_skia_can_be_imported_here() -> None:
    assert libraries.missing_library(Path(sys.executable)) is None


def fail_import(folder: Path, monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    """Puts a skia first on the import path that fails as the real one does without its libraries."""
    (folder / "skia.py").write_text(f"raise ImportError({reason!r})\n")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("PATH", str(folder))  # no apt-get: nothing is installed by a test


def test_missing_libraries_are_named_with_the_command_that_gets_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_import(tmp_path, monkeypatch, "libEGL.so.1: cannot open shared object file: No such file or directory")
    with pytest.raises(SystemExit, match=r"libEGL\.so\.1, which is missing.*apt-get install libegl1 libgl1 libexpat1"):
        libraries.ensure(Path(sys.executable))


def test_a_missing_library_that_nobody_foresaw_is_named_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_import(tmp_path, monkeypatch, "libnew.so.7: cannot open shared object file: No such file or directory")
    with pytest.raises(SystemExit, match=r"libnew\.so\.7, which is missing"):
        libraries.ensure(Path(sys.executable))


def test_another_failure_of_skia_is_shown_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_import(tmp_path, monkeypatch, "GLIBC_2.99 not found")
    with pytest.raises(SystemExit, match=r"GLIBC_2\.99 not found"):
        libraries.ensure(Path(sys.executable))
