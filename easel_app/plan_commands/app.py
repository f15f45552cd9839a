"""`easel plans`: the commands on sets of plans, put together."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import typer

from easel_app.plan_commands import exporting, generating, importing, inspecting, linting, listing
from easel_app.settings import Settings

plan_commands = typer.Typer(help="Plans: import, lint, generate, inspect, export.", no_args_is_help=True)
MODULES: tuple[ModuleType, ...] = (listing, importing, linting, generating, inspecting, exporting)


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add `easel plans` to the `easel` command; `settings` makes settings of options."""
    for module in MODULES:
        module.register(plan_commands, settings)
    cli.add_typer(plan_commands, name="plans")
