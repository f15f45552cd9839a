"""The engine of a Ray cluster: each shard is a task of one core, and Ray begins a task anew whose worker dies.

Ray's own tasks and not datatrove's executor for Ray: that one puts a pool of processes into each task and waits for
ever when a process of the pool is killed.
"""

from __future__ import annotations

import os
import pickle
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anybody; before ray is imported
import ray
from pydantic import BaseModel, ConfigDict, Field
from ray import exceptions

from easel_app.services.problems import Conflict
from easel_app.trajectories.engines.engine import ATTEMPTS, SINGLE_THREADED, Failure, Result, attempt, cores, gave_up

LOOK = 1.0
"""Seconds between two looks at what is finished; each look costs time by the number of tasks."""


class Options(BaseModel):
    """What can be said to the engine."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    address: str | None = None
    """Of a running cluster, as `ray.init` takes it; else that of RAY_ADDRESS, else a cluster is started here."""
    cpus: float = Field(1.0, gt=0.0, allow_inf_nan=False)
    """Cores that Ray reserves for a shard."""
    memory_gb: float = Field(0.0, ge=0.0, allow_inf_nan=False)
    """Memory that Ray reserves for a shard; 0 reserves none."""


class Ray:
    """Works shards off by tasks of a Ray cluster, whose machines share the folder and have the project installed."""

    name = "ray"

    def __init__(self, options: Options, workers: int | None = None) -> None:
        """An engine on a running cluster or, where there is none, on one of this machine with so many workers."""
        self.options, self.workers = options, workers

    def work(self, job: Callable[[int], Result], shards: Sequence[int], told: Callable[[Result], None]) -> None:
        """Do the job for each of the shards; see `Engine.work`."""
        address = self.options.address or os.environ.get("RAY_ADDRESS") or "local"
        here = {"num_cpus": self.workers or cores(), "include_dashboard": False} if address == "local" else {}
        try:
            _reach(address)
            ray.init(
                address=address,
                runtime_env={"env_vars": SINGLE_THREADED},
                log_to_driver=False,
                configure_logging=False,
                **here,
            )
        except (OSError, ValueError, RuntimeError) as error:
            message = f"There is no Ray cluster to work on at {address} ({error}); start one or correct the address."
            raise Conflict("no_cluster", message) from None
        try:
            self._work(ray.put(pickle.dumps(job)), shards, told)
        finally:
            ray.shutdown()  # which also ends the tasks that are left

    def _work(self, job: Any, shards: Sequence[int], told: Callable[[Result], None]) -> None:
        memory = int(self.options.memory_gb * 2**30) or None
        task = ray.remote(num_cpus=self.options.cpus, memory=memory, max_retries=ATTEMPTS - 1)(_make)
        # all at once, for a cluster that grows by itself grows by what waits
        tasks = {task.remote(job, shard): shard for shard in shards}
        while tasks:
            finished, _ = ray.wait(list(tasks), num_returns=len(tasks), timeout=LOOK)
            for each in finished:
                shard = tasks.pop(each)
                try:
                    outcome = ray.get(each)
                except exceptions.RayError as error:
                    raise gave_up(shard, type(error).__name__) from None
                if isinstance(outcome, Failure):
                    raise outcome.error
                told(outcome)


def engine(options: Options, processes: int | None, scratch: Path) -> Ray:
    """The engine as `engine_named` gives it; nothing is left in `scratch`."""
    return Ray(options, processes)


def _reach(address: str) -> None:
    """Raise OSError or ValueError if nobody listens at an address of a port; Ray would try for many minutes."""
    place = urlsplit(f"//{address}")
    if place.hostname and place.port:
        socket.create_connection((place.hostname, place.port), timeout=10.0).close()


def _make(job: bytes, shard: int) -> Any:
    return attempt(pickle.loads(job), shard)  # noqa: S301 (from the process that gave the task)
