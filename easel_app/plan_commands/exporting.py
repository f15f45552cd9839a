"""`easel plans export`: plans as files, which works while a studio serves the data folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from easel_app.import_terminal import counted, give_up, plain
from easel_app.services.wings import PLANS
from easel_app.sets_terminal import DataDirOption, chosen, read_only
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.exports.outgoing import Export
    from easel_app.exports.plans.content import Content
    from easel_app.exports.plans.service import PlanExports, SetName
    from easel_app.services.plans.plans import Plans


class Form(StrEnum):
    """What a set is exported as."""

    SET = "set"
    PLANS = "plans"
    CALLS = "calls"
    GAPS = "gaps"
    SCORES = "scores"
    AGREEMENT = "agreement"
    HTML = "html"


FILES: Final[Mapping[Form, SetName]] = {
    Form.SET: "set.jsonl",
    Form.PLANS: "plans.csv",
    Form.CALLS: "calls.csv",
    Form.GAPS: "gaps.csv",
    Form.SCORES: "scores.csv",
    Form.AGREEMENT: "agreement.csv",
}
"""What each form of a set is called; a page is of a plan."""


class Ending(StrEnum):
    """How the file of a form ends."""

    LINES = ".jsonl"
    ZIP = ".zip"
    TABLE = ".csv"
    PAGE = ".html"


ENDINGS = {Form.SET: ("", Ending.ZIP, Ending.LINES), Form.HTML: (Ending.PAGE,)}
"""How files of a form may end; of the others like a table. A set that ends like no file is a folder."""
ALL_ENDINGS = (*Ending, ".json", ".gz", ".txt")


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel plans`; `settings` makes settings of its options."""

    @cli.command()
    def export(
        plan_set: Annotated[str, typer.Argument(metavar="SET", help="Which set: id or name.")],
        form: Annotated[
            Form,
            typer.Option("--as", help="set: a folder, .zip or .jsonl; html: one plan as a page; the others: .csv."),
        ] = Form.SET,
        to: Annotated[Path | None, typer.Option(help="File or folder; else named after the set and the form.")] = None,
        query: Annotated[str | None, typer.Option(help="Of html: the query's id.")] = None,
        planner: Annotated[str | None, typer.Option(help="Of html: whose plan.")] = None,
        attempt: Annotated[int, typer.Option(min=1, help="Of html: which of that planner's.")] = 1,
        beside: Annotated[
            str | None, typer.Option(metavar="PLANNER", help="Of html: whose plan beside it, or reference.")
        ] = None,
        data_dir: DataDirOption = None,
    ) -> None:
        """Export a set of plans, or what is said of it.

        set is all of it in the studio's own format with its pictures, which easel plans import takes elsewhere; plans,
        calls and gaps have a row each, with what judges and people say; html is a plan, or two of one query, as a page
        that opens from disk. Files tell what others say: whoever is to review blind reads them later.
        """
        from easel_app.exports.plans.content import Content
        from easel_app.exports.plans.service import PlanExports
        from easel_app.services.plans.plans import Plans
        from easel_app.services.problems import Refusal

        endings = ENDINGS.get(form, (Ending.TABLE,))
        if to and to.suffix.lower() not in endings and not ("" in endings and to.suffix.lower() not in ALL_ENDINGS):
            give_up(f"A file of {form} ends with {' or '.join(filter(None, endings))}; correct --to.")
        try:
            with read_only(Plans, settings(data_dir=data_dir)) as plans:
                set_id, exports = chosen(PLANS, plans.library.names(), plan_set), PlanExports(plans)
                if form is Form.HTML:
                    if query is None or planner is None:
                        give_up("Which plan? Name it by --query and --planner.")
                    answer = plans.library.find(set_id, query, planner, attempt)
                    other = _beside(plans, set_id, query, beside) if beside else None
                    made = exports.plan(answer) if other is None else exports.compare(answer, other)
                    told, written = _file(made, to)
                elif form is Form.SET and (to is None or to.suffix.lower() != Ending.LINES):
                    told, written = _package(Content(plans, set_id), to)
                else:
                    told, written = _file(_table(exports, set_id, form), to)
            typer.echo(plain(f"{written}{told}"))
        except Refusal as refusal:
            give_up(plain(refusal.message))
        except OSError as error:
            give_up(f"It cannot be written ({error.strerror or error}); choose another place by --to.")


def _beside(plans: Plans, set_id: str, query: str, beside: str) -> int | Literal["reference"]:
    """The plan beside another one; the data's own answer where no planner is called `reference`. Raises NotFound."""
    from easel_app.exports.plans.service import REFERENCE
    from easel_app.services.problems import NotFound

    try:
        return plans.library.find(set_id, query, beside, 1)
    except NotFound:
        if beside != REFERENCE:
            raise
        return REFERENCE


Written = tuple[str, Path]
"""What to tell of what was written, and where it is."""


def _table(exports: PlanExports, set_id: str, form: Form) -> Export:
    return exports.export(set_id, FILES[form])


def _file(made: Export, to: Path | None) -> Written:
    """Write one file. Raises OSError."""
    from easel_app.exports.whole import write_whole

    path = to or Path(made.file_name)
    write_whole(path, made.pieces)
    return "", path


def _package(content: Content, to: Path | None) -> Written:
    """Write a set with its pictures. Raises Refusal, OSError."""
    from easel_app.exports.plans.package import Package
    from easel_app.exports.whole import write_package

    path, package = to or Path(content.record.id), Package(content)
    write_package(path, package.files())
    queries = counted(len({key.query for key, _ in content.outlines}), "query", "queries")
    count = f"{queries} with {counted(len(content.outlines), 'answer')}"
    gone = counted(len(package.missing), "picture is", "pictures are")
    lost = f"; {gone} no longer in the data folder" if package.missing else ""
    return f": {count}{lost}", path
