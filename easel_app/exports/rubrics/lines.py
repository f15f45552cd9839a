"""A rubric set as lines of our own format (docs/rubric-format.md); what is imported from them is equal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from easel_app.exports.packages import path_of, told_of
from easel_app.exports.rubrics.content import Content, judged
from easel_app.rubrics.records import JudgeVerdict, SetLine, Vote
from easel_app.sources.fields import Picture, Record


def set_line(content: Content) -> SetLine:
    """The first line of a file: what the set is called and where it comes from."""
    return SetLine.model_validate(told_of(content.record))


def statement_records(content: Content) -> Iterator[JudgeVerdict | Vote]:
    """What judges and people say: the last verdict of each judge on each pair, then all votes in their order."""
    for judging_id, judge in content.judges.items():
        for pair, row in content.verdicts(judging_id):
            said = {name: getattr(row, name) for name in ("verdict", "reason", "evidence", "unscored")}
            yield JudgeVerdict.model_validate({**judged(pair), "judge": judge, **said})
    for pair, vote in content.votes():
        names = ("reviewer", "role", "verdict", "confidence", "note", "error", "blind", "at")
        yield Vote.model_validate({**judged(pair), **{name: getattr(vote, name) for name in names}})


def line_of(record: Record) -> bytes:
    """A record as a line; its pictures are paths beside the file."""
    fields: dict[str, Any] = record.model_dump(mode="json")
    for turn in fields.get("turns", ()):
        for holder in (turn, *turn.get("calls", ())):
            if "pictures" in holder:
                holder["pictures"] = [path_of(Picture(**picture)) for picture in holder["pictures"]]
    return f"{json.dumps({'type': fields['type'], **fields}, ensure_ascii=False)}\n".encode()
