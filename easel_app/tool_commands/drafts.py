"""`easel tools export-tasks`: the accepted tasks as a data set, which works while a studio serves the data folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from easel_app.import_terminal import give_up, plain
from easel_app.sets_terminal import DataDirOption, read_only
from easel_app.settings import Settings


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel tools`; `settings` makes settings of its options."""

    @cli.command()
    def export_tasks(
        out: Annotated[Path, typer.Argument(help="Folder, .zip, or .json with the pictures in it.")],
        data_dir: DataDirOption = None,
    ) -> None:
        """Export the accepted tasks in the schema of VisualToolBench's data set.

        The folder holds dataset.json with its images beside it. easel rubrics import takes it, and so gets the tasks
        into a set, for models to answer.
        """
        from easel_app.exports.rubrics.draft_export import AcceptedTasks
        from easel_app.exports.whole import write_package, write_whole
        from easel_app.services.problems import Refusal
        from easel_app.services.rubrics.drafting import DraftService
        from easel_app.services.rubrics.rubrics import Rubrics

        try:
            with read_only(Rubrics, settings(data_dir=data_dir)) as rubrics:
                tasks = AcceptedTasks(rubrics, DraftService(rubrics.library))
                if not len(tasks):
                    give_up("No task is accepted yet, so there is none to export; write and review some first.")
                if out.suffix.lower() == ".json":
                    write_whole(out, tasks.json())
                else:
                    write_package(out, tasks.files())
            typer.echo(plain(f"{out}: {len(tasks)} task{'s' if len(tasks) > 1 else ''}"))
        except Refusal as refusal:
            give_up(refusal.message)
        except OSError as error:
            give_up(f"It cannot be written ({error.strerror or error}); choose another place.")
