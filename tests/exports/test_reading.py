"""A data folder can be read while another process serves it, and nothing else is done to it."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import sqlite_utils

from easel_app.store.database import Database, ReadOnlyDatabase, StoreUnusable
from easel_app.store.migrations import migrations

RUN = "INSERT INTO runs VALUES (?, '{}', 'now')"
COUNT = "SELECT COUNT(*) FROM runs"


def count(database: Database) -> int:
    return int(database.read().execute(COUNT).fetchone()[0])


def test_what_is_committed_is_read_while_another_writes(tmp_path: Path) -> None:
    serving, reading = Database(tmp_path), ReadOnlyDatabase(tmp_path)
    for number in range(3):
        serving.write(lambda c, n=number: c.execute(RUN, [f"run-{n}"]))
        assert count(reading) == number + 1
    serving.close()
    assert count(reading) == 3
    reading.close()
    again = Database(tmp_path)  # reading took no lock and left nothing that is in the way
    assert count(again) == 3
    again.close()


def test_what_a_killed_process_had_committed_is_read(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, sys\nfrom easel_app.store.database import Database\n"
        "database = Database(pathlib.Path(sys.argv[1]))\n"
        f"database.write(lambda c: c.execute({RUN!r}, ['run']))\nos.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False).returncode == -signal.SIGKILL
    reading = ReadOnlyDatabase(tmp_path)
    assert count(reading) == 1
    reading.close()


def test_nothing_can_be_written(tmp_path: Path) -> None:
    Database(tmp_path).close()
    reading = ReadOnlyDatabase(tmp_path)
    with pytest.raises(RuntimeError, match="read only"):
        reading.write(lambda c: c.execute(RUN, ["run"]))
    with pytest.raises(RuntimeError, match="read only"):
        reading.announce("http://127.0.0.1:1")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reading.read().execute(RUN, ["run"])
    reading.close()
    reading.close()


def test_a_folder_without_a_database_is_refused_and_none_is_made(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="There is no database"):
        ReadOnlyDatabase(tmp_path / "nowhere")
    assert not list(tmp_path.iterdir())


def test_a_damaged_or_an_older_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "easel.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreUnusable, match="cannot be read"):
        ReadOnlyDatabase(tmp_path)
    (tmp_path / "easel.db").unlink()
    older = sqlite_utils.Database(tmp_path / "easel.db")
    migrations.apply(older, stop_before="0005_watch")
    older.close()
    with pytest.raises(StoreUnusable, match="older version"):
        ReadOnlyDatabase(tmp_path)
