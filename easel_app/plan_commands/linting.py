"""`easel plans lint`: what the rules alone find wrong with plans, line by line."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from easel_app.import_terminal import counted, give_up, plain
from easel_app.plan_commands.importing import (
    BaseOption,
    IndexBaseOption,
    OrderOption,
    PlannerOption,
    PoolOrderOption,
)
from easel_app.settings import Settings

if TYPE_CHECKING:
    from easel_app.plans.files import AnswerRecord
    from easel_app.plans.reading import PlanSource
    from easel_app.plans.records import Problem
    from easel_app.sources.found import Fault, Place
    from easel_app.sources.found import Problem as Unread

UNREAD, UNANSWERED, PLANS = "could not be read", "without output", "plans"


class Linted(NamedTuple):
    """A problem where it stands."""

    place: str
    """Of the entry; empty for a file that is one bare plan."""
    about: dict[str, Any]
    line: int
    column: int
    problem: Problem


class Noted(NamedTuple):
    """What is odd about an entry, and was settled in reading it."""

    place: Place
    note: Fault


def register(cli: typer.Typer, settings: Callable[..., Settings]) -> None:
    """Add the command to `easel plans`; it needs no settings."""

    @cli.command()
    def lint(
        source: Annotated[Path, typer.Argument(help="A file in any form that easel plans import takes, or a folder.")],
        as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a problem.")] = False,
        planner: PlannerOption = None,
        index_base: IndexBaseOption = BaseOption.AUTO,
        pool_order: PoolOrderOption = OrderOption.QUERY_FIRST,
    ) -> None:
        """Print each problem of each plan: its place, severity and code, and what it means; nothing is stored.

        The place within a plan is a line and a column of its text, from 1. What could not be read, and what was opened
        as raw text or is odd in another way, is told beside it. Exits with 1 when there is an error, or something that
        could not be read; else with 0.
        """
        from easel_app.plans.reading import from_disk
        from easel_app.sources.found import SourceUnusable

        counts: Counter[str] = Counter()
        try:
            how = {"planner": planner, "index_base": index_base.value, "pool_order": pool_order.value}
            found = from_disk(source.expanduser(), pictures=False, **how)
            for each in _linted(found, counts):
                typer.echo(_json(each) if as_json else _line(each), err=not isinstance(each, Linted))
        except SourceUnusable as error:
            give_up(str(error))
        except BrokenPipeError:  # whoever reads this has seen enough
            raise typer.Exit(1) from None
        except OSError as error:
            give_up(f"{source} cannot be read ({error.strerror}); correct this.")
        if not as_json:
            typer.echo(_summary(counts), err=True)
        raise typer.Exit(1 if counts["error"] or counts[UNREAD] else 0)


def _linted(source: PlanSource, counts: Counter[str]) -> Iterator[Linted | Noted | Unread]:
    """All problems of a source, the plans of the data's own included; counts them, too."""
    from easel_app.plans.files import AnswerRecord, QueryRecord
    from easel_app.plans.outline import reference_answer
    from easel_app.sources.found import Found

    pools: dict[str, int | None] = {}
    for found in source.read():
        if not isinstance(found, Found):
            if not found.note:
                counts[UNREAD] += 1
                yield found
            continue
        yield from (Noted(found.place, note) for note in found.notes)
        record = found.record
        if isinstance(record, QueryRecord):
            pools[record.id] = len(record.pool) if record.pool_known else None
            record = reference_answer(record) or record
        if isinstance(record, AnswerRecord):
            yield from _problems(record, str(found.place), pools.get(record.query_id), counts)


def _problems(answer: AnswerRecord, place: str, pool: int | None, counts: Counter[str]) -> Iterator[Linted]:
    from easel_app.plans.parser import parse_plan
    from easel_app.plans.reading.raw import BARE

    if answer.no_output:
        counts[UNANSWERED] += 1
        return
    counts[PLANS] += 1
    plan = parse_plan(answer.text, pool_size=pool, index_base=answer.index_base, outputs_count=answer.outputs_count)
    bare = answer.origin == BARE
    about = {} if bare else {"query_id": answer.query_id, "planner": answer.planner, "attempt": answer.attempt}
    starts = [0, *(at + 1 for at, char in enumerate(answer.text) if char == "\n")] if plan.problems else []
    for problem in plan.problems:
        counts[problem.severity] += 1
        line = bisect_right(starts, problem.span.start)
        yield Linted("" if bare else place, about, line, problem.span.start - starts[line - 1] + 1, problem)


def _line(found: Linted | Noted | Unread) -> str:
    if isinstance(found, Noted):
        return plain(f"{found.place}: note: {found.note.what}")
    if not isinstance(found, Linted):
        why = "; ".join(fault.what for fault in found.faults) or "the same"
        return plain(f"{found.place}: could not be read: {why}")
    place, about, line, column, problem = found
    attempt = f" {about['attempt']}" if about.get("attempt", 1) > 1 else ""
    whose = f"{place}: {about['planner']}{attempt} to {about['query_id']}: " if about else ""
    return plain(f"{whose}{line}:{column}: {problem.severity} {problem.code}: {problem.explanation}")


def _json(found: Linted | Noted | Unread) -> str:
    """A problem as JSON of ASCII, which whatever reads it can hold."""
    if isinstance(found, Noted):
        return json.dumps({"place": str(found.place), "note": {"field": found.note.field, "message": found.note.what}})
    if not isinstance(found, Linted):
        faults = [{"field": fault.field, "message": fault.what} for fault in found.faults]
        return json.dumps({"place": str(found.place), "unread": faults})
    problem = found.problem
    return json.dumps(
        {
            "place": found.place,
            **found.about,
            "line": found.line,
            "column": found.column,
            "start": problem.span.start,
            "end": problem.span.end,
            "call": problem.call_id,
            "code": problem.code,
            "severity": problem.severity,
            "explanation": problem.explanation,
        }
    )


def _summary(counts: Counter[str]) -> str:
    """In words, such as "12 plans: 1 error, 3 warnings"."""
    found = [counted(n, name) for name in ("error", "warning", "hint") if (n := counts[name])]
    rest = "".join(f"; {n:,} {name}" for name in (UNANSWERED, UNREAD) if (n := counts[name]))
    return f"{counted(counts[PLANS], 'plan')}: {', '.join(found) or 'no problem'}{rest}."
