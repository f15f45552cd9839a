"""Following work in a terminal: what Ctrl-C does, the first time and the second."""

from __future__ import annotations

import subprocess
import sys

import pytest

BUSY = """
import os, signal, sys, threading
from concurrent.futures import ThreadPoolExecutor
from rich.console import Console
from easel_app.live_table import Followed, follow

ThreadPoolExecutor(1).submit(threading.Event().wait, 120)  # which the interpreter would wait for

def look():
    os.kill(os.getpid(), signal.SIGINT)
    return "at work"

print("what was said before", end="")  # and waits in a buffer
told = lambda view: view
work = Followed(look, lambda: print("asked to stop"), lambda view: True, told, told, told)
try:
    follow("at work", work, Console(stderr=True, force_terminal=sys.argv[1] == "terminal"))
finally:
    threading.Event().wait(120)  # as what is closed at the end can take its time
"""


@pytest.mark.parametrize("where", ["terminal", "pipe"])
def test_a_second_ctrl_c_leaves_at_once_whatever_threads_are_at(where: str) -> None:
    command = [sys.executable, "-c", BUSY, where]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 130 and done.stdout.startswith("what was said before")
    assert "asked to stop" in done.stdout + done.stderr  # to where the table is, where there is one
    assert "Ctrl-C again leaves at once" in done.stderr and "Traceback" not in done.stderr
    assert where == "pipe" or done.stderr.rfind("\x1b[?25h") > done.stderr.rfind("\x1b[?25l"), "the cursor is back"
