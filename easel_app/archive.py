"""Sessions as files, in a terminal: `easel import`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from easel_app.sets_terminal import DataDirOption
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.services.imports import Imported

PATIENCE = 360.0
"""Seconds that a studio which serves may take for one log; it gives up by itself before."""


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the commands to the `easel` command; `settings` makes settings of its options."""

    @cli.command("import")
    def take_in(
        files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Logs, plain or packed by gzip.")],
        data_dir: DataDirOption = None,
    ) -> None:
        """Import sessions from logs that were made elsewhere, each whole or not at all.

        Each is played again and scored anew; what it claims is only compared. Exits with 1 when one was refused.
        """
        from easel_app.services.problems import Refusal
        from easel_app.terminal import RunRefused

        refused = False
        with _importer(settings(data_dir=data_dir)) as send:
            for file in files:
                try:
                    typer.echo(f"{file}: {_line(send(_content(file)))}")
                except (Refusal, RunRefused) as refusal:
                    refused = True
                    typer.echo(f"{file}: {refusal}", err=True)
        raise typer.Exit(int(refused))


@contextmanager
def _importer(settings: Settings) -> Iterator[Callable[[bytes], Imported]]:
    """Who takes in logs: the studio that serves the data folder, else this process."""
    from easel_app.services.imports import Imported
    from easel_app.services.studio import Studio
    from easel_app.store.database import StoreInUse, StoreUnusable
    from easel_app.terminal import Remote

    try:
        studio = Studio(settings)
    except StoreInUse as used:
        if not used.address:
            _give_up(str(used))
        with closing(Remote(used.address, PATIENCE)) as remote:
            yield lambda log: Imported.model_validate_json(remote._send("POST", "/api/sessions/import", content=log))
        return
    except StoreUnusable as error:
        _give_up(str(error))
    try:
        yield lambda log: studio.imports.take_in(log, seconds=None)
    finally:
        studio.close()


def _content(file: Path) -> bytes:
    """The bytes of a file; no more are read than a log may have. Raises Invalid, TooLarge."""
    from easel_app.services.logs import MOST_BYTES
    from easel_app.services.problems import Invalid, TooLarge

    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise Invalid("file", f"The file cannot be read ({error.strerror}); correct its name and try again.") from None
    if len(content) > MOST_BYTES:
        raise TooLarge("log_too_large", f"The file has more than {MOST_BYTES // 1024**2} MB; send a smaller one.")
    return content


def _line(found: Imported) -> str:
    """What became of a log, on one line."""
    claims = found.claims
    counts = {
        "scores": claims.differing_scores,
        "canvases": claims.differing_digests,
        "outcomes": claims.differing_outcomes,
        "steps": claims.differing_steps,
    }
    wrong = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    claimed = f"its claims differ in {wrong}, scores by up to {claims.worst:.1e}" if wrong else "its claims hold"
    played = f"{found.actions} actions, {found.steps} steps, {found.status}, score {found.score:.4f}"
    return f"session {found.session_id}, {played}; {claimed}"


def _give_up(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(1)
