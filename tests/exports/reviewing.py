"""A rubric set that was judged twice and reviewed by people, with hostile words in every place."""

from __future__ import annotations

from easel_app.rubrics.records import Vote
from easel_app.services.reviewers import NewReviewer, Person
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.store.judges import JudgingRecord
from easel_app.store.judgings import VerdictRow
from tests.services.rubrics.making import SET, judge, make_queue, make_set, said

HOSTILE = '=HYPERLINK("http://x","y")\r\n"a",b;\tc 𝄞 \u2028'
FORMULA = "=1+1"
SECOND = "judging-second"


def empty_studio(folder: object) -> Studio:
    """A studio without the sample."""
    studio = Studio(Settings(data_dir=folder))  # type: ignore[arg-type]
    studio.rubrics.library.first_look.job = lambda: None
    return studio


def enrolled(rubrics: Rubrics, name: str) -> Person:
    return rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name=name)).token)


def make_reviewed(rubrics: Rubrics) -> None:
    """Three tasks, two models, two judges of one name, and on the first answer's three items:

    1. Ada and Ben disagree and Cleo settles it; 2. Ada changes her mind after the reveal, Ben cannot tell; 3. Ada takes
    her vote back and votes again.
    """
    make_set(rubrics)
    judge(rubrics)
    rubrics.judgings.begin(JudgingRecord(SECOND, SET, "judge of judging-made", "run", {}, "9999-01-02"))
    pair = next(rubrics.queues.pairs(SET))
    for verdict, why in ((None, "cut off"), ("not_met", "")):  # asked again, it gave one
        rubrics.judgings.add([VerdictRow(SECOND, pair.answer.id, pair.item.id, verdict, HOSTILE, FORMULA, why, "strict",
                                         "{}", 1, 1, None, None, "2026-01-02")])  # fmt: skip
    queue = rubrics.queues.record(make_queue(rubrics, seed=1).queue_id)
    ada, ben, cleo = (enrolled(rubrics, name) for name in ("Ada", "Ben", FORMULA))
    places = {entry.answer: entry.place for entry in rubrics.reviews.entries(queue.id)}
    one, two, three = (e.entry for e in rubrics.votes.assignment(queue, places[pair.answer.id], ada).entries)
    for entry, person, wish in (
        (one, ada, said("1", "met", confidence=3)),
        (one, ben, said("1", "not_met", note=HOSTILE, error="reasoning")),
        (one, cleo, said("1", "met", role="adjudication", note="It does")),
        (two, ada, said("2", "met")),
        (two, ada, said("3", "not_met", error="calculation")),
        (two, ben, said("2", "cannot_assess")),
        (three, ada, said("4", "met")),
        (three, ada, said("5", None)),
        (three, ada, said("6", "not_met")),
    ):
        rubrics.votes.cast(entry, person, wish)


def vote(**changes: object) -> Vote:
    fields = {"task_id": "t2", "model": "m1", "item_id": "i0", "reviewer": "Dan", "verdict": "met", "blind": True}
    return Vote.model_validate(fields | changes)
