"""The engine of a Slurm cluster: an array job by datatrove, in which each task works off its share of the shards.

What the machines tell each other goes through files in a folder that they share. The job's name is that of the folder,
so the queue itself tells whether an earlier run still has a job there.
"""

from __future__ import annotations

import getpass
import hashlib
import pickle
import secrets
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from datatrove.executor.slurm import SlurmPipelineExecutor
from datatrove.utils.logging import logger
from pydantic import BaseModel, ConfigDict, Field

from easel_app.exports.whole import write_whole
from easel_app.services.problems import Conflict, Invalid
from easel_app.trajectories.engines.engine import ATTEMPTS, SINGLE_THREADED, Failure, Result, gave_up, portable
from easel_app.trajectories.engines.processes import Processes

MOST_TASKS = 1000
"""Tasks of an array that every cluster takes: Slurm's MaxArraySize is 1001 where it is not set."""
LATE = 60.0
"""Seconds that a shared folder may take to show what another machine wrote."""
DEAF = 600.0
"""Seconds for which the queue may not answer."""
Word = Annotated[str, Field(pattern=r"^[^\s#'\"\\]+$")]
"""A value in a line of a script."""


class Options(BaseModel):
    """What can be said to the engine."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    partition: Word | None = None
    account: Word | None = None
    qos: Word | None = None
    constraint: Word | None = None
    reservation: Word | None = None
    """These are sbatch's; None leaves the choice to the cluster."""
    time: Word = "01:00:00"
    """Most that a task may take, as sbatch takes it."""
    tasks: int = Field(100, ge=1, le=MOST_TASKS)
    """Tasks of the array; each works off its share of the shards."""
    at_once: int = Field(-1, ge=-1)
    """Tasks that may run at the same time; -1 leaves it to the cluster."""
    cpus_per_task: int = Field(1, ge=1)
    """Cores of a task, each for a process of its own."""
    mem_per_cpu_gb: int = Field(2, ge=1)
    """Memory of each core."""
    setup: str = ""
    """A shell command that comes before, such as `module load gcc`."""
    poll: float = Field(10.0, ge=0.05, allow_inf_nan=False)
    """Seconds between two looks at the queue and the folder."""


class Slurm:
    """Works shards off by array jobs. Tasks that die are made up for by another job; Ctrl-C cancels the job."""

    name = "slurm"

    def __init__(self, options: Options, scratch: Path, late: float = LATE) -> None:
        """An engine.

        Args:
            options: what is said to it.
            scratch: a folder that all machines share.
            late: seconds after the end of a job for which its last files are waited for.
        """
        self.options, self.scratch, self.late = options, scratch.absolute() / "slurm", late
        self.job_name = f"easel-{hashlib.sha256(str(self.scratch).encode()).hexdigest()[:8]}"

    def work(self, job: Callable[[int], Result], shards: Sequence[int], told: Callable[[Result], None]) -> None:
        """Do the job for each of the shards; see `Engine.work`."""
        for command in ("sbatch", "squeue", "scancel"):
            if shutil.which(command) is None:
                message = f"There is no {command} here; give the command on a machine that jobs are submitted from."
                raise Conflict("no_cluster", message)
        if shlex.quote(str(self.scratch)) != str(self.scratch):
            message = f"{self.scratch} has a blank or another character that Slurm's scripts cannot take; rename it."
            raise Invalid("bad_folder", message)
        logger.disable("datatrove")
        self._leave(cancel=True)  # a job that an earlier run left in the queue
        due, fruitless = dict.fromkeys(shards), 0
        try:
            while due:
                before = len(due)
                for shard, outcome in self._submitted(job, list(due)):
                    del due[shard]
                    told(outcome)
                fruitless = fruitless + 1 if len(due) == before else 0
                if fruitless == ATTEMPTS:
                    why = f"or ran out of its time; its output is in {self.scratch}"
                    raise gave_up(min(due), why)
        finally:
            self._leave(cancel=bool(due))
        shutil.rmtree(self.scratch, ignore_errors=True)

    def _submitted(self, job: Callable[[int], Any], shards: Sequence[int]) -> Iterator[tuple[int, Any]]:
        """Submit a job for shards; what comes of them, until the job has left the queue."""
        folder = self.scratch / secrets.token_hex(4)
        outcomes = folder / "outcomes"
        outcomes.mkdir(parents=True)
        tasks = min(self.options.tasks, len(shards))
        share = Share(job, tuple(shards), outcomes, self.options.cpus_per_task)
        try:
            _Array(share, tasks, self.options, self.job_name, folder).launch_job()
        except subprocess.CalledProcessError as error:
            message = f"sbatch refused the job ({error.returncode}) for the reason above; correct the options."
            raise Conflict("not_submitted", message) from None
        seen: set[str] = set()
        end = None
        while len(seen) < len(shards):
            time.sleep(self.options.poll)
            queued = self._queued()  # before the files, for what is not queued writes no more
            for path in outcomes.glob("[!.]*"):
                if path.name not in seen:
                    outcome = pickle.loads(path.read_bytes())  # noqa: S301 (written by our own job)
                    if isinstance(outcome, Failure):
                        raise outcome.error
                    seen.add(path.name)
                    yield int(path.name), outcome
            end = None if queued else end or time.monotonic() + self.late
            if end and time.monotonic() >= end:
                return

    def _queued(self) -> bool:
        """Whether a job of this name is in the queue. Raises Conflict."""
        end = time.monotonic() + DEAF
        command = ["squeue", "--noheader", f"--user={getpass.getuser()}", f"--name={self.job_name}", "--format=%i"]
        while True:
            found = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
            if found.returncode == 0:
                return bool(found.stdout.strip())
            if time.monotonic() > end:
                message = f"Slurm's queue does not answer ({found.stderr.strip()}); give the same command again later."
                raise Conflict("no_cluster", message)
            time.sleep(self.options.poll)

    def _leave(self, cancel: bool) -> None:
        """Wait until no job of this name could still write, or make sure of it."""
        if cancel and self._queued():
            command = ["scancel", f"--user={getpass.getuser()}", f"--name={self.job_name}"]
            subprocess.run(command, check=False)  # noqa: S603
        while self._queued():
            time.sleep(self.options.poll)


def engine(options: Options, processes: int | None, scratch: Path) -> Slurm:
    """The engine as `engine_named` gives it. Raises Invalid."""
    if processes is not None:
        message = "The engine 'slurm' has no processes here; say cpus_per_task, an option of the engine, instead."
        raise Invalid("engine_option", message, "processes")
    return Slurm(options, scratch)


class Share:
    """A step of a datatrove pipeline: a task's share of the shards."""

    def __init__(self, job: Callable[[int], Any], shards: tuple[int, ...], outcomes: Path, processes: int) -> None:
        """All tasks get the same.

        Args:
            job: makes a shard.
            shards: all of them.
            outcomes: folder for a file for each shard that is finished and for each task that failed.
            processes: of a task.
        """
        self.job, self.shards, self.outcomes, self.processes = job, shards, outcomes, processes

    def __call__(self, data: object, rank: int, tasks: int) -> None:
        """Make every so-manieth shard; the first failure is noted, and ends the task."""
        try:
            Processes(self.processes).work(partial(_noted, self), self.shards[rank::tasks], lambda _: None)
        except Exception as error:
            _note(self.outcomes / f"failed-{rank}", Failure(portable(error)))
            raise

    def __repr__(self) -> str:
        """Short, for datatrove's log."""
        return f"{len(self.shards)} shards"


def _noted(share: Share, shard: int) -> bool:
    """Make a shard and leave what is returned in a file."""
    _note(share.outcomes / str(shard), share.job(shard))
    return True


def _note(path: Path, outcome: Any) -> None:
    write_whole(path, [pickle.dumps(outcome)])


class _Array(SlurmPipelineExecutor):  # type: ignore[misc]
    """An array job in whose script only that stands which was asked for, and that no job for statistics follows."""

    def __init__(self, share: Share, tasks: int, options: Options, name: str, folder: Path) -> None:
        settings = [f"export {key}={value}" for key, value in SINGLE_THREADED.items()]
        path = f"export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH"  # where launch_pickled_pipeline is
        super().__init__(
            [share],
            tasks=tasks,
            time=options.time,
            partition=options.partition,
            cpus_per_task=options.cpus_per_task,
            mem_per_cpu_gb=options.mem_per_cpu_gb,
            workers=options.at_once,
            job_name=name,
            qos=options.qos,
            srun_args={"cpus-per-task": options.cpus_per_task},  # which srun no longer takes from sbatch
            env_command="; ".join([*filter(None, [options.setup]), path, *settings]),
            sbatch_args={key: getattr(options, key) for key in ("account", "constraint", "reservation")},
            max_array_size=MOST_TASKS,
            logging_dir=str(folder),
            skip_completed=False,
        )

    def get_sbatch_args(self, max_array: int = 1) -> dict[str, Any]:
        return {key: value for key, value in super().get_sbatch_args(max_array).items() if value is not None}

    def launch_merge_stats(self) -> None:
        pass
