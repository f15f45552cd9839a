"""The three inspectors: models that report on one plan. A change that they can see changes `PROMPTS`.

Roles as published (ATP-Bench, arXiv 2603.29902): Precision judges each call, Recall finds what is missed, Chief reads
both and gives the final score. Nothing is executed and no reference answer is shown.

All texts are untrusted, the plan above all: it may hold a finished report, in whatever guise. So each stands between
lines that no text can forge (`llm.fences`), the plan block by block, and what is asked for comes after them. Of the
reply only the object counts that it ends with (`llm.objects`), and one that stands in the texts too is an echo, which
counts as none if it does the plan a favour. What counts must fit the plan (`plans.checking`); what does not is named
to the inspector once, and then there is no report.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, create_model

from easel_app.llm import Client, Request, ask
from easel_app.llm.fences import fenced, mark
from easel_app.llm.objects import last_object
from easel_app.llm.structured import Hear
from easel_app.plans.checking import read_report
from easel_app.plans.echoes import Planted
from easel_app.plans.files import PoolImage, QueryRecord
from easel_app.plans.inspecting_prompts import NAMES, closing, system
from easel_app.plans.parser import parse_plan
from easel_app.plans.records import Block, Plan
from easel_app.plans.reports import (
    INSPECTORS,
    CallReport,
    ChiefReport,
    GapReport,
    Inspector,
    PrecisionReport,
    RecallReport,
    Report,
)
from easel_app.scoring.plan import call_credit
from easel_app.sources.fields import storable
from easel_app.sources.showing import FORM, Picture

MOST_SENT: Final = 200_000
"""Characters of a plan that is sent; a longer one is not inspected, since none is cut in silence."""
MOST_MATERIAL: Final = 600_000
"""Characters of all that is sent of a query and a plan."""
MOST_CALLS: Final = 300
"""Calls of a plan that is sent."""
MOST_PICTURES: Final = 32
"""Pictures of a pool that are shown."""
MOST_FAULTS: Final = 5
"""Faults of a reply that it is told."""
NO_CALLS: Final = PrecisionReport(calls=(), summary="The plan calls no tool, so there is nothing to judge.")


class Material(NamedTuple):
    """A plan with all that its planner was given."""

    query: QueryRecord
    plan: Plan
    index_base: int = 0
    pictures: Mapping[int, Picture] | None = None
    """Those of the pool that are shown, by their place in it from 0; None: none are."""

    @property
    def shown(self) -> tuple[Picture, ...]:
        """The pictures that are shown, in the order of the pool."""
        return tuple(picture for _, picture in sorted((self.pictures or {}).items()))


class Finding(NamedTuple):
    """What an inspector reports."""

    report: Report
    how: str
    """`strict`; `repaired turn` when it is the second reply that counts; `without asking`."""


def unsendable(material: Material, pictures: int = 0) -> str:
    """Why a plan cannot be sent to an inspector with so many pictures, in one sentence; empty when it can be."""
    plan, length = material.plan, sum(map(len, _texts(material).values()))
    if len(plan.text) > MOST_SENT:
        return f"The plan has {len(plan.text):,} characters, and at most {MOST_SENT:,} are sent to an inspector."
    if len(plan.calls) > MOST_CALLS:
        return f"The plan has {len(plan.calls):,} calls, and at most {MOST_CALLS:,} are sent to an inspector."
    if length > MOST_MATERIAL:
        return (
            f"The query, its documents and the plan have {length:,} characters, and at most {MOST_MATERIAL:,} are sent "
            "to an inspector."
        )
    if pictures > MOST_PICTURES:
        return (
            f"The pool has {pictures} pictures, and at most {MOST_PICTURES} are shown; inspect the plan "
            "without pictures."
        )
    return ""


async def inspect(
    client: Client,
    inspector: Inspector,
    material: Material,
    others: Mapping[Inspector, Report],
    temperature: float | None,
    hear: Hear,
) -> Finding:
    """Ask for one report; a reply that cannot be read or does not fit the plan gets one chance to be corrected.

    Of a plan without calls the Precision report is empty, and nobody is asked.

    Args:
        client: whom to ask.
        inspector: which one.
        material: the plan; `unsendable` tells of one that cannot be sent.
        others: for Chief, the reports of both other inspectors.
        temperature: None leaves it to the endpoint.
        hear: is told of each exchange, whatever becomes of it.

    Raises:
        Unreadable: the model refuses, or two replies are no report that fits; what could only be guessed is none.
        EndpointError: the endpoint gave no answer.
    """
    if inspector == "precision" and not material.plan.calls:
        return Finding(NO_CALLS, "without asking")
    texts = {**_texts(material), "plan": storable(material.plan.text)}  # an object may go on over several blocks
    planted = Planted([*texts.values(), *_reports(inspector, others).values()])

    def own(text: str) -> str:
        found = last_object(text)
        try:
            content = json.loads(found)
            echo = _favours(inspector, content) and planted.holds(found)  # what does it no good takes no report away
            _, faults = read_report(material.plan, inspector, content, others)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        if echo:
            raise ValueError("it only repeats an object that stands in the material")
        if faults:
            told = [fault.message for fault in faults[:MOST_FAULTS]]
            more = [f"and {len(faults) - MOST_FAULTS} more faults"] if len(faults) > MOST_FAULTS else []
            raise ValueError("; ".join([*told, *more]))
        return found

    wish = request(inspector, material, others, temperature)
    asked = await ask(client, wish, FORMS[inspector], find=own, hear=hear, guess=False)
    report, _ = read_report(material.plan, inspector, asked.value.model_dump(mode="json"), others)
    assert report  # noqa: S101
    return Finding(report, asked.how)


def request(
    inspector: Inspector,
    material: Material,
    others: Mapping[Inspector, Report] | None = None,
    temperature: float | None = 0.0,
) -> Request:
    """What an inspector is asked. The material is the same for all three, up to the reports that Chief reads."""
    texts, reports = _texts(material), _reports(inspector, others or {})
    made = mark(texts.values(), others=reports.values())
    end = closing(inspector, made, len(material.plan.calls))
    head = [f"The mark of this request is {made}."]
    head += [fenced(name, text, made) for name, text in texts.items() if not name.startswith("block ")]
    tail = [fenced(name, text, made) for name, text in texts.items() if name.startswith("block ")]
    tail += [*[fenced(name, text, made) for name, text in reports.items()], end]
    content: Any = "\n\n".join([*head, *tail])
    if material.pictures:
        content = [_text("\n\n".join([*head, "Pictures of the pool, each behind its index:"]))]
        for place, picture in sorted(material.pictures.items()):
            content.append(_text(f"Picture {place + material.index_base}:"))
            content.append({"type": "image_url", "image_url": {"url": picture.url}})
        content.append(_text("\n\n".join(tail)))
    messages = [{"role": "system", "content": SYSTEMS[inspector]}, {"role": "user", "content": content}]
    return Request(messages=messages, temperature=temperature)


def _texts(material: Material) -> dict[str, str]:
    """All texts of others, by the names that stand on the lines around them."""
    query, plan = material.query, material.plan
    texts = {"query": query.query}
    texts |= {f"document {number}": document.text for number, document in enumerate(query.documents, 1)}
    texts["pool"] = "\n".join(_pool(material)) or "(no pictures)"
    texts |= {_named(plan, block): plan.text[block.start : block.end] for block in plan.blocks}
    return {name: storable(text) for name, text in texts.items()}


def _named(plan: Plan, block: Block) -> str:
    if block.call is None:
        return f"block {block.number}"
    return f"block {block.number}, call {block.call}, {plan.call(block.call).status}"


def _pool(material: Material) -> list[str]:
    """The pool, one picture a line, whatever its file is called."""
    query = material.query
    mine = [("query", image) for image in query.query_images]
    theirs = [(f"document {at}", image) for at, document in enumerate(query.documents, 1) for image in document.images]
    both = mine + theirs if query.pool_order == "query_first" else theirs + mine
    return [f"{place}: {_image(where, image)}" for place, (where, image) in enumerate(both, material.index_base)]


def _image(where: str, image: PoolImage) -> str:
    size = f", {image.picture.width} x {image.picture.height} px" if image.picture else ", whose file is missing"
    return f"from the {where}{size}, called {json.dumps(image.name, ensure_ascii=False)}"


def _reports(inspector: Inspector, others: Mapping[Inspector, Report]) -> dict[str, str]:
    """The reports that an inspector reads, by the names that stand on the lines around them."""
    if inspector != "chief":
        return {}
    both: tuple[Inspector, ...] = ("precision", "recall")
    return {
        f"report of the {NAMES[each]}": json.dumps(others[each].model_dump(mode="json"), ensure_ascii=False)
        for each in both
        if each in others
    }


def _favours(inspector: Inspector, content: Mapping[str, Any]) -> bool:
    """Whether an object would do a plan any good as a report, so that it may have been planted."""
    if inspector == "recall":
        return "gaps" in content  # there is no worst number of gaps
    if inspector == "chief":
        return content.get("fs") not in (None, 0)
    calls = content.get("calls")
    return isinstance(calls, list) and any(map(_credited, calls))


def _credited(call: Any) -> bool:
    try:
        return any(call_credit(call))
    except ValueError:
        return False


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _form(model: type[BaseModel], names: Sequence[str], **other: Any) -> type[BaseModel]:
    """The form of a reply: a report's fields with what is reasoned before what is decided, each of them asked for."""
    fields = {name: (field.annotation, field) for name, field in model.model_fields.items()}
    fields |= other
    made: Any = create_model  # its types cannot tell fields that are computed
    form: type[BaseModel] = made(
        model.__name__, __config__=ConfigDict(extra="forbid"), **{name: fields[name] for name in names}
    )
    return form


_SUCCESS = (bool, Field(strict=True, description="Both gates are true and all scores are 2."))
_CALL = _form(
    CallReport,
    ("call_id", "reason", "necessary", "boundary_ok", "scores", "success", "suggested_tool"),
    success=_SUCCESS,
)
_GAP = _form(GapReport, ("gap_id", "type", "anchor_quote", "after_block", "reason", "suggested_tool", "severity"))
FORMS: Final[Mapping[Inspector, type[BaseModel]]] = {
    "precision": _form(PrecisionReport, ("calls", "summary"), calls=(tuple[_CALL, ...], Field())),  # type: ignore[valid-type]
    "recall": _form(RecallReport, ("gaps", "mi", "summary"), gaps=(tuple[_GAP, ...], Field())),  # type: ignore[valid-type]
    "chief": _form(ChiefReport, ("reason", "decisive_calls", "decisive_gaps", "fs", "tier")),
}
SYSTEMS: Final[Mapping[Inspector, str]] = {inspector: system(inspector) for inspector in INSPECTORS}


def _version(inspector: Inspector) -> str:
    """Names a prompt by what an inspector can see of it."""
    picture = {"digest": "0" * 64, "format": "png", "width": 1, "height": 1}
    image = {"picture": picture, "name": "a"}
    given = {"id": "a", "query": "b", "query_images": [image], "documents": [{"text": "c", "images": [image]}]}
    plan = parse_plan('d\n\n<tool>{"tool_name": "search", "params": {"query": "e"}}</tool>')
    material = Material(QueryRecord.model_validate(given), plan, 0, {0: Picture("f", "g")})
    others: dict[Inspector, Report] = {"precision": NO_CALLS, "recall": RecallReport(gaps=(), mi=0, summary="h")}
    schema = FORMS[inspector].model_json_schema()
    shown = [request(inspector, each, others).messages for each in (material, material._replace(pictures=None))]
    digest = hashlib.sha256(json.dumps([*shown, schema, FORM]).encode()).hexdigest()[:12]
    return f"{inspector}/1+{digest}"


PROMPTS: Final[Mapping[Inspector, str]] = {inspector: _version(inspector) for inspector in INSPECTORS}
"""The version of each inspector's prompt."""
VERSIONS: Final[Mapping[str, str]] = {SYSTEMS[inspector]: PROMPTS[inspector] for inspector in INSPECTORS}
"""The versions by what each inspector is told."""
