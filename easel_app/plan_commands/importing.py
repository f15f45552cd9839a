"""`easel plans import`: plans into a set, in a terminal."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from easel_app.import_terminal import Kind, give_up, take_in
from easel_app.sets_terminal import DataDirOption
from easel_app.settings import Settings


class BaseOption(StrEnum):
    """Where image indices begin."""

    AUTO = "auto"
    ZERO = "0"
    ONE = "1"


class OrderOption(StrEnum):
    """Which images of a pool come first."""

    QUERY_FIRST = "query_first"
    DOCUMENTS_FIRST = "documents_first"


IndexBaseOption = Annotated[
    BaseOption, typer.Option(help="Index of the first image in data that leave it open; auto: as the plans tell.")
]
PoolOrderOption = Annotated[
    OrderOption, typer.Option(help="Which images of a pool come first in data that leave it open.")
]
PlannerOption = Annotated[
    str | None, typer.Option(help="Whose plans are in files that do not say it; else as the file is called.")
]


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel plans`; `settings` makes settings of its options."""

    @cli.command("import")
    def imported(
        source: Annotated[Path, typer.Argument(help="A file, or a folder of JSON files.")],
        name: Annotated[
            str | None, typer.Option(help="The set's name; else as the data or the source is called.")
        ] = None,
        planner: PlannerOption = None,
        index_base: IndexBaseOption = BaseOption.AUTO,
        pool_order: PoolOrderOption = OrderOption.QUERY_FIRST,
        partial: Annotated[
            bool, typer.Option("--partial", help="Import what is in order although something else is refused.")
        ] = False,
        data_dir: DataDirOption = None,
    ) -> None:
        """Import queries, plans, inspectors' reports and votes; the same command again goes on where it was cut off.

        Takes JSON lines (easel-plans/1), rows of ATP-Bench, LLM-I, RAG-IGBench, MRAMG-Bench, OpenING and MMIE, and
        bare texts; what is of no known form opens as raw text. All of it is looked at first; if something is wrong,
        nothing is imported unless --partial is given. Exits with 0 when all is in, 1 when it was refused, 2 when a
        part was left out.
        """
        from pydantic import ValidationError

        from easel_app.services.plans.imports import NewPlanImport, PlanImport, PlanImports

        path = source.expanduser()
        given = {"source": str(path.resolve() if path.exists() else source), "name": name, "planner": planner}
        how = {"index_base": index_base.value, "pool_order": pool_order.value, "partial": partial}
        try:
            wish = NewPlanImport.model_validate({**given, **how})
        except ValidationError as error:
            fault = error.errors()[0]
            give_up(f"The import cannot begin: --{fault['loc'][0]} is not one line of 1 to 80 characters; correct it.")
        kind: Kind[NewPlanImport] = Kind(
            "/api/plans/imports",
            PlanImport,
            lambda studio, wish, told, stopping: PlanImports.take_in(studio.plans.intake, wish, told, stopping),
        )
        take_in(kind, wish, settings(data_dir=data_dir))
