"""Answers that cite images by marks: RAG-IGBench (`![x](IMG#k)`) and MRAMG-Bench (`<PIC>`).

Such a text is no plan yet, so each mark becomes a `reference` call on lines of its own, with what the mark says as its
description; every other character stays as it is. The answer's note says so, and the file keeps the text as it was,
which may be far longer than a note.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from easel_app.plans.reading.answers import answers
from easel_app.plans.reading.drafts import Draft, How, Value, first, id_of, labels, text_of
from easel_app.plans.reading.pools import documents

RAG, MRAMG = "RAG-IGBench row", "MRAMG-Bench row"
_IMG: Final = re.compile(r"!\[([^\[\]\n]{0,500})\]\(\s{0,8}IMG#([0-9]{1,9})\s{0,8}\)", re.ASCII | re.IGNORECASE)
_PIC: Final = re.compile(r"<PIC>", re.IGNORECASE)
_NOTE = "Its {count} marks {mark} were turned into reference calls on lines of their own; the words are as they were."
_ANSWERS: Final = ("model_answer", "answer", "output", "response")
Call = Callable[["re.Match[str]", int], tuple[str, int]]
"""Description and index of the call that a mark becomes, by the mark and how many stood before it."""


def is_rag(value: Value) -> bool:
    """Whether an entry is a row of RAG-IGBench."""
    return "gt_raw_answer" in value or all(name in value for name in ("query", "documents", "images"))


def is_mramg(value: Value) -> bool:
    """Whether an entry is a row of MRAMG-Bench."""
    return "images_list" in value


def read_rag(value: Value, how: How) -> Draft:
    """What a row of RAG-IGBench holds; its marks count the images of all documents from 1. Raises NotUsable."""
    query = text_of(value.get("query"), "query")
    reference = first(value, ("gt_raw_answer", "gt_clean_answer"))

    def call(mark: re.Match[str], before: int) -> tuple[str, int]:
        return mark[1], int(mark[2])

    found = [_turned(each, _IMG, call, "![…](IMG#k)") for each in answers(value, how.planner, _ANSWERS)]
    listed = documents(value.get("documents"), value.get("images"), ("documents", "images"))
    asked = {
        **labels(value),
        "query": query,
        "documents": listed.found,
        "reference": None if reference is None else turned(text_of(reference, "gt_raw_answer"), _IMG, call)[0],
        "index_base": 1,
    }
    based = [{**each, "index_base": 1} for each in found]
    return Draft(RAG, id_of(value, ("id",), query), asked, based, notes=listed.notes)


def read_mramg(value: Value, how: How) -> Draft:
    """What a row of MRAMG-Bench holds; the k-th mark of a text cites the k-th image. Raises NotUsable."""
    query = text_of(first(value, ("question", "query")), "question")
    reference = first(value, ("ground_truth", "gt", "gt_answer"))

    def call(mark: re.Match[str], before: int) -> tuple[str, int]:
        return f"Image {before + 1}", before

    found = [_turned(each, _PIC, call, "<PIC>") for each in answers(value, how.planner, _ANSWERS)]
    texts = first(value, ("documents", "doc", "contexts", "text"))
    listed = documents(texts, value["images_list"], ("documents", "images_list"))
    asked = {
        **labels(value),
        "query": query,
        "documents": listed.found,
        "reference": None if reference is None else turned(text_of(reference, "ground_truth"), _PIC, call)[0],
    }
    return Draft(MRAMG, id_of(value, ("id", "question_id"), query), asked, found, notes=listed.notes)


def turned(text: str, mark: re.Pattern[str], call: Call) -> tuple[str, int]:
    """A text with each mark as a call on lines of its own, and how many marks there were."""
    parts: list[str] = []
    end = count = 0
    for count, found in enumerate(mark.finditer(text), 1):
        parts += [text[end : found.start()], *_on_its_own(text, found, tag(*call(found, count - 1)))]
        end = found.end()
    return "".join([*parts, text[end:]]), count


def tag(description: str, index: int) -> str:
    """A `reference` call."""
    body = {"tool_name": "reference", "description": description, "params": {"img_index": index}}
    return f"<tool>{json.dumps(body, ensure_ascii=False)}</tool>"


def _on_its_own(text: str, mark: re.Match[str], call: str) -> list[str]:
    """A call with what parts it from the text around it, where nothing does."""
    before = "" if mark.start() == 0 or text[mark.start() - 1] == "\n" else "\n\n"
    after = "" if mark.end() == len(text) or text[mark.end()] == "\n" else "\n\n"
    return [before, call, after]


def _turned(answer: dict[str, Any], mark: re.Pattern[str], call: Call, shown: str) -> dict[str, Any]:
    text, count = turned(answer["text"], mark, call)
    notes = [answer.get("note", ""), _NOTE.format(count=count, mark=shown) if count else ""]
    return {**answer, "text": text, "note": " ".join(filter(None, notes))}
