"""One writer, any readers, and a log that never changes."""

import errno
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from easel_app.store.database import Database, StoreFull, StoreUnusable
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


def test_without_room_nothing_of_a_job_is_stored_and_with_room_all_goes_on(database: Database) -> None:
    database.write(lambda c: c.execute("CREATE TABLE parts (n INTEGER, content BLOB)"))
    database.write(lambda c: c.execute("INSERT INTO parts VALUES (1, zeroblob(100))"))
    pages = database.write(lambda c: c.execute("PRAGMA page_count").fetchone()[0])
    database.write(lambda c: c.execute(f"PRAGMA max_page_count = {pages + 10}").fetchone()[0])

    def large(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO parts VALUES (2, zeroblob(100))")
        connection.execute("INSERT INTO parts VALUES (3, zeroblob(1000000))")

    for _ in range(2):
        with pytest.raises(StoreFull, match=r"The disk is full, .*make room, then go on"):
            database.write(large)
    database.write(lambda c: c.execute("PRAGMA max_page_count = 100000").fetchone()[0])
    database.write(large)
    assert [row["n"] for row in database.read().execute("SELECT n FROM parts")] == [1, 2, 3]
    database.close()


SMALL_DISK = """
import sys
from pathlib import Path
from easel_app.store.database import Database, StoreFull
from easel_app.store.files import PictureFiles

folder = Path(sys.argv[1])
database = Database(folder)
database.write(lambda c: c.execute("CREATE TABLE parts (content BLOB)"))
stored = 0
def full(what):
    try:
        what()
    except StoreFull:
        return True
    return False
while not full(lambda: database.write(lambda c: c.execute("INSERT INTO parts VALUES (zeroblob(50000))"))):
    stored += 1
large = lambda: database.write(lambda c: c.execute("INSERT INTO parts VALUES (zeroblob(9000000))"))
assert full(large), "of a job that is larger than memory keeps SQLite gives up all"
assert full(lambda: PictureFiles(folder / "pictures").put(b"x" * 1_000_000))
assert not list(folder.glob("pictures/*/*")), "no half of a file is left"
with (folder / "filler").open("wb", buffering=0) as filler:
    try:
        while filler.write(b"0" * 4096):
            pass
    except OSError:
        database.announce("http://127.0.0.1:1")
assert database.read().execute("SELECT COUNT(*) FROM parts").fetchone()[0] == stored > 0
database.close()
print("told")
"""


def test_a_disk_that_is_full_is_told_so_and_keeps_what_was_acknowledged(tmp_path: Path) -> None:
    disk = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    mounted = 'mount -t tmpfs -o size=3m none "$0" && exec "$@"'
    command = [*disk, mounted, str(tmp_path), sys.executable, "-c", SMALL_DISK, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unshare:" in done.stderr or "mount:" in done.stderr:
        pytest.skip("no small disk can be mounted here")
    assert (done.returncode, done.stdout) == (0, "told\n"), done.stderr
    assert done.stderr.splitlines() == [f"Commands beside this studio will not find it: {StoreFull()}"]


def test_what_else_fails_is_not_taken_for_a_full_disk() -> None:
    assert StoreFull.is_said_by(OSError(errno.EDQUOT, "Disk quota exceeded"))
    for other in (OSError(errno.EIO, "I/O error"), sqlite3.OperationalError("database is locked"), ValueError("x")):
        assert not StoreFull.is_said_by(other)


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
