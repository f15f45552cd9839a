"""What the commands read of a data folder, whether or not a studio serves it, and how they print it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from easel_app.import_terminal import give_up, plain
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.services.rubrics.rubrics import Rubrics
    from easel_app.store.sets import SetRecord


@contextmanager
def rubrics_of(settings: Settings) -> Iterator[Rubrics]:
    """The rubric sets in the data folder, to be read only."""
    from easel_app.services.rubrics.rubrics import Rubrics
    from easel_app.store.database import ReadOnlyDatabase, StoreUnusable

    try:
        database = ReadOnlyDatabase(settings.data_dir)
    except StoreUnusable as error:
        give_up(str(error))
    rubrics = Rubrics(database, settings)
    rubrics.library.first_look.job = lambda: None  # whoever only reads brings no sample in
    try:
        yield rubrics
    finally:
        database.close()


def chosen(rubrics: Rubrics, wanted: str) -> SetRecord:
    """The set of that id or that name."""
    sets = rubrics.library.sets()
    for record in sets:
        if wanted in (record.id, record.name):
            return record
    there = ", ".join(record.id for record in sets) or "none yet; easel rubrics import brings one in"
    give_up(plain(f"There is no rubric set {wanted!r}; there are {there}."))
