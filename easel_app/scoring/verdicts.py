"""How verdicts on rubric items are held in arrays, and checks of such arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

Codes = NDArray[np.int8]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
MET, NOT_MET, NO_VERDICT, CANNOT_ASSESS = 1, 0, -1, -2
"""The codes. Only Met and Not Met are verdicts."""


def codes(values: ArrayLike, shape: tuple[int, ...], what: str, known: tuple[int, ...] = (1, 0, -1)) -> Codes:
    """Verdicts as int8 of that shape.

    Raises:
        ValueError: they have another shape, or a value is none of the known codes.
    """
    table = np.asarray(values)
    if table.shape != shape and not table.size == 0 == np.prod(shape):
        raise ValueError(f"{what} must be of shape {shape}, one code for each row, not {table.shape}")
    strange = set(np.unique(table).tolist()) - set(known) if table.dtype.kind in "biuf" else {table.dtype.name}
    if strange and table.size:
        raise ValueError(f"{what} must be codes of {known}, not {sorted(strange)}")
    return table.astype(np.int8).reshape(shape)


def positive(values: ArrayLike | None, size: int, what: str) -> Floats:
    """Weights as float64 (size,); ones for None.

    Raises:
        ValueError: they have another shape, or are not all finite and above 0.
    """
    table = np.ones(size) if values is None else np.asarray(values, np.float64)
    if table.shape != (size,) or not ((table > 0) & (table < np.inf)).all():
        raise ValueError(f"{what} must be {size} finite numbers above 0, one for each row")
    return table


def indices(values: ArrayLike, size: int, what: str, below: int | None = None) -> NDArray[np.intp]:
    """Whole numbers (size,), from 0 to below that where it is given.

    Raises:
        ValueError: they have another shape, are not whole, or lie outside.
    """
    table = np.asarray(values)
    if table.shape != (size,) or (size and table.dtype.kind not in "iu"):
        raise ValueError(f"{what} must be {size} whole numbers, one for each row")
    if below is not None and size and not (table.min() >= 0 and table.max() < below):
        raise ValueError(f"{what} must lie in 0..{below - 1}, not in {table.min()}..{table.max()}")
    return table.astype(np.intp)


def masks(groupings: Mapping[str, Mapping[str, ArrayLike]] | None, size: int) -> dict[str, dict[str, Mask]]:
    """Groupings as bool (size,) by name and label.

    Raises:
        ValueError: a mask has another shape, or is not of booleans.
    """
    found: dict[str, dict[str, Mask]] = {}
    for name, labels in (groupings or {}).items():
        for label, values in labels.items():
            table = np.asarray(values)
            if table.shape != (size,) or (size and table.dtype != np.bool_):
                raise ValueError(f"the mask of {name} {label} must be {size} booleans, one for each row")
            found.setdefault(name, {})[label] = table.astype(np.bool_)
    return found


def table_cells(first: Codes, second: Codes) -> Floats:
    """Cells [both Met, first only, second only, both Not Met] that each row adds to a table, float64 (n, 4)."""
    both = [(first == one) & (second == other) for one in (MET, NOT_MET) for other in (MET, NOT_MET)]
    return np.column_stack(both).astype(np.float64)
