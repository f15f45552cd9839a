"""A plan as the document that it wants to be, in HTML: text, a card for each call, a mark for each missed picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from easel_app.exports.plans.drawing import chart
from easel_app.exports.plans.markup import Content, Markup, element, prose
from easel_app.exports.plans.thumbnails import Thumbnails
from easel_app.plans.files import GapsVote
from easel_app.plans.reports import CallVerdict
from easel_app.services.plans.views import ImageView, PieceView, PlanCall, PlanView

GAP_WORDS: Final = {
    "dangling_reference": "the text points to a picture that is not there",
    "procedural_gap": "a long description of what a picture would show",
    "ungrounded_entity": "something real is named and not shown",
    "unmet_request": "a picture is asked for and not made",
}
"""What each kind of gap says."""
SCORES: Final = {"placement": "Placement", "coherence": "Coherence", "parameters": "Parameters", "format": "Format"}


class Unit(NamedTuple):
    """A part of a document that stays together: a paragraph or thinking with the calls and gaps behind it."""

    text: str
    """Of its paragraph, as plain words."""
    tools: Sequence[str | None]
    content: Sequence[Markup]


class _Gap(NamedTuple):
    after_block: int
    mark: Markup


def units(view: PlanView, thumbnails: Thumbnails, side: str = "") -> list[Unit]:
    """The parts of a plan's document, in their order.

    Args:
        view: the plan, with all that is said of it.
        thumbnails: pictures of its pool.
        side: what stands before the names that links lead to, where several plans are on one page.
    """
    calls, waiting = {call.id: call for call in view.calls}, sorted(_gaps(view, side), key=lambda gap: gap.after_block)
    made: list[tuple[str, list[str | None], list[Markup]]] = []

    def due(block: float) -> list[Markup]:
        count = sum(gap.after_block <= block for gap in waiting)
        marks = [gap.mark for gap in waiting[:count]]
        del waiting[:count]
        return marks

    if before := due(0):
        made.append(("", [], before))
    for piece in view.pieces:
        if piece.kind == "call" and piece.call in calls:
            call = calls[piece.call]
            if not made:
                made.append(("", [], []))
            made[-1][1].append(call.tool)
            made[-1][2].append(card(view, call, thumbnails, side))
        elif piece.kind != "call":
            made.append((_plain(piece), [], [_text(piece)]))
        if piece.last is not None:
            made[-1][2].extend(due(piece.last))
    if behind := due(float("inf")):
        made.append(("", [], behind))
    return [Unit(*each) for each in made]


def card(view: PlanView, call: PlanCall, thumbnails: Thumbnails, side: str = "") -> Markup:
    """The card of a call, with what judges and people say of it."""
    severity = {problem.code: problem.severity for problem in view.problems if problem.call == call.id}
    tool = call.tool or "none"
    status = None if call.status == "strict" else element("span", {"class": "tag"}, call.status)
    head = element(
        "div",
        {"class": "head"},
        element("span", {"class": f"tag {tool}"}, call.tool.capitalize() if call.tool else "No known tool"),
        f"call {call.id}",
        status,
        [element("span", {"class": f"tag problem {severity.get(code, 'hint')}"}, code) for code in call.problems],
    )
    called = f"Named “{call.called}”" if call.called and call.called != call.tool else None
    params = [
        element("div", {}, element("dt", {}, param.name), element("dd", {"dir": "auto"}, param.value))
        for param in call.params
    ]
    raw = call.status != "strict" or call.tool is None
    picture = _picture(call, thumbnails)
    kind = "card" + (" failed" if call.status == "failed" else "") + ("" if picture else " plainly")
    return element(
        "article",
        {"class": kind, "id": f"{side}call-{call.id}"},
        picture,
        head,
        element("p", {"class": "note", "dir": "auto"}, called) if called else None,
        element("p", {"class": "meta", "dir": "auto"}, call.description) if call.description else None,
        element("dl", {}, params) if params else None,
        chart(call.chart) if call.chart else None,
        element(
            "details", {}, element("summary", {}, "As it stands in the plan"), element("pre", {"dir": "auto"}, call.raw)
        )
        if raw
        else None,
        list(_said(view, call.id)),
    )


def verdict(name: str, said: CallVerdict, words: str) -> Markup:
    """What somebody says of a call."""
    scores = [
        element("span", {"class": f"score s{value}"}, element("b", {}, str(value)), label)
        for key, label in SCORES.items()
        for value in (getattr(said.scores, key),)
    ]
    gates = [
        None if said.necessary else element("span", {"class": "tag error"}, "adds nothing"),
        None if said.boundary_ok else element("span", {"class": "tag error"}, "wrong tool"),
    ]
    return element(
        "div",
        {"class": "said"},
        element(
            "p", {}, element("bdi", {}, name), ": ", _yes_no(said.success, "succeeds", "does not succeed"), " ", gates
        ),
        element("p", {}, scores),
        element("p", {"dir": "auto"}, words) if words else None,
    )


def picture_of(image: ImageView, thumbnails: Thumbnails) -> Markup:
    """A picture of the pool, or why there is none."""
    url = thumbnails.of(image.digest) if image.digest else ""
    where = {"query": "of the question", "": ""}.get(image.comes_with, f"of {image.comes_with}")
    said = f"Image {image.index} {where}".strip()
    if url:
        return element("figure", {"class": "pic"}, element("img", {"src": url, "alt": image.name or said}), said)
    why = image.missing or ("Its file cannot be shown." if image.digest else "No file.")
    return element("figure", {"class": "pic"}, element("span", {"class": "hole", "dir": "auto"}, why), said)


def _picture(call: PlanCall, thumbnails: Thumbnails) -> Markup | None:
    if call.image:
        return picture_of(call.image, thumbnails)
    if call.tool in ("reference", "edit"):
        hole = element("span", {"class": "hole"}, "No image of this index.")
        return element("figure", {"class": "pic"}, hole)
    return None


def _said(view: PlanView, call: int) -> Iterator[Markup]:
    for judge in view.judges:
        for report in judge.precision.calls if judge.precision else ():
            if report.call_id == call:
                better = f" It suggests {report.suggested_tool}." if report.suggested_tool else ""
                yield verdict(judge.judge, report, report.reason + better)
    for vote in view.others:
        if vote.part == f"call:{call}" and isinstance(vote.content, CallVerdict):
            yield verdict(f"{vote.reviewer}, {'blind' if vote.blind else 'not blind'}", vote.content, vote.note)


def _gaps(view: PlanView, side: str) -> Iterator[_Gap]:
    for number, judge in enumerate(view.judges, 1):
        for gap in judge.recall.gaps if judge.recall else ():
            told = (
                element("p", {"dir": "auto"}, gap.reason),
                element("p", {}, element("q", {"dir": "auto"}, gap.anchor_quote)),
            )
            name = f"{side}gap-{number}-{gap.gap_id}"
            why = f", {gap.severity}: {GAP_WORDS[gap.type]}. It suggests {gap.suggested_tool}."
            yield _Gap(gap.after_block, _mark(judge.judge, f" misses a picture{why}", told, name))
    for vote in view.others:
        for found in vote.content.gaps if isinstance(vote.content, GapsVote) else ():
            told_note = element("p", {"dir": "auto"}, found.note) if found.note else None
            yield _Gap(
                found.after_block, _mark(vote.reviewer, f" misses a picture: {GAP_WORDS[found.type]}.", told_note, None)
            )


def _mark(who: str, what: str, told: Content, name: str | None) -> Markup:
    return element("aside", {"class": "gap", "id": name}, element("p", {}, element("bdi", {}, who), what), told)


def _text(piece: PieceView) -> Markup:
    if piece.kind == "thinking":
        shown = element("summary", {}, "Thinking")
        return element("details", {"class": "thinking"}, shown, prose(piece.nodes))
    return element("div", {"class": "text"}, prose(piece.nodes))


def _plain(piece: PieceView) -> str:
    def words(node: object) -> str:
        return node if isinstance(node, str) else " ".join(map(words, node[1:])) if isinstance(node, list) else ""

    return " ".join(map(words, piece.nodes)) if piece.kind == "text" else ""


def _yes_no(value: bool, yes: str, no: str) -> Markup:
    return element("span", {"class": "yes" if value else "no"}, yes if value else no)
