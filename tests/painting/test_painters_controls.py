"""Controls: each shows the metric of a trajectory that it is there for."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from easel_app.engine import StepEngine
from easel_app.painting.env import catalogue
from easel_app.painting.painters import PAINTERS, able, painter
from easel_app.scoring.trajectory import exact_repeat_rate, trajectory

BUDGET = 40


@cache
def played(name: str) -> tuple[np.ndarray, list[float]]:
    task = catalogue().get("natural-09")
    assert task
    hired, engine = painter(name, task.reference, BUDGET), StepEngine(task.reference)
    strokes, scores = [], [engine.scores().similarity]
    for step in range(BUDGET):
        strokes.append(hired.next(engine.canvas, step))
        scores.append(engine.step(strokes[-1]).similarity)
    return np.array(strokes), scores


def test_fills_end_at_the_anchor_of_the_mean_fill_after_two_strokes() -> None:
    task = catalogue().get("natural-09")
    assert task and task.anchors
    _, scores = played("fills")
    assert scores[2:] == [pytest.approx(task.anchors.mean_fill)] * (BUDGET - 1)
    found = trajectory(scores, BUDGET)
    assert found.final == found.at_half == found.best


def test_repeat_shows_in_the_rate_of_exact_repeats() -> None:
    strokes, scores = played("repeat")
    assert exact_repeat_rate(strokes.tolist()) == pytest.approx(0.77, abs=0.03)
    assert trajectory(scores, BUDGET).final_best_gap == pytest.approx(0.0, abs=0.01)
    assert exact_repeat_rate(played("greedy")[0].tolist()) == 0.0


def test_early_stop_shows_in_a_gap_that_is_small_by_inaction() -> None:
    strokes, scores = played("early-stop")
    found = trajectory(scores, BUDGET)
    assert found.final == found.at_half and found.final_best_gap == pytest.approx(0.0, abs=0.005)
    assert exact_repeat_rate(strokes.tolist()) == 0.0, "the gap alone tells, not the repeats"
    assert found.final < played("greedy")[1][-1] - 0.1


def test_overpaint_shows_in_a_large_gap() -> None:
    found = trajectory(played("overpaint")[1], BUDGET)
    assert found.best_step and found.best_step <= BUDGET // 2 + 1
    assert found.final_best_gap and found.final_best_gap > 0.1


def test_random_falls() -> None:
    found = trajectory(played("random")[1], BUDGET)
    assert found.final_best_gap and found.final_best_gap > 0.02


@pytest.mark.parametrize("name", ["fills", "repeat", "early-stop", "overpaint"])
def test_a_control_with_a_budget_of_one_paints_one_stroke_and_goes_on(name: str) -> None:
    reference = np.random.default_rng(0).integers(0, 256, (16, 16, 3)).astype(np.uint8)
    canvas = np.full_like(reference, 255)
    hired = painter(name, reference, 1)
    assert all(((hired.next(canvas, step) >= 0) & (hired.next(canvas, step) <= 1)).all() for step in (0, 1, 400))


def test_each_painter_says_what_it_is_for() -> None:
    assert all(0 < len(entry.shows) < 90 for entry in PAINTERS.values())
    assert {"random", "fills", "repeat", "early-stop", "overpaint"} < set(able(None))
