"""A judging that brings no verdict at all has not finished; one that only leaves some items open has."""

from __future__ import annotations

import pytest

from easel_app.runs.judging import Judgings
from tests.endpoint import endpoint, with_faults
from tests.endpoint.judge import asked, grader, met
from tests.runs.judged import PAIRS, finish, wish


@pytest.mark.parametrize("fault", ["429-hour", "refusal", "prose-refusal"])
def test_a_judging_without_any_verdict_is_stopped_and_says_why(
    judgings: Judgings,
    small: str,
    fault: str,
) -> None:
    with endpoint(with_faults(grader, (fault, lambda number, body: True))) as model:
        view = finish(judgings, wish(model, concurrency=8))
    assert (view.state, view.done) == ("stopped", 0) and view.reason
    with endpoint(grader) as model:
        assert finish(judgings, wish(model, concurrency=8)).met == 8, "another address is another judging"


def test_items_that_stay_open_do_not_stop_what_has_verdicts_from_before(
    judgings: Judgings,
    small: str,
) -> None:
    """Whoever goes on with it hears that it has finished, as the first time."""
    with endpoint(with_faults(grader, ("refusal", lambda number, body: not met(asked(body))))) as model:
        first = finish(judgings, wish(model))
        again = finish(judgings, wish(model))
    assert first.state == again.state == "finished" and 0 < first.unscored < PAIRS
    assert (again.done, again.unscored) == (first.done, first.unscored)
