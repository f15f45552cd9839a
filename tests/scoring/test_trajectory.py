"""trajectory/1: the rules of the paper and the choices that carry our name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.scoring.trajectory import exact_repeat_rate, near_repeat_rate, skill, trajectory

scores = st.lists(st.floats(-0.5, 1.0), min_size=2, max_size=60)


def test_published_definitions_on_a_full_rollout() -> None:
    t = trajectory([0.4, 0.5, 0.7, 0.6, 0.65], budget=4)
    assert (t.final, t.at_half, t.best, t.best_step) == (0.65, 0.7, 0.7, 2)
    assert t.auc == pytest.approx((0.5 + 0.7 + 0.6 + 0.65) / 4)
    assert t.final_best_gap == pytest.approx(0.05)


def test_half_of_an_odd_budget_rounds_down() -> None:
    assert trajectory([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], budget=5).at_half == 0.2


def test_early_submit_holds_the_last_value_to_the_budget() -> None:
    early = trajectory([0.4, 0.6], budget=4)
    assert early == trajectory([0.4, 0.6, 0.6, 0.6, 0.6], budget=4)


def test_blank_canvas_counts_for_neither_best_nor_auc() -> None:
    t = trajectory([0.9, 0.2, 0.3], budget=2)
    assert (t.best, t.auc) == (0.3, pytest.approx(0.25))


def test_no_step_is_undefined_not_zero() -> None:
    assert set(trajectory([0.4], budget=10)) == {None}


def test_practice_takes_the_steps_made_as_budget() -> None:
    assert trajectory([0.4, 0.5, 0.7]) == trajectory([0.4, 0.5, 0.7], budget=2)


def test_impossible_rollouts_are_refused() -> None:
    with pytest.raises(ValueError, match="untouched canvas"):
        trajectory([])
    with pytest.raises(ValueError, match="budget of 1"):
        trajectory([0.1, 0.2, 0.3], budget=1)


@given(scores)
def test_best_bounds_final_auc_and_half(values: list[float]) -> None:
    t = trajectory(values)
    assert t.best is not None and t.final is not None and t.auc is not None and t.final_best_gap is not None
    assert t.best >= t.final
    assert min(values[1:]) - 1e-12 <= t.auc <= t.best + 1e-12
    assert t.final_best_gap >= 0
    assert t.best_step is not None and values[t.best_step] == t.best


def test_exact_repeats_are_counted_over_pairs() -> None:
    a, b = [0.1] * 13, [0.2] * 13
    assert exact_repeat_rate([a, a, b, a]) == pytest.approx(1 / 3)
    assert exact_repeat_rate([a, a]) == 1.0
    assert exact_repeat_rate([a]) is None
    assert exact_repeat_rate([]) is None


def test_near_repeat_tolerates_every_number_up_to_its_bound() -> None:
    a = [0.5] * 13
    near, far = [0.5] * 12 + [0.52], [0.5] * 12 + [0.5201]
    assert near_repeat_rate([a, near], tolerance=0.0200001) == 1.0
    assert near_repeat_rate([a, far], tolerance=0.02) == 0.0
    assert exact_repeat_rate([a, near]) == 0.0


def test_skill_is_zero_at_the_mean_fill_and_one_at_the_data_policy() -> None:
    assert skill(0.5, 0.5, 0.7) == 0.0
    assert skill(0.7, 0.5, 0.7) == pytest.approx(1.0)
    assert skill(0.4, 0.5, 0.7) == pytest.approx(-0.5)


def test_skill_is_undefined_without_a_data_policy_above_the_mean_fill() -> None:
    assert skill(0.6, 0.5, None) is None
    assert skill(0.6, 0.5, 0.5) is None


def test_the_api_names_the_tolerance_that_is_used() -> None:
    from easel_app.scoring.trajectory import NEAR
    from easel_app.services.views import TrajectoryView

    assert TrajectoryView.model_fields["near_repeat_rate"].alias == f"near_repeat_rate_{NEAR}"
