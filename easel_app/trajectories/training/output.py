"""The folder that a training writes to: what it was begun with, checkpoints, and at the end the adapter.

    training.json      what the training was begun with
    checkpoint-…/      to go on from
    adapter/           the trained adapter with its processor

The adapter is written last and as a whole, so a folder that has one is of a training that came to its end.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from easel_app.services.problems import Conflict, NotFound
from easel_app.trajectories.folder import write
from easel_app.trajectories.records import differences
from easel_app.trajectories.training.config import Training
from easel_app.trajectories.training.exporting import Note

ADAPTER, RECORD, LOCK = "adapter", "training.json", ".lock"
STATE = "trainer_state.json"
"""In a checkpoint; the trainer writes it after all else."""


class Record(BaseModel):
    """What a training was begun with."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    training: Training
    base: str
    """Folder or name of the base model."""
    adapter: str | None
    """Of stage 1, that stage 2 went on from."""
    data: Note
    versions: dict[str, str]
    """Of the packages that trained."""


@contextmanager
def begun(output: Path, record: Record, resume: bool) -> Iterator[None]:
    """Be the only training in a folder, with that record in it.

    Raises:
        Conflict: the folder holds something, or with `resume` a training that was begun otherwise, or another one is
            at work in it.
        NotFound: there is nothing to go on with.
        OSError: it cannot be written to.
    """
    place = output / RECORD
    if not resume and output.exists() and (not output.is_dir() or any(output.iterdir())):
        advice = "go on with it by --resume, or choose another" if place.exists() else "choose another"
        raise Conflict("not_empty", f"{output} is not an empty folder; {advice}, for nothing is overwritten.")
    if resume:
        _compare(read_record(output), record, output)
        if (output / ADAPTER).exists():
            raise Conflict("finished", f"{output} holds a training that is finished; its adapter is in {ADAPTER}.")
    output.mkdir(parents=True, exist_ok=True)
    with (output / LOCK).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"Another training is at work in {output}; wait for it, or choose another folder."
            raise Conflict("in_use", message) from None
        if not resume:
            write(place, record.model_dump_json(indent=1) + "\n")
        yield


def last_checkpoint(output: Path) -> Path:
    """The last checkpoint that was written to its end, which its state is the last file of.

    Raises:
        NotFound: there is none.
    """
    found = {int(path.name.partition("-")[2]): path for path in output.glob("checkpoint-*") if path.name[11:].isdigit()}
    for number in sorted(found, reverse=True):
        try:
            json.loads((found[number] / STATE).read_bytes())
        except (OSError, ValueError):
            continue
        return found[number]
    message = f"{output} holds no checkpoint to go on from; remove it, and give the command without --resume."
    raise NotFound("no_checkpoint", message)


def read_record(folder: Path) -> Record:
    """What a training was begun with, from its own folder or from its adapter's.

    Raises:
        NotFound: there is none.
        Conflict: it cannot be read.
    """
    try:
        return Record.model_validate_json((folder / RECORD).read_bytes())
    except OSError:
        raise NotFound("no_training", f"{folder} holds no training: there is no {RECORD} in it.") from None
    except ValidationError:
        raise Conflict("damaged", f"{folder / RECORD} cannot be read; train anew in another folder.") from None


def _compare(before: Record, now: Record, output: Path) -> None:
    """Refuse to go on with what was begun otherwise; newer packages may go on."""
    told = differences(*(record.model_dump(exclude={"versions"}) for record in (before, now)))
    if told:
        message = (
            f"{output} holds a training that was begun otherwise: {', '.join(told)}; give the command as it was, or "
            "train anew in another folder."
        )
        raise Conflict("other_training", message)
