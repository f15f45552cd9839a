"""`easel trajectories show`: a sheet of random samples to look at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from easel_app.import_terminal import give_up, plain
from easel_app.settings import Settings
from easel_app.trajectory_commands.folders import FOLDER, FolderArgument

MOST = 500


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel trajectories`; it needs no settings."""

    @cli.command()
    def show(
        folder: FolderArgument = FOLDER,
        to: Annotated[Path, typer.Option(help="The picture to write; a PNG.")] = Path("samples.png"),
        count: Annotated[int, typer.Option(help=f"Samples, 1 to {MOST}.")] = 12,
        seed: Annotated[int, typer.Option(help="Which ones.")] = 0,
    ) -> None:
        """Draw random samples of a data set as a picture: reference, canvas, the stroke, the canvas after it."""
        from easel_app.exports.whole import whole_file
        from easel_app.services.problems import Refusal
        from easel_app.trajectories.reading import DataSet
        from easel_app.trajectories.sheet import sheet

        if not 1 <= count <= MOST or seed < 0:
            give_up(f"--count must be 1 to {MOST}, and --seed at least 0; correct this.")
        try:
            picture = sheet(DataSet(folder.expanduser()), count, seed)
            with whole_file(to) as unfinished:
                picture.save(unfinished, "PNG")
        except Refusal as refusal:
            give_up(plain(refusal.message))
        except OSError as error:
            give_up(plain(f"{to} or {folder} cannot be used ({error.strerror or error}); correct this."))
        typer.echo(str(to))
