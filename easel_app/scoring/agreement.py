"""How far raters agree who say Met or Not Met: statistics of counts, for one table or for thousands of resamples.

Each formula stands once, on arrays of any shape, with nan where it is not defined: on 2 × 2 tables in
`table_statistics`, on sums over items in `rater_statistics`. `two_by_two`, `multi_rater` and `fleiss` are their faces
for one set of data, where undefined is None: never 0 and never 1, as some libraries have it.

Percent agreement is what papers print, and says nothing where nearly all is Met. Cohen's kappa takes off what chance
would agree on, and falls to 0 there; Gwet's AC1 stays high there, even for a judge that always says Met. So show
neither alone, and both beside prevalence, sensitivity and specificity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from easel_app.scoring.uncertainty import wilson as wilson

VERSION = "agreement/1"
"""Of all statistics of agreement, those of the judge's effect included."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What can be said of any raters."""

    percent_agreement: float | None
    """Share, [0, 1]."""
    gwet_ac1: float | None
    krippendorff_alpha_nominal: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAgreement(Agreement):
    """A person beside a judge, whose verdicts the person's are taken as the truth for."""

    n: int
    """Verdicts of each of the two."""
    cohen_kappa: float | None
    phi: float | None
    """Matthews correlation; on two classes also Pearson's, Spearman's and Kendall's."""
    sensitivity: float | None
    """Share of what the person has as Met that the judge has so."""
    specificity: float | None
    """The same of Not Met."""
    macro_f1: float | None
    """Mean of the F1 of both classes; undefined where neither of the two uses one of them (libraries then return the
    other's F1 alone, or count 0 or 1 for it)."""
    prevalence: float | None
    """Share of Met among the person's verdicts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterAgreement(Agreement):
    """Any number of raters, of whom each may leave items out."""

    n_items: int
    n_items_with_two_or_more: int
    fleiss_kappa: float | None
    """Only where each item that has a rating has the same number of them."""


@dataclass(frozen=True, slots=True)
class Fleiss:
    """Agreement of a fixed number of raters."""

    fleiss_kappa: float | None
    n_items: int
    n_raters: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """A rate without the judge's mistakes."""

    rate: float
    clipped: bool
    """Whether the formula left [0, 1] and was brought back, as it is where the judge errs less or more than told."""


TABLE_BOUNDS = {
    "percent_agreement": (0.0, 1.0),
    "cohen_kappa": (-1.0, 1.0),
    "gwet_ac1": (-1.0, 1.0),
    "phi": (-1.0, 1.0),
    "krippendorff_alpha_nominal": (-1.0, 1.0),
    "sensitivity": (0.0, 1.0),
    "specificity": (0.0, 1.0),
    "macro_f1": (0.0, 1.0),
    "prevalence": (0.0, 1.0),
}
"""What `table_statistics` returns, and what no value of it leaves."""
RATER_BOUNDS = {
    "percent_agreement": (0.0, 1.0),
    "gwet_ac1": (-1.0, 1.0),
    "krippendorff_alpha_nominal": (-1.0, 1.0),
    "fleiss_kappa": (-1.0, 1.0),
}
"""The same of `rater_statistics`."""


def table_statistics(tables: ArrayLike) -> dict[str, Floats]:
    """Statistics of tables of two raters, by the names of `TABLE_BOUNDS`.

    With cells [[a, b], [c, d]] and the margins of Met and Not Met p, q of the person and r, s of the judge:
    kappa = 2(ad - bc) / (ps + qr), which is (po - pe) / (1 - pe) (Cohen 1960), undefined where both use one and the
    same class only; phi = (ad - bc) / sqrt(pqrs), undefined where a margin is empty; AC1 = (po - pe) / (1 - pe) with
    pe = 2 x (1 - x), x the mean share of Met (Gwet 2008); alpha = 1 - (2n - 1)(b + c) / ((p + r)(q + s)) (Krippendorff
    2011, nominal).

    Args:
        tables: float (…, 2, 2), counts of 0 and more: rows the person's Met and Not Met, columns the judge's.

    Returns:
        float64 (…) each, nan where not defined.
    """
    cells = np.asarray(tables, np.float64)
    a, b, c, d = cells[..., 0, 0], cells[..., 0, 1], cells[..., 1, 0], cells[..., 1, 1]
    p, q, r, s = a + b, c + d, a + c, b + d
    n, cross = p + q, a * d - b * c
    with np.errstate(divide="ignore", invalid="ignore"):
        agreed = (a + d) / n
        return {
            "percent_agreement": agreed,
            "cohen_kappa": 2 * cross / (p * s + q * r),
            "gwet_ac1": _beyond_chance(agreed, 2 * (p + r) * (q + s) / (2 * n) ** 2),
            "phi": cross / np.sqrt(p * q * r * s),
            "krippendorff_alpha_nominal": 1 - (2 * n - 1) * (b + c) / ((p + r) * (q + s)),
            "sensitivity": a / p,
            "specificity": d / q,
            "macro_f1": (2 * a / (p + r) + 2 * d / (q + s)) / 2,
            "prevalence": p / n,
        }


def item_sums(counts: ArrayLike) -> Floats:
    """What each item adds to the sums that `rater_statistics` takes.

    Args:
        counts: (items, q), how many raters put each item into each of q classes.

    Returns:
        float64 (items, 6 + 2q): whether it has a rating, whether it has two or more, ratings, their square, the share
        of its pairs of raters that agree, its ordered pairs that differ over ratings - 1; then by class the share of
        its ratings, and its ratings if it has two or more.
    """
    table = np.asarray(counts, np.float64)
    ratings = table.sum(-1)
    rated, paired = ratings > 0, ratings > 1
    others, squares = np.where(paired, ratings - 1, 1), (table * table).sum(-1)
    columns = (
        rated,
        paired,
        ratings,
        ratings * ratings,
        np.where(paired, (squares - ratings) / (np.where(rated, ratings, 1) * others), 0),
        np.where(paired, (ratings * ratings - squares) / others, 0),
    )
    shares = table / np.where(rated, ratings, 1)[:, None]
    return np.column_stack([*columns, shares, table * paired[:, None]])


def rater_statistics(sums: ArrayLike) -> dict[str, Floats]:
    """Statistics of any number of raters from sums over items, by the names of `RATER_BOUNDS`.

    Percent agreement is the mean, over items with two or more ratings, of the share of agreeing pairs. AC1 takes the
    shares of the classes from all items with a rating (Gwet 2014, Handbook of Inter-Rater Reliability). Alpha is of
    items with two or more, and undefined where these hold one class only (Krippendorff 2011). Fleiss' kappa (1971)
    is defined where each item with a rating has the same number of two or more, and not all ratings are of one class.

    Args:
        sums: float (…, 6 + 2q), sums of `item_sums` over items.

    Returns:
        float64 (…) each, nan where not defined.
    """
    table = np.asarray(sums, np.float64)
    classes = (table.shape[-1] - 6) // 2
    rated, paired, ratings, squared, agreeing, differing = (table[..., k] for k in range(6))
    shares, values = table[..., 6 : 6 + classes], table[..., 6 + classes :]
    whole = values.sum(-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        agreed, classed = agreeing / paired, shares / rated[..., None]
        fixed = rated * squared == ratings * ratings  # they do not vary
        chance = (classed * (1 - classed)).sum(-1) / (classes - 1)
        return {
            "percent_agreement": agreed,
            "gwet_ac1": _beyond_chance(agreed, chance),
            "krippendorff_alpha_nominal": 1 - (whole - 1) * differing / (whole * whole - (values * values).sum(-1)),
            "fleiss_kappa": np.where(fixed, _beyond_chance(agreed, (classed * classed).sum(-1)), np.nan),
        }


def two_by_two(table: ArrayLike) -> TableAgreement:
    """Agreement of a judge with a person.

    Args:
        table: whole numbers (2, 2): rows the person's Met and Not Met, columns the judge's.

    Raises:
        ValueError: it is no such table.

    Example:
        >>> found = two_by_two([[80, 10], [5, 5]])
        >>> round(found.percent_agreement, 3), round(found.cohen_kappa, 3), round(found.gwet_ac1, 3)
        (0.85, 0.318, 0.808)
    """
    cells = _counted(table, "a table is [[both Met, only the person], [only the judge, both Not Met]]")
    if cells.shape != (2, 2):
        raise ValueError(f"a table of two raters has 2 rows and 2 columns, not the shape {cells.shape}")
    return TableAgreement(n=int(cells.sum()), **_faces(table_statistics(cells)))


def multi_rater(raters_by_items: Sequence[Sequence[float | None]], classes: Sequence[float] = (0, 1)) -> RaterAgreement:
    """Agreement of any number of raters.

    Args:
        raters_by_items: a row for each rater with a rating for each item: 1 Met, 0 Not Met, None where there is none.
        classes: the ratings that there may be, two or more. They count whether or not they are used.

    Raises:
        ValueError: the rows differ in length, or a rating is none of the classes.

    Example:
        >>> multi_rater([[1, 1, 0, None], [1, 0, 0, 1]]).percent_agreement
        0.6666666666666666
    """
    if len({len(row) for row in raters_by_items}) > 1:
        raise ValueError("raters have a rating or None for each item, hence rows of one length")
    ratings = np.array([list(row) for row in raters_by_items] or [[]], np.float64)  # None becomes nan
    if strange := set(ratings[~np.isnan(ratings)].tolist()) - set(classes):
        raise ValueError(f"ratings are one of {tuple(classes)} or None, not {min(strange):g}")
    sums = item_sums(np.stack([(ratings == each).sum(0) for each in classes], axis=-1)).sum(0)
    return RaterAgreement(
        n_items=ratings.shape[1], n_items_with_two_or_more=int(sums[1]), **_faces(rater_statistics(sums))
    )


def fleiss(counts: ArrayLike) -> Fleiss:
    """Fleiss' kappa of a fixed number of raters, undefined where they are fewer than two or use one class only.

    Args:
        counts: whole numbers (items, classes), how many raters put each item into each class.

    Raises:
        ValueError: it is no such table, or the items differ in their number of raters.
    """
    table = _counted(counts, "counts are (items, classes)")
    if table.ndim != 2:
        raise ValueError(f"counts are (items, classes), not of shape {table.shape}")
    raters = np.unique(table.sum(1))
    if len(raters) > 1:
        raise ValueError(f"Fleiss' kappa needs the same number of raters for each item, not {raters.tolist()}")
    kappa = _face(rater_statistics(item_sums(table).sum(0))["fleiss_kappa"])
    return Fleiss(kappa, len(table), int(raters[0]) if len(raters) else 0)


def rogan_gladen(p: float, sensitivity: float, specificity: float) -> Corrected | None:
    """The rate of Met that a judged rate stands for, if the judge errs as told (Rogan and Gladen 1978).

    A share p = sensitivity · rate + (1 - specificity)(1 - rate) is judged as Met; this is solved for the rate.

    Args:
        p: share that the judge says is Met, [0, 1].
        sensitivity: share of what is Met that the judge says is, [0, 1].
        specificity: share of what is Not Met that the judge says is not, [0, 1].

    Returns:
        The rate; None unless sensitivity + specificity > 1: the judge then tells nothing.

    Raises:
        ValueError: one of the three is not within [0, 1].

    Example:
        >>> rogan_gladen(0.8, 0.975, 0.75)
        Corrected(rate=0.7586206896551724, clipped=False)
    """
    if not all(0 <= share <= 1 for share in (p, sensitivity, specificity)):
        raise ValueError(f"rates lie within [0, 1], not {(p, sensitivity, specificity)}")
    rate = _face(corrected_rates(p, sensitivity, specificity))
    return None if rate is None else Corrected(min(1.0, max(0.0, rate)), not 0 <= rate <= 1)


def corrected_rates(p: ArrayLike, sensitivity: ArrayLike, specificity: ArrayLike) -> Floats:
    """The same for arrays, (…) each: not clipped, and nan where not valid."""
    judged, told = np.asarray(p, np.float64), np.asarray(specificity, np.float64)
    power = np.asarray(sensitivity, np.float64) + told - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(power > 1e-12, (judged + told - 1) / power, np.nan)  # 0.7 + 0.3 is a hair above 1


def _beyond_chance(agreed: Floats, chance: Floats) -> Floats:
    beyond: Floats = (agreed - chance) / (1 - chance)
    return beyond


def _counted(values: ArrayLike, what: str) -> Floats:
    counts = np.asarray(values, np.float64)
    if not (np.isfinite(counts).all() and (counts >= 0).all() and (counts == np.floor(counts)).all()):
        raise ValueError(f"{what}, in whole numbers of 0 and more, not {values!r}")
    return counts


def _faces(statistics: dict[str, Floats]) -> dict[str, float | None]:
    return {name: _face(value) for name, value in statistics.items()}


def _face(value: Floats) -> float | None:
    return None if np.isnan(value) else float(value)
