"""Scores of a real store: by judge and by people, by weight and by flag."""

from __future__ import annotations

import pytest

from easel_app.services.reviewers import NewReviewer
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.studio import Studio
from easel_app.store.rubrics import NewTask
from tests.services.rubrics.making import SET, item, judge, make_queue, make_set, said


@pytest.fixture
def rubrics(studio: Studio) -> Rubrics:
    make_set(studio.rubrics, tasks=4, items=3)  # weights 5, 3, 4
    return studio.rubrics


def test_scores_by_the_judge_are_those_of_the_published_rule(rubrics: Rubrics) -> None:
    judge(rubrics, ("met", "not_met", "met"))
    table = rubrics.scores.table(SET, None, "weight")
    assert [(m.model, m.scored, m.ars.value, m.apr.value) for m in table.models] == [
        ("m1", 4, 9 / 12, 1.0),
        ("m2", 4, 9 / 12, 1.0),
    ]
    assert (table.models[0].ars.low, table.models[0].ars.high) == (9 / 12, 9 / 12)
    assert table.models[0].by_category["temporal"].ars.n == 4
    assert table.models[0].by_domain["finance"].total == 4
    assert set(table.models[0].by_turn_kind) == {"single-turn"}


def test_an_open_item_leaves_the_answer_out_and_tells_the_bounds(rubrics: Rubrics) -> None:
    judge(rubrics, ("met", None, "met"))
    model = rubrics.scores.table(SET, None, "weight").models[0]
    assert (model.scored, model.incomplete, model.ars.value, model.apr.n) == (0, 4, None, 0)
    assert model.bounds == pytest.approx((9 / 12, 1.0))


def test_people_score_by_what_they_settled_on(rubrics: Rubrics) -> None:
    judge(rubrics, ("met",))
    queue = make_queue(rubrics).queue_id
    ada, ben = (rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name=n)).token) for n in ("Ada", "Ben"))
    for entry in rubrics.reviews.entries(queue):
        rubrics.votes.cast(entry.id, ada, said(f"e{entry.id}", "met"))
    assert rubrics.scores.table(SET, "people", "weight").models[0].ars.value == 1.0
    tied = rubrics.reviews.entries(queue)[0]
    rubrics.votes.cast(tied.id, ben, said("1", "not_met", error="reasoning"))
    models = rubrics.scores.table(SET, "people", "weight").models
    assert sorted(model.incomplete for model in models) == [0, 1]
    assert sum(model.errors.get("reasoning", 0) for model in models) == 1
    rubrics.votes.cast(tied.id, ada, said("2", "not_met", role="adjudication"))
    assert [model.incomplete for model in rubrics.scores.table(SET, "people", "weight").models] == [0, 0]


def test_the_flag_is_an_alternative_and_disagreements_with_the_weight_are_counted(rubrics: Rubrics) -> None:
    flags = [item(1, 0, weight=2, critical=True), item(1, 1, weight=5, critical=False), item(1, 2, weight=4)]
    record = '{"id": "flagged", "turns": [{"prompt": ""}]}'
    rubrics.store.add_tasks(SET, [NewTask("flagged", None, None, 1, record, flags)])
    table = rubrics.scores.table(SET, "people", "flag")
    assert table.disagreeing_flags == 2 and table.critical == "flag"


def test_a_task_without_a_critical_item_is_told(rubrics: Rubrics) -> None:
    assert rubrics.scores.table(SET, "people", "flag").models[0].no_critical == 0
    judge(rubrics, ("met",))
    assert rubrics.scores.table(SET, None, "flag").models[0].no_critical == 4
