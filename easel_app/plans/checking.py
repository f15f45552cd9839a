"""Whether an inspector's report fits the plan that it is about: every call scored once, every quote to be found.

A report whose shape is right (`plans.reports`) can still speak of calls, gaps or passages that are not there. What is
wrong with it is told in clauses without a word of the plan or of the report, so that they can be put to a model again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from easel_app.plans.quotes import anchor, block_of
from easel_app.plans.records import Plan
from easel_app.plans.reports import ChiefReport, Inspector, PrecisionReport, RecallReport, Report, report_of

__all__ = ["Fault", "anchor", "block_of", "check_report", "read_report"]

MOST_NAMED = 8
"""Calls or gaps that one fault names."""
MOST_SHAPE = 5
"""Faults of a report's shape that are told."""


class Fault(NamedTuple):
    """One way in which a report does not fit its plan."""

    where: str
    """A path within the report, such as `gaps.1.anchor_quote`; items are counted from 0."""
    message: str
    """A clause that says what is wrong, such as `call 3 is scored twice`."""


def read_report(
    plan: Plan, inspector: Inspector, content: Any, others: Mapping[Inspector, Report] | None = None
) -> tuple[Report | None, list[Fault]]:
    """The report that data of unknown origin are, and all that is wrong with it; it counts when nothing is.

    A call may tell its own `success`, which must be what its gates and scores come to under the policy `strict`
    (`scoring.plan`); it is derived from then on, and not kept.

    Args:
        plan: that it is about.
        inspector: whose report it is to be.
        content: what JSON gives.
        others: the other inspectors' reports on the same plan, as far as there are any.
    """
    content, claims = _without_success(content) if inspector == "precision" else (content, {})
    try:
        report = report_of(inspector, content)
    except ValidationError as error:
        return None, list(_shape(error))
    faults = check_report(plan, inspector, report, others)
    if isinstance(report, PrecisionReport):
        for place, claim in claims.items():
            call = report.calls[place]
            if claim is not call.success:
                come_to = "true" if call.success else "false"
                message = f"success of call {call.call_id} must be {come_to}, as its gates and scores say"
                faults.append(Fault(f"calls.{place}.success", message))
    return report, faults


def check_report(
    plan: Plan, inspector: Inspector, report: Report, others: Mapping[Inspector, Report] | None = None
) -> list[Fault]:
    """What of a report does not fit its plan; empty when all does.

    Args:
        plan: that it is about.
        inspector: whose report it is.
        report: it.
        others: the other inspectors' reports; the gaps that Chief names are looked for in that of Recall, if it is
            there.
    """
    match report:
        case PrecisionReport() if inspector == "precision":
            return list(_precision(plan, report))
        case RecallReport() if inspector == "recall":
            return list(_recall(plan, report))
        case ChiefReport() if inspector == "chief":
            return list(_chief(plan, report, (others or {}).get("recall")))
    return [Fault("", f"it is no report of the inspector {inspector}")]


def _precision(plan: Plan, report: PrecisionReport) -> Iterator[Fault]:
    scored = Counter(call.call_id for call in report.calls)
    there = {call.id for call in plan.calls}
    if unknown := scored.keys() - there:
        yield Fault("calls", f"{_named('call', unknown)} not in the plan, whose calls are {_range(len(there))}")
    if twice := [call for call, times in scored.items() if times > 1]:
        yield Fault("calls", f"{_named('call', twice)} scored more than once")
    if missing := there - scored.keys():
        yield Fault("calls", f"{_named('call', missing)} not scored")


def _recall(plan: Plan, report: RecallReport) -> Iterator[Fault]:
    count, blocks = len(report.gaps), len(plan.blocks)
    if report.mi != count:
        yield Fault("mi", f"mi is {report.mi}, but the number of gaps is {count}")
    if sorted(gap.gap_id for gap in report.gaps) != list(range(1, count + 1)):
        yield Fault("gaps", f"the gaps are not numbered {_range(count)}, each once")
    for place, gap in enumerate(report.gaps):
        if gap.after_block > blocks:
            message = f"gap {gap.gap_id} stands after block {gap.after_block}, but the last block is {blocks}"
            yield Fault(f"gaps.{place}.after_block", message)
        if anchor(plan, gap.anchor_quote) is None:
            message = f"the anchor_quote of gap {gap.gap_id} is not in the plan word for word"
            yield Fault(f"gaps.{place}.anchor_quote", message)


def _chief(plan: Plan, report: ChiefReport, recall: Report | None) -> Iterator[Fault]:
    if unknown := set(report.decisive_calls) - {call.id for call in plan.calls}:
        yield Fault("decisive_calls", f"{_named('call', unknown)} not in the plan")
    if isinstance(recall, RecallReport) and (unknown := set(report.decisive_gaps) - {g.gap_id for g in recall.gaps}):
        yield Fault("decisive_gaps", f"{_named('gap', unknown)} not in the report of the Recall Inspector")


def _named(what: str, numbers: Iterable[int]) -> str:
    """Such as `calls 1, 2 and 3 are`."""
    found = sorted(set(numbers))
    named = [str(number) for number in found[:MOST_NAMED]]
    if len(found) > MOST_NAMED:
        named.append(f"{len(found) - MOST_NAMED} more")
    if len(named) == 1:
        return f"{what} {named[0]} is"
    return f"{what}s {', '.join(named[:-1])} and {named[-1]} are"


def _range(count: int) -> str:
    return {0: "none", 1: "1"}.get(count, f"1 to {count}")


def _without_success(content: Any) -> tuple[Any, dict[int, Any]]:
    """A Precision report without what its calls claim to come to, and these claims by place."""
    calls = content.get("calls") if isinstance(content, dict) else None
    if not isinstance(calls, list | tuple):
        return content, {}
    claims = {
        place: call["success"] for place, call in enumerate(calls) if isinstance(call, dict) and "success" in call
    }
    kept = [_but_success(call) for call in calls]
    return {**content, "calls": kept}, claims


def _but_success(call: Any) -> Any:
    return {name: value for name, value in call.items() if name != "success"} if isinstance(call, dict) else call


def _shape(error: ValidationError) -> Iterator[Fault]:
    """Faults of the shape. A key that was not asked for is not named, since it is whoever wrote it who named it."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    for fault in faults[:MOST_SHAPE]:
        forbidden = fault["type"] == "extra_forbidden"
        where = ".".join(map(str, fault["loc"][:-1] if forbidden else fault["loc"]))
        reason = str(fault["msg"]).removeprefix("Value error, ")
        told = "a key that is not asked for" if forbidden else reason[:1].lower() + reason[1:]
        yield Fault(where, f"{where or 'the report'}: {told}")
