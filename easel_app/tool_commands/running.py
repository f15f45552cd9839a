"""`easel tools run`: let a model answer the tasks of a rubric set with tools, in a terminal."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from easel_app import work_options as options
from easel_app.import_terminal import give_up
from easel_app.services.wings import RUBRICS
from easel_app.sets_terminal import DataDirOption, chosen
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.runs.tool_run_settings import NewToolRun

JUDGE_KEY = "EASEL_JUDGE_KEY"
"""Where the key of a judge at another endpoint comes from."""


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel tools`; `settings` makes settings of its options."""

    @cli.command()
    def run(
        rubric_set: Annotated[str, typer.Argument(metavar="SET", help="The set whose tasks are answered: id or name.")],
        base_url: Annotated[
            str,
            typer.Option(
                envvar=["EASEL_BASE_URL", "OPENAI_BASE_URL"], help="The model's endpoint, up to and with /v1."
            ),
        ],
        model: Annotated[str, typer.Option(envvar="EASEL_MODEL", help="The model's name there.")],
        player: Annotated[
            str | None, typer.Option(help="How to call its answers; like the model, with what differs, if not given.")
        ] = None,
        prompt: Annotated[str, typer.Option(help="System prompt: strong, medium or weak.")] = "strong",
        tools: Annotated[str, typer.Option(help="all, no_vision or none.")] = "all",
        history: Annotated[
            str, typer.Option(help="What stands for earlier turns: golden answers, as published, or own ones.")
        ] = "golden",
        temperature: Annotated[
            str, typer.Option(help="family: as published for such models; none: left to the endpoint; or a number.")
        ] = "family",
        effort: Annotated[
            str, typer.Option(help="Of reasoning: family, none, a word such as high, or tokens of thinking.")
        ] = "family",
        variables: Annotated[str, typer.Option(help="Of the code, from call to call: fresh or kept.")] = "fresh",
        pictures: Annotated[
            str, typer.Option(help="Where pictures of tools are shown: auto, tool or user message.")
        ] = "auto",
        longest: Annotated[int, typer.Option(help="Pixels of a picture's longer side as it is shown.")] = 2048,
        network: Annotated[
            str, typer.Option(help="What answers search, pages, weather: recorded, service or off.")
        ] = "recorded",
        cassette: Annotated[str | None, typer.Option(help="Which recording; else that of the samples.")] = None,
        record: Annotated[
            str | None, typer.Option(help="With --network service: record the answers into this cassette.")
        ] = None,
        most_rounds: Annotated[int, typer.Option(help="Rounds of a turn.")] = 20,
        max_tokens: Annotated[int | None, typer.Option(help="Longest reply, in tokens.")] = None,
        task: Annotated[list[str] | None, typer.Option(help="Only this task; may be repeated.")] = None,
        most: Annotated[int | None, typer.Option(help="So many tasks at most, drawn by --seed.")] = None,
        seed: options.Seed = 0,
        repeats: Annotated[int, typer.Option(help="Attempts at each task.")] = 1,
        concurrency: Annotated[int, typer.Option(help="Attempts at a time, 1 to 64.")] = 4,
        judge: Annotated[str | None, typer.Option(help="Have this model judge the answers at the end.")] = None,
        judge_base_url: Annotated[str | None, typer.Option(help="Its endpoint, if another one.")] = None,
        required: Annotated[int, typer.Option(help="People who vote on each entry of the queue made then.")] = 2,
        judge_most_tokens: Annotated[int | None, typer.Option(help="Tokens that the judge may use in all.")] = None,
        most_tokens: options.MostTokens = None,
        most_money: Annotated[float | None, typer.Option(help="Money that the run may cost in all.")] = None,
        price_prompt: options.PricePrompt = None,
        price_completion: options.PriceCompletion = None,
        timeout: options.Timeout = 120.0,
        as_json: options.AsJson = False,
        data_dir: DataDirOption = None,
    ) -> None:
        """Let a model answer a set with six tools. The same command again goes on where it stood.

        The key comes from EASEL_ENDPOINT_KEY or OPENAI_API_KEY, that of a judge at another endpoint from
        EASEL_JUDGE_KEY. While a studio serves the data folder it runs there; else here. Exits with 0 when all is
        answered (and judged), 2 when attempts have no answer, 3 when stopped.
        """
        from easel_app.runs.tool_run_settings import NewToolRun

        given = {key: value for key, value in locals().items() if key in NewToolRun.model_fields and value is not None}
        given |= {"temperature": _number(temperature), "effort": None if effort == "none" else effort, "tasks": task}
        given["judge"] = judge and {
            "model": judge,
            "base_url": judge_base_url,
            "required": required,
            "most_tokens": judge_most_tokens,
            "timeout": timeout,
        }
        carry_out(given, rubric_set, settings(data_dir=data_dir), as_json=as_json)


def carry_out(given: Mapping[str, Any], wanted: str, settings: Settings, *, as_json: bool) -> NoReturn:
    """Run a model on a set and leave with the exit code: 0 all is done, 2 something was left, 3 stopped."""
    from easel_app.live_table import console_of
    from easel_app.services.problems import Refusal
    from easel_app.store.database import StoreUnusable
    from easel_app.terminal import RunRefused
    from easel_app.tool_commands.desk import desk
    from easel_app.tool_commands.following import follow, report

    wish = _wish(given, settings)
    console = console_of(stderr=as_json)
    try:
        with desk(settings) as at:
            view = at.start(wish.model_copy(update={"set_id": chosen(RUBRICS, at.names(), wanted)}))
            typer.echo(at.where, err=True)
            view = follow(at, view, console)
            score = report(at, view, console)
    except (Refusal, RunRefused, StoreUnusable) as refusal:
        give_up(str(refusal))
    if as_json:
        found = {**view.model_dump(mode="json"), "score": score and score.model_dump(mode="json")}
        typer.echo(json.dumps(found, indent=1))
    raise typer.Exit(3 if view.state != "finished" else 2 if view.done < view.total else 0)


def _wish(given: Mapping[str, Any], settings: Settings) -> NewToolRun:
    from pydantic import SecretStr, ValidationError

    from easel_app.runs.tool_run_settings import NewToolRun

    judge_key = os.environ.get(JUDGE_KEY)
    keys = {"key": settings.endpoint_key, "judge_key": SecretStr(judge_key) if judge_key else None}
    try:
        return NewToolRun.model_validate({**given, "set_id": "", **keys})
    except ValidationError as error:
        give_up(_wrong_option(error.errors()[0]))


def _wrong_option(fault: Any) -> str:
    """What is wrong with an option, in one sentence; `fault` is an error of pydantic's."""
    at = [str(part) for part in fault["loc"]]
    names = {"tasks": "task", "judge": "judge"}
    option = f" --{names.get(at[0], at[0]).replace('_', '-')}" if at else ""
    if at[:1] == ["judge"] and at[1:2] in (["base_url"], ["required"], ["most_tokens"]):
        option = f" --{'' if at[1] == 'required' else 'judge-'}{at[1].replace('_', '-')}"
    reason = str(fault["msg"]).removeprefix("Value error, ").removeprefix("Input ")
    return f"The run cannot begin:{option} {reason[:1].lower()}{reason[1:]}; see easel tools run --help."


def _number(text: str) -> float | str | None:
    """A temperature as it is meant; what is no number is left for the settings to refuse."""
    if text == "none":
        return None
    try:
        return float(text)
    except ValueError:
        return text
