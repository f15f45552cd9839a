"""A plan as a document with its calls in place, as it is for everybody: without what judges and people say of it."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from easel_app.plans.charts import chart_of, why_not
from easel_app.plans.files import PoolImage
from easel_app.plans.outline import Outline, outline
from easel_app.plans.problems import KINDS
from easel_app.plans.records import Call, Plan, Problem, Severity, Span
from easel_app.plans.rules import format_score
from easel_app.scoring.judge_free import STATUSES, cited_images
from easel_app.scoring.plan import TOOLS, tool_names
from easel_app.scoring.set_overlap import SetScore, set_score
from easel_app.services.plans.library import ReadPlan
from easel_app.services.plans.pieces import Budget, pieces
from easel_app.services.plans.views import (
    ChartView,
    DocumentView,
    Facts,
    ImageView,
    OverlapView,
    ParamView,
    PlanCall,
    PlanView,
    ProblemView,
)
from easel_app.sources.fields import storable
from easel_app.store.sets import SetRecord

MOST_PROBLEMS: Final = 3000
"""Problems that are listed."""
LEAST: Final = 100
"""Characters of each of a call's texts that are shown in any case."""
MOST_PARAMS: Final = 4
"""Parameters of a call that are shown in any case."""
MOST_QUOTED: Final = 120
EMPTY: Final = "The answer is empty, and why is not on record."
ORDER: Final[Mapping[Severity, int]] = {"error": 0, "warning": 1, "hint": 2}
"""Of severities, the gravest first."""


def document(read: ReadPlan, of: SetRecord) -> PlanView:
    """A plan with all that it says and all that can be said of it without a judge.

    What a person may see beside it is not in it: judges, votes and the other answers to its query. Of a plan that no
    page could hold a part is shown, and its note says so.
    """
    query, answer, plan = read.query, read.answer, read.plan
    pool = [image_view(image, k + answer.index_base, "") for k, image in enumerate(query.pool)]
    documents, comes_with = _documents(read, text := Budget())
    pool = [image.model_copy(update={"comes_with": comes_with[image.index]}) for image in pool]
    shown, said, found = pieces(plan, body := Budget()), Budget(), outline(query, answer, plan)
    calls = _calls(read, pool, said)
    return PlanView(
        answer=read.id,
        set_id=of.id,
        set_name=of.name,
        sample=of.sample,
        query_id=query.id,
        planner=answer.planner,
        attempt=answer.attempt,
        category=query.category,
        intent=query.intent,
        title=found.title,
        query=Budget().nodes(query.query),
        pool=pool,
        documents=documents,
        index_base=answer.index_base,
        pool_order=query.pool_order,
        no_output=answer.no_output or ("" if answer.text.strip() else EMPTY),
        note=" ".join(filter(None, [answer.note, *_left_out(read, body, said, text)])),
        origin=answer.origin,
        pieces=shown,
        calls=calls,
        problems=_problems(plan),
        facts=facts(found),
        judges=[],
        mine=None,
        others=[],
        siblings=[],
    )


def facts(found: Outline) -> Facts:
    """What can be said of a plan without any judge."""
    images = cited_images(found.cited, found.reference_cited, pool_size=found.pool_size)
    own, wanted = tool_names(found.tools), found.reference_tools
    return Facts(
        paragraphs=found.paragraphs,
        calls=len(found.tools),
        tools=tool_counts(found),
        statuses={status: found.statuses.get(status, 0) for status in STATUSES},
        tool_set=None if wanted is None else _overlap(set_score(own, tool_names(wanted))),
        image_set=None if images.sets is None else _overlap(images.sets),
        image_order=images.order,
        duplicates=images.duplicates,
        out_of_range=images.out_of_range,
    )


def tool_counts(found: Outline) -> dict[str, int]:
    """Calls of each of the registry's tools."""
    return {tool: found.tools.count(tool) for tool in TOOLS}


def image_view(image: PoolImage, index: int, comes_with: str) -> ImageView:
    """An image of a pool."""
    picture = image.picture
    return ImageView(
        index=index,
        digest=picture.digest if picture else None,
        width=picture.width if picture else None,
        height=picture.height if picture else None,
        name=image.name,
        missing=image.missing,
        comes_with=comes_with,
    )


def _overlap(score: SetScore) -> OverlapView:
    return OverlapView(precision=score.precision, recall=score.recall, f1=score.f1)


def _left_out(read: ReadPlan, body: Budget, said: Budget, text: Budget) -> list[str]:
    """What is not shown of a plan, in sentences."""
    where = f"; the whole plan is at /api/plans/answers/{read.id}/raw" if read.id else ""
    found = []
    if body.cut:
        found.append(f"{body.cut:,} of its {len(read.plan.text):,} characters are not shown here{where}.")
    if said.cut:
        found.append(f"{said.cut:,} characters of its calls are not shown here{where}.")
    if (more := len(read.plan.problems) - MOST_PROBLEMS) > 0:
        found.append(f"{more:,} more problems are not listed.")
    if text.cut:
        found.append(f"{text.cut:,} characters of the documents are not shown here.")
    return found


def _documents(read: ReadPlan, budget: Budget) -> tuple[list[DocumentView], dict[int, str]]:
    """The documents, and by index what each image of the pool comes with."""
    query, base = read.query, read.answer.index_base
    count, first = len(query.query_images), query.pool_order == "query_first"
    at = base + (count if first else 0)
    comes_with: dict[int, str] = {}
    views = []
    for number, each in enumerate(query.documents, 1):
        indices = list(range(at, at + len(each.images)))
        comes_with |= dict.fromkeys(indices, f"document {number}")
        views.append(DocumentView(text=budget.nodes(each.text), images=indices))
        at += len(each.images)
    begin = base if first else at
    return views, comes_with | dict.fromkeys(range(begin, begin + count), "query")


def _calls(read: ReadPlan, pool: list[ImageView], budget: Budget) -> list[PlanCall]:
    blocks = {block.call: block.number for block in read.plan.blocks if block.call is not None}
    by_index = {image.index: image for image in pool}
    return [_call(call, blocks[call.id], by_index, budget) for call in read.plan.calls]


def _call(call: Call, block: int, pool: Mapping[int, ImageView], budget: Budget) -> PlanCall:
    params = call.params or {}
    gravest = sorted(call.problems, key=lambda each: (ORDER[each.severity], each.code))
    index, code = params.get("img_index"), params.get("code")
    cites = call.tool in ("reference", "edit") and type(index) is int
    chart, no_chart = _chart(params, budget) if call.tool == "code" else (None, "")
    return PlanCall(
        id=call.id,
        block=block,
        tool=call.tool,
        called=budget.take(storable(call.name_as_sent or ""), LEAST),
        status=call.status,
        description=budget.take(storable(call.description or ""), LEAST),
        params=_params(params, budget),
        raw=budget.take(storable(call.raw), LEAST),
        problems=list(dict.fromkeys(each.code for each in gravest)),
        severity=gravest[0].severity if gravest else None,
        image=pool.get(index) if cites and isinstance(index, int) else None,
        chart=chart,
        no_chart=no_chart,
        code=budget.take(storable(code), LEAST) if call.tool == "code" and isinstance(code, str) else None,
        format_score=format_score(call.status),
    )


def _chart(params: Mapping[str, Any], budget: Budget) -> tuple[ChartView | None, str]:
    """The chart of a code call, or why there is none."""
    if not budget.left:
        return None, "The plan is too large for this chart to be shown."
    if chart := chart_of(params):
        return ChartView.model_validate(asdict(chart)), ""
    return None, budget.take(storable(why_not(params)), LEAST)


def _params(params: Mapping[str, Any], budget: Budget) -> list[ParamView]:
    shown: list[ParamView] = []
    for name, value in params.items():
        if not budget.left and len(shown) >= MOST_PARAMS:
            budget.cut += sum(map(len, list(params)[len(shown) :]))
            break
        text = isinstance(value, str)
        said = storable(value if text else _as_json(value))
        shown.append(ParamView(name=budget.take(storable(name), LEAST), value=budget.take(said, LEAST), text=text))
    return shown


def _as_json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError:  # a whole number of thousands of digits
        return "a value that cannot be written"


def _problems(plan: Plan) -> list[ProblemView]:
    place = _places(plan)
    return [_problem(plan, each, place) for each in plan.problems[:MOST_PROBLEMS]]


def _problem(plan: Plan, each: Problem, place: Callable[[int], int | None]) -> ProblemView:
    whole = each.call_id is None and each.span == (0, len(plan.text))
    return ProblemView(
        code=each.code,
        severity=each.severity,
        area=KINDS[each.code].area,
        explanation=storable(each.explanation),
        call=each.call_id,
        block=None if whole else place(each.span.start),
        quote="" if whole else _quote(plan.text, each.span),
    )


def _places(plan: Plan) -> Callable[[int], int | None]:
    """Which block a place of the text is in, or is nearest behind; None before the first."""
    starts = [block.start for block in plan.blocks]

    def place(at: int) -> int | None:
        return plan.blocks[found - 1].number if (found := bisect_right(starts, at)) else None

    return place


def _quote(text: str, span: Span) -> str:
    """A passage on one line, shortened, with nothing in it that does not print."""
    line = " ".join(text[span.start : min(span.end, span.start + 4 * MOST_QUOTED)].split())
    short = line if len(line) <= MOST_QUOTED else f"{line[: MOST_QUOTED - 1]}…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short)
