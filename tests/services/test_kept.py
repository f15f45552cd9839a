"""What is kept stays within its bound, whoever asks for it and in whatever order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from easel_app.services.kept import Kept


def test_what_was_not_asked_for_the_longest_goes_first() -> None:
    kept = Kept[str, int](2)
    assert [kept.put(name, number) for number, name in enumerate("ab")] == [0, 1]
    assert kept.get("a") == 0
    kept.put("c", 2)
    assert [kept.get(name) for name in "abc"] == [0, None, 2]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 12))))
def test_no_more_is_kept_than_the_bound_allows_and_nothing_too_heavy(puts: list[tuple[int, int]]) -> None:
    kept = Kept[int, int](10, float)
    last: dict[int, int] = {}
    for key, weight in puts:
        assert kept.put(key, weight) == weight
        last[key] = weight
        assert kept.get(key) == (weight if weight <= 10 else None)
        there = {key: value for key in last if (value := kept.get(key)) is not None}
        assert sum(there.values()) <= 10 and there.items() <= last.items()


def test_many_threads_at_once_break_nothing() -> None:
    kept = Kept[int, int](8)

    def work(number: int) -> int | None:
        kept.put(number % 16, number % 16)
        return kept.get((number * 7) % 16)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(work, range(2000))) <= {None, *range(16)}
    assert sum(kept.get(number) is not None for number in range(16)) == 8
