"""Where the image indices of a planner begin, by all of their plans: the pools of queries have different sizes."""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

from easel_app.plans.normalising import INDEX
from easel_app.plans.parser import guess_index_base, parse_plan

Base = Literal[0, 1]
REFERENCE = ""
"""Stands for whoever wrote the data's own answers; no planner is called so."""


class Evidence:
    """What the plans of each planner say of it."""

    def __init__(self) -> None:
        self._pools: dict[str, int] = {}
        self._seen: defaultdict[str, set[Base | None]] = defaultdict(set)

    def asked(self, query_id: str, pool_size: int) -> None:
        """Take in how many images a query has."""
        self._pools[query_id] = pool_size

    def planned(self, planner: str, query_id: str, text: str) -> None:
        """Take in a plan; its query, if it is known at all, comes first."""
        calls = (call for call in parse_plan(text).calls if call.tool in ("reference", "edit") and call.params)
        used = [index for call in calls if _is_index(index := (call.params or {}).get(INDEX))]
        if used:
            self._seen[planner].add(guess_index_base(used, self._pools.get(query_id, -1)))

    def base(self, planner: str) -> Base | None:
        """Where a planner's indices begin: any 0, at 0; else any that equals the size of its pool, at 1.

        Without any index at 0. None when indices are used and do not tell.
        """
        seen = self._seen.get(planner)
        if not seen or 0 in seen:
            return 0
        return 1 if 1 in seen else None

    def untold(self) -> list[str]:
        """Planners whose base cannot be told."""
        return sorted(planner for planner in self._seen if self.base(planner) is None)


def _is_index(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
