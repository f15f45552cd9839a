"""Options of the commands that let models work on a set."""

from __future__ import annotations

from typing import Annotated

import typer

Seed = Annotated[int, typer.Option(help="Of the draw.")]
Concurrency = Annotated[int, typer.Option(help="Calls at a time, 1 to 64.")]
MostTokens = Annotated[int | None, typer.Option(help="Tokens that may be used in all.")]
PricePrompt = Annotated[float | None, typer.Option(help="Price of a million prompt tokens.")]
PriceCompletion = Annotated[float | None, typer.Option(help="Price of a million completion tokens.")]
Timeout = Annotated[float, typer.Option(help="Seconds that an answer may take.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
