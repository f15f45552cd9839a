"""Fills `.venv` with the pinned packages and compiles the kernels; does nothing when both are done already.

Run by `make install`, `make run`, (with `--dev`) `make test` and (with `--train`, for `.venv-train`) `make test-train`.
A stamp in `.venv` says what it was filled from. It is void while an install runs, so that one that was cut short is
begun anew, and so is one that moved or lost its Python.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass, replace

from tools.setup import kernels, libraries, sandbox
from tools.setup.project import BUILD_TOOLS, CONSTRAINTS, EXTRAS, PYPROJECT, ROOT, TRAIN_EXTRAS, VENV, VENV_PYTHON

STAMP = VENV / "easel-setup.json"
UNFINISHED = "not finished"
UNCHECKED = "not tried yet"


@dataclass(frozen=True)
class Stamp:
    """What a virtual environment was made from."""

    checkout: str
    """Folder of the project, which is written into the environment."""
    python: str
    """The interpreter's version and folder."""
    files: str
    """Digest of pyproject.toml and constraints.txt; `UNFINISHED` while they are installed, `UNCHECKED` before a try."""
    extras: list[str]
    """Groups of optional dependencies that are installed."""

    def covers(self, wanted: Stamp) -> bool:
        """Whether an environment with this stamp has everything that is wanted."""
        return replace(self, extras=wanted.extras) == wanted and set(self.extras) >= set(wanted.extras)


def wanted_stamp(*extras: str) -> Stamp:
    """The stamp of an environment that the running Python would make of the project as it is now."""
    digest = hashlib.sha256()
    for path in (PYPROJECT, CONSTRAINTS):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    python = f"{sys.implementation.cache_tag} in {sys.base_prefix}"
    return Stamp(str(ROOT), python, digest.hexdigest(), list(extras))


def read_stamp() -> Stamp | None:
    """The stamp of `.venv`, or None when it has none that can be read."""
    try:
        return Stamp(**json.loads(STAMP.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write_stamp(stamp: Stamp) -> None:
    """Records what `.venv` was made from, in one step that a crash cannot halve."""
    draft = STAMP.with_suffix(".draft")
    draft.write_text(json.dumps(asdict(stamp), indent=1), encoding="utf-8")
    draft.replace(STAMP)


def fault(found: Stamp | None, wanted: Stamp) -> str | None:
    """Why `.venv` has to be made anew, or None when it can be kept and at most be brought up to date.

    An environment without a stamp that works is somebody's own: it is kept and brought up to date.
    """
    probe = "import sys; sys.exit(sys.prefix == sys.base_prefix or sys.implementation.cache_tag != sys.argv[1])"
    try:
        works = not subprocess.run(
            [VENV_PYTHON, "-c", probe, str(sys.implementation.cache_tag)], capture_output=True, check=False
        ).returncode
    except OSError:
        works = False
    if found and found.files == UNFINISHED:
        return "its last install did not finish"
    if found and found.checkout != wanted.checkout:
        return f"it was made in {found.checkout}"
    if found and found.python != wanted.python:
        return f"it was made with {found.python}"
    return None if works else "its Python does not work"


def make_environment() -> None:
    """Makes `.venv` with the running Python, in place of what is there."""
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    VENV.mkdir()
    write_stamp(replace(wanted_stamp(), files=UNFINISHED))
    base = getattr(sys, "_base_executable", sys.executable)  # not a virtual environment's, which may be this one
    subprocess.run([base, "-m", "venv", VENV], check=True)


def fill_environment(*extras: str) -> None:
    """Installs the pinned packages and the project itself, the latter as a link to this checkout."""
    pip = [str(VENV_PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "-qq"]
    pip += ["--only-binary=:all:", "--constraint", str(CONSTRAINTS)]
    subprocess.run([*pip, *BUILD_TOOLS], cwd=ROOT, check=True)
    project = f".[{','.join(extras)}]" if extras else "."
    subprocess.run([*pip, "--no-build-isolation", "--editable", project], cwd=ROOT, check=True)


def ensure(*extras: str) -> None:
    """Makes, repairs or updates `.venv` as far as needed.

    Raises:
        SystemExit: Something is missing that it cannot get; the message says what and how to get it.
    """
    wanted, found = wanted_stamp(*extras), read_stamp()
    reason = fault(found, wanted)
    if found and reason is None and found.covers(wanted):
        return
    try:
        if reason:
            again = f" anew, since {reason}" if VENV.exists() else ""
            print(f"Making {VENV.name}{again} …", flush=True)
            make_environment()
        elif found:
            extras = tuple(sorted({*extras, *found.extras} & set(TRAIN_EXTRAS)))
        wanted = wanted_stamp(*extras)
        write_stamp(replace(wanted, files=UNFINISHED))
        time = "several gigabytes and as many minutes" if "train" in extras else "a minute or two"
        print(f"Installing the packages of constraints.txt into {VENV.name}, {time} the first time …", flush=True)
        fill_environment(*extras)
    except subprocess.CalledProcessError as error:
        sys.exit(
            f"The install stopped, since `python -m {error.cmd[2]}` failed for the reason above: put that right "
            "(often it is the network), then give the same command again."
        )
    write_stamp(replace(wanted, files=UNCHECKED))
    libraries.ensure(VENV_PYTHON, libraries.SKIA)
    if "dev" in extras:
        libraries.ensure(VENV_PYTHON, libraries.PLAYWRIGHT)
    sandbox.offer()
    write_stamp(wanted)


def main() -> None:
    """Command line of the set-up."""
    parser = argparse.ArgumentParser(prog="tools.setup.install", description="Sets up .venv.")
    parser.add_argument("--dev", action="store_true", help="with what the tests need")
    parser.add_argument("--train", action="store_true", help="with what the tests of training need")
    given = parser.parse_args()
    try:
        ensure(*(TRAIN_EXTRAS if given.train else EXTRAS if given.dev else ()))
        kernels.ensure()
    except KeyboardInterrupt:
        sys.exit("\nStopped before the end; the same command begins anew.")


if __name__ == "__main__":
    main()
