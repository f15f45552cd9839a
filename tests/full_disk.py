"""A disk without room, as SQLite tells of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from easel_app.services.studio import Studio


@contextmanager
def no_room(studio: Studio) -> Iterator[None]:
    """While this lasts, the studio's database cannot grow."""
    database = studio.rubrics.store._database
    pages = database.write(lambda c: c.execute("PRAGMA page_count").fetchone()[0])
    database.write(lambda c: c.execute(f"PRAGMA max_page_count = {pages}").fetchone())
    try:
        yield
    finally:
        database.write(lambda c: c.execute("PRAGMA max_page_count = 4294967294").fetchone())
