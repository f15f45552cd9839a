"""How sets overlap: the golden cases, scikit-learn, and laws."""

from __future__ import annotations

import doctest
import json
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from easel_app.scoring import set_overlap as module
from easel_app.scoring.set_overlap import set_score, set_scores

TABLES: dict[str, Any] = json.loads((Path(__file__).parent / "cases" / "atp_golden.json").read_text("utf-8"))
GOLDEN: dict[str, Any] = TABLES["golden"]["toolset_prf1"]
PAIRS = [(case["predicted"], case["reference"]) for case in GOLDEN["cases"]]
near = pytest.approx
sets = st.lists(st.sampled_from("abcde"), max_size=6)
pairs = st.lists(st.tuples(sets, sets), max_size=8)


def test_the_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: f"{case['predicted']} for {case['reference']}")
def test_golden_sets(case: dict[str, Any]) -> None:
    found = set_score(case["predicted"], case["reference"])
    assert astuple(found) == tuple(
        None if case[name] is None else near(case[name], abs=1e-9) for name in ("precision", "recall", "f1")
    )


def test_golden_means_and_pooled_counts() -> None:
    found = set_scores(PAIRS)
    assert found.mean.f1 == near(GOLDEN["mean_f1_over_cases"], abs=1e-9)
    micro = GOLDEN["micro"]
    assert astuple(found.micro) == near((micro["precision"], micro["recall"], micro["f1"]), abs=1e-9)
    assert (found.n, found.recall_undefined) == (5, 1)


def test_f1_is_not_that_of_the_means() -> None:
    found = set_scores(PAIRS).mean
    assert found.precision is not None and found.recall is not None and found.f1 is not None
    assert abs(found.f1 - 2 * found.precision * found.recall / (found.precision + found.recall)) > 0.01


def test_a_recall_that_is_undefined_stays_out_of_the_mean() -> None:
    found = set_scores([(["a"], []), (["a"], ["a", "b"])])
    assert (found.mean.precision, found.mean.recall, found.recall_undefined) == (0.5, 0.5, 1)
    assert set_scores([(["a"], [])]).mean.recall is None


def test_nothing_has_no_score() -> None:
    found = set_scores([])
    assert astuple(found.mean) == astuple(found.micro) == (None, None, None) and found.n == 0


@given(sets.filter(bool), sets.filter(bool))
def test_it_is_scikit_learns(predicted: list[str], reference: list[str]) -> None:
    truth, said = ([[name in members for name in "abcde"]] for members in (reference, predicted))
    theirs = precision_recall_fscore_support(np.array(truth), np.array(said), average="samples", zero_division=0)[:3]
    assert astuple(set_score(predicted, reference)) == near(theirs)


@given(sets, sets)
def test_order_repeats_and_names_do_not_matter(predicted: list[str], reference: list[str]) -> None:
    found = set_score(predicted, reference)
    assert found == set_score(predicted[::-1] * 2, reference + reference[:1])
    assert found == set_score([name.upper() for name in predicted], [name.upper() for name in reference])


@given(sets, sets)
def test_f1_stays_when_the_two_change_places(predicted: list[str], reference: list[str]) -> None:
    found, other = set_score(predicted, reference), set_score(reference, predicted)
    assert found.f1 == other.f1
    if predicted and reference:
        assert (found.precision, found.recall) == (other.recall, other.precision)


@given(pairs)
def test_scores_lie_within_0_and_1_and_the_mean_among_them(many: list[tuple[list[str], list[str]]]) -> None:
    found = set_scores(many)
    each = [set_score(*pair) for pair in many]
    for name in ("precision", "recall", "f1"):
        values = [value for one in each if (value := getattr(one, name)) is not None]
        mean, micro = getattr(found.mean, name), getattr(found.micro, name)
        assert (mean is None) == (not values)
        assert all(0 <= value <= 1 for value in [*values, *([] if micro is None else [micro])])
        assert mean is None or min(values) - 1e-12 <= mean <= max(values) + 1e-12


@pytest.mark.parametrize("pair", [("search", ["search"]), (["search"], "search"), ("", [])])
def test_a_text_is_no_set_of_letters(pair: Any) -> None:
    with pytest.raises(ValueError, match="not as one text"):
        set_score(*pair)
