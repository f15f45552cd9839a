"""Code that wants out, as root and as an ordinary user: nothing is reached, and all goes on."""

from __future__ import annotations

import re
import secrets
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import wait_until
from tests.rubrics.sandbox.driving import ROOT, USERS, Driver, alive
from tests.rubrics.sandbox.snippets import HOSTILE

LIMITS = {
    "wall": 3.0, "cpu": 1, "memory": 2**30, "scratch": 24 * 2**20, "file": 8 * 2**20, "processes": 16, "output": 4096,
    "image_bytes": 2 * 2**20, "image_pixels": 10**6,
}  # fmt: skip
EMPTY = """
import os, shutil
for name in os.listdir("."):
    shutil.rmtree(name) if os.path.isdir(name) and not os.path.islink(name) else os.remove(name)
"""
MOST_TOLD = 3 * LIMITS["output"]
"""Characters of stdout or stderr that a model may be told; a byte that is no text is told as one character."""


class Bait:
    """What code must not see or reach, and whether it did."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.secrets = {name: secrets.token_hex() for name in ("file", "database", "environment", "other session")}
        self.canary, self.database, self.unix = folder / "canary.txt", folder / "easel.db", folder / "unix"
        self.canary.write_text(self.secrets["file"])
        with sqlite3.connect(self.database) as connection:
            connection.execute("create table x as select ? as secret", (self.secrets["database"],))
        connection.close()
        self.abstract = f"easel-{secrets.token_hex(8)}"
        self.listeners = {
            "IPv4": stack.enter_context(socket.create_server(("127.0.0.1", 0))),
            "IPv6": stack.enter_context(socket.create_server(("::1", 0), family=socket.AF_INET6)),
            "unix": stack.enter_context(socket.socket(socket.AF_UNIX)),
            "abstract": stack.enter_context(socket.socket(socket.AF_UNIX)),
        }
        self.listeners["unix"].bind(str(self.unix))
        self.listeners["abstract"].bind(f"\0{self.abstract}")
        for name, listener in self.listeners.items():
            if name in ("unix", "abstract"):
                listener.listen()
            listener.setblocking(False)
        for path in (self.canary, self.database):
            path.chmod(0o644)
        self.unix.chmod(0o777)
        self.victim = stack.enter_context(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))
        self.files = {path: path.read_bytes() for path in (self.canary, self.database)}

    def fill_in(self, code: str) -> str:
        """A snippet with the places of this bait."""
        known = {
            "CANARY": self.canary, "DATABASE": self.database, "UNIX": self.unix, "ABSTRACT": self.abstract,
            "PORT4": self.listeners["IPv4"].getsockname()[1], "PORT6": self.listeners["IPv6"].getsockname()[1],
            "PID": self.victim.pid, "CHECKOUT": ROOT,
        }  # fmt: skip
        return re.sub(r"@([A-Z]+[46]?)", lambda match: str(known[match[1]]), code)

    def taken(self, printed: str, told: str) -> set[str]:
        """What was seen, by what was printed and told, or reached, by who knocked."""
        seen = {name for name, secret in self.secrets.items() if secret in told}
        for name, listener in self.listeners.items():
            try:
                listener.accept()[0].close()
                seen.add(name)
            except BlockingIOError:
                pass
        if self.victim.poll() is not None:
            seen.add("a process")
        if "REACHED" in printed:
            seen.add("a place that is shut")
        return seen | {str(path) for path, content in self.files.items() if path.read_bytes() != content}


@pytest.fixture(scope="module")
def bait() -> Iterator[Bait]:
    # not among pytest's own folders, which others cannot enter
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        Path(folder).chmod(0o755)
        yield Bait(Path(folder), stack)


@pytest.fixture(scope="module", params=USERS)
def driver(request: pytest.FixtureRequest, bait: Bait) -> Iterator[Driver]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EASEL_CANARY", bait.secrets["environment"])
        driver = Driver(request.param, **LIMITS)
    assert driver.off == ""
    driver.open("hostile")
    driver.open("other")
    written = driver.run("other", f"open('other.txt', 'w').write({bait.secrets['other session']!r}); print('written')")
    assert written["stdout"] == "written\n"
    started = driver.descendants()
    yield driver
    assert driver.end() == 0
    wait_until(lambda: not alive(started))


def all_told(done: dict[str, Any]) -> str:
    return "\n".join([done["stdout"], done["stderr"], *done["notes"]])


@pytest.mark.parametrize("name", HOSTILE)
def test_code_gets_nothing_and_harms_nobody(name: str, driver: Driver, bait: Bait) -> None:
    snippet = HOSTILE[name]
    done = driver.run("hostile", bait.fill_in(snippet.code))
    told = all_told(done)
    assert bait.taken(done["stdout"], told) == set(), told
    assert done["outcome"] in snippet.outcome.split("|"), told
    assert re.search(snippet.told, told), told
    assert len(done["images"]) == snippet.images, told
    assert max(len(done["stdout"]), len(done["stderr"])) <= MOST_TOLD
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", told)
    assert done["seconds"] < LIMITS["wall"] + 5

    after = driver.run("hostile", f"{EMPTY}print('as before')")
    assert (after["outcome"], after["stdout"]) == ("done", "as before\n"), all_told(after)
    other = driver.run("other", "import os; print(open('other.txt').read(), os.listdir('.'))")
    assert other["stdout"].startswith(bait.secrets["other session"])


@pytest.mark.parametrize(
    ("name", "seen"),
    {
        "the canary": "file",
        "the app's database": "database",
        "the environment": "environment",
        "IPv4": "IPv4",
        "IPv6": "IPv6",
        "a Unix socket": "unix",
        "an abstract socket": "abstract",
        "the checkout": "a place that is shut",
    }.items(),
)
def test_the_bait_is_taken_where_there_is_no_sandbox(name: str, seen: str, bait: Bait, tmp_path: Path) -> None:
    environment = {"EASEL_CANARY": bait.secrets["environment"], "PYTHONPATH": str(ROOT)}
    code = bait.fill_in(HOSTILE[name].code)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert seen in bait.taken(done.stdout, done.stderr + done.stdout), done.stderr
