"""`easel trajectories train`: a stage of the training, on exported chats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from easel_app.import_terminal import give_up, plain
from easel_app.settings import Settings


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel trajectories`; it needs no settings."""

    @cli.command()
    def train(
        config: Annotated[str, typer.Argument(help="A TOML file; stage1 and stage2 come with the project.")],
        data: Annotated[Path, typer.Option(help="Folder that easel trajectories export-sft wrote for TRL.")],
        output: Annotated[Path, typer.Option(help="Folder for checkpoints and, at the end, the adapter.")],
        base: Annotated[
            str | None, typer.Option(help="Base model instead of the configuration's: a folder, or a name on the Hub.")
        ] = None,
        adapter: Annotated[Path | None, typer.Option(help="Of stage 2: the adapter of stage 1.")] = None,
        resume: Annotated[bool, typer.Option("--resume", help="Go on from the last checkpoint in the output.")] = False,
    ) -> None:
        """Train a stage: LoRA, and the last vision blocks and the merger in full. Needs the extra `train`.

        On many GPUs: torchrun --nproc-per-node 8 -m easel_app.cli trajectories train …; see docs/training.md.
        """
        from easel_app.services.problems import Refusal
        from easel_app.trajectories.training.config import load
        from easel_app.trajectories.training.extra import train_extra

        try:
            training = load(config).training
            with train_extra():
                from easel_app.trajectories.training.train import train as train_it
            made = train_it(
                training,
                data.expanduser(),
                output.expanduser(),
                base=base,
                adapter=adapter.expanduser() if adapter else None,
                resume=resume,
                told=typer.echo,
            )
        except Refusal as refusal:
            give_up(plain(refusal.message))
        except KeyboardInterrupt:
            give_up(plain(f"Stopped; the same command with --resume goes on from the last checkpoint in {output}."))
        except OSError as error:
            give_up(plain(f"The training stopped ({error.strerror or error}); put that right, then go on by --resume."))
        loss = f"the loss went from {made.losses[0]:.3f} to {made.losses[-1]:.3f}"
        typer.echo(plain(f"{made.steps} updates; {loss}. The adapter is in {made.adapter}"))
