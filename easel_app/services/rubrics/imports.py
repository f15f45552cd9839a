"""Imports for callers: of a file that they send, or of a source that they name, which goes on in the background."""

from __future__ import annotations

import logging
import re
import secrets
import tempfile
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints

from easel_app.painting.stroke import Strict
from easel_app.rubrics.reading import Source, from_disk
from easel_app.services.problems import Busy, Conflict, Forbidden, Invalid, NotFound, Refusal, TooLarge
from easel_app.services.rubrics.intake import ImportStopped, Progress, RubricIntake
from easel_app.services.rubrics.reports import ImportReport
from easel_app.services.views import Line
from easel_app.settings import Settings
from easel_app.sources.found import SourceUnusable, Stopped

AT_ONCE = 2
"""Imports of named sources that go on at the same time, and files that are taken in at the same time."""
CLOSING = 5.0
"""Seconds that an import may take to end when the studio does."""
MOST_UPLOAD = 64 * 1024 * 1024
"""Bytes of a file that is sent, packed or not."""
HUB_NAME = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}", re.ASCII)
"""What a data set of the hub is called."""
MOST_KEPT = 50
"""Ended imports that can still be looked at."""
log = logging.getLogger(__name__)


class Upload(Strict):
    """How a file is imported."""

    name: Line | None = Field(None, description="The set's name; else as the data says, or as the source is called.")
    model: Line | None = Field(None, description="Whose answers are in files that do not say it.")
    judge: Line | None = Field(None, description="Who judged in files that do not say it.")
    partial: bool = Field(False, description="Import what is in order although something else is refused.")


class NewImport(Upload):
    """What is needed to import from the hub or from a disk of the server."""

    source: Annotated[str, StringConstraints(min_length=1, max_length=1000)] = Field(
        description="NAME/REPO of a data set of the Hugging Face hub, or the path of a file or folder on the server.",
        examples=["ScaleAI/VisualToolBench"],
    )
    revision: Line | None = Field(None, description="Of a data set of the hub: branch, tag or commit.")


class RubricImport(BaseModel):
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
    report: ImportReport | None = Field(description="What came of it, once it has ended.")


class RubricImports:
    """Imports in threads of their own; they are known until the process ends."""

    def __init__(self, intake: RubricIntake, *, forbidden: str = "") -> None:
        """Import by `intake`; `forbidden` says why callers may not name sources of the server, empty when they may."""
        self._intake, self._forbidden = intake, forbidden
        self._jobs: dict[str, _Job] = {}
        self._lock = threading.Lock()
        self._hands = threading.BoundedSemaphore(AT_ONCE)

    @classmethod
    def of(cls, intake: RubricIntake, settings: Settings) -> RubricImports:
        """Those of a studio: where other machines can reach it, its disk is none of their business."""
        forbidden = (
            "This studio can be reached from other machines, so it imports only what is sent to it; send the file, or "
            "use `easel rubrics import` on the server."
        )
        return cls(intake, forbidden="" if settings.private else forbidden)

    def upload(self, body: bytes, wish: Upload, stopping: Callable[[], bool] = lambda: False) -> ImportReport:
        """Import a file that was sent; it cannot name files beside it.

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
                source = Source([path], "a file that was sent", model=wish.model, judge=wish.judge, alone=True)
                return self._intake.take_in(source, name=wish.name, partial=wish.partial, stopping=stopping)
        except ImportStopped:
            message = "Nobody waits for the import any more, so it was given up; send the file again."
            raise Conflict("import_stopped", message) from None
        finally:
            self._hands.release()

    def start(self, wish: NewImport) -> RubricImport:
        """Begin an import.

        Raises:
            Forbidden: sources of the server may not be named.
            Busy: enough imports are under way.
        """
        if self._forbidden:
            raise Forbidden("imports_forbidden", self._forbidden)
        with self._lock:
            running = [job for job in self._jobs.values() if job.running]
            if len(running) >= AT_ONCE:
                raise Busy("busy", f"{AT_ONCE} imports are under way just now; try again when one is done.")
            for ended in [name for name, job in self._jobs.items() if not job.running][: -MOST_KEPT or None]:
                del self._jobs[ended]
            job = _Job(wish, self._intake)
            self._jobs[job.view.import_id] = job
        job.thread.start()
        return job.view

    def view(self, import_id: str) -> RubricImport:
        """An import as it is now. Raises NotFound."""
        return self._job(import_id).view

    def stop(self, import_id: str) -> RubricImport:
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

    def _job(self, import_id: str) -> _Job:
        job = self._jobs.get(import_id)
        if job is None:
            raise NotFound("no_such_import", "There is no such import; those of an earlier start are forgotten.")
        return job


class _Job:
    """One import; its view is replaced whole, so that whoever looks sees one moment."""

    def __init__(self, wish: NewImport, intake: RubricIntake) -> None:
        self._wish, self._intake = wish, intake
        self.stop = threading.Event()
        self.view = RubricImport(
            import_id=secrets.token_hex(8),
            source=wish.source,
            state="running",
            stage="fetching",
            records=0,
            total=None,
            bytes=0,
            size=0,
            reason="",
            report=None,
        )
        self.thread = threading.Thread(target=self._run, name="rubric import", daemon=True)

    @property
    def running(self) -> bool:
        return self.view.state == "running"

    def _now(self, **changes: Any) -> None:
        self.view = self.view.model_copy(update=changes)

    def _run(self) -> None:
        try:
            report = take_in(self._intake, self._wish, self._told, self.stop.is_set)
            self._now(state="refused" if report.state == "refused" else "done", report=report)
        except (ImportStopped, Stopped):
            self._now(state="stopped", reason="It was stopped; what is stored stays, and the same import goes on.")
        except Refusal as refusal:
            self._now(state="failed", reason=refusal.message)
        except Exception:
            log.exception("the import of %s failed", self._wish.source)
            reason = "The server failed on this import and has logged why; what is stored stays."
            self._now(state="failed", reason=reason)

    def _told(self, progress: Progress) -> None:
        self._now(**progress._asdict())


def take_in(
    intake: RubricIntake, wish: NewImport, told: Callable[[Progress], None], stopping: Callable[[], bool]
) -> ImportReport:
    """Import what a wish names, from a disk or from the hub.

    Raises:
        Invalid: there is nothing to read.
        Refusal: as `RubricIntake.take_in` does.
        ImportStopped, Stopped: `stopping` said so.
    """
    try:
        source = _source(wish, told, stopping)
        return intake.take_in(source, name=wish.name, partial=wish.partial, told=told, stopping=stopping)
    except SourceUnusable as error:
        raise Invalid("source", str(error), "source") from None
    except OSError as error:
        message = f"{wish.source} cannot be read, or the data folder not be written ({error.strerror}); correct this."
        raise Invalid("source", message, "source") from None


def _source(wish: NewImport, told: Callable[[Progress], None], stopping: Callable[[], bool]) -> Source:
    path = Path(wish.source).expanduser()
    if path.exists() or not HUB_NAME.fullmatch(wish.source):
        return from_disk(path, model=wish.model, judge=wish.judge)
    from easel_app.rubrics.reading.hub import from_hub  # its library takes its time, and few need it

    def fetched(done: int, total: int) -> None:
        told(Progress("fetching", 0, None, done, total))

    return from_hub(wish.source, wish.revision, told=fetched, stopping=stopping, model=wish.model, judge=wish.judge)


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
