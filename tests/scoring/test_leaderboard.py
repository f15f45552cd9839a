"""Rows of a leaderboard: held against plain loops, whatever the sessions are."""

from __future__ import annotations

import doctest
import math
from collections import defaultdict
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.scoring import leaderboard as module
from easel_app.scoring import uncertainty
from easel_app.scoring.leaderboard import (
    Row,
    estimates,
    group_means,
    leaderboard,
    over_tasks,
    semantic_conduct,
    task_means,
)
from easel_app.scoring.uncertainty import mean_interval

SCOPE = {"t1": "x", "t2": "x", "t3": "y"}
NAN = math.nan
shares = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 1.0])
session = st.tuples(
    st.sampled_from("abc"), st.sampled_from([*SCOPE, "elsewhere"]), st.none() | shares, st.none() | shares
)


def mean(values: list[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return fmean(defined) if defined else None


def plainly(sessions: list[tuple[str, str, float | None, float | None]]) -> dict[str, dict[str, Any]]:
    """The rows by loops over lists."""
    found: dict[str, dict[str, list[tuple[float, float | None]]]] = defaultdict(lambda: defaultdict(list))
    for player, task, score, other in sessions:
        if task in SCOPE and score is not None:
            found[player][task].append((score, other))
    return {
        player: {
            "sessions": sum(map(len, tasks.values())),
            "tasks": [task for task in SCOPE if task in tasks],
            "means": [
                mean([mean([entry[column] for entry in entries]) for entries in tasks.values()]) for column in (0, 1)
            ],
            "scores": {task: fmean(entry[0] for entry in entries) for task, entries in tasks.items()},
        }
        for player, tasks in found.items()
    }


def table(sessions: list[Any], **wish: Any) -> list[Row]:
    players, tasks, figures = [s[0] for s in sessions], [s[1] for s in sessions], [s[2:] for s in sessions]
    return leaderboard(players, tasks, np.array(figures, float).reshape(-1, 2), SCOPE, **wish).rows


@given(st.lists(session, max_size=25))
def test_rows_are_what_plain_loops_give(sessions: list[tuple[str, str, float | None, float | None]]) -> None:
    rows, expected = table(sessions), plainly(sessions)
    assert {row.player for row in rows} == set(expected) and len(rows) == len(expected)
    for row in rows:
        told = expected[str(row.player)]
        assert (row.sessions, list(row.tasks)) == (told["sessions"], told["tasks"])
        assert row.coverage == len(told["tasks"]) / 3 and row.complete == (len(told["tasks"]) == 3)
        assert row.means == pytest.approx([NAN if m is None else m for m in told["means"]], nan_ok=True)
        assert dict(zip(row.tasks, row.by_task[:, 0], strict=True)) == pytest.approx(told["scores"])
        samples = {"all": list(told["scores"].values())}
        for task, value in told["scores"].items():
            samples.setdefault(SCOPE[task], []).append(value)
        for kind, estimate in {"all": row.score, **row.categories}.items():
            sample = samples.pop(kind)
            interval = mean_interval([[value] for value in sample], bounds=(0.0, 1.0))
            assert estimate.n == len(sample) and estimate.mean == pytest.approx(fmean(sample))
            assert (estimate.low, estimate.high) == (pytest.approx(interval) if interval else (None, None))
        assert not samples


@given(st.lists(session, max_size=25))
def test_only_complete_rows_are_ranked_and_stand_first(sessions: list[Any]) -> None:
    rows = table(sessions)
    complete, others = [row for row in rows if row.complete], [row for row in rows if not row.complete]
    assert rows == [*complete, *others]
    scores = [round(row.score.mean or 0.0, 9) for row in complete]
    assert scores == sorted(scores, reverse=True)
    assert [row.rank for row in complete] == [1 + sum(other > score for other in scores) for score in scores]
    assert all(row.rank is None for row in others)
    order = [(row.coverage, round(row.score.mean or 0.0, 9)) for row in others]
    assert order == sorted(order, reverse=True)


@given(st.lists(session, max_size=25), st.randoms())
def test_the_order_of_the_sessions_changes_nothing_that_is_shown(sessions: list[Any], random: Any) -> None:
    def facts(rows: list[Row]) -> Any:
        return {
            row.player: (row.rank, row.tasks, row.sessions, row.score.mean and round(row.score.mean, 9)) for row in rows
        }

    mixed = list(sessions)
    random.shuffle(mixed)
    assert facts(table(mixed)) == facts(table(sessions))


def whole(player: str, score: float) -> list[tuple[str, str, float, float]]:
    return [(player, task, score, NAN) for task in SCOPE]


def test_equals_share_a_rank_though_their_sums_were_taken_in_another_order() -> None:
    tenths = [0.1, 0.2, 0.3]
    one = [("a", task, value, NAN) for task, value in zip(SCOPE, tenths, strict=True)]
    other = [("b", task, value, NAN) for task, value in zip(SCOPE, tenths[::-1], strict=True)]
    rows = table([*one, *other, *whole("c", 0.1), *whole("d", 0.9)])
    assert [(row.player, row.rank) for row in rows] == [("d", 1), ("a", 2), ("b", 2), ("c", 4)]


def test_a_row_without_a_rank_stands_in_its_place_and_takes_none_from_the_others() -> None:
    rows = table([*whole("a", 0.3), *whole("people", 0.5), *whole("b", 0.7)], unranked=["people", "nobody"])
    assert [(row.player, row.rank) for row in rows] == [("b", 1), ("people", None), ("a", 2)]


def test_a_row_that_plays_the_easy_tasks_only_is_not_ranked_before_one_that_plays_all() -> None:
    easy = [("easy", "t1", 1.0, NAN), ("easy", "t2", NAN, NAN), ("easy", "t3", NAN, NAN)]
    rows = table([*easy, *whole("all", 0.2)])
    assert [(row.player, row.rank, row.sessions) for row in rows] == [("all", 1, 3), ("easy", None, 1)]


def test_the_rest_is_counted_when_only_the_first_rows_are_wanted() -> None:
    sessions = [*whole("a", 0.3), *whole("b", 0.7), ("c", "t1", 1.0, NAN)]
    names, tasks, figures = [s[0] for s in sessions], [s[1] for s in sessions], [s[2:] for s in sessions]
    for most, listed, left in ((0, "", 3), (2, "ba", 1), (9, "bac", 0), (None, "bac", 0)):
        rows, left_out = leaderboard(names, tasks, figures, SCOPE, most=most)
        assert ("".join(str(row.player) for row in rows), left_out) == (listed, left)


def test_nothing_comes_of_nothing() -> None:
    assert leaderboard([], [], [], SCOPE) == ([], 0)
    assert leaderboard(["a"], ["elsewhere"], [[0.5]], SCOPE) == ([], 0)
    assert leaderboard(["a"], ["t1"], [[NAN]], SCOPE) == ([], 0)
    assert leaderboard(["a"], ["t1"], [[0.5]], {}) == ([], 0)
    with pytest.raises(ValueError, match="2 players and 1 tasks do not fit 1 sessions"):
        leaderboard(["a", "b"], ["t1"], [[0.5]], SCOPE)


def test_means_of_groups_leave_out_what_is_not_defined() -> None:
    groups, means = group_means([7, 2, 7, 2, 5], [[1.0, NAN], [3.0, 4.0], [2.0, NAN], [NAN, 5.0], [NAN, NAN]])
    assert groups.tolist() == [2, 5, 7]
    assert means == pytest.approx(np.array([[3.0, 4.5], [NAN, NAN], [1.5, NAN]]), nan_ok=True)
    names, by_task = task_means(["u", "t", "u"], [[1.0], [5.0], [2.0]])
    assert (names, by_task.tolist()) == (["u", "t"], [[1.5], [5.0]])
    assert over_tasks(by_task).tolist() == [3.25]
    assert np.isnan(over_tasks(np.empty((0, 2)))).all()
    assert estimates([[NAN, 0.5, NAN], []]) == [(0.5, None, None, 1), (None, None, None, 0)]


def test_the_conduct_of_mazes_is_told_apart_from_that_of_the_others() -> None:
    #         invalid rejected undos submit loops
    circle = [0.50, 0.25, 4.0, 50.0, 1.0]
    mazes = [[0.10, 0.20, 3.0, 100.0, 2.0], [0.30, 0.00, 0.5, NAN, 0.0], [NAN, NAN, 0.0, 25.0, 0.0]]
    found = semantic_conduct([False, True, True, True], [circle, *mazes])
    assert found == pytest.approx((0.3, 3.5, 4.0, 175 / 3, 3.0))
    assert semantic_conduct([], []) == (None, None, None, None, None)
    assert semantic_conduct([False], [circle])[:2] == (None, None)


def test_the_documented_examples_are_true() -> None:
    for documented in (module, uncertainty):
        failed, tried = doctest.testmod(documented)
        assert tried > 0 and failed == 0
