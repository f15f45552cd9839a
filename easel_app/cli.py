"""The `easel` command."""

from __future__ import annotations

import logging
import resource
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from pydantic import ValidationError

from easel_app import archive
from easel_app.exports import command
from easel_app.plan_commands import app as plan_app
from easel_app.rubric_commands import app as rubric_app
from easel_app.sets_terminal import DataDirOption
from easel_app.settings import Settings
from easel_app.tool_commands import app as tool_app
from easel_app.trajectory_commands import app as trajectory_app

if TYPE_CHECKING:
    from easel_app.terminal import ReadingControl, RunControl

cli = typer.Typer(help="Easel Studio: paint against a reference, stroke by stroke.", no_args_is_help=True)
Port = Annotated[int | None, typer.Option(help="Port to listen on; EASEL_PORT, else 7860.", min=0, max=65535)]
Host = Annotated[str | None, typer.Option(help="Address to listen on; EASEL_HOST, else 127.0.0.1.")]


@cli.command()
def serve(port: Port = None, data_dir: DataDirOption = None, host: Host = None) -> None:
    """Serve the page and the API."""
    import uvicorn

    settings = _settings(port=port, data_dir=data_dir, host=host)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("httpx2").setLevel(logging.WARNING)  # a line for each call of a run
    listener = _listen(settings.host, settings.port)
    from easel_app.application import create_app
    from easel_app.store.database import StoreUnusable

    try:
        app = create_app(settings)
    except StoreUnusable as error:
        _give_up(str(error))
    studio = app.state.studio

    class Server(uvicorn.Server):
        """Ends the event streams first, which would otherwise keep it from stopping; says where it is."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            studio.sessions.live.close()
            super().handle_exit(sig, frame)

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            host, port = listener.getsockname()[:2]
            address = f"[{host}]" if ":" in host else host
            studio.announce(f"http://{address}:{port}")
            typer.echo(f"Easel Studio is at http://{address}:{port} (data in {settings.data_dir.resolve()})")
            sys.stdout.flush()

    _allow_files()
    # one second for what is under way; Gradio's own streams never end by themselves
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1, backlog=128)
    with suppress(KeyboardInterrupt):  # Ctrl-C is the usual way to stop, not a failure
        Server(config).run([listener])


@cli.command()
def run(
    context: typer.Context,
    base_url: Annotated[
        str | None,
        typer.Option(envvar=["EASEL_BASE_URL", "OPENAI_BASE_URL"], help="The model's endpoint, up to and with /v1."),
    ] = None,
    model: Annotated[str | None, typer.Option(envvar="EASEL_MODEL", help="The model's name there.")] = None,
    painter: Annotated[
        str | None,
        typer.Option(
            help="A painter instead: greedy, greedy-quick, greedy-s, planner, planner-quick; controls random, fills, "
            "repeat, early-stop, overpaint; tracer, writer, solver for semantic tasks."
        ),
    ] = None,
    task: Annotated[
        list[str] | None, typer.Option(help="Only this task; may be repeated. maze-512-1..50: fifty generated mazes.")
    ] = None,
    category: Annotated[list[str] | None, typer.Option(help="Only this category; may be repeated.")] = None,
    take_over: Annotated[
        str | None,
        typer.Option(
            metavar="SESSION@STEP", help="Go on from a step of that session; what comes of it is never ranked."
        ),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(help="benchmark (as published; the default), studio or practice; of --take-over: its own."),
    ] = None,
    repeats: Annotated[int, typer.Option(help="Sessions for each task.")] = 1,
    concurrency: Annotated[int, typer.Option(help="Sessions at a time.")] = 8,
    temperature: Annotated[float | None, typer.Option(help="Left to the endpoint when not given.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Longest reply; left to the endpoint when not given.")] = None,
    history: Annotated[int | None, typer.Option(help="Last turns shown again; as published when not given.")] = None,
    coordinates: Annotated[str, typer.Option(help="float: numbers in [0, 1]; integer: 0 to 1000.")] = "float",
    scale: Annotated[int, typer.Option(help="Enlarge the pictures by this factor.")] = 1,
    grid: Annotated[bool, typer.Option("--grid", help="Lay a grid with coordinates over the pictures.")] = False,
    calling: Annotated[str, typer.Option(help="auto, tools, or text: JSON for models without tools.")] = "auto",
    reading: Annotated[str, typer.Option(help="lenient or strict reading of replies.")] = "lenient",
    most_tokens: Annotated[int | None, typer.Option(help="Tokens that the whole run may use.")] = None,
    most_money: Annotated[float | None, typer.Option(help="Money that the whole run may cost.")] = None,
    price_prompt: Annotated[float | None, typer.Option(help="Price of a million prompt tokens.")] = None,
    price_completion: Annotated[float | None, typer.Option(help="Price of a million completion tokens.")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds that an answer may take.")] = 120.0,
    seed: Annotated[int, typer.Option(help="Of a painter's first repeat.")] = 0,
    shared: Annotated[bool, typer.Option("--shared", help="Let people take turns in the sessions.")] = False,
    name: Annotated[str, typer.Option(help="Tells runs of equal settings apart.")] = "run",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    data_dir: DataDirOption = None,
) -> None:
    """Let a model or a painter play tasks. The same command again goes on where it stood.

    The key comes from EASEL_ENDPOINT_KEY or OPENAI_API_KEY. While a studio serves the data folder the run is played
    there and can be watched; else here. Exits with 0 when all is done, 2 when sessions were given up, 3 when stopped.
    """
    from easel_app.live_table import console_of
    from easel_app.painting.families.registry import instances
    from easel_app.runs.settings import NewRun, TakeOver
    from easel_app.services.problems import Refusal
    from easel_app.store.database import StoreFull
    from easel_app.terminal import RunRefused, follow, report

    if painter and any(_typed(context, name) for name in ("base_url", "model")):
        _give_up("A painter needs no --base-url and no --model; leave them or --painter out.")
    given = {key: value for key, value in locals().items() if key in NewRun.model_fields and value is not None}
    try:
        wanted = [name for given_name in task for name in instances(given_name)] if task else None
    except ValueError as error:
        _give_up(f"The run cannot begin: --task {error}.")
    try:
        origin = None if take_over is None else TakeOver.read(take_over)
    except ValueError as error:
        _give_up(f"The run cannot begin: --take-over {error}.")
    given |= {"player": painter or "model", "tasks": wanted, "categories": category, "take_over": origin}
    if painter:  # the environment may name an endpoint all the same
        given |= {"base_url": None, "model": None}
    settings = _settings(data_dir=data_dir)
    try:
        wish = NewRun.model_validate(given)
    except ValidationError as error:
        fault = error.errors()[0]
        option = "".join(f" --{str(part).replace('_', '-')}" for part in fault["loc"][:1])
        reason = str(fault["msg"]).removeprefix("Value error, ").replace("player is", "--painter is")
        _give_up(f"The run cannot begin:{option} {reason[:1].lower()}{reason[1:]}; see easel run --help.")
    console = console_of(stderr=as_json)
    try:
        with _control(settings) as (control, where):
            view = control.start(wish.model_copy(update={"key": settings.endpoint_key}))
            typer.echo(where, err=True)
            view = follow(control, view, console)
    except (Refusal, RunRefused, StoreFull) as refusal:
        _give_up(str(refusal).replace("GET /api/tasks lists them", "easel tasks lists them"))
    report(view, console)
    if origin:
        begins = f"Its sessions begin with the first {origin.step} steps of {origin.session_id}; they are not ranked."
        console.print(begins, highlight=False)
    if as_json:
        typer.echo(view.model_dump_json(indent=1))
    raise typer.Exit(0 if view.state == "finished" else 2 if view.attempts.failed else 3)


@contextmanager
def _control(settings: Settings) -> Iterator[tuple[RunControl, str]]:
    """Who plays runs, and where in words: the studio that serves the data folder, else this process."""
    from easel_app.runs.service import Runs
    from easel_app.services.studio import Studio
    from easel_app.store.database import StoreInUse, StoreUnusable
    from easel_app.terminal import RemoteRuns

    try:
        studio = Studio(settings)
    except StoreInUse as used:
        if not used.address:
            _give_up(str(used))
        where = f"The studio at {used.address} plays the run; watch it at {used.address}/?tab=watch"
        with closing(RemoteRuns(used.address)) as remote:
            yield remote, where
        return
    except StoreUnusable as error:
        _give_up(str(error))
    runs = Runs(studio)
    try:
        yield runs, f"No studio serves {settings.data_dir.resolve()}, so the run is played here, unwatched."
    finally:
        runs.close()
        studio.close()


@cli.command()
def read(
    base_url: Annotated[
        str, typer.Option(envvar=["EASEL_BASE_URL", "OPENAI_BASE_URL"], help="The model's endpoint, up to /v1.")
    ],
    model: Annotated[str, typer.Option(envvar="EASEL_MODEL", help="The model's name there.")],
    session: Annotated[
        list[str] | None, typer.Option(help="Only this session; may be repeated. Else all that it has not read yet.")
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds that an answer may take.")] = 120.0,
    data_dir: DataDirOption = None,
) -> None:
    """Let a multimodal model read the canvases of handwriting, as in the paper; recorded beside the offline reader.

    The key comes from EASEL_ENDPOINT_KEY or OPENAI_API_KEY. Exits with 2 when a canvas could not be read.
    """
    from easel_app.runs.readings import NewReading
    from easel_app.services.problems import Refusal
    from easel_app.terminal import RunRefused

    settings, failed = _settings(data_dir=data_dir), False
    try:
        wish = NewReading(base_url=base_url, model=model, key=settings.endpoint_key, timeout=timeout)
    except ValidationError as error:
        _give_up(f"The reading cannot begin: {str(error.errors()[0]['msg']).removeprefix('Value error, ')}.")
    try:
        with _reader(settings) as reader:
            sessions = session or reader.unread(model)
            if not sessions:
                typer.echo(f"There is no ended session of handwriting that {model} has not read yet.", err=True)
            for session_id in sessions:
                try:
                    found = reader.read(session_id, wish)
                except (Refusal, RunRefused) as refusal:
                    failed = True
                    typer.echo(f"{session_id} {refusal}", err=True)
                    continue
                letters = found.letters or "(nothing)"
                typer.echo(f"{session_id} {letters:12} match {found.match:.3f} alignment {found.alignment:.3f}")
    except RunRefused as refusal:
        _give_up(str(refusal))
    raise typer.Exit(2 if failed else 0)


@contextmanager
def _reader(settings: Settings) -> Iterator[ReadingControl]:
    """Who lets models read: the studio that serves the data folder, else this process."""
    from easel_app.runs.readings import ModelReader
    from easel_app.services.endpoints import Endpoints
    from easel_app.services.studio import Studio
    from easel_app.store.database import StoreInUse, StoreUnusable
    from easel_app.terminal import RemoteReader

    try:
        studio = Studio(settings)
    except StoreInUse as used:
        if not used.address:
            _give_up(str(used))
        with closing(RemoteReader(used.address)) as reader:
            yield reader
        return
    except StoreUnusable as error:
        _give_up(str(error))
    try:
        yield ModelReader(studio, Endpoints())
    finally:
        studio.close()


@cli.command()
def rescore(data_dir: DataDirOption = None) -> None:
    """Play every stored log again; exit with 1 when a score or a canvas differs from what is stored."""
    from easel_app.services.studio import Studio
    from easel_app.store.database import StoreUnusable

    try:
        studio = Studio(_settings(data_dir=data_dir))
    except StoreUnusable as error:
        _give_up(str(error))
    differ = False
    for found in studio.sessions.rescore():
        same = found.worst == 0.0 and not found.differing
        differ |= not same
        text = "same" if same else f"scores differ by up to {found.worst:.1e}, {found.differing} canvases differ"
        typer.echo(f"{found.session_id} {found.actions:5} actions: {text}")
    studio.close()
    raise typer.Exit(int(differ))


@cli.command()
def warm() -> None:
    """Compile the engine's and the painters' kernels into the cache, so that nobody waits for it later."""
    from easel_app import engine
    from easel_app.painting.painters import warming

    engine.warm()
    warming.warm()


task_commands = typer.Typer(help="List the tasks; make more of the semantic ones.", no_args_is_help=False)
cli.add_typer(task_commands, name="tasks")


@task_commands.callback(invoke_without_command=True)
def tasks(
    context: typer.Context, category: Annotated[str | None, typer.Option(help="Only this category.")] = None
) -> None:
    """List the tasks: id, size, steps, title. `easel tasks make` makes more of the semantic ones."""
    if context.invoked_subcommand:
        return
    from easel_app.painting.env import catalogue

    categories = list(dict.fromkeys(task.category for task in catalogue()))
    if category not in (None, *categories):
        _give_up(f"There is no category {category!r}; there are {', '.join(categories)}.")
    for task in catalogue():
        if category in (None, task.category):
            typer.echo(f"{task.id:16} {task.width:3} px {task.budget:4} steps  {task.title}")


@task_commands.command()
def make(
    family: Annotated[str, typer.Argument(help="circle, apple, handwriting or maze.")],
    size: Annotated[int, typer.Option(help="Width in px: 64, 128, 256 or 512; handwriting from 128.")] = 256,
    seed: Annotated[int, typer.Option(help="Of the first instance; the next one's is one higher.")] = 0,
    count: Annotated[int, typer.Option(help="How many.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder for pictures and what they are scored against.")] = None,
) -> None:
    """Make instances of a semantic task's family and print their ids, which every studio of this version knows.

    Play them by `easel run --task maze-512-7` (or maze-512-1..50 for fifty), in the page by ?tab=semantic&task=ID, or
    by any other way in: an instance is its name, so nothing has to be stored.
    """
    from easel_app.painting.families.export import export
    from easel_app.painting.families.registry import FAMILIES, LARGEST_SEED, MOST_INSTANCES, generated, name_of

    if family not in FAMILIES:
        _give_up(f"There is no family {family!r}; choose one of {', '.join(FAMILIES)}.")
    if size not in FAMILIES[family].sizes:
        sizes = ", ".join(map(str, FAMILIES[family].sizes))
        _give_up(f"--size is {size}, but {family} comes in {sizes} px; choose one of them.")
    if not (1 <= count <= MOST_INSTANCES and seed >= 0 and seed + count - 1 <= LARGEST_SEED):
        _give_up(f"--count must be 1 to {MOST_INSTANCES} and seeds 0 to {LARGEST_SEED}; correct them and try again.")
    for number in range(seed, seed + count):
        task = generated(name_of(family, size, number))
        assert task is not None  # noqa: S101  the name was made of parts that were checked
        try:
            if out:
                export(task, out)
        except OSError as error:
            _give_up(f"{out} cannot be written ({error.strerror}); choose another folder by --out.")
        typer.echo(task.id)


def _typed(context: typer.Context, name: str) -> bool:
    """Whether an option was given with the command rather than by the environment."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _settings(**given: Any) -> Settings:
    """Settings from the environment, but for the options that were given."""
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        fault = error.errors()[0]
        name = f"EASEL_{fault['loc'][0]}".upper()
        told = str(fault["msg"]).removeprefix("Value error, ")
        reason = told[:1].lower() + told[1:]
        if fault["type"] == "value_error":  # the rule names what is wrong itself: the value may hold a password
            _give_up(f"{name} cannot be used: {reason}; correct it and try again.")
        _give_up(f"{name} is {fault['input']!r}, but {reason}; correct it and try again.")


def _listen(host: str, port: int) -> socket.socket:
    """A socket that is bound before anything else is done, so that a port in use is known at once."""
    # asyncio sends small answers at once only on sockets that say they are TCP; else each waits 40 ms for an ACK
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        what = f"Port {port} of {host} cannot be used ({error.strerror})"
        _give_up(f"{what}; stop what uses it or choose another: make run PORT={port % 65000 + 10}")
    return listener


def _allow_files() -> None:
    """Each viewer is an open file: as many as the system lets us have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _give_up(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(1)


archive.register(cli, _settings)
command.register(cli, _settings)
rubric_app.register(cli, _settings)
tool_app.register(cli, _settings)
plan_app.register(cli, _settings)
trajectory_app.register(cli, _settings)


def main() -> None:
    """Run the command."""
    cli()


if __name__ == "__main__":
    main()
