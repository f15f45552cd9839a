"""A tool run in a terminal: a live table while it goes on, and what came of it at its end."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import quote

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from easel_app import live_table
from easel_app.import_terminal import counted, plain
from easel_app.live_table import Followed
from easel_app.services.wings import RUBRICS

if TYPE_CHECKING:
    from easel_app.runs.tool_run_settings import ToolRunView
    from easel_app.services.rubrics.analysis_views import Player
    from easel_app.services.rubrics.scores import Mean
    from easel_app.tool_commands.desk import Desk

MOST_SHOWN = 8
"""Attempts that are listed one by one."""
AT_WORK = ("running", "judging")


def follow(desk: Desk, view: ToolRunView, console: Console) -> ToolRunView:
    """Show a run until it no longer goes on; Ctrl-C stops it, a second Ctrl-C leaves at once."""
    pace, run_id = Pace(view), view.run_id
    work = Followed(
        look=lambda: desk.view(run_id),
        stop=lambda: desk.stop(run_id),
        works=lambda now: now.state in AT_WORK,
        mark=lambda now: (now.done, now.state),
        line=lambda now: standing(now, pace),
        table=lambda now: picture(now, pace),
    )
    return live_table.follow(view, work, console)


class Pace:
    """How fast a run goes on, since the first look at it."""

    def __init__(self, view: ToolRunView, begun: float | None = None) -> None:
        """Count from a view of the moment `begun`, by `time.monotonic`; None: now."""
        self._rounds, self._begun = view.rounds, time.monotonic() if begun is None else begun

    def told(self, view: ToolRunView) -> str:
        """In words; empty where nothing can be said yet."""
        made, taken = view.rounds - self._rounds, time.monotonic() - self._begun
        return f"{60 * made / taken:.0f} rounds/min" if made and taken > 1 and view.state == "running" else ""


def picture(view: ToolRunView, pace: Pace) -> RenderableType:
    """The live table."""
    what, done, total = (
        ("items judged", view.judged, view.to_judge) if view.to_judge else ("attempts", view.done, view.total)
    )
    count = TextColumn(f"{{task.completed:.0f}} / {{task.total:.0f}} {what}")
    bar = Progress(TextColumn("{task.description}"), BarColumn(40), count)
    bar.add_task(view.run_id, total=max(1, total), completed=done)
    head = Group(bar, Text(standing(view, pace)), Text(_endings(view)))
    if view.state == "judging":
        return head
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("answering now")
    for name in ("attempt", "turn", "round"):
        table.add_column(name, justify="right")
    table.add_column("doing")
    for each in view.under_way[:MOST_SHOWN]:
        turn = f"{each.turn} / {each.turns}"
        doing = "asks the model" if each.doing == "model" else plain(each.doing)
        table.add_row(Text(plain(each.task_id)), str(each.attempt), turn, str(each.round), Text(doing))
    if len(view.under_way) > MOST_SHOWN:
        table.add_row(f"and {len(view.under_way) - MOST_SHOWN} more", "", "", "", "")
    return Group(head, table)


def standing(view: ToolRunView, pace: Pace | None = None) -> str:
    """Where a run stands, in one line."""
    parts = [f"{view.state}: {view.done} of {counted(view.total, 'attempt')} answered"]
    if view.to_judge:
        parts.append(f"{view.judged:,} of {counted(view.to_judge, 'item')} judged")
    if view.rounds:
        parts.append(f"{counted(view.rounds, 'round')}, {counted(view.tool_calls, 'tool call')}")
        parts.append(f"{view.prompt_tokens + view.completion_tokens:,} tokens")
        parts.append(f"cost {view.cost:.4f}" if view.cost is not None else "cost unknown")
    if pace and (rate := pace.told(view)):
        parts.append(rate)
    if view.trouble:
        parts.append(f"the endpoint gives no answer: {plain(view.trouble)}")
    if view.eta is not None:
        parts.append(f"{_duration(view.eta)} to go")
    return ", ".join(parts)


def report(desk: Desk, view: ToolRunView, console: Console) -> Player | None:
    """Print where a run stands and what came of it; how its player did, where a judge has looked."""
    console.print(Text(standing(view)))
    if view.endings:
        console.print(Text(_endings(view)))
    if view.by_tool:
        told = ", ".join(f"{plain(name)} {count:,}" for name, count in sorted(view.by_tool.items()))
        console.print(Text(f"Calls by tool: {told}."))
    console.print(Text(conditions(view)))
    if view.sandbox_off:
        console.print(Text(f"The tools that run code were off: {view.sandbox_off}"))
    if view.left_out:
        console.print(Text(f"The endpoint does not take {' and '.join(view.left_out)}, so it was asked without."))
    for why in view.unanswered:
        if why.reason not in view.reason:  # which is told below
            console.print(Text(f"No answer in {counted(why.queries, 'attempt')}: {plain(why.reason)}"))
    score = None
    if view.judging_id and view.state != "judging":
        found = desk.analysis(view.set_id, view.judging_id)
        score = next((each for each in found.players if each.player == view.player), None)
        if score:
            console.print(_scores(view, score, found.judge or "people"))
    if view.judging_id:
        console.print(Text(analysis_told(desk, view)), soft_wrap=True)
    if view.queue_id:
        console.print(Text(queue_told(desk, view)), soft_wrap=True)
    if view.reason:
        console.print(Text(plain(view.reason)))
    return score


def conditions(view: ToolRunView) -> str:
    """Under what conditions the answers were made, in one line."""
    settings = view.settings
    tools = {"all": "all tools", "no_vision": "no vision tool", "none": "no tools"}[settings["tools"]]
    history = {"golden": "golden answers", "own": "own answers"}[settings["history"]]
    cassette = f" ({settings['cassette']})" if settings["cassette"] else ""
    network = f", network {settings['network']}{cassette}" if settings["tools"] != "none" else ""
    return plain(f"{view.player}: prompt {settings['prompt_version']}, {tools}, history of {history}{network}.")


def analysis_told(desk: Desk, view: ToolRunView) -> str:
    """Where its figures are shown by its own judge."""
    query = f"?tab={RUBRICS.name}&show=analysis&set={quote(view.set_id)}&by={quote(view.judging_id or '', safe='')}"
    return f"Its figures beside others': {desk.address}/{query}"


def queue_told(desk: Desk, view: ToolRunView) -> str:
    """Where people review the answers."""
    query = f"?tab={RUBRICS.name}&set={quote(view.set_id)}&queue={view.queue_id}"
    if desk.address:
        return f"People review the answers at {desk.address}/{query}"
    return f"People review the answers in the queue {view.queue_id}: start a studio (easel serve), then open /{query}"


def _scores(view: ToolRunView, found: Player, judge: str) -> Table:
    """The scores, each beside what it was made under."""
    title = f"By judge {plain(judge)}: means over what is scored, 95 % intervals by resampling tasks"
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=0)
    table.add_column("Score", no_wrap=True)
    for name in ("value", "95 % CI", "n", "of"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("History", no_wrap=True)
    table.add_column("Prompt", no_wrap=True)
    made = (view.settings["history"], view.settings["prompt_version"])
    for name, mean in (("APR", found.apr), ("ARS", found.ars)):
        table.add_row(name, *_mean(mean), counted(found.answers, "answer"), *made)
    for each in found.repeats:
        if each.k > 1:
            tasks = counted(each.tasks + each.left_out, "task")
            table.add_row(f"pass@{each.k}", *_mean(each.pass_at_k), tasks, *made)
            table.add_row(f"pass^{each.k}", *_mean(each.pass_hat_k), tasks, *made)
    return table


def _mean(mean: Mean) -> tuple[str, str, str]:
    if mean.value is None:
        return "–", "–", str(mean.n)
    interval = "–" if mean.low is None or mean.high is None else f"{mean.low:.3f}–{mean.high:.3f}"
    return f"{mean.value:.3f}", interval, str(mean.n)


def _endings(view: ToolRunView) -> str:
    told = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in sorted(view.endings.items()))
    return f"Turns: {told}." if told else ""


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
