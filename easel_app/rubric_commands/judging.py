"""`easel rubrics judge`: let a model judge the answers of a rubric set, in a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from easel_app.settings import Settings

if TYPE_CHECKING:
    from rich.console import Console

    from easel_app.rubric_commands.judges import Control
    from easel_app.runs.judging_settings import JudgingView

PAUSE = 0.25
"""Seconds between two looks at the judging."""
QUIET = 10.0
"""Seconds between two lines where no bar can be drawn."""
PIPED = 120
"""Columns of what goes to a file or a pipe."""


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
        seed: Annotated[int, typer.Option(help="Of the draw.")] = 0,
        concurrency: Annotated[int, typer.Option(help="Calls at a time, 1 to 64.")] = 8,
        most_tokens: Annotated[int | None, typer.Option(help="Tokens that the judging may use in all.")] = None,
        most_money: Annotated[float | None, typer.Option(help="Money that the judging may cost in all.")] = None,
        price_prompt: Annotated[float | None, typer.Option(help="Price of a million prompt tokens.")] = None,
        price_completion: Annotated[float | None, typer.Option(help="Price of a million completion tokens.")] = None,
        timeout: Annotated[float, typer.Option(help="Seconds that an answer may take.")] = 120.0,
        as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
        data_dir: Annotated[
            Path | None, typer.Option(help="Folder of the database; EASEL_DATA_DIR, else .easel.")
        ] = None,
    ) -> None:
        """Let a model judge each rubric item of each answer. The same command again goes on where it stood.

        The key comes from EASEL_ENDPOINT_KEY or OPENAI_API_KEY. While a studio serves the data folder it judges there;
        else here. Exits with 0 when all has a verdict, 2 when items were left without one, 3 when stopped.
        """
        from pydantic import ValidationError
        from rich.console import Console

        from easel_app.rubric_commands.judges import judges
        from easel_app.runs.judging_settings import NewJudging
        from easel_app.services.problems import Refusal
        from easel_app.store.database import StoreUnusable
        from easel_app.terminal import RunRefused

        given = {key: value for key, value in locals().items() if key in NewJudging.model_fields and value is not None}
        given |= {"pictures": "task" if pictures else "none", "models": answers_of, "set_id": ""}
        found = settings(data_dir=data_dir)
        try:
            wish = NewJudging.model_validate(given | {"key": found.endpoint_key})
        except ValidationError as error:
            _give_up(_told(error.errors()[0]))
        console = Console(stderr=as_json)
        if not console.is_terminal:
            console.width = PIPED
        try:
            with judges(found) as (control, sets, where):
                view = control.start(wish.model_copy(update={"set_id": _set_id(sets, rubric_set)}))
                typer.echo(where, err=True)
                view = _follow(control, view, console)
        except (Refusal, RunRefused, StoreUnusable) as refusal:
            _give_up(str(refusal))
        _report(view, console)
        if as_json:
            typer.echo(view.model_dump_json(indent=1))
        raise typer.Exit(3 if view.state != "finished" else 2 if view.done < view.total else 0)


def _set_id(sets: Mapping[str, str], wanted: str) -> str:
    """The id of a set by its id or its name."""
    for set_id, name in sets.items():
        if wanted in (set_id, name):
            return set_id
    there = ", ".join(sets) or "none yet; easel rubrics import brings one in"
    _give_up(f"There is no rubric set {wanted!r}; there are {there}.")


def _follow(control: Control, view: JudgingView, console: Console) -> JudgingView:
    """Show a judging until it no longer runs; Ctrl-C stops it, a second Ctrl-C leaves at once."""
    try:
        return _watch(control, view, console)
    except KeyboardInterrupt:
        console.print("Stopping: calls under way are still recorded. Ctrl-C again leaves at once.")
        return _watch(control, control.stop(view.judging_id), console)


def _watch(control: Control, view: JudgingView, console: Console) -> JudgingView:
    from rich.progress import BarColumn, Progress, TextColumn

    bar = Progress(BarColumn(40), TextColumn("{task.description}"), console=console, transient=True)
    bar.disable = not console.is_terminal
    task, due = bar.add_task(_standing(view), total=view.total, completed=view.done), time.monotonic() + QUIET
    with bar:
        while view.state == "running":
            time.sleep(PAUSE)
            view = control.view(view.judging_id)
            bar.update(task, description=_standing(view), completed=view.done)
            if bar.disable and time.monotonic() >= due:
                console.print(_standing(view), highlight=False)
                due = time.monotonic() + QUIET
    return view


def _report(view: JudgingView, console: Console) -> None:
    from rich.text import Text

    console.print(_standing(view), highlight=False)
    for why in view.unscored_for:
        console.print(Text(f"No verdict on {why.items}: {why.reason}"))
    if view.left_out:
        console.print(Text(f"The endpoint does not take {' and '.join(view.left_out)}, so it was asked without."))
    if view.reason:
        console.print(Text(view.reason))


def _standing(view: JudgingView) -> str:
    parts = [f"{view.state}: {view.done} of {view.total} items judged", f"{view.met} met, {view.not_met} not met"]
    if view.unscored:
        parts.append(f"{view.unscored} without a verdict")
    if view.calls:
        parts.append(f"{view.prompt_tokens + view.completion_tokens:,} tokens")
        parts.append(f"cost {view.cost:.4f}" if view.cost is not None else "cost unknown")
    if view.trouble:
        parts.append(f"the endpoint gives no answer: {view.trouble}")
    if view.eta is not None:
        parts.append(f"{view.eta:.0f} s to go")
    return ", ".join(parts)


def _told(fault: Any) -> str:
    """What is wrong with an option, in one sentence."""
    option = "".join(f" --{str(part).replace('_', '-')}" for part in fault["loc"][:1])
    reason = str(fault["msg"]).removeprefix("Value error, ")
    return f"The judging cannot begin:{option} {reason[:1].lower()}{reason[1:]}; see easel rubrics judge --help."


def _give_up(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(1)
