"""`easel rubrics judge`: let a model judge the answers of a rubric set, in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from easel_app import work_options as options
from easel_app.services.wings import RUBRICS
from easel_app.sets_terminal import DataDirOption
from easel_app.settings import Settings
from easel_app.work_terminal import Work, carry_out

if TYPE_CHECKING:
    from easel_app.runs.judging_settings import JudgingView


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel rubrics`; `settings` makes settings of its options."""

    @cli.command()
    def judge(
        rubric_set: Annotated[str, typer.Argument(metavar="SET", help="The set whose answers are judged: id or name.")],
        base_url: Annotated[
            str,
            typer.Option(
                envvar=["EASEL_BASE_URL", "OPENAI_BASE_URL"], help="The judge's endpoint, up to and with /v1."
            ),
        ],
        model: Annotated[str, typer.Option(envvar="EASEL_MODEL", help="The judge's name there.")],
        name: Annotated[str | None, typer.Option(help="How to call the judge; like its model when not given.")] = None,
        pictures: Annotated[
            bool, typer.Option("--pictures", help="Show the pictures of each turn; published judges see text only.")
        ] = False,
        temperature: Annotated[float, typer.Option(help="Left out where the endpoint does not take it.")] = 0.0,
        answers_of: Annotated[
            list[str] | None, typer.Option(metavar="MODEL", help="Only answers of this model; may be repeated.")
        ] = None,
        most_items: Annotated[int | None, typer.Option(help="Judge so many items at most, drawn by --seed.")] = None,
        seed: options.Seed = 0,
        concurrency: options.Concurrency = 8,
        most_tokens: options.MostTokens = None,
        most_money: Annotated[float | None, typer.Option(help="Money that the judging may cost in all.")] = None,
        price_prompt: options.PricePrompt = None,
        price_completion: options.PriceCompletion = None,
        timeout: options.Timeout = 120.0,
        as_json: options.AsJson = False,
        data_dir: DataDirOption = None,
    ) -> None:
        """Let a model judge each rubric item of each answer. The same command again goes on where it stood.

        The key comes from EASEL_ENDPOINT_KEY or OPENAI_API_KEY. While a studio serves the data folder it judges there;
        else here. Exits with 0 when all has a verdict, 2 when items were left without one, 3 when stopped.
        """
        from easel_app.runs.judging import Judgings
        from easel_app.runs.judging_settings import JudgingView, NewJudging

        given = {key: value for key, value in locals().items() if key in NewJudging.model_fields and value is not None}
        given |= {"pictures": "task" if pictures else "none", "models": answers_of}
        work: Work[NewJudging, JudgingView] = Work(
            RUBRICS,
            *("judging", "judge", "judges", "judged"),
            wish=NewJudging,
            view=JudgingView,
            here=Judgings,
            library=lambda studio: studio.rubrics.library,
            counts=_counts,
            remarks=_remarks,
        )
        carry_out(work, given, rubric_set, settings(data_dir=data_dir), as_json)


def _counts(view: JudgingView) -> Iterator[str]:
    yield f"{view.done} of {view.total} items judged"
    yield f"{view.met} met, {view.not_met} not met"
    if view.unscored:
        yield f"{view.unscored} without a verdict"


def _remarks(view: JudgingView) -> Iterator[str]:
    for why in view.unscored_for:
        if why.reason not in view.reason:  # which is told below
            yield f"No verdict on {why.items}: {why.reason}"
    if view.left_out:
        yield f"The endpoint does not take {' and '.join(view.left_out)}, so it was asked without."
    yield view.reason
