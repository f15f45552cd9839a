"""What no file of the repository may hold: a package registry's host, or a path of the machine it was written on."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools.setup.project import ROOT

# put together from pieces, so that this file may be checked as well
HOSTS = [
    ".".join(pieces)
    for pieces in (
        ("pypi", "org"),
        ("files", "pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("deb", "debian", "org"),
        ("security", "debian", "org"),
        ("archive", "ubuntu", "com"),
        ("proxy", "golang", "org"),
        ("index", "crates", "io"),
        ("docker", "io"),
        ("conda", "anaconda", "org"),
        ("pkg", "dev"),
    )
]
MACHINE = ["/".join(("", folder, "")) for folder in ("work", "root", "tmp", "home/user", "mnt", "Users")]
MACHINE.append(".".join(("/", "library")))
UNTRACKED = {line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines()} | {".git"}


def repository_files() -> list[Path]:
    """The files that git has or would take; in a copy without git, all in folders that it takes."""
    if (ROOT / ".git").exists():
        listing = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        done = subprocess.run(
            ["git", "-c", f"safe.directory={ROOT}", *listing], cwd=ROOT, capture_output=True, text=True, check=True
        )
        files = [ROOT / name for name in done.stdout.split("\0") if name]
    else:
        files = [path for path in ROOT.rglob("*") if UNTRACKED.isdisjoint(path.relative_to(ROOT).parts)]
    return [path for path in files if path.is_file()]


def holders(text: str) -> list[str]:
    """Names of the files that hold a text."""
    return [str(path.relative_to(ROOT)) for path in repository_files() if text.encode() in path.read_bytes()]


def test_there_are_files_to_look_at() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in repository_files()}
    assert {"Makefile", "constraints.txt", "tests/setup/test_repository.py", "easel_app/cli.py"} <= names


@pytest.mark.parametrize("host", HOSTS)
def test_no_file_names_a_package_registry(host: str) -> None:
    assert holders(host) == []


@pytest.mark.parametrize("folder", MACHINE)
def test_no_file_names_a_folder_of_the_machine_it_was_written_on(folder: str) -> None:
    assert holders(folder) == []


def test_the_licence_is_apache_2_in_full() -> None:
    text = (ROOT / "LICENSE").read_text()
    assert "Apache License\n                           Version 2.0, January 2004" in text
    assert "9. Accepting Warranty or Additional Liability." in text
    assert "END OF TERMS AND CONDITIONS" in text
