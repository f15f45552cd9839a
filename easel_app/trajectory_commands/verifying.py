"""`easel trajectories verify`: files against the manifest, and a share of the trajectories painted again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from easel_app.import_terminal import counted, give_up, plain
from easel_app.settings import Settings
from easel_app.trajectory_commands.folders import FOLDER, FolderArgument, bar

MOST_TOLD = 20
"""Faults that are told one by one."""


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel trajectories`; it needs no settings."""

    @cli.command()
    def verify(
        folder: FolderArgument = FOLDER,
        share: Annotated[float, typer.Option(help="Share of the trajectories that are painted again.")] = 0.05,
        seed: Annotated[int, typer.Option(help="Which ones.")] = 0,
        scores: Annotated[bool, typer.Option("--scores", help="Compute their similarities again, too.")] = False,
    ) -> None:
        """Hold every file against the manifest and paint some trajectories again; exits with 1 when one differs."""
        from easel_app.services.problems import Refusal
        from easel_app.trajectories.reading import DataSet
        from easel_app.trajectories.verifying import verify as verify_it

        if not 0.0 < share <= 1.0 or seed < 0:
            give_up("--share must be above 0 and at most 1, and --seed at least 0; correct this.")
        try:
            data = DataSet(folder.expanduser())
            with bar() as told:
                found = verify_it(data, share, seed, scores, lambda done, total: told("shards", done, total))
        except Refusal as refusal:
            give_up(plain(refusal.message))
        except OSError as error:
            give_up(plain(f"{error.filename or folder} cannot be read ({error.strerror or error}); correct this."))
        speed = f", {found.strokes / found.seconds:,.0f} strokes a second a core" if found.seconds else ""
        typer.echo(
            f"{counted(found.files, 'file')} held against the manifest; "
            f"{counted(found.references, 'trajectory', 'trajectories')} of {counted(found.strokes, 'stroke')} painted "
            f"again{speed}; {counted(found.samples, 'sample')} compared."
        )
        for fault in found.faults[:MOST_TOLD]:
            typer.echo(plain(fault))
        if len(found.faults) > MOST_TOLD:
            typer.echo(f"and {len(found.faults) - MOST_TOLD:,} more.")
        typer.echo(f"{counted(len(found.faults), 'fault')}." if found.faults else "All is as it should be.")
        raise typer.Exit(1 if found.faults else 0)
