"""A session is on the desk once, held by one caller at a time, and rebuilt after a failure."""

from typing import Any

import pytest

from easel_app.painting.env import catalogue
from easel_app.painting.protocol import ProtocolName
from easel_app.painting.rollout import Rollout
from easel_app.services.desk import Desk, OpenSession
from easel_app.services.problems import NotFound, Refusal
from tests.store.test_records import session


def opened(name: str) -> OpenSession:
    return OpenSession(session(name), Rollout(next(iter(catalogue())), ProtocolName.STUDIO))


class Log:
    """Rebuilds sessions, and counts how often."""

    def __init__(self) -> None:
        self.rebuilt: list[str] = []

    def reopen(self, name: str) -> OpenSession:
        self.rebuilt.append(name)
        return opened(name)


def test_a_refusal_leaves_a_session_as_it_is_and_a_failure_has_it_rebuilt() -> None:
    log = Log()
    desk = Desk(4, log.reopen)
    for error, times in (
        (Refusal("x", "x"), 1),
        (ValueError("x"), 1),
        (KeyboardInterrupt(), 2),
        (Refusal("x", "x"), 3),
    ):
        with pytest.raises(type(error)), desk.hold("a"):
            raise error
        assert len(log.rebuilt) == times


def test_those_least_recently_used_leave_first_and_none_that_is_held() -> None:
    log = Log()
    desk = Desk(2, log.reopen)
    with desk.hold("a"):
        for name in "bcd":
            with desk.hold(name):
                pass
        with desk.hold("d"):
            pass
    with desk.hold("a"):
        pass
    assert log.rebuilt == ["a", "b", "c", "d"]
    with desk.hold("b"):
        pass
    assert log.rebuilt[-1] == "b"


def test_who_asks_for_a_session_just_before_it_begins_does_not_push_it_off_the_desk() -> None:
    begun = opened("a")

    def too_early(name: str) -> Any:
        desk.put(begun)  # it begins while somebody looks for it in the log
        raise NotFound("no_such_session", name)

    desk = Desk(4, too_early)
    with pytest.raises(NotFound), desk.hold("a"):
        pass
    with desk.hold("a") as held:
        assert held is begun
