from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from easel_app.engine.memory import carve, new_blocks


def arrays(value: Any) -> list[np.ndarray[Any, Any]]:
    """All arrays of nested tuples."""
    return [value] if isinstance(value, np.ndarray) else [array for item in value for array in arrays(item)]


@pytest.mark.parametrize("size", [7, 14, 33, 128])
def test_named_arrays_fill_the_blocks_without_overlap(size: int) -> None:
    blocks = new_blocks(size)
    views = arrays(carve(size, *blocks))
    for view in views:
        np.add(view, 1, out=view)  # whatever is reached twice shows as 2, whatever is not reached as 0
    for block in blocks:
        assert (block == 1).all()
    assert all(view.flags.c_contiguous for view in views)
