"""One SQLite file: one thread writes, any thread reads (contract 4.7).

A connection shared by threads without a lock lost most rows in silence when we measured it; and SQLite before 3.51.3
can corrupt a WAL that two connections write to. Hence one writing connection, owned by one thread, and a lock on the
folder so that a second process cannot open another.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import sqlite_utils

from easel_app.store.migrations import migrations

Result = TypeVar("Result")
_Job = tuple[Callable[[sqlite3.Connection], Any], Future[Any]]
MOST_TOGETHER = 64
"""Jobs that share a commit."""
log = logging.getLogger(__name__)


class StoreUnusable(RuntimeError):
    """The data folder cannot be used: in use by another process, not writable, or its database is damaged."""


class StoreInUse(StoreUnusable):
    """Another process has the folder open; `address` is where it serves, or empty."""

    def __init__(self, message: str, address: str) -> None:
        super().__init__(message)
        self.address = address


class StoreFull(StoreUnusable):
    """There was no room for what was to be stored, and none of it is; what was acknowledged before is."""

    def __init__(self) -> None:
        super().__init__("The disk is full, so what came last is not stored; make room, then go on.")

    @classmethod
    def is_said_by(cls, error: BaseException) -> bool:
        """Whether an error of the system, or of SQLite, says that there is no room."""
        if isinstance(error, sqlite3.Error):  # that of making room for the index of the WAL has a code of its own
            return getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
        return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


class Database:
    """The file `easel.db` in a data folder."""

    def __init__(self, folder: Path) -> None:
        """Open or create the database, bring its schema up to date and start the writer.

        Raises:
            StoreInUse: another process has it open.
            StoreFull: the disk is full.
            StoreUnusable: it cannot be written, or the database is damaged.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # not "w": the process that has the lock has written its address there
            self._lock = (folder / "easel.lock").open("a+", encoding="utf-8")
        except OSError as error:
            message = f"The folder {folder} cannot be written ({error.strerror}); choose another by EASEL_DATA_DIR."
            raise StoreUnusable(message) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock.seek(0)
            address = self._lock.read(200)
            self._lock.close()
            message = f"Another Easel Studio is using {folder}; stop it or choose another folder by EASEL_DATA_DIR."
            raise StoreInUse(message, address) from error
        self._lock.truncate(0)
        self._path = folder / "easel.db"
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._readers = threading.local()
        self._closed, self._process = False, os.getpid()
        ready: Future[None] = Future()
        self._writer = threading.Thread(target=self._write_forever, args=(ready,), name="writer", daemon=True)
        self._writer.start()
        try:
            ready.result()
        except sqlite3.Error as error:
            self._lock.close()
            if StoreFull.is_said_by(error):
                raise StoreFull from error
            message = f"The database {self._path} cannot be used ({error}); restore a copy or choose another folder."
            raise StoreUnusable(message) from error

    def announce(self, address: str) -> None:
        """Leave the address at which this process serves with the lock, for other processes to find.

        Where the disk is full they do not find it, which is no reason not to serve.
        """
        self._lock.truncate(0)
        try:
            os.write(self._lock.fileno(), address.encode())  # with no buffer that would be written again when it closes
        except OSError as error:
            if not StoreFull.is_said_by(error):
                raise
            log.warning("Commands beside this studio will not find it: %s", StoreFull())

    def write(self, job: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run a job on the writing connection, all of it or nothing; return after the commit.

        Jobs that wait at the same time share a commit, so that many callers wait for the disk once. Whatever the job
        raises rolls its own changes back and is raised here.

        Raises:
            StoreFull: the disk is full.
        """
        future: Future[Result] = Future()
        if self._closed:
            raise RuntimeError("the database is closed")
        if self._process != os.getpid():  # a forked process has no writer thread and would wait for ever
            raise RuntimeError("the database can be used only in the process that opened it")
        self._jobs.put((job, future))
        return future.result()

    def read(self) -> sqlite3.Connection:
        """This thread's read-only connection, with rows by name."""
        connection: sqlite3.Connection | None = getattr(self._readers, "connection", None)
        if connection is None:
            connection = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA busy_timeout = 5000")
            connection.execute("PRAGMA query_only = ON")
            self._readers.connection = connection
        return connection

    def close(self) -> None:
        """Finish what is queued, then close; safe to call twice."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._writer.join()
            self._lock.close()

    def _write_forever(self, ready: Future[None]) -> None:
        try:
            connection = sqlite3.connect(self._path, isolation_level=None)
            connection.row_factory = sqlite3.Row
            _prepare(connection)
        except BaseException as error:
            ready.set_exception(error)
            return
        ready.set_result(None)
        more = True
        while more:
            waiting, more = self._waiting()
            if waiting:
                _commit(connection, waiting)
        connection.close()

    def _waiting(self) -> tuple[list[_Job], bool]:
        """The jobs that wait now, at least one; and whether more may come."""
        found: list[_Job] = []
        item = self._jobs.get()
        while item is not None:
            found.append(item)
            if len(found) == MOST_TOGETHER:
                return found, True
            try:
                item = self._jobs.get_nowait()
            except queue.Empty:
                return found, True
        return found, False


class ReadOnlyDatabase(Database):
    """The file `easel.db` in a data folder that a studio may be serving meanwhile: what is committed can be read.

    SQLite lets processes read beside the one that writes; only a second writer is what the lock is against.
    """

    def __init__(self, folder: Path) -> None:
        """Open the database to read it; nothing is created.

        Raises:
            StoreUnusable: there is none, it is damaged, or it is of an older version, which only a studio that is
                started on it brings up to date.
        """
        self._path, self._readers = folder / "easel.db", threading.local()
        if not self._path.is_file():
            raise StoreUnusable(f"There is no database in {folder}; choose another folder by EASEL_DATA_DIR.")
        try:
            pending = migrations.pending(sqlite_utils.Database(self.read()))
        except sqlite3.Error as error:
            message = f"The database {self._path} cannot be read ({error}); restore a copy or choose another folder."
            raise StoreUnusable(message) from error
        if pending:
            message = f"The database {self._path} is of an older version; start the studio on it once, then try again."
            raise StoreUnusable(message)

    def write(self, job: Callable[[sqlite3.Connection], Result]) -> Result:
        """Refuse; it is a fault of ours when this is called."""
        raise RuntimeError("the database was opened to be read only")

    def announce(self, address: str) -> None:
        """Refuse, as `write` does."""
        raise RuntimeError("the database was opened to be read only")

    def close(self) -> None:
        """Close this thread's connection; safe to call twice."""
        connection = self._readers.__dict__.pop("connection", None)
        if connection is not None:
            connection.close()


def _commit(connection: sqlite3.Connection, jobs: Sequence[_Job]) -> None:
    """Run jobs in one transaction, each in a savepoint of its own; their futures are told after the commit."""
    results: list[tuple[Future[Any], Any, BaseException | None]] = []
    try:
        # IMMEDIATE takes the write lock at once: a job never fails half-way for want of it
        connection.execute("BEGIN IMMEDIATE")
        for job, future in jobs:
            connection.execute("SAVEPOINT job")
            try:
                result = job(connection)
                # a cursor may be freed only by the thread that runs its statement: no caller gets one
                results.append((future, None if isinstance(result, sqlite3.Cursor) else result, None))
            except BaseException as error:
                if not connection.in_transaction:  # SQLite gave all of it up, as where there is no room
                    raise
                connection.execute("ROLLBACK TO job")
                results.append((future, None, error))
            connection.execute("RELEASE job")
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        results = [(future, None, error) for _, future in jobs]
    for future, result, fault in results:
        if fault is None:
            future.set_result(result)
        else:
            future.set_exception(StoreFull() if StoreFull.is_said_by(fault) else fault)


def _prepare(connection: sqlite3.Connection) -> None:
    for pragma in (
        "journal_mode = WAL",  # readers never wait for the writer
        "synchronous = FULL",  # an acknowledged action survives a power cut
        "busy_timeout = 5000",
        "foreign_keys = ON",
        "journal_size_limit = 67108864",
        "trusted_schema = OFF",
    ):
        connection.execute(f"PRAGMA {pragma}")
    state = connection.execute("PRAGMA quick_check").fetchone()[0]
    if state != "ok":
        raise sqlite3.DatabaseError(f"damaged: {state}")
    migrations.apply(sqlite_utils.Database(connection))
    log.info("sqlite %s, schema up to date", sqlite3.sqlite_version)
