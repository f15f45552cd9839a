"""`easel rubrics list` and `easel rubrics reviewer`: what there is, and one more token for a reviewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from easel_app.import_terminal import give_up, plain
from easel_app.sets_terminal import DataDirOption, read_only
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.services.rubrics.views import RubricSet


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the commands to `easel rubrics`; `settings` makes settings of their options."""

    @cli.command("list")
    def listed(
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a set.")] = False,
        data_dir: DataDirOption = None,
    ) -> None:
        """List the rubric sets with their judges and review queues."""
        from easel_app.services.rubrics.rubrics import Rubrics

        with read_only(Rubrics, settings(data_dir=data_dir)) as rubrics:
            sets = rubrics.sets()
        for found in sets:
            for line in [found.model_dump_json()] if as_json else _lines(found):
                typer.echo(line)
        if not sets:
            typer.echo("There is no rubric set yet; easel rubrics import brings one in.", err=True)

    @cli.command()
    def reviewer(
        name: Annotated[str, typer.Argument(help="The reviewer, who is enrolled if they are not yet.")],
        data_dir: DataDirOption = None,
    ) -> None:
        """Print one more token for a reviewer's name, whoever has it: for whoever has the data folder.

        Whoever holds the token votes in that name; it is sent as a bearer token.
        """
        from pydantic import ValidationError

        from easel_app.services.reviewers import NewReviewer, Reviewer
        from easel_app.services.studio import Studio
        from easel_app.store.database import StoreInUse, StoreUnusable
        from easel_app.terminal import Remote, RunRefused

        try:
            wish = NewReviewer(name=name)
        except ValidationError:
            give_up("A reviewer's name is one line of 1 to 80 visible characters; give another one.")
        found = settings(data_dir=data_dir)
        try:
            studio = Studio(found)
        except StoreInUse as used:
            if not used.address:
                give_up(str(used))
            with closing(Remote(used.address)) as remote:
                try:
                    content = remote._send("POST", "/api/rubrics/reviewers/tokens", json=wish.model_dump())
                except RunRefused as refusal:
                    give_up(str(refusal))
            typer.echo(Reviewer.model_validate_json(content).token)
            return
        except StoreUnusable as error:
            give_up(str(error))
        try:
            typer.echo(studio.rubrics.reviewers.admit(wish.name).token)
        finally:
            studio.close()


def _lines(found: RubricSet) -> Iterator[str]:
    """A set in words."""
    sample = "  SAMPLE" if found.sample else ""
    yield plain(f"{found.set_id}  {found.name}{sample}")
    yield (
        f"  {found.tasks:,} tasks, {found.items:,} rubric items, {found.answers:,} answers of "
        f"{len(found.models)} models, {found.pairs:,} pairs to grade"
    )
    for judging in found.judgings:
        counts = f"{judging.met:,} met, {judging.not_met:,} not met, {judging.unscored:,} unscored"
        yield plain(f"  judge {judging.judge} ({judging.judging_id}, {judging.origin}): {counts}")
    for queue in found.queues:
        yield plain(
            f"  queue {queue.name} ({queue.queue_id}): {queue.complete:,} of {queue.entries:,} entries reviewed "
            f"by {queue.required}"
        )
    if found.unfinished:
        yield plain(f"  an import of {found.unfinished} was cut off; the same command goes on with it")
