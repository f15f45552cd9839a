"""Writes constraints.txt: one exact version of each package, good for every supported Python (`make pins`).

The oldest Python chooses, since a release that still runs there runs on the newer ones too; each newer Python found on
PATH then resolves under these versions, and what only it needs is added with a marker. Only wheels count, so that
nobody needs a compiler.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

from tools.setup.project import BUILD_TOOLS, CONSTRAINTS, TRAIN_EXTRAS, requirements

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
HEADER = "# One exact version of every package of the project, for each Python from 3.11 on; written by `make pins`."


def canonical(name: str) -> str:
    """A package's name in the one spelling that compares."""
    return re.sub(r"[-_.]+", "-", name).lower()


def resolve(python: str, pins: dict[str, str]) -> dict[str, str]:
    """Versions, by name, that pip would install into an empty environment.

    Args:
        python: Command of an interpreter that has pip.
        pins: Versions that are settled already; they bind and bring in nothing.

    Raises:
        subprocess.CalledProcessError: There is no such set of wheels; pip has said why.
    """
    flags = ["--dry-run", "-qq", "--ignore-installed", "--only-binary=:all:", "--report=-"]
    done = subprocess.run(
        [python, "-m", "pip", "install", *flags, "-c", "/dev/stdin", *requirements(*TRAIN_EXTRAS), *BUILD_TOOLS],
        input="".join(f"{name}=={version}\n" for name, version in pins.items()),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = [each["metadata"] for each in json.loads(done.stdout)["install"]]
    return {canonical(each["name"]): each["version"] for each in found}


def pin(pythons: dict[str, str]) -> list[str]:
    """The lines of constraints.txt, by name.

    Args:
        pythons: Command of each interpreter by its version, oldest first.
    """
    pins: dict[str, str] = {}
    lines: list[str] = []
    for version, python in pythons.items():
        fresh = {name: pinned for name, pinned in resolve(python, pins).items() if name not in pins}
        marker = f' ; python_version >= "{version}"' if pins else ""
        lines += [f"{name}=={pinned}{marker}" for name, pinned in fresh.items()]
        pins |= fresh
        print(f"Python {version}: {len(fresh)} packages{' more' if marker else ''}.")
    return sorted(lines)


def main() -> None:
    """Pins with every supported Python on PATH; the oldest must be there."""
    found = {version: shutil.which(f"python{version}") for version in VERSIONS}
    pythons = {version: python for version, python in found.items() if python}
    if VERSIONS[0] not in pythons:
        sys.exit(f"Pinning needs Python {VERSIONS[0]}, which chooses the versions: put python{VERSIONS[0]} on PATH.")
    if missing := [version for version in VERSIONS if version not in pythons]:
        print(f"Not on PATH, hence not tried: Python {', '.join(missing)}.")
    CONSTRAINTS.write_text("\n".join([HEADER, *pin(pythons), ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
