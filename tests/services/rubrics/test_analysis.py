"""Analyses of a real store: figures by hand, the published cases through the service, repeats, conditions, caching."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from easel_app.rubrics.records import Conditions, ToolCall
from easel_app.scoring.tool_use import decoded
from easel_app.services.problems import NotFound
from easel_app.services.reviewers import NewReviewer
from easel_app.services.rubrics.analyses import Analyses
from easel_app.services.rubrics.analysis_csv import COLUMNS, as_csv
from easel_app.services.rubrics.analysis_views import Player
from easel_app.services.rubrics.tool_figures import MOST_NAMES, OTHER_NAMES
from easel_app.services.studio import Studio
from easel_app.store.judges import JudgingRecord
from tests.services.rubrics.analysing import BAD, CROP, GOOD, IMAGE, Made, analyses
from tests.services.rubrics.making import JUDGING, SET, make_queue, said

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "scoring" / "cases" / "tool_use_cases.json").read_text("utf-8")
)["cases"]


@pytest.fixture
def made(studio: Studio) -> Made:
    return Made(studio)


@pytest.fixture
def found(studio: Studio) -> Analyses:
    return analyses(studio)


def player(found: Analyses, name: str = "m", by: str | None = None) -> Player:
    (one,) = [each for each in found.analysis.analysis(SET, by, "weight").players if each.player == name]
    return one


def two_kinds(made: Made) -> None:
    """Three tasks of two categories, domains and turn kinds: .5 passes not, 1 passes, .75 passes."""
    made.task("t1", category="region_switch", domain="Physics")
    made.task("t2", [[5], [2]], category="temporal", domain="Finance")
    made.task("t3", [[3, 1]], category="region_switch", domain="chemistry")
    made.answer("t1", "m", "nm", [IMAGE, GOOD, BAD])
    turn = {"text": "a", "calls": (GOOD,), "rounds": 2, "ended": "answered"}
    made.answer("t2", "m", "mm", turns=[turn, {**turn, "calls": (), "rounds": 1, "ended": "most_rounds"}])
    made.answer("t3", "m", "mn")


def test_means_by_category_domain_and_turn_kind_are_those_by_hand(made: Made, found: Analyses) -> None:
    two_kinds(made)
    one = player(found)
    assert (one.answers, one.scored, one.no_critical) == (3, 3, 1)
    assert one.ars.value == pytest.approx((3 / 8 + 1 + 3 / 4) / 3) and one.apr.value == pytest.approx(2 / 3)
    assert one.apr.low is not None and one.apr.high is not None and one.apr.low < 2 / 3 < one.apr.high
    cells = {cell.key: cell for cell in [*one.categories, *one.domains, *one.turn_kinds]}
    assert sorted(cells) == ["STEM", "finance", "multi-turn", "region_switch", "single-turn", "temporal"]
    both = cells["region_switch"]
    assert (both.group.total, both.group.ars.n, both.group.apr.value) == (2, 2, 0.5)
    assert both.group.ars.value == pytest.approx((3 / 8 + 3 / 4) / 2)
    assert (both.proactivity, both.success_rate, both.volume) == (0.5, 2 / 3, 1.5)
    assert cells["STEM"].group.ars == both.group.ars
    alone = cells["multi-turn"]
    assert (alone.group.ars.value, alone.group.ars.low, alone.success_rate) == (1.0, None, 1.0)


def test_tool_figures_are_those_by_hand(made: Made, found: Analyses) -> None:
    two_kinds(made)
    tools = player(found).tools
    assert (tools.proactivity.value, tools.volume.value, tools.success_rate.value) == (2 / 3, 4 / 3, 3 / 4)
    assert (tools.proactivity.n, tools.success_rate.n, tools.calls, tools.successes) == (3, 4, 4, 3)
    assert tools.by_tool == {"calculator": 3, "python_image_processing": 1}
    assert tools.succeeded == {"calculator": 2, "python_image_processing": 1}
    assert tools.failures == {"error reported": 1}
    assert (tools.image_calls, tools.images_read, tools.no_operation, tools.unparsed) == (1, 1, 0, 0)
    assert {kind: count for kind, count in tools.operations.items() if count} == {"crop": 1}
    assert len(tools.operations) == len(tools.occurrences) == 8
    assert tools.endings == {"answered": 1, "most_rounds": 1}
    assert (tools.rounds.value, tools.rounds.n) == (3.0, 1), "only where every turn's rounds are on record"
    assert [(row.rounds, row.answers, row.calls) for row in tools.by_rounds] == [(3, 1, 1.0)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_published_cases_come_out_the_same_through_the_store(
    made: Made, found: Analyses, case: dict[str, Any]
) -> None:
    for number, task in enumerate(case["tasks"]):
        name, calls = f"{task['task_id']}-{number}", [turn["tool_use_list"] for turn in task["turns"]]
        made.task(name, [[1] for _ in calls])
        turns = [
            {
                "text": "a",
                "calls": tuple(
                    ToolCall(
                        name=call["function_name"],
                        arguments=decoded(call["function_args"]),
                        observation=decoded(call["observation"]),
                    )
                    for call in some
                ),
            }
            for some in calls
        ]
        made.answer(name, "m", "m" * len(calls), turns=turns)
    tools, expected = player(found).tools, case["expected"]
    assert (tools.calls, tools.successes) == (expected["n_calls"], expected["n_success"])
    assert tools.proactivity.value == pytest.approx(expected["proactivity"])
    assert tools.success_rate.value == (expected["success_rate"] and pytest.approx(expected["success_rate"]))
    assert tools.volume.value == pytest.approx(expected["volume"])
    assert tools.by_tool == expected["calls_by_tool"]
    whys = [call["why"] for call in expected["call_success"] if not call["success"]]
    assert tools.failures == {why: whys.count(why) for why in whys}


def test_scores_agree_with_the_score_table(made: Made, found: Analyses) -> None:
    two_kinds(made)
    (table,) = made.rubrics.scores.table(SET, None, "weight").models
    one = player(found)
    assert one.ars.model_dump() == pytest.approx(table.ars.model_dump())
    assert one.apr.model_dump() == pytest.approx(table.apr.model_dump())
    assert {cell.key: cell.group.apr.n for cell in one.domains} == {k: g.apr.n for k, g in table.by_domain.items()}


def test_a_task_counts_once_however_often_it_was_tried_and_pass_at_1_is_the_pass_rate(
    made: Made, found: Analyses
) -> None:
    for name, verdicts in (("t1", ["mm", "nm", "nm", "mm"]), ("t2", ["nm"]), ("t3", ["m-", "mm", "mm"])):
        made.task(name)
        for attempt, verdict in enumerate(verdicts, 1):
            made.answer(name, "m", verdict, attempt=attempt)
    one = player(found)
    assert (one.attempts, one.scored, one.incomplete) == (4, 7, 1)
    assert one.apr.value == pytest.approx((0.5 + 0 + 1) / 3)
    low, high = one.apr.low, one.apr.high
    assert low is not None and high is not None and low <= 0.5 <= high
    (table,) = made.rubrics.scores.table(SET, None, "weight").models
    assert table.apr.model_dump() == pytest.approx(one.apr.model_dump()), "the score table says the same"
    at = {row.k: row for row in one.repeats}
    assert list(at) == [1, 2, 3, 4]
    assert at[1].pass_at_k.value == at[1].pass_hat_k.value == pytest.approx(one.apr.value)
    assert (at[2].tasks, at[2].left_out) == (2, 1)
    assert at[2].pass_at_k.value == pytest.approx((5 / 6 + 1) / 2)
    assert at[2].pass_hat_k.value == pytest.approx((1 / 6 + 1) / 2)
    assert (at[4].tasks, at[4].left_out, at[4].pass_at_k.value, at[4].pass_hat_k.value) == (1, 2, 1.0, 0.0)


def test_without_repeats_there_is_nothing_to_tell_of_them(made: Made, found: Analyses) -> None:
    two_kinds(made)
    assert player(found).repeats == []


def test_mixed_conditions_are_told_with_what_differs(made: Made, found: Analyses) -> None:
    strong = Conditions(model="m", prompt="strong", effort="high", backends={"web_search": "recorded"})
    made.task("t1")
    made.task("t2")
    made.answer("t1", "same", "mm", conditions=strong, origin="run-1")
    made.answer("t2", "same", "mm", conditions=strong, origin="run-1")
    made.answer("t1", "m", "mm", conditions=strong, origin="run-2")
    made.answer("t2", "m", "mm", conditions=strong.model_copy(update={"prompt": "weak"}), origin="run-1")
    made.answer("t1", "half", "mm", conditions=strong)
    made.answer("t2", "half", "mm")
    made.answer("t1", "unknown", "mm")
    same, mixed, half = player(found, "same"), player(found, "m"), player(found, "half")
    assert (same.conditions, same.mixed, same.origins) == (strong, False, ["run-1"])
    assert mixed.mixed and mixed.differing == ["prompt"] and mixed.origins == ["run-1", "run-2"]
    assert mixed.conditions is not None and (mixed.conditions.prompt, mixed.conditions.effort) == (None, "high")
    assert (half.mixed, half.differing) == (True, ["unknown"])
    assert (player(found, "unknown").conditions, player(found, "unknown").mixed) == (None, False)


def test_reviewers_errors_are_their_present_ones(made: Made, found: Analyses) -> None:
    made.task("t1")
    made.answer("t1", "m", "mm")
    queue, rubrics = make_queue(made.rubrics).queue_id, made.rubrics
    people = [rubrics.reviewers.person(rubrics.reviewers.enrol(NewReviewer(name=n)).token) for n in ("Ada", "Ben")]
    first, second = rubrics.reviews.entries(queue)
    for number, (entry, person, error) in enumerate(
        [(first, 0, "reasoning"), (first, 1, "calculation"), (second, 0, "calculation"), (first, 0, "calculation")]
    ):
        rubrics.votes.cast(entry.id, people[person], said(f"r{number}", "not_met", error=error))
    one = player(found)
    assert (one.errors, one.votes_with_errors) == ({"calculation": 3}, 3)
    assert player(found, by="people").apr.value == 0.0


def test_new_answers_verdicts_and_votes_show_at_once(made: Made, found: Analyses) -> None:
    made.task("t1")
    made.task("t2")
    made.answer("t1", "m", "m-", [GOOD])
    assert (player(found).incomplete, player(found).tools.calls) == (1, 1)
    made.answer("t2", "m", "mm", [GOOD, BAD])
    one = player(found)
    assert (one.scored, one.incomplete, one.tools.calls, one.tools.volume.value) == (1, 1, 3, 1.5)


def test_judges_other_than_the_chosen_one_are_told_with_what_they_judged(made: Made, found: Analyses) -> None:
    made.rubrics.judgings.begin(JudgingRecord("later", SET, "Later", "run", {}, "2027-01-01"))
    for task in ("t1", "t2"):
        made.task(task)
        made.answer(task, "m", "mm", judging="later")
    made.answer("t1", "m", "m-", attempt=2)
    made.answer("t1", "unjudged", "--")
    one, other = player(found), player(found, "unjudged")
    assert (one.scored, [(each.judging_id, each.judge, each.answers) for each in one.judged_by]) == (
        0, [("later", "Later", 2), (JUDGING, "Judge", 1)]
    )  # fmt: skip
    assert player(found, by="later").scored == 2 and other.judged_by == []


def test_whoever_does_not_wait_is_told_how_far_the_code_has_been_read(made: Made, found: Analyses) -> None:
    two_kinds(made)
    quick = found.analysis.analysis(SET, None, "weight", wait=0).players[0].tools
    assert (quick.images_read, quick.image_calls, sum(quick.operations.values())) == (0, 1, 0)
    assert (quick.calls, quick.success_rate.value) == (4, 0.75), "all else is known at once"
    whole = found.analysis.analysis(SET, None, "weight", wait=None).players[0].tools
    assert (whole.images_read, whole.operations["crop"]) == (1, 1)
    again = found.analysis.analysis(SET, None, "weight", wait=0).players[0].tools
    assert again == whole, "what was read stays read, once"


def test_several_callers_at_once_count_nothing_twice(made: Made, found: Analyses) -> None:
    two_kinds(made)
    seen: list[Player] = []
    callers = [threading.Thread(target=lambda: seen.append(player(found))) for _ in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(30)
    assert len(seen) == 6 and all(one == seen[0] for one in seen) and seen[0].tools.calls == 4


def test_hostile_traces_are_counted_and_stay_bounded(made: Made, found: Analyses) -> None:
    made.task("t1")
    names = [ToolCall(name=f"=tool {k}", arguments="{not json", observation=None) for k in range(3 * MOST_NAMES)]
    shapes: list[tuple[Any, Any]] = [
        (None, None),
        ([1], "text"),
        ({"code": 5}, {"ok": True}),
        ({"code": "im.crop("}, []),
        (json.dumps({"code": CROP}), json.dumps({"ok": "true", "stdout": "x"})),
    ]
    odd = [ToolCall(name="python_image_processing", arguments=sent, observation=got) for sent, got in shapes]
    made.answer("t1", "m", "mm", [*names, *odd])
    tools = player(found).tools
    assert (tools.calls, tools.successes, tools.image_calls, tools.images_read) == (len(names) + 5, 1, 5, 5)
    assert len(tools.by_tool) == MOST_NAMES + 1 and sum(tools.by_tool.values()) == tools.calls
    assert tools.by_tool[OTHER_NAMES] == tools.calls - 5 - (MOST_NAMES - 1)
    assert (tools.operations["crop"], tools.unparsed) == (2, 1)


def test_an_empty_set_and_one_without_verdicts_have_no_figures_and_no_fault(made: Made, found: Analyses) -> None:
    empty = found.analysis.analysis(SET, None, "weight")
    assert (empty.players, empty.tasks, empty.by, empty.judge) == ([], 0, "judging-made", "Judge")
    made.task("t1")
    made.answer("t1", "m", "--")
    one = player(found)
    assert (one.unscored, one.ars.value, one.apr.n, one.tools.success_rate.value) == (1, None, 0, None)
    assert (one.tools.rounds.value, one.tools.by_rounds, one.repeats) == (None, [], [])


def test_unknown_sets_and_judges_are_refused(made: Made, found: Analyses) -> None:
    for set_id, by in (("nowhere", None), (SET, "nobody")):
        with pytest.raises(NotFound):
            found.analysis.analysis(set_id, by, "weight")


def test_the_table_holds_every_figure_with_its_n(made: Made, found: Analyses) -> None:
    two_kinds(made)
    made.answer("t1", "=HYPERLINK(1)", "mm", [IMAGE], conditions=Conditions(model="m", prompt="weak"))
    rows = list(as_csv(found.analysis.analysis(SET, None, "weight")))
    assert rows[0].strip() == ",".join(COLUMNS)
    assert any(row.startswith("made,judging-made,weight,m,,APR,,,0.66") and row.strip().endswith(",3") for row in rows)
    assert any(",'=HYPERLINK(1),model=m; prompt=weak,ARS,,,1.0" in row for row in rows)
    told = {row.split(",")[5] for row in rows[1:]}
    assert told >= {"ARS", "APR", "proactivity", "success rate", "volume", "rounds", "calls", "failed calls", "turns"}
    assert told >= {"image calls with the operation", "occurrences of the operation", "calls per answer"}
