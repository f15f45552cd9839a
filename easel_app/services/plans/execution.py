"""Executing a plan's calls, where the host has configured backends: optional, and beside the plan, never in its scores.

One thread for each plan under way; its calls go one after the other, since an edit may build on what came before.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from easel_app.painting.stroke import Strict
from easel_app.plans.records import Call
from easel_app.services.ledger import now
from easel_app.services.plans.backends import Backends, Failed, Job
from easel_app.services.plans.library import PlanLibrary, ReadPlan
from easel_app.services.problems import Busy, Conflict, Invalid
from easel_app.sources.fields import storable
from easel_app.store.plan_executions import ExecutionRow, PlanExecutionStore

MOST_AT_ONCE = 2
"""Plans that are executed at a time."""
MOST_REASON = 2000
"""Characters of a reason for no picture."""
FAREWELL = 5.0
"""Seconds that a call under way gets when the server stops."""
log = logging.getLogger(__name__)


class NewExecution(Strict):
    """Which calls of a plan to execute."""

    calls: list[Annotated[int, Field(ge=1, lt=2**31, strict=True)]] | None = Field(
        default=None, max_length=10_000, description="Their numbers; null: all that have a backend."
    )
    again: bool = Field(default=False, description="Whether those that brought a picture already are executed again.")


class ExecutedCall(BaseModel):
    """What came of a call."""

    call: int = Field(description="Its number.")
    tool: str | None = Field(description="Of the registry; null for one that it does not know.")
    state: Literal["done", "failed", "open", "off"] = Field(
        description="`done`: there is a picture; `failed`; `open`: not executed yet; `off`: nothing executes it here."
    )
    picture: str | None = Field(description="Digest: GET /api/plans/pictures/{digest}.")
    backend: str | None = Field(description="What executed it; else what would; null for none.")
    reason: str = Field(description="Why it failed or is not executed, in one sentence; else empty.")
    latency: float | None = Field(description="Seconds that it took.")
    at: str | None = Field(description="When, ISO 8601 in UTC.")


class ExecutionView(BaseModel):
    """A plan's calls as they were executed."""

    answer: int = Field(description="The plan.")
    state: Literal["idle", "running"] = Field(description="`running`: calls are being executed now.")
    total: int = Field(description="Calls of the execution under way, or of the last one.")
    done: int = Field(description="Those of them that came to an end, with a picture or without.")
    forbidden: str = Field(description="Why calls cannot be executed here, in one sentence; empty when they can.")
    calls: list[ExecutedCall] = Field(description="All calls of the plan, in its order.")


class _Work:
    """One plan under way."""

    def __init__(self, read: ReadPlan, calls: list[Call]) -> None:
        self.read, self.calls, self.done = read, calls, 0
        self.stopping = threading.Event()
        self.ended = False
        self.thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    def begun(self) -> None:
        """Note the loop and the task that a stop cancels; to be called within them."""
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        if self.stopping.is_set() and self._task:
            self._task.cancel()

    def stop(self) -> None:
        """Give up the call under way, and begin no other."""
        self.stopping.set()
        if self._loop and self._task and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)


class Executions:
    """Executes plans, and tells what came of it."""

    def __init__(self, library: PlanLibrary, store: PlanExecutionStore, backends: Backends) -> None:
        self._library, self._store, self.backends = library, store, backends
        self._works: dict[int, _Work] = {}
        self._lock = threading.Lock()
        self._closed = False

    def start(self, answer: int, wish: NewExecution) -> ExecutionView:
        """Execute calls of a plan; what is under way already goes on.

        Raises:
            Forbidden: nothing may be executed here.
            NotFound: there is no such plan.
            Invalid: a call that the plan does not have, or that nothing executes here.
            Conflict: other calls of the plan are under way.
            Busy: too many plans are under way.
        """
        self.backends.permit()
        read = self._library.read(answer)
        calls = self._chosen(read, wish, self._store.of(answer))
        with self._lock:
            found = self._works.get(answer)
            if found and not found.ended:
                if wish.calls is not None and not set(wish.calls) <= {call.id for call in found.calls}:
                    raise Conflict(
                        "under_way", "Other calls of this plan are being executed; wait for them or stop them."
                    )
            elif calls:
                if self._closed or sum(not work.ended for work in self._works.values()) >= MOST_AT_ONCE:
                    message = f"{MOST_AT_ONCE} plans are being executed; try again in a minute."
                    raise Busy("too_many_executions", message)
                self._works = {key: work for key, work in self._works.items() if not work.ended}
                work = self._works[answer] = _Work(read, calls)
                name = f"execution of {answer}"
                work.thread = threading.Thread(target=self._run, args=(work,), name=name, daemon=True)
                work.thread.start()
        return self.view(answer)

    def stop(self, answer: int) -> ExecutionView:
        """Give up what is under way; what is done stays.

        Raises:
            NotFound: there is no such plan.
        """
        work = self._works.get(answer)
        if work:
            work.stop()
            if work.thread:
                work.thread.join(FAREWELL)
        return self.view(answer)

    def close(self) -> None:
        """Stop everything; nothing begins any more."""
        with self._lock:
            self._closed = True
            works = list(self._works.values())
        for work in works:
            work.stop()
        until = time.monotonic() + FAREWELL
        for work in works:
            if work.thread:
                work.thread.join(max(0.0, until - time.monotonic()))

    def view(self, answer: int) -> ExecutionView:
        """What came of a plan's calls so far.

        Raises:
            NotFound: there is no such plan.
        """
        read, work = self._library.read(answer), self._works.get(answer)
        running = work is not None and not work.ended  # before the rows are read, so that none is missed at the end
        rows = self._store.of(answer)
        return ExecutionView(
            answer=answer,
            state="running" if running else "idle",
            total=len(work.calls) if work else 0,
            done=work.done if work else 0,
            forbidden=self.backends.forbidden,
            calls=[self._call(call, rows.get(call.id)) for call in read.plan.calls],
        )

    def _call(self, call: Call, row: ExecutionRow | None) -> ExecutedCall:
        backend = self.backends.of(call.tool)
        if row:
            state: Literal["done", "failed", "open", "off"] = "done" if row.picture else "failed"
            return ExecutedCall(
                call=call.id, tool=call.tool, state=state, picture=row.picture, backend=row.backend, reason=row.failed,
                latency=row.latency, at=row.at,
            )  # fmt: skip
        none = "" if backend else self._why_off(call)
        return ExecutedCall(
            call=call.id, tool=call.tool, state="open" if backend else "off", picture=None, backend=backend,
            reason=none, latency=None, at=None,
        )  # fmt: skip

    def _why_off(self, call: Call) -> str:
        if call.tool is None:
            return "The call names no tool of the registry, so nothing can execute it."
        return f"No backend for {call.tool} is configured here."

    def _chosen(self, read: ReadPlan, wish: NewExecution, rows: Mapping[int, ExecutionRow]) -> list[Call]:
        """The calls to execute, in the order of the plan."""
        for number in wish.calls or ():
            if number > len(read.plan.calls):
                message = f"The plan has no call {number}; its calls are numbered 1 to {len(read.plan.calls)}."
                raise Invalid("no_such_call", message, "calls")
            if self.backends.of((call := read.plan.call(number)).tool) is None:
                raise Invalid("no_backend", f"Call {number}: {self._why_off(call)}", "calls")
        wanted = None if wish.calls is None else set(wish.calls)
        return [
            call
            for call in read.plan.calls
            if (wanted is None or call.id in wanted)
            and self.backends.of(call.tool)
            and (wish.again or not ((row := rows.get(call.id)) and row.picture))
        ]

    def _run(self, work: _Work) -> None:
        try:
            asyncio.run(self._play(work))
        except asyncio.CancelledError:
            pass
        except Exception:
            log.exception("executing plan %s failed", work.read.id)
        finally:
            work.ended = True

    async def _play(self, work: _Work) -> None:
        work.begun()
        answer = work.read.id
        assert answer is not None  # noqa: S101  a reference answer is never executed
        outputs = {number: row.picture for number, row in self._store.of(answer).items() if row.picture}
        for call in work.calls:
            began = time.perf_counter()
            picture, failed = None, ""
            try:
                picture = outputs[call.id] = await self.backends.execute(Job(work.read, call, outputs))
            except Failed as reason:
                failed = str(reason)
            except Exception as error:
                log.exception("executing call %d of plan %d failed", call.id, answer)
                failed = f"This server failed on the call ({type(error).__name__}) and has logged why."
            seconds = time.perf_counter() - began
            backend = self.backends.of(call.tool) or "none"
            row = ExecutionRow(answer, call.id, backend, picture, storable(failed)[:MOST_REASON], seconds, now())
            self._store.add(row)
            work.done += 1
            await asyncio.sleep(0)  # where a stop is heard between calls that never wait
