"""`easel rubrics export`: a rubric set as files, which works while a studio serves the data folder."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from easel_app.import_terminal import give_up, plain
from easel_app.services.wings import RUBRICS
from easel_app.sets_terminal import DataDirOption, chosen, read_only
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.exports.rubrics.content import Content
    from easel_app.services.rubrics.rubrics import Rubrics


class Form(StrEnum):
    """What a set is exported as."""

    VERDICTS = "verdicts"
    CONSENSUS = "consensus"
    SCORES = "scores"
    AGREEMENT = "agreement"
    RESPONSES = "responses"
    SET = "set"
    HUB = "hub"


KINDS = {
    Form.VERDICTS: ("jsonl", "csv"),
    Form.CONSENSUS: ("jsonl", "csv"),
    Form.SCORES: ("csv",),
    Form.AGREEMENT: ("csv",),
}
"""How files of a form may end; the first is taken when no place is given."""
ZIP = ".zip"
EVERY = 100
"""Rows after which progress is told again."""


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel rubrics`; `settings` makes settings of its options."""

    @cli.command()
    def export(
        rubric_set: Annotated[str, typer.Argument(metavar="SET", help="Which set: id or name.")],
        form: Annotated[
            Form,
            typer.Option(help="verdicts, consensus: .jsonl or .csv; scores, agreement: .csv; others: a folder."),
        ] = Form.SET,
        to: Annotated[
            Path | None, typer.Option(help="File; folder, or .zip, of responses, set and hub. Else named after it.")
        ] = None,
        push: Annotated[str | None, typer.Option(metavar="NAME/REPO", help="Push hub's folder there, too.")] = None,
        private: Annotated[bool, typer.Option("--private", help="A repository made by --push is private.")] = False,
        data_dir: DataDirOption = None,
    ) -> None:
        """Export a rubric set, or what is said of it.

        set is all of it in the studio's own format, which easel rubrics import takes elsewhere; verdicts is what judges
        and people say, to be imported into a set that has the answers; hub is parquet with a card in Hugging Face
        layout. --push takes HF_TOKEN, or the token of hf auth login.
        """
        from easel_app.exports.rubrics.content import Content
        from easel_app.services.problems import Refusal
        from easel_app.services.rubrics.rubrics import Rubrics

        if push and (form is not Form.HUB or (to and to.suffix.lower() == ZIP)):
            give_up("Only a folder of --form hub is pushed; give that, or leave --push out.")
        try:
            with read_only(Rubrics, settings(data_dir=data_dir)) as rubrics:
                set_id = chosen(RUBRICS, rubrics.library.names(), rubric_set)
                if form in KINDS:
                    told, written = _table(rubrics, set_id, form, to)
                elif form is Form.RESPONSES:
                    told, written = _responses(rubrics, set_id, to)
                elif form is Form.SET:
                    told, written = _package(Content(rubrics, set_id), to)
                else:
                    told, written = _layout(Content(rubrics, set_id), to)
            typer.echo(plain(f"{written}{told}"))
            if push:
                from easel_app.exports.hub import push as send

                typer.echo(f"pushed to {send(written, push, private=private, what='Rubric set')}")
        except Refusal as refusal:
            give_up(refusal.message)
        except OSError as error:
            give_up(f"It cannot be written ({error.strerror or error}); choose another place by --to.")


Written = tuple[str, Path]
"""What to tell of what was written, and where it is."""


def _table(rubrics: Rubrics, set_id: str, form: Form, to: Path | None) -> Written:
    """Write what is said of a set to a file. Raises Refusal, OSError."""
    from easel_app.exports.rubrics.service import RubricExports
    from easel_app.exports.whole import write_whole

    kinds = KINDS[form]
    kind = to.suffix.removeprefix(".").lower() if to else kinds[0]
    if kind not in kinds:
        give_up(f"A file of {form} ends with {' or '.join(f'.{each}' for each in kinds)}; correct --to.")
    made = RubricExports(rubrics).export(set_id, f"{form}.{kind}")  # type: ignore[arg-type]  # one of KINDS
    path = to or Path(made.file_name)
    write_whole(path, made.pieces)
    return "", path


def _package(content: Content, to: Path | None) -> Written:
    """Write a set with its pictures. Raises Refusal, OSError."""
    from easel_app.exports.rubrics.package import Package
    from easel_app.exports.whole import write_package

    path, package = to or Path(content.record.id), Package(content)
    write_package(path, package.files())
    return f": {len(content.outlines):,} tasks, {len(content.answer_keys):,} answers{_lost(package.missing)}", path


def _responses(rubrics: Rubrics, set_id: str, to: Path | None) -> Written:
    """Write answers as the benchmark's scripts do, with their pictures. Raises Refusal, OSError."""
    from easel_app.exports.rubrics.content import Content
    from easel_app.exports.rubrics.responses import Responses
    from easel_app.exports.whole import write_package

    content = Content(rubrics, set_id)
    path, made = to or Path(f"{content.record.id}-responses"), Responses(rubrics, content)
    write_package(path, made.files())
    files = f"{len(made.names):,} file{'' if len(made.names) == 1 else 's'}"
    return f": {len(content.answer_keys):,} answers in {files}{_lost(made.missing)}", path


def _lost(missing: Sequence[object]) -> str:
    return f"; {len(missing)} pictures are no longer in the data folder" if missing else ""


def _layout(content: Content, to: Path | None) -> Written:
    """Write a data set in Hugging Face layout. Raises Refusal, OSError."""
    from easel_app.exports.files import files_of
    from easel_app.exports.rubrics.layout import write_layout
    from easel_app.exports.whole import whole_folder, write_package

    path = to or Path(f"{content.record.id}-hub")
    if path.suffix.lower() == ZIP:
        with tempfile.TemporaryDirectory(dir=path.absolute().parent, prefix=".easel-hub-") as name:
            tally = write_layout(Path(name), content, _tell)
            write_package(path, files_of(Path(name)))
    else:
        with whole_folder(path) as folder:
            tally = write_layout(folder, content, _tell)
    rows = {"turns of answers" if name == "answers" else name: count for name, count in tally.rows.items()}
    return f": {', '.join(f'{count:,} {name}' for name, count in rows.items())}", path


def _tell(name: str, rows: int) -> None:
    """Progress, where a person may be looking."""
    if rows % EVERY == 0 and sys.stderr.isatty():
        typer.echo(f"\r{rows} {name}", nl=False, err=True)
