"""`easel plans generate`: let a model answer the queries of a set by plans, in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from easel_app import work_options as options
from easel_app.import_terminal import counted
from easel_app.services.wings import PLANS
from easel_app.sets_terminal import DataDirOption
from easel_app.settings import Settings
from easel_app.work_terminal import Work, carry_out

if TYPE_CHECKING:
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
        seed: options.Seed = 0,
        attempts: Annotated[int, typer.Option(help="Answers to each query.")] = 1,
        concurrency: options.Concurrency = 8,
        most_tokens: options.MostTokens = None,
        most_money: Annotated[
            float | None, typer.Option("--most-money", "--max-cost", help="Money that the planning may cost in all.")
        ] = None,
        price_prompt: options.PricePrompt = None,
        price_completion: options.PriceCompletion = None,
        timeout: options.Timeout = 120.0,
        as_json: options.AsJson = False,
        data_dir: DataDirOption = None,
    ) -> None:
        """Let a model answer the queries of a set by plans. The same command again goes on where it stood.

        The key comes from EASEL_ENDPOINT_KEY or OPENAI_API_KEY. While a studio serves the data folder it plans there;
        else here. Exits with 0 when all queries have an answer, refusals included, 2 when some have none, 3 when
        stopped.
        """
        from easel_app.runs.planning_settings import NewPlanning, PlanningView
        from easel_app.runs.plannings import Plannings

        given = {key: value for key, value in locals().items() if key in NewPlanning.model_fields and value is not None}
        given |= {"pictures": "pool" if pictures else "none"}
        work: Work[NewPlanning, PlanningView] = Work(
            PLANS,
            *("planning", "generate", "plans", "planned"),
            wish=NewPlanning,
            view=PlanningView,
            here=Plannings,
            library=lambda studio: studio.plans.library,
            counts=_counts,
            remarks=_remarks,
        )
        carry_out(work, given, plan_set, settings(data_dir=data_dir), as_json)


def _counts(view: PlanningView) -> Iterator[str]:
    yield f"{view.done} of {view.total} plans there, planner {view.planner}"
    if view.no_output:
        yield f"{view.no_output} without output"


def _remarks(view: PlanningView) -> Iterator[str]:
    for why in view.unanswered:
        if why.reason not in view.reason:  # which is told below
            yield f"No answer to {counted(why.queries, 'query', 'queries')}: {why.reason}"
    if view.left_out:
        yield f"The endpoint does not take {' and '.join(view.left_out)}, so it was asked without."
    yield view.reason
