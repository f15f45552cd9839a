"""`easel trajectories export-sft`: a finished data set as chats with pictures, for TRL or LLaMA-Factory."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from easel_app.import_terminal import give_up, plain
from easel_app.settings import Settings
from easel_app.trajectory_commands.folders import FOLDER, FolderArgument, bar


class Layout(StrEnum):
    """For which trainer."""

    TRL = "trl"
    LLAMA_FACTORY = "llama-factory"


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel trajectories`; it needs no settings."""

    @cli.command("export-sft")
    def export(
        to: Annotated[Path, typer.Option(help="A new or empty folder for the chats.")],
        stage: Annotated[int, typer.Option(min=1, max=2, help="1: C1; 2: C2 and a replay of C1.")],
        folder: FolderArgument = FOLDER,
        layout: Annotated[Layout, typer.Option(help="trl: parquet; llama-factory: JSON lines and files.")] = Layout.TRL,
        replay: Annotated[
            float | None, typer.Option(help="Share of C1 in the samples of stage 2; as published when not given, 0.15.")
        ] = None,
        seed: Annotated[int, typer.Option(min=0, help="Of the choice of what is replayed, and of budgets.")] = 0,
        budgets: Annotated[
            str | None,
            typer.Option(
                help="Numbers of strokes of which each question names one, such as 32,96,128,250; the trajectory's own "
                "when not given."
            ),
        ] = None,
        scale: Annotated[int, typer.Option(help="Enlarge the pictures by this factor; a run has to do the same.")] = 1,
        grid: Annotated[bool, typer.Option("--grid", help="Lay a grid with coordinates over the pictures.")] = False,
        reasoning: Annotated[
            bool, typer.Option(help="Put the texts of easel trajectories reason before the answers.")
        ] = True,
    ) -> None:
        """Write the samples of a training stage as chats: what easel run asks, and the stroke as the answer.

        The data set must be complete. The folder appears when all is in it. Canvases that the data set does not hold
        are painted anew.
        """
        from pydantic import ValidationError

        from easel_app.painting.showing import Look
        from easel_app.painting.stroke import explain
        from easel_app.services.problems import Refusal
        from easel_app.trajectories.training.config import Stage
        from easel_app.trajectories.training.exporting import WITH_REASONING, export_sft

        stages: dict[int, Stage] = {1: 1, 2: 2}
        try:
            look, named = Look(scale=scale, grid=grid), _numbers(budgets)
            with bar() as told:
                note = export_sft(
                    folder.expanduser(),
                    to.expanduser(),
                    stages[stage],
                    layout.value,
                    replay=replay,
                    seed=seed,
                    budgets=named,
                    look=look,
                    reasoning=reasoning,
                    told=lambda done, total: told("samples", done, total),
                )
        except ValidationError as error:
            give_up(plain(f"--{explain(error, 'option').message}"))
        except Refusal as refusal:
            give_up(plain(refusal.message))
        except KeyboardInterrupt:
            give_up(f"Stopped; nothing is at {to}, and the same command begins anew.")
        except OSError as error:
            give_up(f"It cannot be written ({error.strerror or error}); make room, or choose another place by --to.")
        for split, counts in note.counts.items():
            parts = [f"{count:,} of {name}" for name, count in counts.items() if name != WITH_REASONING]
            thought = counts.get(WITH_REASONING, 0)
            typer.echo(f"{split}: {', '.join(parts) or 'none'}{f'; {thought:,} with reasoning' if thought else ''}")
        typer.echo(plain(str(to)))


def _numbers(text: str | None) -> list[int]:
    """Whole numbers with commas between them. Raises Invalid."""
    from easel_app.services.problems import Invalid

    words = [word.strip() for word in text.split(",")] if text is not None else []
    wrong = [word for word in words if not (word.isascii() and word.isdigit() and len(word) < 10)]
    if wrong:
        message = f"--budgets holds {wrong[0]!r}, but must be whole numbers with commas between them, such as 32,96."
        raise Invalid("budgets", message, "budgets")
    return [int(word) for word in words]
