"""What an engine is, and what becomes of a shard that a worker tried to make."""

from __future__ import annotations

import copyreg
import os
import pickle
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from easel_app.services.problems import Conflict, Refusal

Result = TypeVar("Result")

ATTEMPTS = 3
"""How often a shard is begun whose worker dies."""

SINGLE_THREADED = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
"""Environment of a worker: there is a worker a core, and threads of their own would only contend for it."""


class Engine(Protocol):
    """Who works the shards off."""

    @property
    def name(self) -> str:
        """Of the engine."""

    def work(self, job: Callable[[int], Result], shards: Sequence[int], told: Callable[[Result], None]) -> None:
        """Do the job for each of the shards, in any order.

        Args:
            job: makes a shard, or takes it as it is if it is finished; can be pickled, leaves no half of a shard behind
                when it is killed, and may be done twice, even at the same time, for the same bytes.
            shards: numbers, each once.
            told: hears of each shard that is finished, in this process, one after the other.

        Raises:
            Refusal: it cannot be done, for the reason that the message tells.
            OSError: a shard cannot be written.
            Exception: whatever else a job raised; the run stops at the first, and finished shards stay.
        """


def _parts(refusal: Any) -> tuple[type[Refusal], tuple[str, str, str | None], dict[str, Any]]:
    return type(refusal), (refusal.code, refusal.message, refusal.field), vars(refusal)


_kind: Any
for _kind in (Refusal, *Refusal.__subclasses__()):
    copyreg.pickle(_kind, _parts)  # an exception is otherwise made anew of its message alone


class Failure(NamedTuple):
    """What a job raised."""

    error: Exception


def attempt(job: Callable[[int], Result], shard: int) -> Result | Failure:
    """Make a shard; what it raises is handed on as a value, so that it can cross to another process."""
    try:
        return job(shard)
    except MemoryError:
        message = (
            f"Shard {shard} found no memory; finished shards stay: give fewer workers, and the same command again."
        )
        return Failure(Conflict("no_memory", message))
    except Exception as error:
        return Failure(portable(error))


def portable(error: Exception) -> Exception:
    """The error with its traceback as a note; of an error that cannot be pickled a refusal with its message."""
    error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 (our own bytes)
    except Exception:
        return Conflict("shard_failed", str(error) or type(error).__name__)
    return error


def gave_up(shard: int, why: str) -> Conflict:
    """The refusal to begin a shard once more."""
    return Conflict(
        "worker_died",
        f"The worker of shard {shard} died {ATTEMPTS} times ({why}); finished shards stay: give fewer workers to each "
        "machine, or more memory to each worker, and give the same command again.",
    )


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
