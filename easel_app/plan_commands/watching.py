"""Long work of a command: shown until it ends, stopped by Ctrl-C, and told how to go on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console

PAUSE = 0.25
"""Seconds between two looks."""
QUIET = 10.0
"""Seconds between two lines where no bar can be drawn."""
PIPED = 120
"""Columns of what goes to a file or a pipe."""


class Work(Protocol):
    """Long work as it is now."""

    state: Any
    total: int
    done: int


W = TypeVar("W", bound=Work)


def follow(view: W, look: Callable[[], W], stop: Callable[[], W], told: Callable[[W], str], console: Console) -> W:
    """Show work until it no longer runs; Ctrl-C stops it, a second Ctrl-C leaves at once."""
    try:
        return _watch(view, look, told, console)
    except KeyboardInterrupt:
        console.print("Stopping: calls under way are still recorded. Ctrl-C again leaves at once.")
        return _watch(stop(), look, told, console)


def _watch(view: W, look: Callable[[], W], told: Callable[[W], str], console: Console) -> W:
    from rich.progress import BarColumn, Progress, TextColumn

    bar = Progress(BarColumn(40), TextColumn("{task.description}"), console=console, transient=True)
    bar.disable = not console.is_terminal
    task, due = bar.add_task(told(view), total=view.total, completed=view.done), time.monotonic() + QUIET
    with bar:
        while view.state == "running":
            time.sleep(PAUSE)
            view = look()
            bar.update(task, description=told(view), completed=view.done)
            if bar.disable and time.monotonic() >= due:
                console.print(told(view), highlight=False)
                due = time.monotonic() + QUIET
    return view


def console_of(stderr: bool) -> Console:
    """A console as wide as its terminal, else as `PIPED`."""
    from rich.console import Console

    console = Console(stderr=stderr)
    if not console.is_terminal:
        console.width = PIPED
    return console


def wrong_option(what: str, fault: Any, command: str) -> str:
    """What is wrong with an option, in one sentence; `fault` is an error of pydantic's."""
    option = "".join(f" --{str(part).replace('_', '-')}" for part in fault["loc"][:1])
    reason = str(fault["msg"]).removeprefix("Value error, ")
    return f"The {what} cannot begin:{option} {reason[:1].lower()}{reason[1:]}; see easel plans {command} --help."


def give_up(message: str) -> NoReturn:
    """Leave the command with a sentence."""
    typer.echo(message, err=True)
    raise typer.Exit(1)
