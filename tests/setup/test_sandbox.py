"""Bubblewrap is brought where that may be done; elsewhere one is told, and only the tests insist on it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.setup.conftest import BASE_PYTHON, Checkout
from tests.setup.test_machine import program
from tools.setup import sandbox

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no bubblewrap")


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of PATH: no bubblewrap, and nothing to install it with."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_one_that_starts_is_found_and_nothing_is_said(bare: Path, capfd: pytest.CaptureFixture[str]) -> None:
    there = program(bare / "bwrap", "exit 0")
    assert sandbox.find() == str(there)
    assert sandbox.offer() is True
    sandbox.main()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("body", ["exit 1", "kill -9 $$"])
def test_one_that_does_not_start_is_none(body: str, bare: Path) -> None:
    program(bare / "bwrap", body)
    assert sandbox.find() is None


def test_where_nothing_may_be_installed_one_is_told_how_to(bare: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert sandbox.offer() is False
    assert "sudo apt-get install bubblewrap" in capfd.readouterr().err


def test_the_tests_insist_on_it(bare: Path) -> None:
    with pytest.raises(SystemExit, match="need bubblewrap"):
        sandbox.main()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may install")
def test_root_gets_it_on_debian(bare: Path, capfd: pytest.CaptureFixture[str]) -> None:
    made = f"[ \"$5\" = bubblewrap ] && printf '#!/bin/sh\\nexit 0\\n' > {bare}/bwrap && /bin/chmod 755 {bare}/bwrap"
    program(bare / "apt-get", made)
    assert sandbox.offer() is True
    assert "apt-get install" not in capfd.readouterr().err


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may install")
def test_an_installer_that_claims_to_be_done_is_not_believed(bare: Path) -> None:
    program(bare / "apt-get", "exit 0")
    assert sandbox.offer() is False


def test_it_needs_nothing_that_is_not_in_the_checkout(checkout: Checkout) -> None:
    done = checkout.run(BASE_PYTHON, "-m", "tools.setup.sandbox")
    assert (done.returncode, done.stdout) == (0, "")
