"""One writer, any readers, and a log that never changes."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from easel_app.store.database import Database, StoreUnusable
from easel_app.store.migrations import migrations


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path)


def test_writes_from_many_threads_all_arrive_and_readers_see_them(database: Database) -> None:
    database.write(lambda c: c.execute("CREATE TABLE numbers (n INTEGER) STRICT"))

    def work(base: int) -> None:
        for k in range(50):
            database.write(lambda c, n=base + k: c.execute("INSERT INTO numbers VALUES (?)", [n]))

    threads = [threading.Thread(target=work, args=(1000 * t,)) for t in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert database.read().execute("SELECT COUNT(*), COUNT(DISTINCT n) FROM numbers").fetchone()[:] == (400, 400)
    database.close()


def test_a_failing_job_leaves_nothing_and_the_writer_lives(database: Database) -> None:
    database.write(lambda c: c.execute("CREATE TABLE numbers (n INTEGER UNIQUE) STRICT"))

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO numbers VALUES (1)")
        connection.execute("INSERT INTO numbers VALUES (1)")

    with pytest.raises(sqlite3.IntegrityError):
        database.write(half)
    assert database.read().execute("SELECT COUNT(*) FROM numbers").fetchone()[0] == 0
    database.write(lambda c: c.execute("INSERT INTO numbers VALUES (2)"))
    database.close()


def test_readers_cannot_write(database: Database) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        database.read().execute("CREATE TABLE x (y)")
    database.close()


def test_settings_that_durability_rests_on(database: Database) -> None:
    def pragma(connection: sqlite3.Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "trusted_schema")
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert database.write(pragma) == ["wal", 2, 1, 0]
    database.close()


def test_a_second_process_is_turned_away_with_the_reason(tmp_path: Path) -> None:
    database = Database(tmp_path)
    with pytest.raises(StoreUnusable, match="EASEL_DATA_DIR"):
        Database(tmp_path)
    database.close()
    Database(tmp_path).close()


@pytest.mark.parametrize("statement", ["UPDATE {} SET id = 'x'", "DELETE FROM {}"])
def test_the_log_refuses_to_be_changed(database: Database, statement: str) -> None:
    columns = (
        "id, task_id, task_digest, protocol, player_kind, player_name, renderer, metric, task_set, token_hash,"
        " start_scores, created_at"
    )
    values = "'a','b','c','studio','human','d','brush/1','similarity/1','s','t','{}','now'"
    database.write(lambda c: c.execute(f"INSERT INTO sessions ({columns}) VALUES ({values})"))
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        database.write(lambda c: c.execute(statement.format("sessions")))
    database.close()


def test_migrations_are_numbered_and_applied_once(tmp_path: Path) -> None:
    names = [migration.name for migration in migrations._migrations]
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))
    for _ in range(2):
        Database(tmp_path).close()
    with sqlite3.connect(tmp_path / "easel.db") as connection:
        assert connection.execute("SELECT COUNT(*) FROM _sqlite_migrations").fetchone()[0] == len(names)


def test_a_damaged_file_is_named_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "easel.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreUnusable, match="restore a copy"):
        Database(tmp_path)
    assert (tmp_path / "easel.db").read_bytes().startswith(b"not a database")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnusable, match="EASEL_DATA_DIR"):
        Database(tmp_path / "file" / "folder")


def test_closing_finishes_what_was_queued(tmp_path: Path) -> None:
    database = Database(tmp_path)
    database.write(lambda c: c.execute("CREATE TABLE numbers (n INTEGER) STRICT"))
    database.close()
    database.close()
    with pytest.raises(RuntimeError, match="closed"):
        database.write(lambda c: None)


def test_no_caller_gets_a_cursor_that_the_writer_may_still_use(tmp_path: Path) -> None:
    """A thread that frees a cursor while another runs its statement makes SQLite refuse or crash."""
    database = Database(tmp_path)
    assert database.write(lambda c: c.execute("CREATE TABLE t (n INTEGER)")) is None

    def write(k: int) -> None:
        for n in range(100):
            database.write(lambda c, n=n: c.execute("INSERT INTO t VALUES (?)", [n]))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert database.read().execute("SELECT COUNT(*) FROM t").fetchone()[0] == 800
    database.close()
