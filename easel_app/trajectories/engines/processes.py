"""The engine of one machine: as many processes as there are cores, or this process alone."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import cast

from easel_app.trajectories.engines.crew import Crew, Death
from easel_app.trajectories.engines.engine import ATTEMPTS, Failure, Result, cores, gave_up


def warm() -> None:
    """Compile the kernels into their cache, or load them, so that the workers do not each compile them."""
    from easel_app import engine
    from easel_app.painting.painters import warming

    engine.warm()
    warming.warm()


class Processes:
    """Works shards off in processes of this machine; a worker that is killed is replaced."""

    name = "processes"

    def __init__(self, workers: int | None = None, prepare: Callable[[], None] = warm) -> None:
        """An engine of so many processes.

        Args:
            workers: at least 1, which is this process itself; None is one a core.
            prepare: is called once before workers are started.
        """
        self.workers = workers or cores()
        self._prepare = prepare

    def work(self, job: Callable[[int], Result], shards: Sequence[int], told: Callable[[Result], None]) -> None:
        """Do the job for each of the shards; see `Engine.work`."""
        count = min(self.workers, len(shards))
        if count <= 1:
            for shard in shards:
                told(job(shard))
            return
        self._prepare()
        with closing(_made(job, shards, count)) as results:
            for result in results:
                told(result)


def _made(job: Callable[[int], Result], shards: Sequence[int], count: int) -> Generator[Result]:
    """What the job returns of each shard, as it comes."""
    due, deaths = deque(shards), Counter[int]()
    with Crew(job) as crew:
        while due or crew.busy:
            while due and crew.busy < count:
                crew.give(due.popleft())
            for shard, outcome in crew.news():
                if isinstance(outcome, Failure):
                    raise outcome.error
                if not isinstance(outcome, Death):
                    yield cast(Result, outcome)
                    continue
                deaths[shard] += 1
                if deaths[shard] == ATTEMPTS:
                    raise gave_up(shard, outcome.why)
                due.appendleft(shard)
