"""Imports in a terminal: who does them, how far they are, and what came of them."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NoReturn, TypeVar
from urllib.parse import quote

import typer

from easel_app.settings import Settings

if TYPE_CHECKING:
    from rich.console import Console

    from easel_app.services.studio import Studio
    from easel_app.services.taking_in.imports import ImportView
    from easel_app.services.taking_in.intake import Progress

PAUSE = 0.2
"""Seconds between two looks at an import of a served studio."""
QUIET = 10.0
"""Seconds between two lines where no bar can be drawn."""
DONE, REFUSED, IN_PART = 0, 1, 2
"""Exit codes."""
STOPPED = "Stopped; what is stored stays, and the same command goes on with it."
Told = Callable[["Progress"], None]
W = TypeVar("W")
Importer = Callable[[W, Told, threading.Event], Any]
"""Imports what is wished, tells how far it is, and stops when asked to; gives the report."""


class Kind(NamedTuple, Generic[W]):
    """One kind of data to import."""

    route: str
    """Where a served studio imports them, such as `/api/rubrics/imports`."""
    view: type[ImportView[Any]]
    """What it answers there."""
    take_in: Callable[[Studio, W, Told, Callable[[], bool]], Any]
    """Imports into a studio of this process; gives the report."""


def take_in(kind: Kind[W], wish: W, settings: Settings) -> NoReturn:
    """Import what is wished and leave with the exit code: 0 all is in, 1 refused, 2 a part was left out."""
    from rich.console import Console

    from easel_app.services.problems import Refusal
    from easel_app.terminal import RunRefused

    console = Console(stderr=True)
    try:
        with _importer(kind, settings) as importer, _stopping(console) as stop, _bar(console) as told:
            report = importer(wish, told, stop)
    except (Refusal, RunRefused) as refusal:
        give_up(str(refusal))
    _print(report)
    raise typer.Exit({"imported": DONE, "refused": REFUSED, "imported in part": IN_PART}[report.state])


def plain(text: str) -> str:
    """A line for a terminal, which names in the data cannot steer."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things in words; `many` is what they are called where it is not `one` with an s."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def give_up(message: str) -> NoReturn:
    """End the command with a sentence on stderr."""
    typer.echo(message, err=True)
    raise typer.Exit(1)


def _print(report: Any) -> None:
    """Print the report: what is refused and what is odd to stderr, line by line, then what came of it."""
    for mark, remarks, more in (
        ("note", report.notes, report.more_notes),
        ("refused", report.faults, report.more_faults),
    ):
        for remark in remarks:
            typer.echo(plain(f"{mark}: {remark.place}: {remark.message}"), err=True)
        if more:
            typer.echo(f"{mark}: and {more:,} more", err=True)
    if report.followers:
        where = ", ".join(report.followers) + (" …" if report.followed > len(report.followers) else "")
        typer.echo(plain(f"left out, for what they belong to is refused: {where}"), err=True)
    if report.state == "refused":
        count = f"{report.refused:,} record{'' if report.refused == 1 else 's'}"
        what = f"{count} refused" if report.refused else "there is no record in it"
        rest = f"; --partial imports the rest: {report.sound.text()}" if report.sound.records else ""
        typer.echo(f"Nothing was imported: {what}{rest}.", err=True)
    else:
        typer.echo(plain(report.sentence()))


@contextmanager
def _importer(kind: Kind[W], settings: Settings) -> Iterator[Importer[W]]:
    """Who imports: the studio that serves the data folder, else this process."""
    from easel_app.services.studio import Studio
    from easel_app.store.database import StoreInUse, StoreUnusable

    try:
        studio = Studio(settings)
    except StoreInUse as used:
        if not used.address:
            give_up(str(used))
        with _served(kind, used.address) as importer:
            yield importer
        return
    except StoreUnusable as error:
        give_up(str(error))
    try:
        yield _here(kind, studio)
    finally:
        studio.close()


def _here(kind: Kind[W], studio: Studio) -> Importer[W]:
    from easel_app.services.taking_in.intake import ImportStopped
    from easel_app.sources.found import Stopped

    def importer(wish: W, told: Told, stop: threading.Event) -> Any:
        try:
            return kind.take_in(studio, wish, told, stop.is_set)
        except (ImportStopped, Stopped):
            give_up(STOPPED)

    return importer


@contextmanager
def _served(kind: Kind[W], address: str) -> Iterator[Importer[W]]:
    from easel_app.services.taking_in.intake import Progress
    from easel_app.terminal import Remote

    with closing(Remote(address)) as remote:

        def ask(method: str, path: str, **more: object) -> ImportView[Any]:
            return kind.view.model_validate_json(remote._send(method, f"{kind.route}/{path}", **more))

        def importer(wish: Any, told: Told, stop: threading.Event) -> Any:
            view, asked = ask("POST", "source", json=wish.model_dump()), False
            while view.state == "running":
                told(Progress(view.stage, view.records, view.total, view.bytes, view.size))
                time.sleep(PAUSE)
                if stop.is_set() and not asked:
                    asked = True
                    ask("DELETE", quote(view.import_id))
                view = ask("GET", quote(view.import_id))
            if view.report is None:
                give_up(STOPPED if view.state == "stopped" else view.reason)
            return view.report

        yield importer


@contextmanager
def _bar(console: Console) -> Iterator[Told]:
    """Shows how far an import is: a bar where a person may be looking, else a line now and then."""
    from rich import progress as rich

    if not console.is_terminal:
        yield _Lines(console)
        return
    columns = (rich.TextColumn("{task.description}"), rich.BarColumn(40), rich.DownloadColumn())
    counts = (rich.TextColumn("{task.fields[records]}"), rich.TimeRemainingColumn())
    with rich.Progress(*columns, *counts, console=console, transient=True) as bar:
        task = bar.add_task("starting", total=None, records="")
        shown = ["starting"]

        def told(progress: Progress) -> None:
            if progress.stage != shown[0]:
                shown[0] = progress.stage
                bar.reset(task)
            words = f"{progress.records:,} records" if progress.records else ""
            bar.update(task, description=progress.stage, total=progress.size, completed=progress.bytes, records=words)

        yield told


class _Lines:
    """Tells how far an import is by a line now and then."""

    def __init__(self, console: Console) -> None:
        self._console, self._due = console, time.monotonic() + QUIET

    def __call__(self, progress: Progress) -> None:
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + QUIET
            done, size = progress.bytes / 1e6, progress.size / 1e6
            self._console.print(f"{progress.stage}: {progress.records:,} records, {done:.0f} of {size:.0f} MB")


@contextmanager
def _stopping(console: Console) -> Iterator[threading.Event]:
    """Ctrl-C asks to stop after the record that is looked at; a second one leaves at once."""
    stop = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        console.print("Stopping. Ctrl-C again leaves at once.")

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
