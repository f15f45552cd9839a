"""`easel rubrics import`: rubric data into a set, in a terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from easel_app.import_terminal import Kind, give_up, take_in
from easel_app.sets_terminal import DataDirOption
from easel_app.settings import Settings


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel rubrics`; `settings` makes settings of its options."""

    @cli.command("import")
    def imported(
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
        data_dir: DataDirOption = None,
    ) -> None:
        """Import tasks with rubrics, answers, verdicts and votes; the same command again goes on where it was cut off.

        Takes JSON lines (easel-rubrics/1), and the data set, responses and judge output of VisualToolBench. All of it
        is looked at first; if something is wrong, nothing is imported unless --partial is given. Exits with 0 when all
        is in, 1 when it was refused, 2 when a part was left out.
        """
        from pydantic import ValidationError

        from easel_app.services.rubrics.imports import NewImport, RubricImport, RubricImports

        path = Path(source).expanduser()
        given = {"source": str(path.resolve()) if path.exists() else source, "revision": revision, "name": name}
        try:
            wish = NewImport.model_validate({**given, "model": model, "judge": judge, "partial": partial})
        except ValidationError as error:
            fault = error.errors()[0]
            give_up(f"The import cannot begin: --{fault['loc'][0]} is not one line of 1 to 80 characters; correct it.")
        kind: Kind[NewImport] = Kind(
            "/api/rubrics/imports",
            RubricImport,
            lambda studio, wish, told, stopping: RubricImports.take_in(studio.rubrics.intake, wish, told, stopping),
        )
        take_in(kind, wish, settings(data_dir=data_dir))
