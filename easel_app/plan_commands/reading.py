"""What the commands read of a data folder, whether or not a studio serves it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from easel_app.import_terminal import give_up, plain
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.services.plans.plans import Plans
    from easel_app.store.sets import SetRecord


@contextmanager
def plans_of(settings: Settings) -> Iterator[Plans]:
    """The sets of plans in the data folder, to be read only."""
    from easel_app.services.plans.plans import Plans
    from easel_app.store.database import ReadOnlyDatabase, StoreUnusable

    try:
        database = ReadOnlyDatabase(settings.data_dir)
    except StoreUnusable as error:
        give_up(str(error))
    plans = Plans(database, settings)
    plans.library.first_look.job = lambda: None  # whoever only reads brings no sample in
    try:
        yield plans
    finally:
        database.close()


def chosen(plans: Plans, wanted: str) -> SetRecord:
    """The set of that id or that name."""
    sets = plans.library.sets()
    for record in sets:
        if wanted in (record.id, record.name):
            return record
    there = ", ".join(record.id for record in sets) or "none yet; easel plans import brings one in"
    give_up(plain(f"There is no set of plans {wanted!r}; there are {there}."))
