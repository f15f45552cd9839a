"""Data of every released schema is read by this version as it was stored."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlite_utils

from easel_app.painting import png
from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewSession
from easel_app.settings import Settings
from easel_app.store.migrations import migrations
from tests.conftest import new_session, paint

NAMES = [migration.name for migration in migrations._migrations]
UNDO, SUBMIT = {"kind": "undo"}, {"kind": "submit"}


def fill(folder: Path) -> None:
    """Sessions as the first schema could hold them, and one of an own picture, for the schemas that can."""
    studio = Studio(Settings(data_dir=folder))
    own = studio.tasks.add_own(png.encode(np.random.default_rng(1).integers(0, 256, (70, 70, 3), np.uint8)), 64, None)
    for protocol, task_id in [("studio", "programmatic-01"), ("benchmark", "natural-01"), ("practice", own.id)]:
        wish = NewSession.model_validate(new_session(protocol=protocol, task_id=task_id))
        session_id = studio.sessions.begin(wish).session_id
        actions = [paint("x", k)["action"] for k in range(20)]
        if protocol != "benchmark":
            actions += [UNDO, UNDO, *actions[:2], SUBMIT]
        for k, action in enumerate(actions):
            studio.sessions.play(session_id, NewAction.model_validate({"request_id": f"r{k}", "action": action}))
    studio.close()


def told(folder: Path) -> dict[str, Any]:
    """All that a studio tells of the sessions in a data folder, by their ids."""
    studio = Studio(Settings(data_dir=folder))
    listed = {summary.session_id: summary.model_dump() for summary in studio.sessions.newest(limit=100)}
    answers = {
        found.session_id: (
            found,
            listed.get(found.session_id),
            studio.sessions.view(found.session_id).model_dump(),
            studio.sessions.canvas(found.session_id),
            list(studio.sessions.log(found.session_id)),
            list(studio.sessions.evidence(found.session_id)),
        )
        for found in studio.sessions.rescore()
    }
    studio.close()
    return answers


def copy_into(old: Path, new: Path, schema: list[str]) -> None:
    """Make a database by the first migrations alone and fill it with what of another one it can hold."""
    new.mkdir()
    database = sqlite_utils.Database(new / "easel.db")
    following = NAMES[len(schema) :]
    migrations.apply(database, stop_before=following[0] if following else None)
    database.conn.execute("ATTACH ? AS old", [str(old / "easel.db")])
    own = "own_tasks" in database.table_names()
    for table in database.table_names():
        if not table.startswith("_"):
            columns = ", ".join(column.name for column in database[table].columns)
            key = "session_id" if table == "actions" else "id"
            chosen = f"WHERE {key} IN (SELECT id FROM old.sessions WHERE task_set != 'own')" if not own else ""
            database.conn.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM old.{table} {chosen}")
    database.conn.commit()
    database.close()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("filled")
    fill(folder)
    return folder, told(folder)


@pytest.mark.parametrize("schema", [NAMES[: k + 1] for k in range(len(NAMES))], ids=lambda names: names[-1])
def test_data_of_an_older_schema_is_read_unchanged(
    filled: tuple[Path, dict[str, Any]], tmp_path: Path, schema: list[str]
) -> None:
    folder, before = filled
    copy_into(folder, tmp_path / "old", schema)
    after = told(tmp_path / "old")
    assert after == {session_id: before[session_id] for session_id in after}
    assert len(after) == (2 if len(schema) == 1 else 3)
    with closing(sqlite3.connect(tmp_path / "old" / "easel.db")) as connection:
        applied = connection.execute("SELECT name FROM _sqlite_migrations ORDER BY id").fetchall()
    assert [name for (name,) in applied] == NAMES
