"""conduct/1: what is counted of a rollout's actions, and what is not defined."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from easel_app.scoring.conduct import Conduct, Deed, conduct

STROKE, WALL = Deed("brush_stroke", "applied"), Deed("brush_stroke", "rejected")
UNDO, NONE = Deed("undo", "applied"), Deed("undo", "rejected")
NOISE, SUBMIT = Deed("invalid", "invalid"), Deed("submit", "applied")
deeds = st.lists(st.sampled_from([STROKE, WALL, UNDO, NONE, NOISE]), max_size=30)


def test_without_a_step_nothing_is_a_share() -> None:
    assert conduct([], 8) == Conduct(None, None, 0, 0, None)
    assert conduct([SUBMIT], 8) == Conduct(None, None, 0, 0, 0.0)


def test_rates_are_shares_of_the_steps_and_a_submit_is_none() -> None:
    found = conduct([STROKE, WALL, NOISE, WALL, SUBMIT], 8)
    assert (found.invalid_rate, found.rejected_rate, found.submit_percent) == (0.25, 0.5, 50.0)


def test_a_spent_budget_counts_as_a_hundred_and_an_open_session_as_nothing() -> None:
    assert conduct([STROKE] * 8, 8).submit_percent == 100.0
    assert conduct([STROKE] * 7, 8).submit_percent is None
    assert conduct([STROKE] * 7, None).submit_percent is None, "practice has no budget"


def test_a_loop_is_an_undo_of_the_stroke_just_painted() -> None:
    assert conduct([STROKE, UNDO, STROKE, UNDO], 8).draw_undo_loops == 2
    assert conduct([STROKE, STROKE, UNDO, UNDO], 8).draw_undo_loops == 1
    assert conduct([STROKE, WALL, UNDO, NONE], 8).draw_undo_loops == 0
    assert conduct([STROKE, WALL, UNDO, NONE], 8).undos == 2


@given(deeds)
def test_counts_and_rates_keep_their_bounds(script: list[Deed]) -> None:
    found = conduct(script, 30)
    assert 0 <= found.draw_undo_loops <= found.undos <= len(script)
    if script:
        assert found.invalid_rate is not None and found.rejected_rate is not None
        assert 0 <= found.invalid_rate + found.rejected_rate <= 1
