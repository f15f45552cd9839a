"""`easel plans inspect`: let three inspectors report on the plans of a set, in a terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from easel_app import work_options as options
from easel_app.import_terminal import give_up
from easel_app.services.wings import PLANS
from easel_app.sets_terminal import DataDirOption
from easel_app.settings import Settings
from easel_app.work_terminal import Work, carry_out

if TYPE_CHECKING:
    from easel_app.runs.inspection_settings import InspectionView


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel plans`; `settings` makes settings of its options."""

    @cli.command()
    def inspect(
        plan_set: Annotated[str, typer.Argument(metavar="SET", help="The set whose plans are inspected: id or name.")],
        base_url: Annotated[
            str | None,
            typer.Option(envvar=["EASEL_BASE_URL", "OPENAI_BASE_URL"], help="The endpoint, up to and with /v1."),
        ] = None,
        model: Annotated[str | None, typer.Option(envvar="EASEL_MODEL", help="The model in all three roles.")] = None,
        precision_model: Annotated[str | None, typer.Option(help="The Precision Inspector, if another one.")] = None,
        recall_model: Annotated[str | None, typer.Option(help="The Recall Inspector, if another one.")] = None,
        chief_model: Annotated[str | None, typer.Option(help="The Chief Judge, if another one.")] = None,
        precision_url: Annotated[str | None, typer.Option(help="Its endpoint, if another one.")] = None,
        recall_url: Annotated[str | None, typer.Option(help="Its endpoint, if another one.")] = None,
        chief_url: Annotated[str | None, typer.Option(help="Its endpoint, if another one.")] = None,
        name: Annotated[str | None, typer.Option(help="How to call the judge; like its models if not given.")] = None,
        pictures: Annotated[
            bool, typer.Option("--pictures", help="Show the pictures of the pool, made small; else their list.")
        ] = False,
        temperature: Annotated[float, typer.Option(help="Left out where an endpoint does not take it.")] = 0.0,
        planner: Annotated[
            list[str] | None, typer.Option(metavar="PLANNER", help="Only plans of this planner; may be repeated.")
        ] = None,
        most_plans: Annotated[
            int | None, typer.Option("--most-plans", "--most", help="Inspect so many plans at most, drawn by --seed.")
        ] = None,
        seed: options.Seed = 0,
        concurrency: options.Concurrency = 8,
        most_tokens: options.MostTokens = None,
        most_money: Annotated[
            float | None, typer.Option("--most-money", "--max-cost", help="Money that the inspection may cost in all.")
        ] = None,
        price_prompt: options.PricePrompt = None,
        price_completion: options.PriceCompletion = None,
        timeout: options.Timeout = 120.0,
        as_json: options.AsJson = False,
        data_dir: DataDirOption = None,
    ) -> None:
        """Let three inspectors report on each plan. The same command again goes on where it stood.

        The key comes from EASEL_ENDPOINT_KEY or OPENAI_API_KEY, that of a single role from EASEL_PRECISION_KEY,
        EASEL_RECALL_KEY or EASEL_CHIEF_KEY. While a studio serves the data folder it inspects there; else here. Exits
        with 0 when all reports are there, 2 when some could not be given, 3 when stopped.
        """
        from easel_app.plans.reports import INSPECTORS
        from easel_app.runs.inspection_settings import InspectionView, NewInspection
        from easel_app.runs.inspections import Inspections

        given = {
            key: value for key, value in locals().items() if key in NewInspection.model_fields and value is not None
        }
        models = {"precision": precision_model, "recall": recall_model, "chief": chief_model}
        urls = {"precision": precision_url, "recall": recall_url, "chief": chief_url}
        for what, common, own in (("model", model, models), ("base-url", base_url, urls)):
            if not common and not all(own.values()):
                give_up(f"The inspection cannot begin: give --{what}, or one of its own to each of the three roles.")
        for role in INSPECTORS:
            told = {"model": models[role], "base_url": urls[role]}
            given[role] = {name: value for name, value in told.items() if value}
        keys = {role: os.environ[name] for role in INSPECTORS if os.environ.get(name := f"EASEL_{role.upper()}_KEY")}
        given |= {"pictures": "pool" if pictures else "none", "planners": planner or None, "keys": keys}
        work: Work[NewInspection, InspectionView] = Work(
            PLANS,
            *("inspection", "inspect", "inspects", "inspected"),
            wish=NewInspection,
            view=InspectionView,
            here=Inspections,
            library=lambda studio: studio.plans.library,
            counts=_counts,
            remarks=_remarks,
            stop=("POST", "/stop"),
            parts=INSPECTORS,
        )
        carry_out(work, given, plan_set, settings(data_dir=data_dir), as_json)


def _counts(view: InspectionView) -> Iterator[str]:
    counted = ", ".join(f"{inspector} {number}" for inspector, number in view.reports.items())
    yield f"{view.done} of {view.total} reports ({counted})"
    yield f"judge {view.judge}"
    if unscored := sum(view.unscored.values()):
        yield f"{unscored} without a report"


def _remarks(view: InspectionView) -> Iterator[str]:
    for why in view.unscored_for:
        if why.reason not in view.reason:  # which is told below
            yield f"No report on {why.items}: {why.reason}"
    if view.without_output:
        are, were = ("is", "was") if view.without_output == 1 else ("are", "were")
        yield f"{view.without_output} of the plans {are} empty and {were} not sent."
    if view.left_out:
        yield f"An endpoint does not take {' and '.join(view.left_out)}, so it was asked without."
    yield from (view.reason, *view.warnings, view.note)
