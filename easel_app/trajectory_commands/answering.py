"""`easel trajectories answer`: a trained adapter as an endpoint that `easel run` plays."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from easel_app.import_terminal import give_up, plain
from easel_app.settings import Settings


class Precision(StrEnum):
    """Of the model's numbers."""

    BF16 = "bf16"
    FLOAT32 = "float32"


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel trajectories`; it needs no settings."""

    @cli.command()
    def answer(
        adapter: Annotated[Path, typer.Argument(help="Folder of the adapter, as easel trajectories train wrote it.")],
        base: Annotated[
            str | None, typer.Option(help="Base model: a folder, or a name on the Hub; else the one it was trained on.")
        ] = None,
        port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any that is free.")] = 8000,
        host: Annotated[str, typer.Option(help="Address to listen on; nobody is asked for a key.")] = "127.0.0.1",
        name: Annotated[str, typer.Option(help="What the model is called.")] = "easel-adapter",
        precision: Annotated[Precision, typer.Option(help="Of the model's numbers.")] = Precision.BF16,
    ) -> None:
        """Serve an adapter in the manner of OpenAI's chat completions, one answer at a time. Needs the extra `train`.

        Good for trying an adapter out; for whole benchmarks merge it and serve it by vLLM, see docs/training.md.
        """
        import socket

        import uvicorn

        from easel_app.services.problems import Refusal
        from easel_app.trajectories.training.extra import train_extra
        from easel_app.trajectories.training.layout import run_options
        from easel_app.trajectories.training.output import read_record
        from easel_app.trajectories.training.serving import serve

        place = adapter.expanduser()
        try:
            record = read_record(place)
            with train_extra():
                from easel_app.trajectories.training.model import AdapterModel
            listener = socket.create_server((host, port))
            model = AdapterModel.load(base or record.base, place, precision)
        except Refusal as refusal:
            give_up(plain(refusal.message))
        except OSError as error:
            give_up(f"Port {port} of {host} cannot be used ({error.strerror or error}); choose another by --port.")
        address = f"http://{host}:{listener.getsockname()[1]}/v1"
        typer.echo(plain(f"{name} answers at {address}; play it by:"))
        typer.echo(plain(f"easel run --base-url {address} --model {name} {run_options(record.data.look)}"))
        config = uvicorn.Config(serve(model, name), log_level="warning", timeout_graceful_shutdown=1)
        uvicorn.Server(config).run([listener])
