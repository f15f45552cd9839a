"""`easel trajectories`: the commands on data sets of painting trajectories, put together."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import typer

from easel_app.settings import Settings
from easel_app.trajectory_commands import (
    answering,
    exporting_sft,
    making,
    reasoning,
    showing,
    training,
    verifying,
)

HELP = "Trajectories: make, verify, show, reason, export, train, answer."
trajectory_commands = typer.Typer(help=HELP, no_args_is_help=True)
MODULES: tuple[ModuleType, ...] = (making, verifying, showing, reasoning, exporting_sft, training, answering)


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add `easel trajectories` to the `easel` command; `settings` makes settings of options."""
    for module in MODULES:
        module.register(trajectory_commands, settings)
    cli.add_typer(trajectory_commands, name="trajectories")
