"""A driver as a process of its own, run by root or by an ordinary user, and what of it is left behind."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
USERS = ["root", "ordinary"] if os.geteuid() == 0 else ["ordinary"]
"""As whom it can be run: an ordinary user cannot become root, root can become any."""


class Driver:
    """A process that opens sandboxes."""

    def __init__(self, user: str, **limits: Any) -> None:
        other = [str(HERE / "ordinary.py")] if os.geteuid() == 0 and user == "ordinary" else []
        module = ["-W", "error", "-m", "tests.rubrics.sandbox.driver", json.dumps(limits)]
        self.process = subprocess.Popen(
            [sys.executable, *other, *module], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.off = self._hear()["off"]

    def open(self, name: str, images: Mapping[str, bytes] | None = None, keep: bool = False) -> None:
        coded = {key: base64.b64encode(value).decode() for key, value in (images or {}).items()}
        self._say({"do": "open", "name": name, "images": coded, "keep": keep})

    def run(self, name: str, code: str) -> dict[str, Any]:
        done = self._say({"do": "run", "name": name, "code": code})
        return {**done, "images": [(name, base64.b64decode(content)) for name, content in done["images"]]}

    def close(self, name: str) -> None:
        self._say({"do": "close", "name": name})

    def end(self) -> int:
        """Let it end by itself; its status."""
        assert self.process.stdin
        self.process.stdin.close()
        status = self.process.wait(30)
        self._let_go()
        return status

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._let_go()

    def _let_go(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()

    def descendants(self) -> set[int]:
        return descendants(self.process.pid)

    def _say(self, wish: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(wish) + "\n")
        self.process.stdin.flush()
        return self._hear()

    def _hear(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, f"the driver ended with status {self.process.wait(10)}"
        return dict(json.loads(line))


def descendants(number: int) -> set[int]:
    """Processes that a process started, and those that these did."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, new = set(), {number}
    while new:
        new = {child for child, parent in parents.items() if parent in new} - found
        found |= new
    return found


def named(word: str) -> set[int]:
    """Processes that have a word in their command line, whoever started them."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if word.encode() in line.split(b"\0"):
                found.add(int(folder.name))
    return found


def alive(numbers: set[int]) -> set[int]:
    """Those that still run; one that ended and waits for its parent to ask does not."""
    found = set()
    for number in numbers:
        try:
            state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state not in "ZX":
            found.add(number)
    return found
