"""`easel trajectories reason`: let a model write short texts on why a stroke helps, for a share of the references."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from easel_app import work_options as options
from easel_app.import_terminal import counted, give_up, plain
from easel_app.settings import Settings
from easel_app.trajectory_commands.folders import FOLDER, FolderArgument, bar

if TYPE_CHECKING:
    from easel_app.trajectories.reasoning.records import NewReasoning, ReasoningManifest
    from easel_app.trajectories.reasoning.writing import Writing

STOPPED = "Stopped by Ctrl-C; the same command goes on with it."
ALL, SOME, HALTED = 0, 2, 3
"""Exit codes."""


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel trajectories`; `settings` makes settings of its options."""

    @cli.command()
    def reason(
        base_url: Annotated[
            str,
            typer.Option(
                envvar=["EASEL_BASE_URL", "OPENAI_BASE_URL"], help="The model's endpoint, up to and with /v1."
            ),
        ],
        model: Annotated[str, typer.Option(envvar="EASEL_MODEL", help="The model's name there; it must see pictures.")],
        folder: FolderArgument = FOLDER,
        share: Annotated[
            float, typer.Option(help="Share of the references whose samples get a text; it may grow later.")
        ] = 0.1,
        temperature: Annotated[float | None, typer.Option(help="Left to the endpoint when not given.")] = None,
        max_tokens: Annotated[int | None, typer.Option(help="Longest reply; left to the endpoint.")] = None,
        scale: Annotated[int, typer.Option(help="Enlarge the pictures by this factor.")] = 4,
        concurrency: options.Concurrency = 8,
        most_tokens: options.MostTokens = None,
        most_money: Annotated[float | None, typer.Option(help="Money that the texts may cost in all.")] = None,
        price_prompt: options.PricePrompt = None,
        price_completion: options.PriceCompletion = None,
        timeout: options.Timeout = 120.0,
        as_json: options.AsJson = False,
    ) -> None:
        """Let a model write what differs most and what stroke helps. The same command again goes on where it stood.

        The texts are in the folder's reasoning/, joined to the samples by reference_key and step. The key comes from
        EASEL_ENDPOINT_KEY or OPENAI_API_KEY. Exits with 0 when each chosen sample has a text, 2 when some were left
        out, 3 when it was stopped before its end.
        """
        given: dict[str, object] = {
            "base_url": base_url,
            "share": share,
            "concurrency": concurrency,
            "timeout": timeout,
        }
        given |= {"most_tokens": most_tokens, "most_money": most_money, "key": settings().endpoint_key}
        given |= {"price_prompt": price_prompt, "price_completion": price_completion}
        given["writer"] = {"model": model, "temperature": temperature, "max_tokens": max_tokens, "scale": scale}
        from easel_app.services.problems import Refusal
        from easel_app.trajectories.card import write_card
        from easel_app.trajectories.reading import DataSet
        from easel_app.trajectories.reasoning.writing import write_texts

        wish = _wish(given)
        try:
            with bar() as told:
                data = DataSet(folder.expanduser())
                manifest = write_texts(data, wish, lambda tried, total: told("texts", tried, total), _stopping)
                with suppress(OSError) if manifest.reason else nullcontext():  # a full disk is told already
                    write_card(data.folder, data.manifest)
        except Refusal as refusal:
            give_up(plain(str(refusal)))
        except (OSError, ValueError) as error:
            give_up(plain(f"A file cannot be read or written ({error}); correct this, then give the command again."))
        typer.echo(manifest.model_dump_json(indent=1) if as_json else plain(_summary(manifest)))
        if manifest.reason:
            typer.echo(plain(manifest.reason), err=True)
        counts = manifest.counts
        raise typer.Exit(HALTED if counts.open else SOME if counts.without else ALL)


def _wish(given: dict[str, object]) -> NewReasoning:
    """What is wished for; ends the command where an option is wrong."""
    from pydantic import ValidationError

    from easel_app.trajectories.reasoning.records import NewReasoning

    try:
        return NewReasoning.model_validate(given)
    except ValidationError as error:
        fault = error.errors(include_input=False)[0]
        names = [str(part).replace("_", "-") for part in fault["loc"] if part != "writer"]
        said = str(fault["msg"]).removeprefix("Value error, ").removeprefix("Input ")
        option = "".join(f" --{name}" for name in names[:1])
        give_up(plain(f"The texts cannot be begun:{option} {said[:1].lower()}{said[1:]}; see --help."))


def _summary(manifest: ReasoningManifest) -> str:
    """What came of it, in a line or two."""
    counts = manifest.counts
    parts = [f"{manifest.state}: {counts.texts:,} of {counts.wanted:,} strokes have a text"]
    if counts.without:
        reasons = ", ".join(f"{code} {number:,}" for code, number in counts.left_out.items())
        parts.append(f"{counts.without:,} left out ({reasons})")
    if counts.open:
        parts.append(f"{counts.open:,} still to be asked about")
    if manifest.calls:
        parts.append(counted(manifest.calls, "call"))
        parts.append(f"{manifest.prompt_tokens + manifest.completion_tokens:,} tokens")
        parts.append("cost unknown" if manifest.cost is None else f"cost {manifest.cost:.4f}")
    return ", ".join(parts)


@contextmanager
def _stopping(sitting: Writing) -> Iterator[None]:
    """Ctrl-C lets the calls under way come to their end; a second one leaves at once."""

    def handle(number: int, frame: FrameType | None) -> None:
        if sitting.stopping:
            raise KeyboardInterrupt
        typer.echo("Stopping: calls under way are still recorded. Ctrl-C again leaves at once.", err=True)
        sitting.stop(STOPPED)

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
