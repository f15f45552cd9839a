"""Work of models on a set in a terminal: who does it, how far it is, and what came of it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NoReturn, Protocol, TypeVar

import typer

from easel_app.import_terminal import give_up
from easel_app.services.wings import Wing
from easel_app.sets_terminal import chosen
from easel_app.settings import Settings

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console

    from easel_app.services.set_library import SetLibrary
    from easel_app.services.studio import Studio

PAUSE = 0.25
"""Seconds between two looks."""
QUIET = 10.0
"""Seconds between two lines where no bar can be drawn."""


class View(Protocol):
    """Work as it is now."""

    state: Any
    total: int
    done: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    trouble: str
    eta: float | None

    def model_dump_json(self, *, indent: int | None = None) -> str:
        """All of it as JSON."""


W = TypeVar("W", bound="BaseModel")
W_contra = TypeVar("W_contra", bound="BaseModel", contravariant=True)
V = TypeVar("V", bound=View)
V_co = TypeVar("V_co", bound=View, covariant=True)


class Control(Protocol[W_contra, V_co]):
    """Begins and stops work."""

    def start(self, wish: W_contra, /) -> V_co:
        """Begin it or go on with it."""

    def view(self, wanted: str, /) -> V_co:
        """The work as it is now."""

    def stop(self, wanted: str, /) -> V_co:
        """Ask it to stop."""

    def close(self) -> None:
        """Let go of it."""


class Work(NamedTuple, Generic[W, V]):
    """One kind of work."""

    wing: Wing
    """Of which sets."""
    what: str
    """What it is called in routes and ids, such as `judging`."""
    command: str
    """Which command asks for it, such as `judge`."""
    does: str
    """What a studio does, such as `judges`."""
    been: str
    """What happens to a set, such as `judged`."""
    wish: type[W]
    """What is asked for; has `set_id` and `key`."""
    view: type[Any]
    """What a served studio answers; a model of pydantic's."""
    here: Callable[[Studio], Control[W, V]]
    """Who does it in this process."""
    library: Callable[[Studio], SetLibrary]
    """Where the sets of a studio of this process are."""
    counts: Callable[[V], Iterable[str]]
    """How far it is, the first of them after the state and a colon."""
    remarks: Callable[[V], Iterable[str]]
    """What to tell at the end, in sentences; those that are empty are left out."""
    stop: tuple[str, str] = ("DELETE", "")
    """Method and end of the path by which a served studio is told to stop."""
    parts: tuple[str, ...] = ()
    """Fields of a wish that are no options, but hold some."""


class Worker(NamedTuple, Generic[W, V]):
    """Somebody who works."""

    control: Control[W, V]
    sets: Mapping[str, str]
    """Names of the sets there, by id."""
    where: str
    """Who it is, in one sentence."""


def carry_out(work: Work[W, V], given: Mapping[str, Any], wanted: str, settings: Settings, as_json: bool) -> NoReturn:
    """Have work done on a set and leave with the exit code: 0 all is done, 2 something was left, 3 stopped.

    Args:
        work: what kind of work.
        given: fields of the wish, but for the set and the common key.
        wanted: the set, by id or name.
        settings: where the data folder is, and the key.
        as_json: whether the result is printed as JSON, and all else to stderr.
    """
    from pydantic import ValidationError
    from rich.text import Text

    from easel_app.live_table import console_of
    from easel_app.services.problems import Refusal
    from easel_app.store.database import StoreUnusable
    from easel_app.terminal import RunRefused

    try:
        wish = work.wish.model_validate({**given, "set_id": "", "key": settings.endpoint_key})
    except ValidationError as error:
        give_up(_wrong_option(work, error.errors()[0]))
    console = console_of(stderr=as_json)
    try:
        with _worker(work, settings) as (control, sets, where):
            view = control.start(wish.model_copy(update={"set_id": chosen(work.wing, sets, wanted)}))
            typer.echo(where, err=True)
            view = _follow(work, control, view, console)
    except (Refusal, RunRefused, StoreUnusable) as refusal:
        give_up(str(refusal))
    console.print(_standing(work, view), highlight=False)
    for sentence in filter(None, work.remarks(view)):
        console.print(Text(sentence))
    if as_json:
        typer.echo(view.model_dump_json(indent=1))
    raise typer.Exit(3 if view.state != "finished" else 2 if view.done < view.total else 0)


@contextmanager
def _worker(work: Work[W, V], settings: Settings) -> Iterator[Worker[W, V]]:
    """Who works, until the end of the block: the studio that serves the data folder, else this process.

    Raises:
        StoreUnusable: another process has the data folder open and does not serve it, or it cannot be used.
        RunRefused: the studio that serves it cannot be reached.
    """
    from easel_app.services.studio import Studio
    from easel_app.store.database import StoreInUse

    try:
        studio = Studio(settings)
    except StoreInUse as used:
        if not used.address:
            raise
        with _served(work, used.address) as worker:
            yield worker
        return
    try:
        with closing(work.here(studio)) as control:
            where = f"No studio serves {settings.data_dir.resolve()}, so it is {work.been} here."
            yield Worker(control, work.library(studio).names(), where)
    finally:
        studio.close()


@contextmanager
def _served(work: Work[W, V], address: str) -> Iterator[Worker[W, V]]:
    from easel_app.terminal import Remote, in_the_open

    class Served(Remote):
        """Work of a served studio. Each method raises RunRefused."""

        def start(self, wish: W) -> V:
            return self._ask("POST", "", json=in_the_open(wish))

        def view(self, wanted: str) -> V:
            return self._ask("GET", f"/{wanted}")

        def stop(self, wanted: str) -> V:
            method, end = work.stop
            return self._ask(method, f"/{wanted}{end}")

        def sets(self) -> dict[str, str]:
            found = json.loads(self._send("GET", f"/api/{work.wing.name}/sets"))
            return {each["set_id"]: each["name"] for each in found}

        def _ask(self, method: str, path: str, **more: Any) -> V:
            content = self._send(method, f"/api/{work.wing.name}/{work.what}s{path}", **more)
            view: V = work.view.model_validate_json(content)
            return view

    with closing(Served(address)) as remote:
        where = f"The studio at {address} {work.does}; look at it at {address}/?tab={work.wing.name}"
        yield Worker(remote, remote.sets(), where)


def _follow(work: Work[W, V], control: Control[W, V], view: V, console: Console) -> V:
    """Show work until it no longer runs; Ctrl-C stops it, a second Ctrl-C leaves at once."""
    wanted = getattr(view, f"{work.what}_id")
    look, told = lambda: control.view(wanted), lambda view: _standing(work, view)
    try:
        return _watch(view, look, told, console)
    except KeyboardInterrupt:
        console.print("Stopping: calls under way are still recorded. Ctrl-C again leaves at once.")
        return _watch(control.stop(wanted), look, told, console)


def _watch(view: V, look: Callable[[], V], told: Callable[[V], str], console: Console) -> V:
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


def _standing(work: Work[W, V], view: V) -> str:
    first, *rest = work.counts(view)
    parts = [f"{view.state}: {first}", *rest]
    if view.calls:
        parts.append(f"{view.prompt_tokens + view.completion_tokens:,} tokens")
        parts.append(f"cost {view.cost:.4f}" if view.cost is not None else "cost unknown")
    if view.trouble:
        parts.append(f"the endpoint gives no answer: {view.trouble}")
    if view.eta is not None:
        parts.append(f"{view.eta:.0f} s to go")
    return ", ".join(parts)


def _wrong_option(work: Work[Any, Any], fault: Any) -> str:
    """What is wrong with an option, in one sentence; `fault` is an error of pydantic's."""
    place = [part for part in fault["loc"] if part not in work.parts]
    option = "".join(f" --{str(part).replace('_', '-')}" for part in place[:1])
    reason = str(fault["msg"]).removeprefix("Value error, ").removeprefix("Input ")
    command = f"easel {work.wing.name} {work.command}"
    return f"The {work.what} cannot begin:{option} {reason[:1].lower()}{reason[1:]}; see {command} --help."
