"""A judge's verdicts as the authors' scripts write them: one object a task, its rubric items in one list or by turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter

from easel_app.rubrics.records import PUBLISHED, JudgeVerdict
from easel_app.sources.found import Fault, Found, Place, Problem
from easel_app.sources.jsontext import NotReadable, decoded, shown
from easel_app.sources.validating import NotValid, validated

GIVEN_UP = "Failed to get judge result"
"""What the authors' scripts write as the reason where the judge never answered, with "Not Met" as the verdict."""
_VERDICT: TypeAdapter[JudgeVerdict] = TypeAdapter(JudgeVerdict)


def is_judged(value: Mapping[str, Any]) -> bool:
    """Whether an entry holds a judge's verdicts on an answer."""
    return "judge_result" in value and "task_id" in value


def read(value: Mapping[str, Any], place: Place, model: str, judge: str) -> Iterator[Found | Problem]:
    """The verdicts of an entry, in its order. Whose answer was judged, and by whom, the authors' files do not say."""
    results = value["judge_result"]
    if not isinstance(results, list):
        yield Problem(place, (Fault("judge_result", f"judge_result is {shown(results)}, but it must be a list"),))
        return
    turns = results if any(isinstance(each, list) for each in results) else [results]
    for turn, entries in enumerate(turns, 1):
        for at, entry in enumerate(entries if isinstance(entries, list) else [entries], 1):
            where = f"turn {turn}, verdict {at}"
            if not isinstance(entry, Mapping):
                yield Problem(place, (Fault("judge_result", f"{where} is {shown(entry)}, but it must be an object"),))
                continue
            about = {"task_id": value["task_id"], "model": model, "turn": turn, "item_id": entry.get("rubric_id")}
            said = _said(entry.get("judge_result"))
            try:
                verdict = validated(_VERDICT, {**about, "judge": judge, **said})
            except NotValid as error:
                yield Problem(place, tuple(Fault(fault.field, f"{where}: {fault.what}") for fault in error.faults))
                continue
            odd = said.get("unscored")
            note = (Fault("judge_result", f"{where}: {odd}; the item is kept as unscored"),) if odd else ()
            yield Found(place, verdict, notes=note)


def _said(text: Any) -> dict[str, Any]:
    """Verdict and reason in what a judge replied; a reply without a verdict is unscored, and says why.

    Only the benchmark's own two spellings are verdicts. "Not Met" in place of an answer that never came is none.
    """
    if text is None:
        return {"unscored": "the judge gave no reply"}
    try:
        said = decoded(text) if isinstance(text, str) else text
    except NotReadable as error:
        return {"unscored": f"the judge's reply cannot be read: {error}", "reason": text[:2000]}
    if not isinstance(said, Mapping):
        return {"unscored": f"the judge's reply is {shown(said)}, not an object"}
    word, reason = said.get("judge_result"), said.get("explanation")
    reason = reason if isinstance(reason, str) else "" if reason is None else shown(reason)
    if reason == GIVEN_UP:
        return {"unscored": "the judge gave no reply, which the file counts as Not Met"}
    verdict = PUBLISHED.get(word) if isinstance(word, str) else None
    if verdict is None:
        why = f"the verdict is spelled {shown(word)}, and only 'Met' and 'Not Met' are verdicts"
        return {"unscored": why if word is not None else "the judge's reply holds no verdict", "reason": reason}
    return {"verdict": verdict, "reason": reason}
