"""Sets in a terminal: those of a data folder, whether or not a studio serves it, and the one that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from easel_app.import_terminal import give_up, plain
from easel_app.services.wings import Wing
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.services.plans.plans import Plans
    from easel_app.services.rubrics.rubrics import Rubrics
    from easel_app.store.database import Database

DataDirOption = Annotated[Path | None, typer.Option(help="Folder of the database; EASEL_DATA_DIR, else .easel.")]
S = TypeVar("S", "Plans", "Rubrics")


@contextmanager
def read_only(wing: Callable[[Database, Settings], S], settings: Settings) -> Iterator[S]:
    """All sets of a kind in the data folder, to be read only."""
    from easel_app.store.database import ReadOnlyDatabase, StoreUnusable

    try:
        database = ReadOnlyDatabase(settings.data_dir)
    except StoreUnusable as error:
        give_up(str(error))
    found = wing(database, settings)
    found.library.first_look.job = lambda: None  # whoever only reads brings no sample in
    try:
        yield found
    finally:
        database.close()


def chosen(wing: Wing, names: Mapping[str, str], wanted: str) -> str:
    """The id of the set of that id or that name; `names` are those of all sets, by id."""
    for set_id, name in names.items():
        if wanted in (set_id, name):
            return set_id
    there = ", ".join(names) or f"none yet; easel {wing.name} import brings one in"
    give_up(plain(f"There is no {wing.one} {wanted!r}; there are {there}."))
