"""Agreement of raters: the golden cases, other libraries, plain definitions and laws."""

from __future__ import annotations

import doctest
import json
import math
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score, matthews_corrcoef, recall_score
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from easel_app.scoring import agreement
from easel_app.scoring.agreement import (
    RATER_BOUNDS,
    TABLE_BOUNDS,
    corrected_rates,
    fleiss,
    item_sums,
    multi_rater,
    rater_statistics,
    rogan_gladen,
    table_statistics,
    two_by_two,
    wilson,
)

CASES = Path(__file__).parent / "cases"
GOLDEN = json.loads((CASES / "agreement_cases.json").read_text(encoding="utf-8"))["cases"]
REFERENCE = json.loads((CASES / "vtb_agreement.json").read_text(encoding="utf-8"))
TABLES = {name: block for name, block in REFERENCE["agreement_reference_values"].items() if "cohen_kappa" in block}

Table = list[list[int]]
Ratings = list[list[int | None]]
cells = st.integers(0, 40)
tables = st.tuples(cells, cells, cells, cells).map(lambda t: [[t[0], t[1]], [t[2], t[3]]])
full_tables = tables.filter(lambda t: all(map(any, t)) and all(map(any, zip(*t, strict=True))))


@st.composite
def ratings(draw: st.DrawFn, classes: int = 2) -> Ratings:
    """Of one to five raters for up to twelve items, with gaps."""
    raters, items = draw(st.integers(1, 5)), draw(st.integers(0, 12))
    rating = st.none() | st.integers(0, classes - 1)
    return draw(st.lists(st.lists(rating, min_size=items, max_size=items), min_size=raters, max_size=raters))


def of_case(case: dict[str, Any]) -> Any:
    match case["type"]:
        case "two_by_two":
            return two_by_two(case["table"])
        case "multi_rater":
            return multi_rater(case["raters_by_items"])
        case "fleiss":
            return fleiss(case["items_by_categories"])
    return wilson(case["k"], case["n"], case["confidence"])


def labels(table: Table) -> tuple[list[int], list[int]]:
    """The verdicts of a person and a judge that make a table."""
    pairs = [(human, judge) for human, judge in product((1, 0), (1, 0)) for _ in range(table[1 - human][1 - judge])]
    return [human for human, _ in pairs], [judge for _, judge in pairs]


def plain_alpha(rows: Ratings) -> float | None:
    """Nominal alpha from its definition: the matrix of coincidences, pair by pair (Krippendorff 2011)."""
    coincidences: dict[tuple[int, int], Fraction] = {}
    for item in zip(*rows, strict=True):
        given_ones = [value for value in item if value is not None]
        for i, one in enumerate(given_ones):
            for j, other in enumerate(given_ones):
                if i != j:
                    share = Fraction(1, len(given_ones) - 1)
                    coincidences[one, other] = coincidences.get((one, other), Fraction(0)) + share
    margin: dict[int, Fraction] = {}
    for (one, _), weight in coincidences.items():
        margin[one] = margin.get(one, Fraction(0)) + weight
    n = sum(margin.values())
    observed = sum(weight for (one, other), weight in coincidences.items() if one != other)
    expected = sum(margin[one] * margin[other] for one, other in product(margin, margin) if one != other)
    return float(1 - (n - 1) * observed / expected) if expected else None


def plain_percent(rows: Ratings) -> float | None:
    """Mean over items of the share of agreeing pairs, pair by pair."""
    shares = []
    for item in zip(*rows, strict=True):
        pairs = list(combinations([value for value in item if value is not None], 2))
        if pairs:
            shares.append(sum(one == other for one, other in pairs) / len(pairs))
    return sum(shares) / len(shares) if shares else None


@pytest.mark.parametrize("case", GOLDEN, ids=[case["id"] for case in GOLDEN])
def test_golden_cases(case: dict[str, Any]) -> None:
    found = of_case(case)
    assert {name: getattr(found, name) for name in case["expected"]} == pytest.approx(case["expected"], abs=1e-9)


@pytest.mark.parametrize("name", TABLES)
def test_values_of_other_libraries(name: str) -> None:
    block = TABLES[name]
    found = two_by_two(block["table_rows_human_met_notmet_cols_judge_met_notmet"])
    assert (found.n, found.percent_agreement) == (block["n"], pytest.approx(block["percent_agreement"], abs=1e-9))
    assert found.gwet_ac1 == pytest.approx(block["gwet_ac1_formula"], abs=1e-9)
    assert found.gwet_ac1 == pytest.approx(block["gwet_ac1_irrCAC"], abs=6e-6)
    assert found.sensitivity == pytest.approx(block["judge_sensitivity_tpr"], abs=1e-9)
    assert found.specificity == pytest.approx(block["judge_specificity_tnr"], abs=1e-9)
    if name.startswith("degenerate"):
        # where libraries say nan, 0 and 1, raise or leave a class out
        assert found.cohen_kappa is found.phi is found.macro_f1 is found.krippendorff_alpha_nominal is None
        return
    assert found.cohen_kappa == pytest.approx(block["cohen_kappa"], abs=1e-9)
    assert found.macro_f1 == pytest.approx(block["macro_f1"], abs=1e-9)
    assert found.krippendorff_alpha_nominal == pytest.approx(block["krippendorff_alpha_nominal"], abs=1e-9)
    constant = name == "judge_always_met"  # where scikit-learn has a phi of 0
    assert found.phi == (None if constant else pytest.approx(block["mcc"], abs=1e-9))


def test_values_of_other_libraries_for_many_raters() -> None:
    blocks = REFERENCE["agreement_reference_values"]
    table = blocks["fleiss_wikipedia"]
    assert fleiss(table["table"]).fleiss_kappa == pytest.approx(table["fleiss_kappa"], abs=1e-9)
    coders = blocks["krippendorff_4x12_missing"]
    found = multi_rater(coders["data_coders_by_units_null_is_missing"], classes=(1, 2, 3, 4, 5))
    assert found.krippendorff_alpha_nominal == pytest.approx(coders["nominal"], abs=1e-9)
    assert (found.gwet_ac1, found.percent_agreement) == pytest.approx((coders["gwet_ac1"], coders["pa"]), abs=6e-6)
    assert found.fleiss_kappa is None
    raters = blocks["binary_3x10_missing"]
    found = multi_rater(raters["data_raters_by_items"])
    assert found.krippendorff_alpha_nominal == pytest.approx(raters["krippendorff_alpha_nominal"], abs=1e-9)
    assert found.gwet_ac1 == pytest.approx(raters["gwet_ac1_irrCAC"], abs=6e-6)


@given(full_tables)
def test_tables_agree_with_scikit_learn_and_statsmodels(table: Table) -> None:
    found, (human, judge) = two_by_two(table), labels(table)
    assert found.n == len(human)
    assert found.percent_agreement == pytest.approx(accuracy_score(human, judge), abs=1e-12)
    assert found.cohen_kappa == pytest.approx(cohen_kappa_score(human, judge), abs=1e-12)
    assert found.cohen_kappa == pytest.approx(cohens_kappa(table, return_results=False), abs=1e-12)
    assert found.phi == pytest.approx(matthews_corrcoef(human, judge), abs=1e-12)
    assert found.macro_f1 == pytest.approx(f1_score(human, judge, average="macro"), abs=1e-12)
    assert found.sensitivity == pytest.approx(recall_score(human, judge), abs=1e-12)
    assert found.specificity == pytest.approx(recall_score(human, judge, pos_label=0), abs=1e-12)
    assert found.prevalence == pytest.approx(np.mean(human), abs=1e-12)


@given(tables.filter(lambda table: sum(map(sum, table)) > 0))
def test_a_table_says_of_two_raters_what_their_ratings_say(table: Table) -> None:
    found, raters = two_by_two(table), multi_rater(labels(table))
    for name in ("percent_agreement", "gwet_ac1", "krippendorff_alpha_nominal"):
        assert getattr(found, name) == pytest.approx(getattr(raters, name), abs=1e-12)


@given(tables)
def test_swapped_raters_agree_as_much(table: Table) -> None:
    found, swapped = two_by_two(table), two_by_two(np.transpose(table))
    for name in ("n", "percent_agreement", "cohen_kappa", "gwet_ac1", "phi", "krippendorff_alpha_nominal", "macro_f1"):
        assert getattr(swapped, name) == pytest.approx(getattr(found, name), abs=1e-12)


@given(tables)
def test_the_names_of_the_classes_do_not_matter(table: Table) -> None:
    found, named = asdict(two_by_two(table)), asdict(two_by_two(np.flip(table)))
    exchanged = {"sensitivity": "specificity", "specificity": "sensitivity"}
    for name in found.keys() - {"prevalence"}:
        assert named[exchanged.get(name, name)] == pytest.approx(found[name], abs=1e-12)


@given(tables)
def test_what_is_undefined_is_none_and_all_else_within_its_bounds(table: Table) -> None:
    found, ((a, b), (c, d)) = asdict(two_by_two(table)), table
    undefined = {name for name, value in found.items() if value is None}
    one_class = a + b + c == 0 or b + c + d == 0
    whenever = {
        "cohen_kappa": one_class, "krippendorff_alpha_nominal": one_class, "macro_f1": one_class,
        "phi": 0 in (a + b, c + d, a + c, b + d), "sensitivity": a + b == 0, "specificity": c + d == 0,
        "percent_agreement": not a + b + c + d, "gwet_ac1": not a + b + c + d, "prevalence": not a + b + c + d,
    }  # fmt: skip
    assert undefined == {name for name, holds in whenever.items() if holds}
    for name, (low, high) in TABLE_BOUNDS.items():
        assert found[name] is None or low - 1e-12 <= found[name] <= high + 1e-12


@given(st.lists(tables, min_size=1, max_size=6))
def test_many_tables_at_once_are_each_alone(many: list[Table]) -> None:
    together = table_statistics(np.array(many)[None])
    assert set(together) == set(TABLE_BOUNDS)
    for name, values in together.items():
        alone = [getattr(two_by_two(table), name) for table in many]
        assert [None if np.isnan(value) else value for value in values[0]] == alone


@given(ratings())
def test_many_raters_agree_as_by_the_plain_definition(rows: Ratings) -> None:
    found = multi_rater(rows)
    assert found.percent_agreement == pytest.approx(plain_percent(rows), abs=1e-12)
    assert found.krippendorff_alpha_nominal == pytest.approx(plain_alpha(rows), abs=1e-12)
    assert found.n_items == len(rows[0])
    rated = [sum(value is not None for value in item) for item in zip(*rows, strict=True)]
    assert found.n_items_with_two_or_more == sum(number > 1 for number in rated)
    for name, (low, high) in RATER_BOUNDS.items():
        value = getattr(found, name)
        assert value is None or low - 1e-12 <= value <= high + 1e-12


@given(ratings(classes=4))
def test_alpha_is_of_any_number_of_classes(rows: Ratings) -> None:
    found = multi_rater(rows, classes=(0, 1, 2, 3))
    assert found.krippendorff_alpha_nominal == pytest.approx(plain_alpha(rows), abs=1e-12)
    assert found.percent_agreement == pytest.approx(plain_percent(rows), abs=1e-12)


@given(ratings(), st.randoms(use_true_random=False))
def test_the_order_of_raters_and_items_does_not_matter(rows: Ratings, random: Any) -> None:
    items = [list(item) for item in zip(*rows, strict=True)]
    random.shuffle(items)
    shuffled = [list(row) for row in zip(*items, strict=True)] or [[] for _ in rows]
    random.shuffle(shuffled)
    assert asdict(multi_rater(shuffled)) == pytest.approx(asdict(multi_rater(rows)), abs=1e-12)


@given(ratings())
def test_the_names_of_the_classes_do_not_matter_to_many_raters(rows: Ratings) -> None:
    named = [[None if value is None else 1 - value for value in row] for row in rows]
    assert asdict(multi_rater(named)) == pytest.approx(asdict(multi_rater(rows)), abs=1e-12)


@given(st.integers(2, 6), st.integers(2, 4), st.data())
def test_fleiss_agrees_with_statsmodels(raters: int, classes: int, data: st.DataObject) -> None:
    row = st.lists(st.integers(0, classes - 1), min_size=raters, max_size=raters)
    rows = data.draw(st.lists(row, min_size=1, max_size=15).filter(lambda rows: len({v for r in rows for v in r}) > 1))
    counts = np.array([np.bincount(row, minlength=classes) for row in rows])
    expected = fleiss_kappa(counts)
    assert fleiss(counts).fleiss_kappa == pytest.approx(expected, abs=1e-12)
    assert multi_rater(list(zip(*rows, strict=True)), range(classes)).fleiss_kappa == pytest.approx(expected, abs=1e-12)


def test_fleiss_is_of_a_fixed_number_of_raters_only() -> None:
    with pytest.raises(ValueError, match=r"same number of raters for each item, not \[2.0, 3.0\]"):
        fleiss([[2, 1], [1, 1]])
    assert multi_rater([[1, 0, 1], [1, 1, None], [0, 0, 0]]).fleiss_kappa is None
    assert multi_rater([[1, 0, None], [1, 1, None]]).fleiss_kappa == multi_rater([[1, 0], [1, 1]]).fleiss_kappa
    assert fleiss([[1, 0], [0, 1]]).fleiss_kappa is None  # one rater has nobody to agree with
    assert fleiss([[3, 0], [3, 0]]).fleiss_kappa is None
    assert asdict(fleiss(np.zeros((0, 2)))) == {"fleiss_kappa": None, "n_items": 0, "n_raters": 0}


def test_sums_over_items_may_be_taken_in_any_parts() -> None:
    counts = np.random.default_rng(0).integers(0, 4, (40, 2))
    sums = item_sums(counts)
    parts = np.stack([sums[:15].sum(0), sums[15:].sum(0)])
    for name, value in rater_statistics(parts.sum(0)).items():
        assert value == pytest.approx(float(rater_statistics(sums.sum(0))[name]), nan_ok=True)
        assert rater_statistics(parts)[name].shape == (2,)


def test_nobody_and_nothing_is_undefined() -> None:
    for rows in ([], [[]], [[], []], [[None, None]], [[1, None], [None, 0]]):
        found = multi_rater(rows)
        assert found.percent_agreement is found.krippendorff_alpha_nominal is found.gwet_ac1 is None
        assert found.fleiss_kappa is None and found.n_items_with_two_or_more == 0


@pytest.mark.parametrize(
    "table", [[[1, 2]], [1, 2, 3, 4], *([[odd, 1], [0, 2]] for odd in (-1, 0.5, math.nan, math.inf))]
)
def test_what_is_no_table_is_refused(table: Any) -> None:
    with pytest.raises(ValueError, match="table"):
        two_by_two(table)


def test_what_is_no_rating_is_refused() -> None:
    with pytest.raises(ValueError, match="not 2"):
        multi_rater([[1, 2], [0, 1]])
    with pytest.raises(ValueError, match="one length"):
        multi_rater([[1, 1], [0]])
    with pytest.raises(ValueError, match="whole numbers"):
        fleiss([[1, -1]])
    with pytest.raises(ValueError, match="shape"):
        fleiss([1, 2])


def test_a_corrected_rate_is_the_golden_one() -> None:
    block = REFERENCE["judge_correction_reference"]
    labelled, judged = block["labelled"], block["judge_only"]
    found = two_by_two([
        [labelled["human_pass_judge_pass"], labelled["human_pass_judge_fail"]],
        [labelled["human_fail_judge_pass"], labelled["human_fail_judge_fail"]],
    ])  # fmt: skip
    assert (found.cohen_kappa, found.sensitivity, found.specificity) == pytest.approx(
        (block["kappa"], block["sens_pass"], block["spec_fail"]), abs=1e-9
    )
    assert found.sensitivity is not None and found.specificity is not None
    corrected = rogan_gladen(judged["judge_pass"] / judged["n"], found.sensitivity, found.specificity)
    assert corrected and not corrected.clipped
    assert corrected.rate == pytest.approx(block["rogan_gladen_pass_rate"], abs=1e-9)
    assert wilson(30, 40) == pytest.approx(block["wilson95_30_of_40"], abs=1e-9)
    assert wilson(78, 80) == pytest.approx(block["wilson95_78_of_80"], abs=1e-9)


shares = st.floats(0, 1)


@given(shares, shares, shares)
def test_a_corrected_rate_undoes_what_the_judge_does(rate: float, sensitivity: float, specificity: float) -> None:
    judged = sensitivity * rate + (1 - specificity) * (1 - rate)
    found = rogan_gladen(min(1.0, max(0.0, judged)), sensitivity, specificity)
    power = sensitivity + specificity - 1
    if power > 1e-6:
        assert found and found.rate == pytest.approx(rate, abs=1e-9 / power)
    assert found is None or 0 <= found.rate <= 1
    assert (found is None) == (power <= 1e-12)


def test_a_corrected_rate_says_when_it_was_brought_back() -> None:
    assert rogan_gladen(0.05, 0.9, 0.9) == agreement.Corrected(0.0, clipped=True)
    assert rogan_gladen(0.95, 0.9, 0.9) == agreement.Corrected(1.0, clipped=True)
    assert rogan_gladen(0.5, 0.7, 0.3) is None and rogan_gladen(0.5, 0.2, 0.1) is None
    assert corrected_rates([0.05, 0.5], 0.9, [0.9, 0.1]) == pytest.approx([-0.0625, math.nan], nan_ok=True)
    with pytest.raises(ValueError, match="within"):
        rogan_gladen(1.2, 0.9, 0.9)


def test_the_documented_examples_are_true() -> None:
    failed, tried = doctest.testmod(agreement)
    assert tried > 0 and failed == 0
