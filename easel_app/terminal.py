"""A run in a terminal: a live table while it goes on, the published columns at its end."""

from __future__ import annotations

import json
from typing import Any, Protocol
from urllib.parse import quote

import httpx
from pydantic import BaseModel, SecretStr
from pydantic_core import to_jsonable_python
from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from easel_app import live_table
from easel_app.live_table import Followed
from easel_app.runs.readings import NewReading
from easel_app.runs.settings import NewRun
from easel_app.runs.summary import ALL
from easel_app.runs.views import RunView, SemanticSummary
from easel_app.services.views import ReadingView

MOST_SHOWN = 8
"""Sessions, or failures, that are listed one by one."""
COLUMNS = {
    "n": "n",
    "final": "Final",
    "interval": "95 % CI",
    "at_half": "@50%",
    "auc": "AUC",
    "best": "Best",
    "final_best_gap": "F-B gap",
    "exact_repeat_rate": "Repeats",
    "invalid_rate": "Invalid",
    "skill": "Skill",
}
SPARED = ("invalid_rate", "skill")
"""Columns that are left out when they hold nothing."""


class RunControl(Protocol):
    """Whoever plays runs: this process, or a studio that is being served."""

    def start(self, wish: NewRun) -> RunView:
        """Begin a run or go on with it."""

    def view(self, run_id: str) -> RunView:
        """A run as it is now."""

    def stop(self, run_id: str) -> RunView:
        """Ask a run to stop."""


class RunRefused(Exception):
    """The served studio does not take the run; the message says why."""


class ReadingControl(Protocol):
    """Whoever lets models read: this process, or a studio that is being served."""

    def unread(self, model: str) -> list[str]:
        """Ids of ended sessions of handwriting that a model has not read yet."""

    def read(self, session_id: str, wish: NewReading) -> ReadingView:
        """Let a model read a session."""


class Remote:
    """A studio that is being served on this machine and has the data folder open."""

    def __init__(self, address: str, timeout: float = 60.0) -> None:
        """Talk to the studio at `address`, such as http://127.0.0.1:7860."""
        self._client = httpx.Client(base_url=address, timeout=timeout, trust_env=False)

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()

    def _send(self, method: str, path: str, **more: Any) -> bytes:
        """The body of a good answer. Raises RunRefused for any other."""
        try:
            answer = self._client.request(method, path, **more)
        except httpx.HTTPError as error:
            where = self._client.base_url
            what = type(error).__name__
            message = f"The studio at {where} cannot be reached ({what}); start it again, then give the same command."
            raise RunRefused(message) from None
        if answer.is_success:
            return answer.content
        try:
            message = answer.json()["error"]["message"]
        except (ValueError, KeyError, TypeError):
            message = f"The studio answered {answer.status_code} without a reason."
        raise RunRefused(message)


def in_the_open(wish: BaseModel) -> Any:
    """A wish as it is sent, its keys in the open."""

    def shown(value: object) -> Any:
        return value.get_secret_value() if isinstance(value, SecretStr) else to_jsonable_python(value)

    return json.loads(json.dumps(wish.model_dump(), default=shown))


class RemoteReader(Remote):
    """Model readings of a served studio."""

    def __init__(self, address: str) -> None:
        super().__init__(address, timeout=1300.0)  # two answers of the model, each with its own limit

    def unread(self, model: str) -> list[str]:
        """Ids of ended sessions of handwriting that a model has not read yet. Raises RunRefused."""
        found: list[str] = json.loads(self._send("GET", "/api/sessions/unread", params={"model": model}))
        return found

    def read(self, session_id: str, wish: NewReading) -> ReadingView:
        """Let a model read a session. Raises RunRefused."""
        path = f"/api/sessions/{quote(session_id, safe='')}/readings"
        return ReadingView.model_validate_json(self._send("POST", path, json=in_the_open(wish)))


class RemoteRuns(Remote):
    """The runs of a served studio."""

    def start(self, wish: NewRun) -> RunView:
        """Begin a run or go on with it. Raises RunRefused."""
        return self._ask("POST", "/api/runs", json=in_the_open(wish))

    def view(self, run_id: str) -> RunView:
        """A run as it is now. Raises RunRefused."""
        return self._ask("GET", f"/api/runs/{run_id}")

    def stop(self, run_id: str) -> RunView:
        """Ask a run to stop. Raises RunRefused."""
        return self._ask("DELETE", f"/api/runs/{run_id}")

    def _ask(self, method: str, path: str, **more: Any) -> RunView:
        return RunView.model_validate_json(self._send(method, path, **more))


def follow(control: RunControl, view: RunView, console: Console) -> RunView:
    """Show a run until it no longer runs; Ctrl-C stops it, a second Ctrl-C leaves at once."""
    run_id = view.run_id
    work = Followed(
        look=lambda: control.view(run_id),
        stop=lambda: control.stop(run_id),
        works=lambda now: now.state == "running",
        mark=lambda now: now.attempts.done,
        line=_standing,
        table=_picture,
    )
    return live_table.follow(view, work, console)


def report(view: RunView, console: Console) -> None:
    """Print where the run stands and its table."""
    console.print(_standing(view), highlight=False)
    for failure in view.failures[-MOST_SHOWN:]:
        if failure.message != view.reason:
            console.print(Text(f"Given up: {failure.task_id} (repeat {failure.repeat}). {failure.message}"))
    if view.summary:
        console.print(_summary(view))
    if view.semantic:
        console.print(_semantic(view, view.semantic))
    if view.reason:
        console.print(Text(view.reason))


def _picture(view: RunView) -> RenderableType:
    count = TextColumn("{task.completed:.0f} / {task.total:.0f} steps")
    bar = Progress(TextColumn("{task.description}"), BarColumn(40), count)
    bar.add_task(view.run_id, total=max(1, view.steps.total), completed=view.steps.done)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("painting now")
    for name in ("repeat", "step", "S"):
        table.add_column(name, justify="right")
    for entry in view.active[:MOST_SHOWN]:
        table.add_row(entry.task_id, str(entry.repeat), f"{entry.step} / {entry.budget}", _number(entry.score))
    if len(view.active) > MOST_SHOWN:
        table.add_row(f"and {len(view.active) - MOST_SHOWN} more", "", "", "")
    return Group(bar, Text(_standing(view)), table)


def _standing(view: RunView) -> str:
    attempts = view.attempts
    parts = [f"{view.state}: {attempts.done} of {attempts.total} sessions done"]
    if attempts.failed:
        parts.append(f"{attempts.failed} given up")
    parts.append(f"score of all canvases {_number(view.score)}")
    if view.calls:
        parts.append(f"{view.calls} calls, {view.prompt_tokens + view.completion_tokens:,} tokens")
        parts.append(f"cost {view.cost:.4f}" if view.cost is not None else "cost unknown")
    if view.trouble:
        parts.append(f"the endpoint gives no answer: {view.trouble}")
    if view.invalid:
        parts.append(f"{view.invalid} invalid")
    if view.eta is not None:
        parts.append(f"{_duration(view.eta)} to go")
    return ", ".join(parts)


def _summary(view: RunView) -> Table:
    settings = view.settings
    title = f"{view.player.name}, {settings['protocol']} protocol: means over n tasks; our tasks, no published figures"
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=0)
    table.add_column("Category", no_wrap=True)
    empty = {key for key in SPARED if not any(getattr(row, key) for row in view.summary)}
    columns = {key: name for key, name in COLUMNS.items() if key not in empty}
    for name in columns.values():
        table.add_column(name, justify="right", no_wrap=True)
    for row in view.summary:
        if row.category == ALL:
            if len(view.summary) == 2:  # the one category says it all
                continue
            table.add_section()
        interval = "–" if row.final_low is None else f"{_number(row.final_low)}–{_number(row.final_high)}"
        special = {"n": str(row.n), "interval": interval}
        table.add_row(row.category, *(special.get(key) or _number(getattr(row, key)) for key in columns))
    return table


def _semantic(view: RunView, summary: SemanticSummary) -> Table:
    settings = view.settings
    title = f"{view.player.name}, {settings['protocol']} protocol: semantic tasks; our tasks, no published figures"
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=0)
    table.add_column("Task", no_wrap=True)
    for name in ("n", "Score", "95 % CI", "Metric"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in summary.scores:
        interval = "–" if row.low is None else f"{_number(row.low)}–{_number(row.high)}"
        table.add_row(row.task, str(row.n), _number(row.score), interval, row.metric)
    table.add_section()
    for name, value in (
        ("Maze invalid", _number(summary.maze_invalid_rate)),
        ("Maze undo", _plain(summary.maze_undos)),
        ("Other undo", _plain(summary.other_undos)),
        ("Draw-undo loops", _plain(summary.draw_undo_loops)),
        ("Submit %", _plain(summary.submit_percent)),
    ):
        table.add_row(name, "", value, "", "")
    return table


def _plain(value: float | None) -> str:
    """A count or a percentage, with one decimal where it needs one."""
    return "–" if value is None else f"{value:.1f}".removesuffix(".0")


def _number(value: float | None) -> str:
    """Three decimals, as the paper prints them; a dash for what is not defined."""
    return "–" if value is None else f"{value:.3f}".replace("-", "−")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
