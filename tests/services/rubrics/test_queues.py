"""Queues: seeded samples by strata, and ways through them that tell nothing too early."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.services.problems import Invalid, NotFound
from easel_app.services.reviewers import NewReviewer
from easel_app.services.rubrics.queues import Filters, shares
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.studio import Studio
from tests.services.rubrics.making import SET, judge, make_queue, make_set, said


@pytest.fixture
def rubrics(studio: Studio) -> Rubrics:
    make_set(studio.rubrics, tasks=10, models=("m1", "m2", "m3"), items=5, turns=2)
    judge(studio.rubrics, ("met", "met", "met", "not_met", None, "met", "met"))
    return studio.rubrics


@given(st.lists(st.integers(0, 50), min_size=1, max_size=12), st.integers(1, 300), st.booleans())
def test_shares_come_to_the_size_and_no_group_gives_more_than_it_has(sizes: list[int], size: int, even: bool) -> None:
    size = min(size, sum(sizes))
    if not size:
        return
    found = shares(sizes, size, even=even)
    assert sum(found) == size
    assert all(0 <= count <= most for count, most in zip(found, sizes, strict=True))
    if size >= sum(most > 0 for most in sizes):
        assert all(count for count, most in zip(found, sizes, strict=True) if most)


def test_shares_are_in_proportion_or_even() -> None:
    assert shares([80, 15, 5], 20) == [16, 3, 1]
    assert shares([80, 15, 5], 20, even=True) in ([8, 7, 5], [7, 8, 5])
    assert shares([50, 50], 3) in ([2, 1], [1, 2])


def entries(rubrics: Rubrics, queue_id: str) -> list[tuple[int, int, int, float]]:
    return [(e.place, e.answer, e.item, e.chance) for e in rubrics.reviews.entries(queue_id)]


def test_one_seed_gives_one_queue_and_another_seed_another(rubrics: Rubrics) -> None:
    one, same, other = (
        entries(rubrics, make_queue(rubrics, size=60, strata=["verdict"], seed=seed).queue_id) for seed in (1, 1, 2)
    )
    assert one == same != other


def test_a_sample_by_strata_knows_the_chance_of_every_entry(rubrics: Rubrics) -> None:
    queue = make_queue(rubrics, size=60, strata=["verdict", "critical"], even=True)
    assert queue.entries == 60
    verdicts = {(v.answer, v.item): v.verdict for v in rubrics.judgings.verdicts(queue.judging_id or "")}
    weights = {item.id: item.weight for item in rubrics.store.items(SET)}

    def stratum(answer: int, item: int) -> tuple[str | None, bool]:
        return verdicts[answer, item], weights[item] >= 4

    population = Counter(stratum(pair.answer.id, pair.item.id) for pair in rubrics.queues.pairs(SET))
    drawn = Counter(stratum(answer, item) for _, answer, item, _ in entries(rubrics, queue.queue_id))
    assert set(drawn) == set(population)
    for _, answer, item, chance in entries(rubrics, queue.queue_id):
        assert chance == drawn[stratum(answer, item)] / population[stratum(answer, item)]


def test_a_whole_queue_holds_every_pair_once_answer_by_answer(rubrics: Rubrics) -> None:
    queue = make_queue(rubrics)
    found = entries(rubrics, queue.queue_id)
    assert len(found) == len({(answer, item) for _, answer, item, _ in found}) == 10 * 3 * 10
    places = {place: {answer for p, answer, *_ in found if p == place} for place, *_ in found}
    assert all(len(answers) == 1 for answers in places.values()) and len(places) == queue.answers == 30
    assert [next(iter(places[p])) for p in sorted(places)] != sorted(next(iter(a)) for a in places.values())


def test_only_the_models_asked_for_are_in_it(rubrics: Rubrics) -> None:
    queue = make_queue(rubrics, models=["m2"])
    models = {key.id: key.model for key in rubrics.store.answer_keys(SET)}
    assert {models[answer] for _, answer, *_ in entries(rubrics, queue.queue_id)} == {"m2"}


def test_what_cannot_be_reviewed_is_refused(studio: Studio) -> None:
    make_set(studio.rubrics)
    with pytest.raises(NotFound, match="no rubric set"):
        make_queue(studio.rubrics, set_id="none")
    with pytest.raises(NotFound, match="no such judging"):
        make_queue(studio.rubrics, judging_id="none")
    with pytest.raises(Invalid, match="no judge's verdicts"):
        make_queue(studio.rubrics, strata=["verdict"])
    with pytest.raises(Invalid, match="No answer of these models"):
        make_queue(studio.rubrics, models=["nobody"])


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        (Filters(), 300),
        (Filters(model="m1"), 100),
        (Filters(turn=2), 150),
        (Filters(category="reasoning"), 120),
        (Filters(objectivity="subjective"), 60),
        (Filters(critical=True), 120),
        (Filters(open=True), 300),
        (Filters(model="m1", turn=1, critical=True), 20),
        (Filters(model="none"), 0),
    ],
)
def test_filters_on_what_is_asked_narrow_the_way(rubrics: Rubrics, filters: Filters, count: int) -> None:
    walk = rubrics.queues.walk(rubrics.queues.record(make_queue(rubrics).queue_id), None, filters)
    assert sum(len(stop.entries) for stop in walk.stops) == count
    assert walk.hidden == 0 and walk.places == 30


def test_filters_on_what_others_say_look_only_at_own_votes(rubrics: Rubrics) -> None:
    queue = rubrics.queues.record(make_queue(rubrics).queue_id)
    ada = rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name="Ada")).token)
    told = [Filters(disagreement=True), Filters(flips=True), Filters(unscored=True), Filters(reviewer="Ben")]
    for filters in told:
        walk = rubrics.queues.walk(queue, ada, filters)
        assert walk.stops == [] and walk.hidden == 300
    by = {(v.answer, v.item): v.verdict for v in rubrics.judgings.verdicts(queue.judging_id or "")}
    weights = {item.id: item.weight for item in rubrics.store.items(SET)}
    expected: dict[str, set[int]] = {"disagreement": set(), "flips": set(), "unscored": set()}
    for entry in rubrics.reviews.entries(queue.id)[:40]:
        rubrics.votes.cast(entry.id, ada, said(str(entry.id), "not_met"))
        verdict = by[entry.answer, entry.item]
        if verdict is None:
            expected["unscored"].add(entry.id)
        elif verdict == "met":
            expected["disagreement"].add(entry.id)
            if weights[entry.item] >= 4:
                expected["flips"].add(entry.id)
    for name, wanted in expected.items():
        walk = rubrics.queues.walk(queue, ada, Filters(**{name: True}))
        assert {entry for stop in walk.stops for entry in stop.entries} == wanted and wanted
        assert walk.hidden == 260
    ben = rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name="Ben")).token)
    first = rubrics.reviews.entries(queue.id)[0].id
    rubrics.votes.cast(first, ben, said("1", "met"))
    assert rubrics.queues.walk(queue, ada, Filters(reviewer="Ben")).stops[0].entries == [first]


def test_an_abstention_is_no_disagreement_with_the_judge(rubrics: Rubrics) -> None:
    queue = rubrics.queues.record(make_queue(rubrics).queue_id)
    ada = rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name="Ada")).token)
    for entry in rubrics.reviews.entries(queue.id)[:10]:
        rubrics.votes.cast(entry.id, ada, said(str(entry.id), "cannot_assess"))
    assert rubrics.queues.walk(queue, ada, Filters(disagreement=True)).stops == []
