"""What can be said of a plan without a judge: the images that it cites, its indices, calls that fail: ``judge_free/1``.

Cited images are held against those of the reference answer. As sets: `set_overlap`. As lists: the order score is 1 less
the edit distance (Levenshtein) over the length of the longer list, as RAG-IGBench's code scores lists of images; two
empty lists score 1 here, where that code divides by zero. MRAMG-Bench's order score weighs the edits by constants that
no source found here gives, so it is not offered.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as brief

from easel_app.scoring.set_overlap import SetScore, set_score

VERSION = "judge_free/1"
STATUSES = ("strict", "lenient", "repaired", "failed")
"""How a call was read, from exactly to not at all."""


@dataclass(frozen=True, slots=True)
class CitedImages:
    """The images that a plan cites; None where not defined."""

    sets: SetScore | None
    """Without order and repeats; None without a reference."""
    order: float | None
    """[0, 1], 1 for the same list; None without a reference."""
    duplicates: int
    """Citations of an image that was cited before."""
    out_of_range: int | None
    """Citations beyond the pool, each time; None if its size is not known."""


def cited_images(
    cited: Sequence[int], reference: Sequence[int] | None, *, pool_size: int | None = None, index_base: int = 0
) -> CitedImages:
    """Hold the images that a plan cites against those of the reference answer.

    Args:
        cited: their indices in the order of the plan, repeats and those out of range included.
        reference: those of the reference answer, to the same base; None if there is none.
        pool_size: how many images there are; None if it is not known.
        index_base: index of the first.

    Raises:
        ValueError: an index is no whole number, or the size of the pool none from 0.

    Example:
        >>> found = cited_images([2, 0, 7, 0], [0, 2], pool_size=3)
        >>> found.order, found.duplicates, found.out_of_range
        (0.25, 1, 1)
    """
    said = indices(cited)
    wanted = None if reference is None else indices(reference)
    return CitedImages(
        sets=None if wanted is None else set_score(said, wanted),
        order=None if wanted is None else order_score(said, wanted),
        duplicates=len(said) - len(set(said)),
        out_of_range=out_of_range(said, pool_size, index_base),
    )


def indices(values: Sequence[int]) -> list[int]:
    """Indices as they are, once all are whole numbers.

    Raises:
        ValueError: one is not; true is not 1.
    """
    if not {int}.issuperset(map(type, values)):
        raise ValueError(f"indices of images must be whole numbers, but are {brief(values)}")
    return list(values)


def out_of_range(cited: Sequence[int], pool_size: int | None, index_base: int = 0) -> int | None:
    """How many of the indices lie outside of index_base … index_base + pool_size - 1; None for an unknown size.

    Raises:
        ValueError: the size is no whole number from 0, or the base none.
    """
    if pool_size is None:
        return None
    if not _whole(pool_size) or pool_size < 0 or not _whole(index_base):
        found = f"{brief(pool_size)} and {brief(index_base)}"
        raise ValueError(f"the size of a pool and its base must be whole numbers, the size from 0, not {found}")
    return sum(not index_base <= index < index_base + pool_size for index in cited)


def order_score(cited: Sequence[Hashable], reference: Sequence[Hashable]) -> float:
    """1 less the edit distance of two lists over the length of the longer; 1 for two empty ones.

    Example:
        >>> order_score("abc", "acb"), order_score("", ""), order_score("a", "")
        (0.33333333333333337, 1.0, 0.0)
    """
    longer = max(len(cited), len(reference))
    return 1 - edit_distance(cited, reference) / longer if longer else 1.0


def edit_distance(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Fewest insertions, deletions and substitutions that make one list the other (Levenshtein 1966).

    By the bits of whole numbers, a column of the table at once (Myers 1999; Hyyrö 2003), so that thousands of indices
    of a hostile plan cost milliseconds.
    """
    if not one or not other:
        return len(one) or len(other)
    places: dict[Hashable, int] = {}
    for k, member in enumerate(one):
        places[member] = places.get(member, 0) | 1 << k
    whole, last, distance = (1 << len(one)) - 1, 1 << len(one) - 1, len(one)
    rises, falls = whole, 0  # where a column of the table grows by one downwards, and where it shrinks
    for member in other:
        equal = places.get(member, 0)
        diagonal = (((equal & rises) + rises) ^ rises) | equal
        right_up, right_down = falls | whole & ~(diagonal | rises), rises & diagonal
        distance += bool(right_up & last) - bool(right_down & last)
        right_up = right_up << 1 | 1
        kept = equal | falls
        rises, falls = whole & (right_down << 1 | ~(kept | right_up)), whole & right_up & kept
    return distance


def invalid_rate(statuses: Iterable[Mapping[str, int]]) -> float | None:
    """Share of the calls that could not be read, over plans; None without calls.

    Args:
        statuses: for each plan how many of its calls were read strictly, leniently, by a repair, or failed.

    Raises:
        ValueError: a status is unknown, or a count is no whole number from 0.

    Example:
        >>> invalid_rate([{"strict": 2, "failed": 1}, {"repaired": 1}, {}])
        0.25
    """
    counts = [status_counts(each) for each in statuses]
    calls = sum(all_calls for _, all_calls in counts)
    return sum(failed for failed, _ in counts) / calls if calls else None


def status_counts(statuses: Mapping[str, int]) -> tuple[int, int]:
    """Calls that failed, and all calls, of one plan; errors as in `invalid_rate`."""
    for status, count in statuses.items():
        if status not in STATUSES or not _whole(count) or count < 0:
            known = ", ".join(STATUSES)
            raise ValueError(f"calls are counted as {known} from 0, not {brief(count)} as {brief(status)}")
    return statuses.get("failed", 0), sum(statuses.values())


def _whole(value: object) -> bool:
    return type(value) is int
