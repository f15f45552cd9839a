"""Sessions as files and data sets, in a terminal: `easel export`, which works while a studio serves the data folder."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, NoReturn

import typer

from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.exports.service import Exports
    from easel_app.services.sessions import SessionService
    from easel_app.services.tasks import TaskService
    from easel_app.store.runs import RunStore

OPEN_SESSIONS = 4
"""Sessions kept in memory."""


class Form(StrEnum):
    """What a session, or a set of them, is exported as."""

    HTML = "html"
    WEBP = "webp"
    GIF = "gif"
    MP4 = "mp4"
    PNG = "png"
    ATIF = "atif"
    LOG = "log"
    DATASET = "dataset"


KINDS = {Form.HTML: "html", Form.PNG: "png", Form.ATIF: "atif.json", Form.LOG: "jsonl"}
"""How the file names of forms end that are not called so themselves."""


class _Reading(NamedTuple):
    """What there is to read in a data folder."""

    sessions: SessionService
    tasks: TaskService
    runs: RunStore


class _Shown(NamedTuple):
    """How pictures and clips show a session."""

    step: int | None
    scale: int
    fps: int
    frames: int
    reference: bool


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to the `easel` command; `settings` makes settings of its options."""

    @cli.command()
    def export(
        session: Annotated[str | None, typer.Argument(help="One session, as its link names it.")] = None,
        form: Annotated[
            Form, typer.Option("--as", help="dataset: a folder in Hugging Face layout; all else is one file.")
        ] = Form.HTML,
        out: Annotated[Path | None, typer.Option(help="File, or folder of a data set.")] = None,
        run: Annotated[str | None, typer.Option(help="Data set: the ended sessions of this run.")] = None,
        task: Annotated[str | None, typer.Option(help="Data set: those of this task.")] = None,
        player: Annotated[str | None, typer.Option(help="Data set: those of players of this name.")] = None,
        everything: Annotated[bool, typer.Option("--all", help="Data set: all of published tasks.")] = False,
        step: Annotated[int | None, typer.Option(min=0, help="png: the canvas after this step.")] = None,
        scale: Annotated[int, typer.Option(min=1, max=8, help="png: enlarge by this factor.")] = 1,
        fps: Annotated[int, typer.Option(min=1, max=30, help="Clips: frames a second.")] = 12,
        frames: Annotated[int, typer.Option(min=2, max=600, help="Clips: frames at most, evenly spread.")] = 240,
        reference: Annotated[bool, typer.Option("--reference", help="Clips: show the reference beside it.")] = False,
        push: Annotated[str | None, typer.Option(metavar="NAME/REPO", help="Push the data set there, too.")] = None,
        private: Annotated[bool, typer.Option("--private", help="A repository made by --push is private.")] = False,
        data_dir: Annotated[
            Path | None, typer.Option(help="Folder of the database; EASEL_DATA_DIR, else .easel.")
        ] = None,
    ) -> None:
        """Export one session to a file, or ended sessions as a data set.

        html replays the session from disk, without a server; webp, gif and mp4 are clips, png a picture, atif a
        trajectory, log what `easel import` takes. --push takes HF_TOKEN, or the token of `hf auth login`.
        """
        from easel_app.services.problems import Refusal

        narrowed = any(value is not None for value in (run, task, player))
        shown = _Shown(step, scale, fps, frames, reference)
        try:
            if form is Form.DATASET:
                if session or narrowed == everything:
                    _give_up("A data set is of --all, or of a --run, --task or --player; give one of these.")
                _export_set(settings(data_dir=data_dir), out, run, task, player, push, private)
                return
            if session is None or narrowed or everything or push:
                _give_up("A file is of one session, by its id; --run, --task, --player, --all, --push: --as dataset.")
            with _reading(settings(data_dir=data_dir)) as found:
                typer.echo(_export_one(found, session, form, shown, out))
        except Refusal as refusal:
            _give_up(refusal.message)
        except OSError as error:
            _give_up(f"It cannot be written ({error.strerror or error}); choose another place by --out.")


def _export_one(found: _Reading, session: str, form: Form, shown: _Shown, out: Path | None) -> Path:
    """Write a session to a file and return where it is. Raises Refusal, OSError."""
    from easel_app.exports.service import Exports
    from easel_app.exports.whole import whole_file

    exports = Exports(found.sessions, found.tasks)
    path = out or Path(exports.name(session, KINDS.get(form, form.value)))
    with whole_file(path) as unfinished, unfinished.open("wb") as file:
        for piece in _content(exports, session, form, shown):
            file.write(piece)
    return path


def _content(exports: Exports, session: str, form: Form, shown: _Shown) -> Iterator[bytes]:
    import json

    from easel_app.exports.clip import Clip

    if form is Form.HTML:
        yield exports.replay(session).encode()
    elif form is Form.PNG:
        yield exports.picture(session, shown.step, shown.scale)
    elif form is Form.ATIF:
        yield json.dumps(exports.atif(session), ensure_ascii=False, indent=1).encode()
    elif form is Form.LOG:
        yield from (line.encode() for line in exports.log(session))
    else:
        wish = Clip(fps=shown.fps, frames=shown.frames, reference=shown.reference)
        kind = "webp" if form is Form.WEBP else "gif" if form is Form.GIF else "mp4"
        with exports.clip(session, kind, wish) as clip:  # type: ignore[arg-type]
            yield from iter(lambda: clip.read(1 << 20), b"")


def _export_set(
    settings: Settings,
    out: Path | None,
    run: str | None,
    task: str | None,
    player: str | None,
    push: str | None,
    private: bool,
) -> None:
    """Write a data set, push it if asked, and say what is in it. Raises Refusal, OSError."""
    from easel_app.exports.dataset import Chosen, write_dataset

    folder, chosen = out or Path("easel-dataset"), Chosen(run, task, player)
    with _reading(settings) as found:
        if run is not None and found.runs.run(run) is None:
            _give_up(f"There is no run {run!r} in {settings.data_dir}; the tab Connect an agent lists them.")
        tally = write_dataset(folder, chosen, *found, told=_tell)
    left = f"; {tally.left_out} left out, for their task has another picture today or is gone" if tally.left_out else ""
    typer.echo(f"{folder}: {tally.sessions} sessions, {tally.actions} actions, {len(tally.tasks)} tasks{left}")
    if push:
        from easel_app.exports.hub import push as send

        typer.echo(f"pushed to {send(folder, push, private=private)}")


def _tell(count: int) -> None:
    """Progress, where a person may be looking."""
    if sys.stderr.isatty():
        typer.echo(f"\r{count} sessions", nl=False, err=True)


@contextmanager
def _reading(settings: Settings) -> Iterator[_Reading]:
    """What is in the data folder, to be read only, whether or not a studio serves it."""
    from easel_app.painting.env import catalogue
    from easel_app.services.sessions import SessionService
    from easel_app.services.tasks import TaskService
    from easel_app.store.database import ReadOnlyDatabase, StoreUnusable
    from easel_app.store.records import PictureStore, SessionStore
    from easel_app.store.runs import RunStore

    try:
        database = ReadOnlyDatabase(settings.data_dir)
    except StoreUnusable as error:
        _give_up(str(error))
    tasks = TaskService(catalogue(), PictureStore(database))
    try:
        yield _Reading(SessionService(SessionStore(database), tasks, OPEN_SESSIONS), tasks, RunStore(database))
    finally:
        database.close()


def _give_up(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(1)
