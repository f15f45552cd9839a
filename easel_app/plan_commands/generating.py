"""`easel plans generate`: let a model answer the queries of a set by plans, in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from easel_app.plan_commands.watching import console_of, follow, give_up, wrong_option
from easel_app.settings import Settings

if TYPE_CHECKING:
    from rich.console import Console

    from easel_app.runs.planning_settings import PlanningView


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel plans`; `settings` makes settings of its options."""

    @cli.command()
    def generate(
        plan_set: Annotated[str, typer.Argument(metavar="SET", help="The set whose queries are answered: id or name.")],
        base_url: Annotated[
            str,
            typer.Option(
                envvar=["EASEL_BASE_URL", "OPENAI_BASE_URL"], help="The planner's endpoint, up to and with /v1."
            ),
        ],
        model: Annotated[str, typer.Option(envvar="EASEL_MODEL", help="The planner's name there.")],
        planner: Annotated[
            str | None, typer.Option(help="How to call the planner; like its model if not given.")
        ] = None,
        shots: Annotated[int, typer.Option(help="Worked examples that go before: 0 or 3.")] = 0,
        pictures: Annotated[
            bool, typer.Option("--pictures", help="Send the pictures of the pool along, made small.")
        ] = False,
        index_base: Annotated[int, typer.Option(help="Index of the pool's first picture: 0 or 1.")] = 0,
        temperature: Annotated[float, typer.Option(help="Left out where the endpoint does not take it.")] = 0.0,
        max_tokens: Annotated[int | None, typer.Option(help="Longest reply, in tokens.")] = None,
        most: Annotated[int | None, typer.Option(help="Answer so many queries at most, drawn by --seed.")] = None,
        seed: Annotated[int, typer.Option(help="Of the draw.")] = 0,
        attempts: Annotated[int, typer.Option(help="Answers to each query.")] = 1,
        concurrency: Annotated[int, typer.Option(help="Calls at a time, 1 to 64.")] = 8,
        most_tokens: Annotated[int | None, typer.Option(help="Tokens that the planning may use in all.")] = None,
        most_money: Annotated[
            float | None, typer.Option("--most-money", "--max-cost", help="Money that the planning may cost in all.")
        ] = None,
        price_prompt: Annotated[float | None, typer.Option(help="Price of a million prompt tokens.")] = None,
        price_completion: Annotated[float | None, typer.Option(help="Price of a million completion tokens.")] = None,
        timeout: Annotated[float, typer.Option(help="Seconds that an answer may take.")] = 120.0,
        as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
        data_dir: Annotated[
            Path | None, typer.Option(help="Folder of the database; EASEL_DATA_DIR, else .easel.")
        ] = None,
    ) -> None:
        """Let a model answer the queries of a set by plans. The same command again goes on where it stood.

        The key comes from EASEL_ENDPOINT_KEY or OPENAI_API_KEY. While a studio serves the data folder it plans there;
        else here. Exits with 0 when all queries have an answer, refusals included, 2 when some have none, 3 when
        stopped.
        """
        from pydantic import ValidationError

        from easel_app.plan_commands.planners import planners
        from easel_app.runs.planning_settings import NewPlanning
        from easel_app.services.problems import Refusal
        from easel_app.store.database import StoreUnusable
        from easel_app.terminal import RunRefused

        given = {key: value for key, value in locals().items() if key in NewPlanning.model_fields and value is not None}
        given |= {"pictures": "pool" if pictures else "none", "set_id": ""}
        found = settings(data_dir=data_dir)
        try:
            wish = NewPlanning.model_validate(given | {"key": found.endpoint_key})
        except ValidationError as error:
            give_up(wrong_option("planning", error.errors()[0], "generate"))
        console = console_of(stderr=as_json)
        try:
            with planners(found) as (control, sets, where):
                view = control.start(wish.model_copy(update={"set_id": _set_id(sets, plan_set)}))
                typer.echo(where, err=True)
                wanted = view.planning_id
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


def _report(view: PlanningView, console: Console) -> None:
    from rich.text import Text

    console.print(_standing(view), highlight=False)
    for why in view.unanswered:
        console.print(Text(f"No answer to {why.queries}: {why.reason}"))
    if view.left_out:
        console.print(Text(f"The endpoint does not take {' and '.join(view.left_out)}, so it was asked without."))
    if view.reason:
        console.print(Text(view.reason))


def _standing(view: PlanningView) -> str:
    parts = [f"{view.state}: {view.done} of {view.total} plans there, planner {view.planner}"]
    if view.no_output:
        parts.append(f"{view.no_output} without output")
    if view.calls:
        parts.append(f"{view.prompt_tokens + view.completion_tokens:,} tokens")
        parts.append(f"cost {view.cost:.4f}" if view.cost is not None else "cost unknown")
    if view.trouble:
        parts.append(f"the endpoint gives no answer: {view.trouble}")
    if view.eta is not None:
        parts.append(f"{view.eta:.0f} s to go")
    return ", ".join(parts)
