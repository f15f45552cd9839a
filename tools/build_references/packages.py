"""npm packages by name and pinned version, fetched by the ordinary client into the build folder."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path


def read(build: Path, package: str, version: str, *inside: str) -> list[bytes]:
    """Files of a package; one that is in the build folder already is not fetched again.

    Args:
        build: where packages are kept, outside version control.
        package: its name, such as `@fontsource/caveat`.
        version: which one.
        inside: paths of the files in it.

    Raises:
        KeyError: the package has no such file.
    """
    build.mkdir(parents=True, exist_ok=True)
    archive = build / f"{package.removeprefix('@').replace('/', '-')}-{version}.tgz"
    if not archive.exists():
        command = ["npm", "pack", "--silent", "--pack-destination", str(build), f"{package}@{version}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    found = []
    with tarfile.open(archive) as tar:
        for name in inside:
            member = tar.extractfile(f"package/{name}")
            assert member is not None  # noqa: S101 (a file of the archive, not a folder)
            found.append(member.read())
    return found
