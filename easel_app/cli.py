"""The `easel` command."""

from __future__ import annotations

import logging
import resource
import socket
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
from pydantic import ValidationError

from easel_app.settings import Settings

cli = typer.Typer(help="Easel Studio: paint against a reference, stroke by stroke.", no_args_is_help=True)
Port = Annotated[int | None, typer.Option(help="Port to listen on; EASEL_PORT, else 7860.", min=0, max=65535)]
DataDir = Annotated[Path | None, typer.Option(help="Folder of the database; EASEL_DATA_DIR, else .easel.")]
Host = Annotated[str | None, typer.Option(help="Address to listen on; EASEL_HOST, else 127.0.0.1.")]


@cli.command()
def serve(port: Port = None, data_dir: DataDir = None, host: Host = None) -> None:
    """Serve the page and the API."""
    import uvicorn

    settings = _settings(port=port, data_dir=data_dir, host=host)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
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
            typer.echo(f"Easel Studio is at http://{address}:{port} (data in {settings.data_dir.resolve()})")
            sys.stdout.flush()

    _allow_files()
    # one second for what is under way; Gradio's own streams never end by themselves
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1, backlog=128)
    with suppress(KeyboardInterrupt):  # Ctrl-C is the usual way to stop, not a failure
        Server(config).run([listener])


@cli.command()
def rescore(data_dir: DataDir = None) -> None:
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
    """Compile the engine's kernels into the cache, so that nobody waits for it later."""
    from easel_app.engine import warm as compile_all

    compile_all()


@cli.command()
def tasks(category: str | None = None) -> None:
    """List the tasks: id, size, steps, title."""
    from easel_app.painting.env import catalogue

    for task in catalogue():
        if category in (None, task.category):
            typer.echo(f"{task.id:16} {task.width:3} px {task.budget:4} steps  {task.title}")


def _settings(**given: Any) -> Settings:
    """Settings from the environment, but for the options that were given."""
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        fault = error.errors()[0]
        name = f"EASEL_{fault['loc'][0]}".upper()
        reason = str(fault["msg"])[:1].lower() + str(fault["msg"])[1:]
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


def main() -> None:
    """Run the command."""
    cli()


if __name__ == "__main__":
    main()
