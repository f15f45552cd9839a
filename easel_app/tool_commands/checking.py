"""`easel tools check`: whether model-written code can be run here, and what answers the other tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import typer

from easel_app import work_options as options
from easel_app.import_terminal import plain
from easel_app.sets_terminal import DataDirOption
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.rubrics.sandbox.proof import Finding
    from easel_app.runs.tool_equipment import ToolsHere


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel tools`; `settings` makes settings of its options."""

    @cli.command()
    def check(as_json: options.AsJson = False, data_dir: DataDirOption = None) -> None:
        """Test the sandbox, and tell what tools there are. Exits with 0 when the sandbox is on, 1 when it is off."""
        from easel_app.runs.tool_equipment import Equipment

        equipment = Equipment.of(settings(data_dir=data_dir))
        found, findings = equipment.here(), equipment.findings
        told = found.model_dump() | {"findings": [finding._asdict() for finding in findings]}
        for line in [json.dumps(told, indent=1)] if as_json else map(plain, _lines(found, findings)):
            typer.echo(line)
        raise typer.Exit(0 if found.sandbox else 1)


def _lines(found: ToolsHere, findings: Iterable[Finding]) -> Iterator[str]:
    yield f"sandbox: {'on' if found.sandbox else 'off'}"
    if found.sandbox_off:
        yield f"  {found.sandbox_off}"
    yield from (f"  {'holds' if finding.holds else 'DOES NOT HOLD'}: {finding.what}" for finding in findings)
    yield f"services: {', '.join(found.services) or 'none, since none is configured (EASEL_TOOL_SERVICES)'}"
    yield f"cassettes: {', '.join(found.cassettes)}"
