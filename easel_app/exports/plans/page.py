"""A plan, or two plans of one query side by side, as one HTML file that opens from disk.

It needs no script and may run none; nothing can be fetched, framed or submitted, whatever stands in a plan. Light and
dark follow the system, and it prints.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from easel_app import __version__
from easel_app.exports.plans.aligning import align, part_of
from easel_app.exports.plans.document import picture_of, units
from easel_app.exports.plans.judging import people, reports
from easel_app.exports.plans.markup import Content, Markup, element, escaped, joined, prose
from easel_app.exports.plans.thumbnails import Thumbnails
from easel_app.services.plans.views import PlanView

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
TOLD: Final = (
    "It tells what judges and people say of the plan: whoever is still to review it blind reads it later. Nothing that "
    "the plan asks for was executed, and no score depends on that."
)
_DARK = re.compile(r"^\.dark\s*\{(.*?)^\}", re.DOTALL | re.MULTILINE)


def plan_page(view: PlanView, thumbnails: Thumbnails, static: Path) -> str:
    """The page of a plan.

    Args:
        view: the plan, with all that is said of it.
        thumbnails: pictures of its pool.
        static: the folder that holds the style sheets.
    """
    made = [unit.content for unit in units(view, thumbnails)]
    body = element("section", {"class": "document", "id": "document"}, made) if made else None
    parts = [
        _query(view, thumbnails),
        body,
        _problems(view, ""),
        reports(view),
        people(view),
        _pool(view, thumbnails),
        _documents(view),
    ]
    return _page(f"{view.title} - {view.planner}", "one", _header(view), parts, static)


def compare_page(left: PlanView, right: PlanView, thumbnails: Thumbnails, static: Path) -> str:
    """The page of two plans, aligned by paragraph; the rest is as in `plan_page`."""
    sides = [("left-", left), ("right-", right)]
    columns = [units(view, thumbnails, side) for side, view in sides]
    parts = [[part_of(unit.text, unit.tools) for unit in column] for column in columns]
    rows = [
        element(
            "tr",
            {},
            [
                element(
                    "td", {"class": "alone"} if place is None else {}, [] if place is None else column[place].content
                )
                for column, place in zip(columns, places, strict=True)
            ],
        )
        for places in align(*parts)
    ]
    heads = [element("th", {"scope": "col"}, _about(view)) for _, view in sides]
    table = element(
        "table", {"class": "two"}, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, rows)
    )
    header = element("header", {}, element("h1", {"dir": "auto"}, left.title), _where(left))
    both: list[Content] = [_query(left, thumbnails), element("section", {"class": "pair"}, table)]
    for side, view in sides:
        said = [_problems(view, side), reports(view, side), people(view)]
        if any(said):
            both += [element("h2", {}, element("bdi", {}, _named(view))), *said]
    title = f"{left.title} - {left.planner} and {right.planner}"
    return _page(title, "compare", header, [*both, _pool(left, thumbnails), _documents(left)], static)


def _page(title: str, kind: str, header: Markup, parts: Sequence[Content], static: Path) -> str:
    footer = element("footer", {}, f"Exported by Easel Studio {__version__}. {TOLD}")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{escaped(title)}</title>
<style>{styles(static)}</style>
</head>
<body class="{kind}">
{header}
<main>
{joined(parts)}
</main>
{footer}
</body>
</html>
"""


def styles(static: Path) -> str:
    """The style sheet: the studio's colours, dark ones where the system is dark, and what the page needs.

    Raises:
        FileNotFoundError: a style sheet is not there.
    """
    tokens, own = ((static / "css" / name).read_text(encoding="utf-8") for name in ("tokens.css", "planpage.css"))
    tokens = _DARK.sub(r"@media screen and (prefers-color-scheme: dark) { :root {\1} }", tokens)
    return f"{tokens}\n{own}".replace("</", "<\\/")


def _header(view: PlanView) -> Markup:
    return element("header", {}, element("h1", {"dir": "auto"}, view.title), _where(view), _about(view))


def _where(view: PlanView) -> Markup:
    place = " · ".join(filter(None, [view.set_name, view.category, view.intent, f"query {view.query_id}"]))
    sample = [" ", element("span", {"class": "tag sample"}, "Sample: made up")] if view.sample else None
    return element("p", {"class": "meta"}, element("bdi", {}, place), sample)


def _named(view: PlanView) -> str:
    return view.planner + (f", attempt {view.attempt}" if view.attempt > 1 else "")


def _about(view: PlanView) -> Markup:
    """Who planned, and the plan in numbers."""
    facts = view.facts
    tools = ", ".join(f"{tool} {count}" for tool, count in facts.tools.items() if count)
    calls = f"{facts.calls} tool call{'' if facts.calls == 1 else 's'}" + (f" ({tools})" if tools else "")
    numbers = f"{facts.paragraphs} paragraph{'' if facts.paragraphs == 1 else 's'}, {calls}"
    scores = [
        ", ".join(
            filter(
                None, [f"FS {judge.chief.fs}" if judge.chief else "", f"MI {judge.recall.mi}" if judge.recall else ""]
            )
        )
        for judge in view.judges
    ]
    told = [
        element("p", {"class": "meta"}, element("bdi", {}, judge.judge), f": {score}")
        for judge, score in zip(view.judges, scores, strict=True)
        if score
    ]
    words = " ".join(filter(None, [f"There is no answer: {view.no_output}" if view.no_output else "", view.note]))
    note = element("p", {"class": "note", "dir": "auto"}, words) if words else None
    name = element("p", {"class": "meta"}, element("b", {}, element("bdi", {}, _named(view))), f": {numbers}")
    return joined([name, told, note])


def _query(view: PlanView, thumbnails: Thumbnails) -> Markup:
    pictures = [element("li", {}, picture_of(image, thumbnails)) for image in view.pool if image.comes_with == "query"]
    shown = element("ul", {"class": "pool"}, pictures) if pictures else None
    return element("section", {"class": "query"}, element("h2", {}, "The question"), prose(view.query), shown)


def _problems(view: PlanView, side: str) -> Markup | None:
    if not view.problems:
        return None
    listed = [
        element(
            "li",
            {},
            element("span", {"class": f"tag {problem.severity}"}, problem.code),
            [" ", element("a", {"href": f"#{side}call-{problem.call}"}, f"call {problem.call}")]
            if problem.call
            else None,
            element("span", {"dir": "auto"}, f" {problem.explanation}"),
        )
        for problem in view.problems
    ]
    return element("section", {}, element("h2", {}, "Problems"), element("ul", {"class": "plain"}, listed))


def _pool(view: PlanView, thumbnails: Thumbnails) -> Markup | None:
    images = [element("li", {}, picture_of(image, thumbnails)) for image in view.pool if image.comes_with != "query"]
    if not images:
        return None
    shown = element("ul", {"class": "pool"}, images)
    return element("section", {}, element("h2", {}, "Images that came with the documents"), shown)


def _documents(view: PlanView) -> Markup | None:
    told = [
        element("details", {}, element("summary", {}, f"Document {number}"), prose(each.text))
        for number, each in enumerate(view.documents, 1)
        if each.text
    ]
    return element("section", {}, element("h2", {}, "Documents"), told) if told else None
