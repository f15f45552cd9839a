"""How long an endpoint may make us wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from easel_app.llm import EndpointUnreachable
from easel_app.llm.patience import LONGEST_WAIT, told_wait

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@settings(deadline=None)
@given(st.floats(min_value=0.001, max_value=LONGEST_WAIT))
def test_seconds_are_taken_as_told(seconds: float) -> None:
    assert told_wait({"retry-after": f" {seconds!r} "}) == seconds


@settings(deadline=None)
@given(st.floats(min_value=LONGEST_WAIT * 1.001, max_value=1e12))
def test_more_than_we_wait_is_an_error_that_names_both(seconds: float) -> None:
    with pytest.raises(EndpointUnreachable, match=f"{seconds:.0f} s, more than the {LONGEST_WAIT:.0f} s"):
        told_wait({"retry-after": str(seconds)})


@settings(deadline=None)
@given(st.integers(min_value=1, max_value=int(LONGEST_WAIT)))
def test_a_date_counts_by_the_servers_own_clock(seconds: int) -> None:
    until = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert told_wait({"retry-after": until, "date": format_datetime(NOW, usegmt=True)}) == seconds


def test_a_date_without_a_servers_clock_counts_by_ours() -> None:
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=50), usegmt=True)
    told = told_wait({"retry-after": until})
    assert told is not None
    assert 40 < told <= 50


@pytest.mark.parametrize(
    "text", ["", "0", "-5", "nan", "inf", "-inf", "soon", "Wed, 99 Foo 2026 99:99:99 GMT", "1e999"]
)
def test_what_asks_for_nothing_of_use_is_left_to_the_back_off(text: str) -> None:
    assert told_wait({"retry-after": text}) is None


def test_a_date_in_the_past_asks_for_nothing() -> None:
    headers = {"retry-after": format_datetime(NOW, usegmt=True), "date": format_datetime(NOW, usegmt=True)}
    assert told_wait(headers) is None


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_header_makes_it_fail_otherwise(after: str, date: str) -> None:
    try:
        seconds = told_wait({"retry-after": after, "date": date})
    except EndpointUnreachable:
        return
    assert seconds is None or 0 < seconds <= LONGEST_WAIT
