"""Long work in a terminal: a live table, or now and then a line where none can be drawn, until it no longer goes on."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Generic, NamedTuple, NoReturn, TypeVar

from rich.console import Console, RenderableType
from rich.live import Live

PAUSE = 0.25
"""Seconds between two looks."""
QUIET = 10.0
"""Seconds between two lines where no table can be drawn."""
LEFT = 128 + signal.SIGINT
"""Exit code of a command that is left at once."""
PIPED = 120
"""Columns of what goes to a file or a pipe."""
V = TypeVar("V")


class Followed(NamedTuple, Generic[V]):
    """Work that can be looked at and stopped."""

    look: Callable[[], V]
    """How it is now."""
    stop: Callable[[], object]
    """Asks it to stop."""
    works: Callable[[V], bool]
    """Whether it goes on."""
    mark: Callable[[V], object]
    """What is told at once by a line when it changes."""
    line: Callable[[V], str]
    table: Callable[[V], RenderableType]


def console_of(*, stderr: bool) -> Console:
    """A console as wide as its terminal, else as `PIPED`."""
    console = Console(stderr=stderr)
    if not console.is_terminal:
        console.width = PIPED
    return console


def follow(view: V, work: Followed[V], console: Console) -> V:
    """Show work until it no longer goes on; Ctrl-C stops it, a second Ctrl-C leaves at once."""
    with _stopping(work.stop, console):
        if not console.is_terminal:
            return _lines(view, work, console)
        with Live(work.table(view), console=console, refresh_per_second=8, transient=True) as live:
            while work.works(view):
                time.sleep(PAUSE)
                view = work.look()
                live.update(work.table(view))
    return view


def _lines(view: V, work: Followed[V], console: Console) -> V:
    due, told = time.monotonic() + QUIET, work.mark(view)
    while work.works(view):
        time.sleep(PAUSE)
        view = work.look()
        if work.works(view) and (time.monotonic() >= due or work.mark(view) != told):
            console.print(work.line(view), highlight=False, markup=False)
            due, told = time.monotonic() + QUIET, work.mark(view)
    return view


@contextmanager
def _stopping(stop: Callable[[], object], console: Console) -> Iterator[None]:
    asked: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if asked:
            _leave(console)
        asked.append(number)
        console.print("Stopping: calls under way are still recorded. Ctrl-C again leaves at once.")
        stop()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(console: Console) -> NoReturn:
    """End the process here: it would wait for threads that are at something long, and what is recorded stays so."""
    with suppress(RuntimeError, OSError):  # in the middle of another write, or when nobody reads any more
        console.show_cursor()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    os._exit(LEFT)
