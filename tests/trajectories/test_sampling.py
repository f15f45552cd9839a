"""Which steps become samples: the published numbers, and the laws of the two subsets."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.trajectories.recipe import Recipe, SampleWish
from easel_app.trajectories.sampling import SUBSETS, Chosen, chosen_steps, density, samples_of, worth_showing

WISHES = st.builds(
    SampleWish,
    c1_all=st.integers(0, 40),
    c1_until=st.integers(0, 80),
    c1_some=st.integers(0, 40),
    c2=st.integers(0, 60),
    c2_half=st.floats(0.1, 1000.0),
)


def test_the_defaults_give_the_published_numbers() -> None:
    recipe = Recipe()
    counts = samples_of(recipe.samples, recipe.strokes)
    references = recipe.pool.references
    assert (references, recipe.strokes) == (11_000, 250)
    assert {name: count * references for name, count in counts.items()} == {"C1": 308_000, "C2": 132_000}


def steps_of(chosen: list[Chosen]) -> dict[str, list[int]]:
    return {name: [each.step for each in chosen if each.subset == name] for name in SUBSETS}


@given(WISHES, st.lists(st.booleans(), min_size=1, max_size=120), st.integers(0, 2**32 - 1))
@settings(max_examples=150, deadline=None)
def test_c1_has_all_early_strokes_and_no_subset_a_step_twice_or_one_that_changed_nothing(
    wish: SampleWish, pattern: list[bool], seed: int
) -> None:
    changed = np.array(pattern)
    chosen = chosen_steps(wish, changed, np.random.default_rng(seed))
    steps = steps_of(chosen)
    early = np.flatnonzero(changed[: wish.c1_all]).tolist()
    assert steps["C1"][: len(early)] == early
    assert all(step < max(wish.c1_all, wish.c1_until) for step in steps["C1"])
    most = samples_of(wish, changed.size)
    for name, mine in steps.items():
        assert mine == sorted(set(mine))
        assert all(changed[mine])
        assert len(mine) <= most[name]
    assert chosen == chosen_steps(wish, changed, np.random.default_rng(seed))


@given(WISHES, st.integers(1, 120), st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None)
def test_where_every_stroke_changes_something_the_counts_are_those_that_were_asked_for(
    wish: SampleWish, strokes: int, seed: int
) -> None:
    chosen = chosen_steps(wish, np.ones(strokes, np.bool_), np.random.default_rng(seed))
    assert Counter(each.subset for each in chosen) == Counter(samples_of(wish, strokes))


def test_a_stroke_that_adds_too_little_is_no_sample_where_the_recipe_says_so() -> None:
    changed, similarity = np.array([True, True, False, True]), np.array([0.1, 0.2, 0.15, 0.15, 0.15])
    assert worth_showing(SampleWish(), changed, similarity).tolist() == [True, True, False, True]
    assert worth_showing(SampleWish(least_gain=0.0), changed, similarity).tolist() == [True, False, False, True]
    assert worth_showing(SampleWish(least_gain=0.01), changed, similarity).tolist() == [True, False, False, False]


def test_an_early_stroke_that_changed_nothing_is_made_up_for_by_one_that_follows() -> None:
    changed = np.ones(250, np.bool_)
    changed[[0, 3, 4, 20]] = False
    steps = steps_of(chosen_steps(SampleWish(), changed, np.random.default_rng(0)))
    assert (len(steps["C1"]), len(steps["C2"])) == (28, 12)
    assert not {0, 3, 4, 20} & {*steps["C1"], *steps["C2"]}


def test_the_density_of_c2_falls_and_has_halved_where_it_is_said_to() -> None:
    found = density(SampleWish(c2_half=50.0), np.arange(250))
    assert (np.diff(found) < 0).all()
    assert found[50] / found[0] == pytest.approx(0.5)
    assert found.sum() == pytest.approx(1.0)


def test_c2_shows_the_whole_range_but_more_of_the_beginning() -> None:
    wish = SampleWish()
    drawn = [
        each.step
        for seed in range(400)
        for each in chosen_steps(wish, np.ones(250, np.bool_), np.random.default_rng(seed))
        if each.subset == "C2"
    ]
    counts, _ = np.histogram(drawn, bins=5, range=(0, 250))
    assert len(set(drawn)) == 250
    assert (np.diff(counts) < 0).all()
