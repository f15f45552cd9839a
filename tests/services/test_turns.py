"""Guests take turns in a session that its owner shares, one at a time, and never longer than they act."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from easel_app.services.problems import Conflict, Forbidden, NotFound, Refusal
from easel_app.services.studio import Studio
from easel_app.services.turns import LEASE, MOST_GUESTS, MOST_SESSIONS, Turns
from easel_app.services.views import Answer, NewAction, NewGuest, NewSession, Sharing
from easel_app.settings import Settings
from tests.conftest import new_session, paint

UNDO, SUBMIT = {"kind": "undo"}, {"kind": "submit"}
INVALID = {"kind": "invalid", "reason": "No action was found."}


class Clock:
    """Time that passes when told to."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(studio: Studio) -> Clock:
    clock = Clock()
    studio.sessions._turns = Turns(clock)
    return clock


class Shared:
    """A session of an owner, with guests."""

    def __init__(self, studio: Studio, shared: bool = True, **wish: str) -> None:
        begun = studio.sessions.begin(NewSession.model_validate({**new_session(**wish), "shared": shared}))
        self.service, self.id, self.owner, self.sent = studio.sessions, begun.session_id, begun.write_token, 0

    def join(self, name: str = "Ada") -> str:
        return self.service.join(self.id, NewGuest(name=name)).guest_token

    def act(self, token: str, action: dict[str, Any] | None = None, request_id: str = "") -> Answer:
        self.sent += 1
        body = {**paint("x", self.sent), **({"action": action} if action else {})}
        wish = NewAction.model_validate({**body, "request_id": request_id or f"r{self.sent}"})
        return self.service.act(self.id, token, wish)

    def refused(self, kind: type[Refusal], code: str, do: Callable[[], object]) -> str:
        before = self.service.view(self.id)
        with pytest.raises(kind) as caught:
            do()
        assert caught.value.code == code
        assert self.service.view(self.id) == before
        return caught.value.message

    def share(self, shared: bool, token: str = "") -> Any:
        return self.service.share(self.id, token or self.owner, Sharing(shared=shared))

    @property
    def turn(self) -> tuple[bool, str | None]:
        turn = self.service.turn(self.id)
        assert turn == self.service.view(self.id).turn
        return turn.shared, turn.guest


def test_a_session_is_shared_only_when_its_owner_says_so(studio: Studio) -> None:
    session = Shared(studio, shared=False)
    assert session.turn == (False, None)
    session.refused(Forbidden, "not_shared", session.join)
    assert session.share(True).shared
    session.act(session.join())
    other = Shared(studio)
    assert other.turn == (True, None)
    other.act(other.join())
    with pytest.raises(NotFound):
        studio.sessions.join("nothing", NewGuest(name="Ada"))


def test_the_first_action_of_a_guest_takes_the_turn_and_joining_does_not(studio: Studio, clock: Clock) -> None:
    session = Shared(studio)
    ada = session.join()
    assert session.turn == (True, None)
    session.act(session.owner)
    session.act(ada)
    assert session.turn == (True, "Ada")
    clock.now += 17
    message = session.refused(Conflict, "not_your_turn", lambda: session.act(session.owner))
    assert message == "Ada is painting; try again when they have handed back, in 43 s at the latest."
    for action in (UNDO, SUBMIT, INVALID):
        session.refused(Conflict, "not_your_turn", lambda action=action: session.act(session.owner, action))
    session.refused(
        Conflict,
        "not_your_turn",
        lambda: session.service.play(session.id, NewAction.model_validate(paint("in-process"))),
    )


@pytest.mark.parametrize("name", ["Bob", "Ada"])
def test_another_guest_waits_too_even_one_of_the_same_name(studio: Studio, clock: Clock, name: str) -> None:
    session = Shared(studio)
    ada, other = session.join("Ada"), session.join(name)
    session.act(ada)
    session.refused(Conflict, "not_your_turn", lambda: session.act(other))
    session.refused(Forbidden, "not_your_turn", lambda: session.service.hand_back(session.id, other))
    session.act(ada, UNDO)
    clock.now += LEASE
    session.act(other)
    session.refused(Conflict, "not_your_turn", lambda: session.act(ada))


def test_a_turn_ends_by_itself_a_minute_after_the_last_action(studio: Studio, clock: Clock) -> None:
    session = Shared(studio)
    ada = session.join()
    for _ in range(3):
        session.act(ada)
        clock.now += LEASE - 0.001
        session.refused(Conflict, "not_your_turn", lambda: session.act(session.owner))
    clock.now += 0.001
    assert session.turn == (True, None)
    session.act(session.owner)
    session.act(ada)  # still a guest


@pytest.mark.parametrize("by", ["guest", "owner"])
def test_a_turn_is_handed_back(studio: Studio, clock: Clock, by: str) -> None:
    session = Shared(studio)
    ada = session.join()
    session.act(ada)
    told = session.service.hand_back(session.id, ada if by == "guest" else session.owner)
    assert (told.shared, told.guest) == (True, None)
    session.act(session.owner)
    session.act(ada)
    assert session.turn == (True, "Ada")


def test_handing_back_what_nobody_holds_is_no_error_and_strangers_cannot(studio: Studio) -> None:
    session = Shared(studio)
    for token in (session.owner, session.join()):
        assert session.service.hand_back(session.id, token).guest is None
    session.refused(Forbidden, "wrong_token", lambda: session.service.hand_back(session.id, "stranger"))


def test_ending_the_sharing_sends_the_guests_away(studio: Studio, clock: Clock) -> None:
    session = Shared(studio)
    ada, bob = session.join("Ada"), session.join("Bob")
    session.act(ada)
    assert session.share(False).model_dump() == {"shared": False, "guest": None}
    session.act(session.owner)
    for token in (ada, bob):
        session.refused(Forbidden, "wrong_token", lambda token=token: session.act(token))
        session.refused(Forbidden, "wrong_token", lambda token=token: session.service.hand_back(session.id, token))
    session.share(True)
    session.refused(Forbidden, "wrong_token", lambda: session.act(ada))
    session.act(session.join("Ada"))


def test_who_joins_while_the_sharing_ends_is_no_guest_afterwards(studio: Studio) -> None:
    session, tokens = Shared(studio), []

    def joining() -> None:
        for _ in range(200):
            try:
                tokens.append(session.join())
            except Forbidden:
                return

    threads = [threading.Thread(target=joining) for _ in range(4)]
    for thread in threads:
        thread.start()
    session.share(False)
    for thread in threads:
        thread.join()
    assert not any(session.service._turns.guest(session.id, token) for token in tokens)


@pytest.mark.parametrize("action", [SUBMIT, INVALID])
def test_a_guest_paints_and_undoes_and_nothing_else(studio: Studio, action: dict[str, Any]) -> None:
    session = Shared(studio)
    ada = session.join()
    session.refused(Forbidden, "guests_paint_only", lambda: session.act(ada, action))
    session.refused(Forbidden, "owner_only", lambda: session.share(False, ada))
    assert session.turn == (True, None)
    session.act(ada)
    assert session.act(ada, UNDO).outcome == "applied"


def test_what_is_refused_takes_no_turn(studio: Studio) -> None:
    session = Shared(studio, protocol="benchmark")
    ada = session.join()
    session.refused(Conflict, "not_allowed", lambda: session.act(ada, UNDO))
    assert session.turn == (True, None)
    assert session.service.view(session.id).ranked


def test_a_session_in_which_a_guest_painted_is_never_ranked_again(settings: Settings) -> None:
    studio = Studio(settings)
    session = Shared(studio)
    ada = session.join()
    session.act(session.owner)
    assert session.service.view(session.id).ranked  # shared, but nobody came
    session.act(ada)
    session.service.hand_back(session.id, ada)
    session.share(False)
    session.act(session.owner)
    assert not session.service.view(session.id).ranked
    for _ in range(settings.open_sessions + 1):  # crowd it out of memory
        Shared(studio)
    assert not session.service.view(session.id).ranked
    studio.close()
    studio = Studio(settings)
    assert not studio.sessions.view(session.id).ranked
    studio.close()


def test_the_log_says_who_painted(studio: Studio, clock: Clock) -> None:
    session = Shared(studio)
    ada, bob = session.join("Ada"), session.join("Bob <b>")
    session.act(session.owner)
    session.act(ada)
    clock.now += LEASE
    session.act(bob)
    session.service.hand_back(session.id, bob)
    session.act(session.owner)
    log = list(session.service.log(session.id))[1:]
    assert [entry["guest"] for entry in log] == [None, "Ada", "Bob <b>", None]
    assert {entry["actor"] for entry in log} == {"human"}
    assert ada not in str(log) and bob not in str(log)


def test_a_retry_of_the_owner_gets_the_first_answer_while_a_guest_has_the_turn(studio: Studio) -> None:
    session = Shared(studio)
    first = session.act(session.owner, request_id="same")
    session.act(session.join())
    assert session.act(session.owner, request_id="same") == first
    assert session.turn == (True, "Ada")


def test_a_guests_retry_takes_no_turn(studio: Studio) -> None:
    session = Shared(studio)
    ada, bob = session.join("Ada"), session.join("Bob")
    first = session.act(ada, request_id="same")
    session.service.hand_back(session.id, ada)
    assert session.act(ada, request_id="same") == first
    assert session.turn == (True, None)
    session.act(bob)
    assert session.act(ada, request_id="same") == first
    assert session.turn == (True, "Bob")


def test_request_ids_of_owner_and_guests_are_their_own(studio: Studio, clock: Clock) -> None:
    session, tokens = Shared(studio), []
    tokens = [session.owner, session.join("Ada"), session.join("Ada")]
    seqs = []
    for token in tokens:
        seqs.append(session.act(token, request_id="same").seq)
        clock.now += LEASE
    assert seqs == [1, 2, 3]
    assert [session.act(token, request_id="same").seq for token in tokens] == seqs


def test_a_restart_forgets_the_guests_but_not_the_sharing(settings: Settings) -> None:
    studio = Studio(settings)
    session = Shared(studio)
    ada = session.join()
    first = session.act(ada, request_id="one")
    studio.close()
    studio = Studio(settings)
    session.service = studio.sessions
    assert session.turn == (True, None)
    message = session.refused(Forbidden, "wrong_token", lambda: session.act(ada))
    assert "join it again" in message
    again = session.join()
    assert session.act(again, request_id="one").seq == first.seq + 1
    studio.close()


def test_guests_are_bounded_and_the_one_who_paints_is_not_forgotten(clock: Clock) -> None:
    turns = Turns(clock)
    first, second = turns.join("s", "Ada"), turns.join("s", "Bob")
    holder = turns.guest("s", first)
    assert holder
    turns.take("s", holder)
    crowd = [turns.join("s", f"Guest {k}") for k in range(MOST_GUESTS - 1)]
    assert turns.guest("s", first) == holder
    assert turns.guest("s", second) is None
    assert all(turns.guest("s", token) for token in crowd)
    clock.now += LEASE
    late = [turns.join("s", "Late") for _ in range(MOST_GUESTS)]
    assert sum(turns.guest("s", token) is not None for token in [first, *crowd, *late]) == MOST_GUESTS


def test_sessions_with_guests_are_bounded() -> None:
    turns = Turns()
    tokens = [turns.join(f"s{k}", "Ada") for k in range(MOST_SESSIONS + 1)]
    assert turns.guest("s0", tokens[0]) is None
    assert turns.guest(f"s{MOST_SESSIONS}", tokens[-1]) and turns.guest("s1", tokens[1])
    assert turns.guest("s2", tokens[1]) is None


def test_guests_at_once_leave_a_log_without_a_gap_and_one_holds_the_turn(studio: Studio, clock: Clock) -> None:
    session = Shared(studio, task_id="natural-01")
    done: list[tuple[str, int]] = []

    def paint_as(name: str, token: str) -> None:
        for k in range(6):
            try:
                answer = session.service.act(session.id, token, NewAction.model_validate(paint(f"a{k}", k)))
            except Conflict:
                continue
            done.append((name, answer.seq))

    threads = [threading.Thread(target=paint_as, args=(name, session.join(name))) for name in ("Ada", "Bob", "Cy")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seq for _, seq in done) == list(range(1, len(done) + 1))
    assert len({name for name, _ in done}) == 1  # nobody handed back, so the first to act painted alone
    assert session.turn == (True, done[0][0])


def test_a_guest_may_use_up_the_last_step(studio: Studio) -> None:
    session = Shared(studio)
    ada = session.join()
    for _ in range(32):
        answer = session.act(ada)
    assert answer.status == "spent"
    for token in (ada, session.owner):
        session.refused(Conflict, "session_closed", lambda token=token: session.act(token))
