"""`easel rubrics import`: rubric data into a set, in a terminal."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, NoReturn
from urllib.parse import quote

import typer

from easel_app.settings import Settings

if TYPE_CHECKING:
    from rich.console import Console

    from easel_app.services.rubrics.imports import NewImport, RubricImport
    from easel_app.services.rubrics.intake import Progress
    from easel_app.services.rubrics.reports import ImportReport
    from easel_app.services.studio import Studio

PAUSE = 0.2
"""Seconds between two looks at an import of a served studio."""
QUIET = 10.0
"""Seconds between two lines where no bar can be drawn."""
DONE, REFUSED, IN_PART = 0, 1, 2
"""Exit codes."""
STOPPED = "Stopped; what is stored stays, and the same command goes on with it."
Told = Callable[["Progress"], None]
Importer = Callable[["NewImport", Told, threading.Event], "ImportReport"]
"""Imports what is wished, tells how far it is, and stops when asked to."""


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel rubrics`; `settings` makes settings of its options."""

    @cli.command("import")
    def take_in(
        source: Annotated[
            str, typer.Argument(help="A file, a folder, or NAME/REPO of the hub, such as ScaleAI/VisualToolBench.")
        ],
        name: Annotated[
            str | None, typer.Option(help="The set's name; else as the data or the source is called.")
        ] = None,
        model: Annotated[
            str | None, typer.Option(help="Whose answers are in files that do not say it; else as the file is called.")
        ] = None,
        judge: Annotated[str | None, typer.Option(help="Who judged in files that do not say it.")] = None,
        partial: Annotated[
            bool, typer.Option("--partial", help="Import what is in order although something else is refused.")
        ] = False,
        revision: Annotated[str | None, typer.Option(help="Of a data set of the hub: branch, tag or commit.")] = None,
        data_dir: Annotated[
            Path | None, typer.Option(help="Folder of the database; EASEL_DATA_DIR, else .easel.")
        ] = None,
    ) -> None:
        """Import tasks with rubrics, answers, verdicts and votes; the same command again goes on where it was cut off.

        Takes JSON lines (easel-rubrics/1), and the data set, responses and judge output of VisualToolBench. All of it
        is looked at first; if something is wrong, nothing is imported unless --partial is given. Exits with 0 when all
        is in, 1 when it was refused, 2 when a part was left out.
        """
        from pydantic import ValidationError
        from rich.console import Console

        from easel_app.services.problems import Refusal
        from easel_app.services.rubrics.imports import NewImport
        from easel_app.terminal import RunRefused

        path = Path(source).expanduser()
        given = {"source": str(path.resolve()) if path.exists() else source, "revision": revision, "name": name}
        try:
            wish = NewImport.model_validate({**given, "model": model, "judge": judge, "partial": partial})
        except ValidationError as error:
            fault = error.errors()[0]
            _give_up(f"The import cannot begin: --{fault['loc'][0]} is not one line of 1 to 80 characters; correct it.")
        console = Console(stderr=True)
        try:
            with _importer(settings(data_dir=data_dir)) as take_in, _stopping(console) as stop, _bar(console) as told:
                report = take_in(wish, told, stop)
        except (Refusal, RunRefused) as refusal:
            _give_up(str(refusal))
        _print(report)
        raise typer.Exit({"imported": DONE, "refused": REFUSED, "imported in part": IN_PART}[report.state])


def _print(report: ImportReport) -> None:
    """Print the report: what is refused and what is odd to stderr, line by line, then what came of it."""
    for mark, remarks, more in (
        ("note", report.notes, report.more_notes),
        ("refused", report.faults, report.more_faults),
    ):
        for remark in remarks:
            typer.echo(_plain(f"{mark}: {remark.place}: {remark.message}"), err=True)
        if more:
            typer.echo(f"{mark}: and {more:,} more", err=True)
    if report.followed:
        where = ", ".join(report.followers) + (" …" if report.followed > len(report.followers) else "")
        typer.echo(_plain(f"left out, for what they belong to is refused: {where}"), err=True)
    if report.state == "refused":
        count = f"{report.refused:,} record{'' if report.refused == 1 else 's'}"
        what = f"{count} refused" if report.refused else "there is no record in it"
        rest = f"; --partial imports the rest: {report.sound.text()}" if report.sound.records else ""
        typer.echo(f"Nothing was imported: {what}{rest}.", err=True)
    else:
        typer.echo(_plain(report.sentence()))


def _plain(text: str) -> str:
    """A line for a terminal, which names in the data cannot steer."""
    return "".join(c if c.isprintable() else "�" for c in text)


@contextmanager
def _importer(settings: Settings) -> Iterator[Importer]:
    """Who imports: the studio that serves the data folder, else this process."""
    from easel_app.services.studio import Studio
    from easel_app.store.database import StoreInUse, StoreUnusable

    try:
        studio = Studio(settings)
    except StoreInUse as used:
        if not used.address:
            _give_up(str(used))
        with _served(used.address) as importer:
            yield importer
        return
    except StoreUnusable as error:
        _give_up(str(error))
    try:
        yield _here(studio)
    finally:
        studio.close()


def _here(studio: Studio) -> Importer:
    from easel_app.services.rubrics.imports import take_in
    from easel_app.services.rubrics.intake import ImportStopped
    from easel_app.sources.found import Stopped

    def importer(wish: NewImport, told: Told, stop: threading.Event) -> ImportReport:
        try:
            return take_in(studio.rubrics.intake, wish, told, stop.is_set)
        except (ImportStopped, Stopped):
            _give_up(STOPPED)

    return importer


@contextmanager
def _served(address: str) -> Iterator[Importer]:
    from easel_app.services.rubrics.imports import RubricImport
    from easel_app.services.rubrics.intake import Progress
    from easel_app.terminal import Remote

    with closing(Remote(address)) as remote:

        def ask(method: str, path: str, **more: object) -> RubricImport:
            return RubricImport.model_validate_json(remote._send(method, f"/api/rubrics/imports/{path}", **more))

        def importer(wish: NewImport, told: Told, stop: threading.Event) -> ImportReport:
            view, asked = ask("POST", "source", json=wish.model_dump()), False
            while view.state == "running":
                told(Progress(view.stage, view.records, view.total, view.bytes, view.size))
                time.sleep(PAUSE)
                if stop.is_set() and not asked:
                    asked = True
                    ask("DELETE", quote(view.import_id))
                view = ask("GET", quote(view.import_id))
            if view.report is None:
                _give_up(STOPPED if view.state == "stopped" else view.reason)
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


def _give_up(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(REFUSED)
