"""`easel rubrics`: the commands on rubric sets, put together."""

from __future__ import annotations

from collections.abc import Callable

import typer

from easel_app.rubric_commands import exporting, importing, judging, listing
from easel_app.settings import Settings

rubric_commands = typer.Typer(help="Rubric sets: import, judge, export; who reviews.", no_args_is_help=True)


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add `easel rubrics` to the `easel` command; `settings` makes settings of options."""
    for module in (listing, importing, judging, exporting):
        module.register(rubric_commands, settings)
    cli.add_typer(rubric_commands, name="rubrics")
