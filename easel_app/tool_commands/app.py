"""`easel tools`: the commands on models that answer with tools, put together."""

from __future__ import annotations

from collections.abc import Callable

import typer

from easel_app.settings import Settings
from easel_app.tool_commands import checking, drafts, listing, running

tool_commands = typer.Typer(help="Models that answer with six tools: run, look, check.", no_args_is_help=True)


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add `easel tools` to the `easel` command; `settings` makes settings of options."""
    for module in (running, listing, checking, drafts):
        module.register(tool_commands, settings)
    cli.add_typer(tool_commands, name="tools")
