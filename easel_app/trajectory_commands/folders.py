"""The data set's folder as an option, and a bar that shows how far the work in it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from easel_app.import_terminal import QUIET

FOLDER = Path("easel-trajectories")
FolderArgument = Annotated[Path, typer.Argument(help="Folder of the data set.")]
Told = Callable[[str, int, int], None]
"""What is counted, how many are done, of how many."""


@contextmanager
def bar() -> Iterator[Told]:
    """Show how far the work is, on stderr: a bar in a terminal, elsewhere a line now and then."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        due = time.monotonic() + QUIET

        def line(what: str, done: int, total: int) -> None:
            nonlocal due
            if time.monotonic() >= due:
                console.print(f"{what}: {done:,} of {total:,}", highlight=False)
                due = time.monotonic() + QUIET

        yield line
        return
    columns = (TextColumn("{task.description}"), BarColumn(30), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console) as progress:
        tasks = {}

        def move(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total)
            progress.update(tasks[what], completed=done, total=total)

        yield move
