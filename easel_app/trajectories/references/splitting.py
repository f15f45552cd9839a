"""Which split a reference belongs to: decided by its group, so that variants of one source are never in both."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache

from easel_app.trajectories.folder import Split

_DIGITS = 16


@lru_cache(maxsize=4096)
def split_of(group: str, validation: float) -> Split:
    """The split of a group: a function of its name and the share alone, so that it is the same in every pool.

    A larger share only adds groups to validation.

    Args:
        group: as `Reference.group` has it.
        validation: share of all groups, 0..1, that validation gets; of a few groups it can get more or fewer.
    """
    number = int(hashlib.sha256(group.encode()).hexdigest()[:_DIGITS], 16)
    return "validation" if number < validation * 16**_DIGITS else "train"


def beside(first: str, options: Iterable[str], group_of: Callable[[str], str], validation: float) -> list[str]:
    """Those of the options that may be in a picture with `first`: the ones whose groups come into the same split."""
    split = split_of(group_of(first), validation)
    return [option for option in options if split_of(group_of(option), validation) == split]
