"""`easel plans inspect`: let three inspectors report on the plans of a set, in a terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from easel_app.plan_commands.watching import console_of, follow, give_up, wrong_option
from easel_app.settings import Settings

if TYPE_CHECKING:
    from rich.console import Console

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
        seed: Annotated[int, typer.Option(help="Of the draw.")] = 0,
        concurrency: Annotated[int, typer.Option(help="Calls at a time, 1 to 64.")] = 8,
        most_tokens: Annotated[int | None, typer.Option(help="Tokens that the inspection may use in all.")] = None,
        most_money: Annotated[
            float | None, typer.Option("--most-money", "--max-cost", help="Money that the inspection may cost in all.")
        ] = None,
        price_prompt: Annotated[float | None, typer.Option(help="Price of a million prompt tokens.")] = None,
        price_completion: Annotated[float | None, typer.Option(help="Price of a million completion tokens.")] = None,
        timeout: Annotated[float, typer.Option(help="Seconds that an answer may take.")] = 120.0,
        as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
        data_dir: Annotated[
            Path | None, typer.Option(help="Folder of the database; EASEL_DATA_DIR, else .easel.")
        ] = None,
    ) -> None:
        """Let three inspectors report on each plan. The same command again goes on where it stood.

        The key comes from EASEL_ENDPOINT_KEY or OPENAI_API_KEY, that of a single role from EASEL_PRECISION_KEY,
        EASEL_RECALL_KEY or EASEL_CHIEF_KEY. While a studio serves the data folder it inspects there; else here. Exits
        with 0 when all reports are there, 2 when some could not be given, 3 when stopped.
        """
        from pydantic import ValidationError

        from easel_app.plan_commands.inspectors import inspectors
        from easel_app.plans.reports import INSPECTORS
        from easel_app.runs.inspection_settings import NewInspection
        from easel_app.services.problems import Refusal
        from easel_app.store.database import StoreUnusable
        from easel_app.terminal import RunRefused

        given = {
            key: value for key, value in locals().items() if key in NewInspection.model_fields and value is not None
        }
        models = {"precision": precision_model, "recall": recall_model, "chief": chief_model}
        urls = {"precision": precision_url, "recall": recall_url, "chief": chief_url}
        for what, common, own in (("model", model, models), ("base-url", base_url, urls)):
            if not common and not all(own.values()):
                give_up(f"The inspection cannot begin: give --{what}, or one of its own to each of the three roles.")
        found = settings(data_dir=data_dir)
        for role in INSPECTORS:
            told = {"model": models[role], "base_url": urls[role]}
            given[role] = {name: value for name, value in told.items() if value}
        keys = {role: os.environ[name] for role in INSPECTORS if os.environ.get(name := f"EASEL_{role.upper()}_KEY")}
        given |= {"pictures": "pool" if pictures else "none", "planners": planner or None, "set_id": "", "keys": keys}
        try:
            wish = NewInspection.model_validate(given | {"key": found.endpoint_key})
        except ValidationError as error:
            fault = error.errors()[0]
            place = [part for part in fault["loc"] if part not in INSPECTORS]  # a role is none of the options
            give_up(wrong_option("inspection", {**fault, "loc": place}, "inspect"))
        console = console_of(stderr=as_json)
        try:
            with inspectors(found) as (control, sets, where):
                view = control.start(wish.model_copy(update={"set_id": _set_id(sets, plan_set)}))
                typer.echo(where, err=True)
                wanted = view.inspection_id
                view = follow(view, lambda: control.view(wanted), lambda: control.stop(wanted), _standing, console)
        except (Refusal, RunRefused, StoreUnusable) as refusal:
            give_up(str(refusal))
        _report(view, console)
        if as_json:
            typer.echo(view.model_dump_json(indent=1))
        raise typer.Exit(3 if view.state != "finished" else 2 if view.done < view.total else 0)


def _set_id(sets: Mapping[str, str], wanted: str) -> str:
    """The id of a set by its id or its name."""
    for set_id, name in sets.items():
        if wanted in (set_id, name):
            return set_id
    there = ", ".join(sets) or "none yet; easel plans import brings one in"
    give_up(f"There is no set of plans {wanted!r}; there are {there}.")


def _report(view: InspectionView, console: Console) -> None:
    from rich.text import Text

    console.print(_standing(view), highlight=False)
    for why in view.unscored_for:
        console.print(Text(f"No report on {why.items}: {why.reason}"))
    if view.without_output:
        console.print(Text(f"{view.without_output} of the plans are empty and were not sent."))
    if view.left_out:
        console.print(Text(f"An endpoint does not take {' and '.join(view.left_out)}, so it was asked without."))
    for sentence in (view.reason, *view.warnings, view.note):
        if sentence:
            console.print(Text(sentence))


def _standing(view: InspectionView) -> str:
    counted = ", ".join(f"{inspector} {number}" for inspector, number in view.reports.items())
    parts = [f"{view.state}: {view.done} of {view.total} reports ({counted}), judge {view.judge}"]
    if unscored := sum(view.unscored.values()):
        parts.append(f"{unscored} without a report")
    if view.calls:
        parts.append(f"{view.prompt_tokens + view.completion_tokens:,} tokens")
        parts.append(f"cost {view.cost:.4f}" if view.cost is not None else "cost unknown")
    if view.trouble:
        parts.append(f"the endpoint gives no answer: {view.trouble}")
    if view.eta is not None:
        parts.append(f"{view.eta:.0f} s to go")
    return ", ".join(parts)
