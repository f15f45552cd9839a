"""Imports for callers: of a file that they send, or of a source that they name, which goes on in the background."""

from __future__ import annotations

import logging
import secrets
import tempfile
import threading
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, Field, StringConstraints

from easel_app.painting.stroke import Strict
from easel_app.services.problems import Busy, Conflict, Forbidden, Invalid, NotFound, Refusal, TooLarge
from easel_app.services.taking_in.intake import ImportStopped, Intake, Progress, R
from easel_app.services.views import Line
from easel_app.settings import Settings
from easel_app.sources.found import SourceUnusable, Stopped
from easel_app.sources.source import Source

AT_ONCE = 2
"""Imports of named sources that go on at the same time, and files that are taken in at the same time."""
CLOSING = 5.0
"""Seconds that an import may take to end when the studio does."""
MOST_UPLOAD = 64 * 1024 * 1024
"""Bytes of a file that is sent, packed or not."""
MOST_KEPT = 50
"""Ended imports that can still be looked at."""
SENT = "a file that was sent"
"""What such a source is called."""
log = logging.getLogger(__name__)
SourcePath = Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class Wish(Strict):
    """How something is imported."""

    name: Line | None = Field(None, description="The set's name; else as the data says, or as the source is called.")
    partial: bool = Field(False, description="Import what is in order although something else is refused.")


class ImportView(BaseModel, Generic[R]):
    """An import as it is now."""

    import_id: str = Field(description="Names it in requests.")
    source: str = Field(description="What is imported.")
    state: Literal["running", "done", "refused", "failed", "stopped"] = Field(
        description="`refused`: the report says what is wrong, and nothing was stored; `failed`: the reason does."
    )
    stage: Literal["fetching", "checking", "importing"] = Field(description="What is done first, second and third.")
    records: int = Field(description="Records looked at in this stage.")
    total: int | None = Field(description="Records that there are, once known.")
    bytes: int = Field(description="Bytes fetched or read in this stage.")
    size: int = Field(description="Bytes that there are; 0 until known.")
    reason: str = Field(description="Why it ended without a report, in one sentence; else empty.")
    report: R | None = Field(description="What came of it, once it has ended.")


U = TypeVar("U", bound=Wish)
W = TypeVar("W", bound=Wish)
V = TypeVar("V", bound=ImportView[Any])
Told = Callable[[Progress], None]
Stopping = Callable[[], bool]


class Imports(ABC, Generic[U, W, R, V]):
    """Imports in threads of their own; they are known until the process ends.

    Who derives it says how a wish becomes a source: `U` is the wish of who sends a file, `W` that of who names a
    source in `source`, `V` the view of an import.
    """

    command: ClassVar[str]
    """What imports in a terminal."""
    _view: ClassVar[type[Any]]

    def __init__(self, intake: Intake[Any, R], *, forbidden: str = "") -> None:
        """Import by `intake`; `forbidden` says why callers may not name sources of the server, empty when they may."""
        self._intake, self._forbidden = intake, forbidden
        self._jobs: dict[str, _Job[V]] = {}
        self._lock = threading.Lock()
        self._hands = threading.BoundedSemaphore(AT_ONCE)

    @classmethod
    def forbidden(cls, settings: Settings) -> str:
        """Why callers may not name sources: where other machines can reach it, its disk is none of their business."""
        if settings.private:
            return ""
        only = "This studio can be reached from other machines, so it imports only what is sent to it"
        return f"{only}; send the file, or use `{cls.command}` on the server."

    @abstractmethod
    def _sent(self, path: Path, wish: U) -> Source:
        """The source that a file is which was sent; it cannot name files beside it."""

    @classmethod
    @abstractmethod
    def named(cls, wish: W, told: Told, stopping: Stopping) -> Source:
        """The source that a wish names.

        Raises:
            SourceUnusable: there is nothing to read.
            Stopped: `stopping` said so.
        """

    def upload(self, body: bytes, wish: U, stopping: Stopping = lambda: False) -> R:
        """Import a file that was sent.

        Raises:
            Invalid, TooLarge: a gzip file that is damaged, or unpacks to more than may be sent; and as `take_in` does.
            Busy: enough files are being taken in.
            Conflict: nobody waits for it any more, or as `take_in` says.
        """
        if not self._hands.acquire(blocking=False):
            raise Busy("busy", f"{AT_ONCE} files are being imported just now; try again when they are done.")
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "upload"
                path.write_bytes(_unpacked(body))
                del body
                source = self._sent(path, wish)
                return self._intake.take_in(source, name=wish.name, partial=wish.partial, stopping=stopping)
        except ImportStopped:
            message = "Nobody waits for the import any more, so it was given up; send the file again."
            raise Conflict("import_stopped", message) from None
        finally:
            self._hands.release()

    def start(self, wish: W) -> V:
        """Begin an import.

        Raises:
            Forbidden: sources of the server may not be named.
            Busy: enough imports are under way.
        """
        if self._forbidden:
            raise Forbidden("imports_forbidden", self._forbidden)

        def work(told: Told, stopping: Stopping) -> R:
            return self.take_in(self._intake, wish, told, stopping)

        with self._lock:
            running = [job for job in self._jobs.values() if job.running]
            if len(running) >= AT_ONCE:
                raise Busy("busy", f"{AT_ONCE} imports are under way just now; try again when one is done.")
            for ended in [name for name, job in self._jobs.items() if not job.running][: -MOST_KEPT or None]:
                del self._jobs[ended]
            job: _Job[V] = _Job(_source(wish), self._view, work)
            self._jobs[job.view.import_id] = job
        job.thread.start()
        return job.view

    @classmethod
    def take_in(cls, intake: Intake[Any, R], wish: W, told: Told, stopping: Stopping) -> R:
        """Import what a wish names.

        Raises:
            Invalid: there is nothing to read.
            Refusal: as `Intake.take_in` does.
            ImportStopped, Stopped: `stopping` said so.
        """
        try:
            source = cls.named(wish, told, stopping)
            return intake.take_in(source, name=wish.name, partial=wish.partial, told=told, stopping=stopping)
        except SourceUnusable as error:
            raise Invalid("source", str(error), "source") from None
        except OSError as error:
            why = f"({error.strerror}); correct this."
            message = f"{_source(wish)} cannot be read, or the data folder not be written {why}"
            raise Invalid("source", message, "source") from None

    def view(self, import_id: str) -> V:
        """An import as it is now. Raises NotFound."""
        return self._job(import_id).view

    def stop(self, import_id: str) -> V:
        """Ask an import to stop; the same one goes on later with what is stored. Raises NotFound."""
        job = self._job(import_id)
        job.stop.set()
        return job.view

    def close(self) -> None:
        """Stop all imports and wait for them, but not for a download; safe to call twice."""
        for job in list(self._jobs.values()):
            job.stop.set()
        for job in list(self._jobs.values()):
            job.thread.join(CLOSING)

    def _job(self, import_id: str) -> _Job[V]:
        job = self._jobs.get(import_id)
        if job is None:
            raise NotFound("no_such_import", "There is no such import; those of an earlier start are forgotten.")
        return job


def _source(wish: Any) -> str:
    return str(wish.source)


class _Job(Generic[V]):
    """One import; its view is replaced whole, so that whoever looks sees one moment."""

    def __init__(self, source: str, view: type[V], work: Callable[[Told, Stopping], Any]) -> None:
        self._work = work
        self.stop = threading.Event()
        self.view = view(
            import_id=secrets.token_hex(8),
            source=source,
            state="running",
            stage="fetching",
            records=0,
            total=None,
            bytes=0,
            size=0,
            reason="",
            report=None,
        )
        self.thread = threading.Thread(target=self._run, name="import", daemon=True)

    @property
    def running(self) -> bool:
        return self.view.state == "running"

    def _now(self, **changes: Any) -> None:
        self.view = self.view.model_copy(update=changes)

    def _run(self) -> None:
        try:
            report = self._work(self._told, self.stop.is_set)
            self._now(state="refused" if report.state == "refused" else "done", report=report)
        except (ImportStopped, Stopped):
            self._now(state="stopped", reason="It was stopped; what is stored stays, and the same import goes on.")
        except Refusal as refusal:
            self._now(state="failed", reason=refusal.message)
        except Exception:
            log.exception("the import of %s failed", self.view.source)
            reason = "The server failed on this import and has logged why; what is stored stays."
            self._now(state="failed", reason=reason)

    def _told(self, progress: Progress) -> None:
        self._now(**progress._asdict())


def _unpacked(body: bytes) -> bytes:
    """A file as it is, or what it packs by gzip, of which no more is unpacked than may be sent."""
    if not body.startswith(b"\x1f\x8b"):
        return body
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        found = unpacker.decompress(body, MOST_UPLOAD + 1)
    except zlib.error as error:
        message = f"The gzip file is damaged ({error}); send it again, or unpacked."
        raise Invalid("file_damaged", message) from None
    if len(found) > MOST_UPLOAD:
        message = f"The file has more than {MOST_UPLOAD // 1024**2} MB, unpacked; import it from disk instead."
        raise TooLarge("file_too_large", message)
    if found.startswith(b"\x1f\x8b"):
        raise Invalid("file_packed_twice", "The file is packed by gzip twice; unpack it once and send it again.")
    if not unpacker.eof or unpacker.unused_data:
        message = "The gzip file is cut off, or something follows its end; send it again, or unpacked."
        raise Invalid("file_damaged", message)
    return found
