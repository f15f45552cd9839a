"""`easel plans list`: which sets of plans there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from easel_app.import_terminal import counted, plain
from easel_app.sets_terminal import DataDirOption, read_only
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.services.plans.views import PlanSet


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel plans`; `settings` makes settings of its options."""

    @cli.command("list")
    def listed(
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a set.")] = False,
        data_dir: DataDirOption = None,
    ) -> None:
        """List the sets of plans with their planners and judges."""
        from easel_app.services.plans.plans import Plans

        with read_only(Plans, settings(data_dir=data_dir)) as plans:
            sets = [plans.library.view(record) for record in plans.library.sets()]
        for found in sets:
            for line in [found.model_dump_json()] if as_json else _lines(found):
                typer.echo(line)
        if not sets:
            typer.echo("There is no set of plans yet; easel plans import brings one in.", err=True)


def _lines(found: PlanSet) -> Iterator[str]:
    """A set in words."""
    sample = "  SAMPLE" if found.sample else ""
    yield plain(f"{found.set_id}  {found.name}{sample}")
    queries, plans = counted(found.queries, "query", "queries"), counted(found.answers, "plan")
    yield plain(f"  {queries}, {plans} of {', '.join(found.planners) or 'nobody'}")
    for judge in found.inspections:
        counts = ", ".join(f"{judge.reports.get(each, 0):,} {each}" for each in ("precision", "recall", "chief"))
        unscored = sum(judge.unscored.values())
        told = f"{counts} reports" + (f", {unscored:,} unscored" if unscored else "")
        yield plain(f"  judge {judge.judge} ({judge.inspection_id}, {judge.origin}): {told}")
    if found.unfinished:
        yield plain(f"  an import of {found.unfinished} was cut off; the same command goes on with it")
