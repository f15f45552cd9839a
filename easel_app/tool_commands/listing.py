"""`easel tools list` and `easel tools show`: the tool runs that there are, and what came of one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from easel_app import work_options as options
from easel_app.import_terminal import give_up, plain
from easel_app.services.wings import RUBRICS
from easel_app.sets_terminal import DataDirOption, chosen
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.tool_commands.desk import Desk


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the commands to `easel tools`; `settings` makes settings of their options."""

    @cli.command("list")
    def listed(
        rubric_set: Annotated[
            str | None, typer.Option("--set", metavar="SET", help="Only runs on this set: id or name.")
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a run.")] = False,
        data_dir: DataDirOption = None,
    ) -> None:
        """List the tool runs, newest first."""
        from easel_app.tool_commands.following import conditions, standing

        with opened(settings(data_dir=data_dir)) as desk:
            runs = desk.every(chosen(RUBRICS, desk.names(), rubric_set) if rubric_set else None)
        for view in runs:
            lines = [f"{view.run_id}  on {view.set_id}", f"  {standing(view)}", f"  {conditions(view)}"]
            for line in [view.model_dump_json()] if as_json else map(plain, lines):
                typer.echo(line)
        if not runs:
            typer.echo("There is no tool run yet; easel tools run begins one.", err=True)

    @cli.command()
    def show(
        run_id: Annotated[str, typer.Argument(metavar="RUN", help="The run, as easel tools list names it.")],
        as_json: options.AsJson = False,
        data_dir: DataDirOption = None,
    ) -> None:
        """Show where a tool run stands, under what conditions, and what it scores."""
        from easel_app.live_table import console_of
        from easel_app.tool_commands.following import report

        with opened(settings(data_dir=data_dir)) as desk:
            view = desk.view(run_id)
            score = report(desk, view, console_of(stderr=as_json))
        if as_json:
            found = {**view.model_dump(mode="json"), "score": score and score.model_dump(mode="json")}
            typer.echo(json.dumps(found, indent=1))


@contextmanager
def opened(settings: Settings) -> Iterator[Desk]:
    """Whoever has the data folder; what they refuse ends the command with a sentence."""
    from easel_app.services.problems import Refusal
    from easel_app.store.database import StoreUnusable
    from easel_app.terminal import RunRefused
    from easel_app.tool_commands.desk import desk

    try:
        with desk(settings) as found:
            yield found
    except (Refusal, RunRefused, StoreUnusable) as refusal:
        give_up(str(refusal).replace("GET /api/rubrics/tool-runs lists them", "easel tools list lists them"))
