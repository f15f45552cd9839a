"""What judges are called where only a name tells them apart: in files of verdicts."""

from __future__ import annotations

from collections.abc import Iterable

from easel_app.store.judges import JudgingRecord

LONGEST_NAME = 80
"""Characters, as of `JudgeVerdict.judge`."""


def judge_names(judgings: Iterable[JudgingRecord]) -> dict[str, str]:
    """A name for each judging of a set, by its id: the judge's.

    Where several have one judge's name, such as a model with other settings, all but the first tell their id as well.
    """
    names: dict[str, str] = {}
    for record in judgings:
        name, own = record.judge, f" ({record.id})"[-LONGEST_NAME:]
        if name in names.values():
            name = f"{name[: LONGEST_NAME - len(own)]}{own}"
        names[record.id] = name
    return names
