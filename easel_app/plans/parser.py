"""Reading a plan: text in, segments, calls, blocks and problems out. Pure, linear in time, and it never fails.

The contract is §3 of the reference, which each module completes where it leaves something open: `segments` for
boundaries, `decoding` and `repairing` for bodies, `normalising` for names and parameters, `layout` and `linting` for
the plan as a document, `problems` for the codes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from easel_app.plans.decoding import read_body
from easel_app.plans.layout import blocks, surroundings
from easel_app.plans.linting import Stated, lint
from easel_app.plans.normalising import Images, normalise
from easel_app.plans.problems import problem, quoted
from easel_app.plans.records import Call, Plan, Problem, Segment, Span
from easel_app.plans.segments import Piece, split


def parse_plan(text: str, *, pool_size: int | None = None, index_base: int = 0, outputs_count: bool = False) -> Plan:
    r"""Read a plan, whatever it is.

    Args:
        text: of the plan, of any length and with any characters; memory and time are in proportion to its length.
        pool_size: how many images the plan may cite; None if that is not known, and then no index is out of range.
        index_base: the index of the first image, 0 or 1; see `guess_index_base`.
        outputs_count: whether indices behind the pool mean the outputs of the plan's calls, as in LLM-I; in ATP-Bench
            they mean nothing.

    Raises:
        ValueError: `pool_size` is negative, or `index_base` neither 0 nor 1.

    Example:
        >>> plan = parse_plan('Ships.\n\n<tool>{"tool_name": "ref", "params": {"img_index": 7}}</tool>', pool_size=3)
        >>> plan.calls[0].tool, plan.calls[0].status, [problem.code for problem in plan.problems]
        ('reference', 'strict', ['alias_used', 'missing_description', 'img_index_out_of_range'])
    """
    if pool_size is not None and pool_size < 0:
        raise ValueError(f"A pool cannot have {pool_size} images; give None if their number is not known.")
    if index_base not in (0, 1):
        raise ValueError(f"Image indices begin at 0 or 1, not at {index_base}.")
    pieces, found = split(text)
    segments: list[Segment] = []
    calls: list[Call] = []
    for piece in pieces:
        if piece.kind == "call":
            calls.append(_call(text, piece, len(calls) + 1))
            found += calls[-1].problems
        segments.append(Segment(piece.kind, piece.start, piece.end, len(calls) if piece.kind == "call" else None))
    in_order = blocks(text, segments)
    stated = [Stated(call.id, call.span, call.tool, call.params) for call in calls]
    found += lint(text, stated, in_order, surroundings(text, segments), Images(pool_size, index_base, outputs_count))
    found.sort(key=lambda each: each.span)
    of_call: dict[int | None, list[Problem]] = {}
    for each in found:
        of_call.setdefault(each.call_id, []).append(each)
    whole = tuple(replace(call, problems=tuple(of_call.get(call.id, ()))) for call in calls)
    return Plan(text, tuple(segments), whole, tuple(found), in_order)


def guess_index_base(indices: Iterable[object], pool_size: int) -> Literal[0, 1] | None:
    """Whether image indices count from 0 or from 1, by those that were used; None if that does not tell.

    Any 0 means from 0; any that equals the size of the pool, and no 0, means from 1. What is no whole number does not
    count.
    """
    used = {index for index in indices if isinstance(index, int) and not isinstance(index, bool)}
    if 0 in used:
        return 0
    return 1 if pool_size in used else None


def _call(text: str, piece: Piece, call_id: int) -> Call:
    span, found = Span(piece.start, piece.end), []
    if not piece.closed:
        found.append(problem("unclosed_tag", Span(piece.start, piece.body.start), call_id))
    if piece.renamed:
        found.append(problem("mismatched_tag", Span(piece.body.end, piece.end), call_id))
    body = read_body(text[piece.body.start : piece.body.end], closed=piece.closed)
    for fault in body.faults:
        place = Span(piece.body.start + fault.start, piece.body.start + fault.end)
        details = {} if fault.key is None else {"key": quoted(fault.key)}
        found.append(problem(fault.code, place, call_id, **details))
    raw = text[piece.start : piece.end]
    if body.value is None:
        return Call(call_id, span, raw, body.status, None, None, None, None, None, tuple(found))
    meaning = normalise(body.value)
    found += [problem(code, span, call_id, **details) for code, details in meaning.problems]
    return Call(
        call_id,
        span,
        raw,
        body.status,
        body.value,
        meaning.name_as_sent,
        meaning.tool,
        meaning.params,
        meaning.description,
        tuple(found),
    )
