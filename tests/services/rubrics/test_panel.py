"""The agreement panel of a real store: what counts in it, what does not, and what it tells nobody too early."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from easel_app.scoring.agreement import two_by_two
from easel_app.services.problems import NotFound
from easel_app.services.reviewers import NewReviewer, Person
from easel_app.services.rubrics.panel import Panel, PanelQuery
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.studio import Studio
from tests.services.rubrics.making import JUDGING, SET, judge, make_queue, make_set, said

Enrol = Callable[[str], Person]


@pytest.fixture
def rubrics(studio: Studio) -> Rubrics:
    make_set(studio.rubrics, tasks=6, models=("m1", "m2"), items=3, turns=2)
    judge(studio.rubrics, ("met", "not_met", "met", "met", None))
    return studio.rubrics


@pytest.fixture
def person(rubrics: Rubrics) -> Enrol:
    return lambda name: rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name=name)).token)


def vote_on_all(rubrics: Rubrics, queue: str, who: Person, verdict: Callable[[int], str]) -> None:
    for k, entry in enumerate(rubrics.reviews.entries(queue)):
        rubrics.votes.cast(entry.id, who, said(f"e{entry.id}", verdict(k)))


def table(panel: Panel) -> tuple[tuple[int, int], tuple[int, int]]:
    return panel.agreement.overall.judge_person.table


def test_the_table_holds_every_blind_vote_beside_a_verdict(rubrics: Rubrics, person: Enrol) -> None:
    queue = make_queue(rubrics).queue_id
    ada, ben = person("Ada"), person("Ben")
    vote_on_all(rubrics, queue, ada, lambda k: ("met", "not_met", "cannot_assess")[k % 3])
    vote_on_all(rubrics, queue, ben, lambda k: "met" if k % 2 else "not_met")
    judged = {(v.answer, v.item): v.verdict for v in rubrics.judgings.verdicts(JUDGING)}
    expected = [[0, 0], [0, 0]]
    for vote in rubrics.reviews.votes(SET):
        verdict = judged[vote.answer, vote.item]
        if verdict and vote.verdict != "cannot_assess":
            expected[vote.verdict == "not_met"][verdict == "not_met"] += 1
    panel = rubrics.panel.panel(PanelQuery(SET))
    assert table(panel) == tuple(map(tuple, expected))
    overall, plain = panel.agreement.overall.judge_person, two_by_two(expected)
    assert overall.cohen_kappa.value == pytest.approx(plain.cohen_kappa, abs=1e-12)
    assert overall.gwet_ac1.value == pytest.approx(plain.gwet_ac1, abs=1e-12)
    assert panel.reviewers == ["Ada", "Ben"]
    assert panel.agreement.overall.coverage.rows == 72 and panel.agreement.overall.coverage.cannot_assess == 24
    groups = panel.agreement.groups
    assert set(groups["turn"]) == {"1", "2"} and set(groups["model"]) == {"m1", "m2"}
    assert sum(part.judge_person.n for part in groups["objectivity"].values()) == overall.n


def test_changes_after_the_reveal_and_votes_taken_back_stay_out(rubrics: Rubrics, person: Enrol) -> None:
    queue = make_queue(rubrics, required=1).queue_id
    ada = person("Ada")
    one, two, three = rubrics.reviews.entries(queue)[:3]
    for entry in (one, two, three):
        rubrics.votes.cast(entry.id, ada, said(f"a{entry.id}", "met"))
    before = rubrics.panel.panel(PanelQuery(SET))
    rubrics.votes.cast(one.id, ada, said("explained", "met", note="A note is no change of mind"))
    assert rubrics.panel.panel(PanelQuery(SET)).standing.after_reveal == 0
    rubrics.votes.cast(one.id, ada, said("changed", "not_met"))
    changed = rubrics.panel.panel(PanelQuery(SET))
    assert table(changed) == table(before) and changed.standing.after_reveal == 1
    rubrics.votes.cast(two.id, ada, said("taken", None))
    rubrics.votes.cast(two.id, ada, said("again", "not_met"))
    taken = rubrics.panel.panel(PanelQuery(SET))
    assert taken.agreement.overall.coverage.votes == 2 and taken.standing.withdrawn == 1


def test_a_panel_of_a_queue_speaks_of_its_pairs_and_weighs_them_by_their_chance(
    rubrics: Rubrics, person: Enrol
) -> None:
    queue = make_queue(rubrics, size=24, strata=["verdict"], even=True, required=1).queue_id
    vote_on_all(rubrics, queue, person("Ada"), lambda k: "met" if k % 3 else "not_met")
    panel = rubrics.panel.panel(PanelQuery(SET, queue_id=queue))
    assert panel.agreement.overall.coverage.votes == 24
    assert panel.agreement.overall.judge_person_weighted is None, "a queue speaks of what was drawn"
    of_set = rubrics.panel.panel(PanelQuery(SET))
    assert of_set.agreement.overall.judge_person_weighted is not None
    make_queue(rubrics)  # nobody votes in it, so that it changes nothing
    again = rubrics.panel.panel(PanelQuery(SET))
    assert again.agreement == of_set.agreement and again.effect == of_set.effect
    whole = make_queue(rubrics, required=1, models=["m1"]).queue_id
    other = rubrics.panel.panel(PanelQuery(SET, queue_id=whole))
    assert other.agreement.overall.coverage.rows == 36


def test_the_effect_knows_what_flips(rubrics: Rubrics, person: Enrol) -> None:
    queue = make_queue(rubrics, required=1).queue_id
    judge(rubrics, ("met",), "judging-kind")
    vote_on_all(rubrics, queue, person("Ada"), lambda k: "not_met")
    panel = rubrics.panel.panel(PanelQuery(SET, judging_id="judging-kind"))
    assert panel.effect.overall.apr.value == 1.0 and panel.effect.overall.apr_paired.consensus.value == 0.0
    assert len(panel.flips) == 12 and all(flip.judge_passes for flip in panel.flips)
    assert panel.worst and panel.worst[0].differing == panel.worst[0].votes == 2
    assert panel.hidden == 0


def test_lists_tell_a_reviewer_nothing_of_what_still_waits_for_them(rubrics: Rubrics, person: Enrol) -> None:
    queue = make_queue(rubrics).queue_id
    judge(rubrics, ("met",), "judging-kind")
    ada, ben = person("Ada"), person("Ben")
    vote_on_all(rubrics, queue, ada, lambda k: "not_met")
    query = PanelQuery(SET, judging_id="judging-kind")
    assert rubrics.panel.panel(query, ada).hidden == 0
    seen = rubrics.panel.panel(query, ben)
    assert seen.flips == [] and seen.worst == [] and seen.hidden == 72
    vote_on_all(rubrics, queue, ben, lambda k: "not_met")
    assert len(rubrics.panel.panel(query, ben).flips) == 12
    assert rubrics.panel.panel(query).flips, "all have voted, so that nothing waits for anybody"


def test_lists_tell_nobody_in_particular_what_may_still_wait_for_them(rubrics: Rubrics, person: Enrol) -> None:
    queue = make_queue(rubrics).queue_id
    judge(rubrics, ("met",), "judging-kind")
    vote_on_all(rubrics, queue, person("Ada"), lambda k: "not_met")
    query = PanelQuery(SET, judging_id="judging-kind")
    assert rubrics.panel.panel(query).flips == []
    assert len(rubrics.panel.panel(query, tell=True).flips) == 12


def test_a_set_without_verdicts_or_votes_has_a_panel_of_undefined(studio: Studio) -> None:
    make_set(studio.rubrics)
    panel = studio.rubrics.panel.panel(PanelQuery(SET))
    assert panel.judging_id is None and panel.reviewers == [] and panel.worst == []
    assert panel.agreement.overall.judge_person.cohen_kappa.value is None
    assert panel.effect.overall.ars.value is None
    panel.model_dump_json()


@pytest.mark.parametrize("query", [PanelQuery("none"), PanelQuery(SET, "none"), PanelQuery(SET, None, "none")])
def test_what_is_unknown_is_named(rubrics: Rubrics, query: PanelQuery) -> None:
    with pytest.raises(NotFound):
        rubrics.panel.panel(query)


def test_a_model_without_answers_has_an_empty_panel(rubrics: Rubrics) -> None:
    assert rubrics.panel.panel(PanelQuery(SET, model="nobody")).agreement.overall.coverage.rows == 0


def test_rates_are_corrected_for_how_items_were_drawn_or_not_at_all(studio: Studio) -> None:
    """60 answers of one item each, of which the judge has 50 met; people confirm half of these and all others."""
    rubrics = studio.rubrics
    make_set(rubrics, tasks=60, models=("m1",), items=1)
    judge(rubrics, ("met", "met", "met", "met", "met", "not_met"))
    queue = make_queue(rubrics, size=20, strata=["verdict"], even=True, required=1).queue_id
    ada = rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name="Ada")).token)
    judged, count = {(v.answer, v.item): v.verdict for v in rubrics.judgings.verdicts(JUDGING)}, 0
    for entry in rubrics.reviews.entries(queue):
        kind = judged[entry.answer, entry.item] == "met"
        count += kind
        rubrics.votes.cast(entry.id, ada, said(f"e{entry.id}", "met" if kind and count % 2 else "not_met"))
    effect = rubrics.panel.panel(PanelQuery(SET)).effect.overall
    assert effect.ars_corrected.rate.value == pytest.approx(25 / 60)
    assert effect.apr_corrected.rate.value is None and "unequal chances" in (effect.apr_corrected.reason or "")
    inside = rubrics.panel.panel(PanelQuery(SET, queue_id=queue)).effect.overall
    assert inside.ars_corrected.rate.value == pytest.approx(inside.ars_paired.consensus.value)


def test_a_queue_of_another_set_is_unknown(rubrics: Rubrics, person: Enrol) -> None:
    sample = rubrics.sets()[0]
    assert sample.sample or rubrics.sets()[1].sample
    other = next(found for found in rubrics.sets() if found.sample).queues[0].queue_id
    with pytest.raises(NotFound, match="no such queue"):
        rubrics.panel.panel(PanelQuery(SET, queue_id=other))
