"""What a player was shown is what the pictures hold, and is on record once, when it was the player who looked."""

from typing import Any

import numpy as np
import pytest

from easel_app.painting import png
from easel_app.painting.showing import GRID, Look, show
from easel_app.painting.tasks import digest
from easel_app.services.problems import Forbidden, Invalid, NotFound
from easel_app.services.studio import Studio
from easel_app.services.views import Begun, NewAction, NewGuest, NewSession
from easel_app.settings import Settings
from tests.conftest import new_session, paint

LARGE = Look(scale=4, grid=True)


def begin(studio: Studio, **wish: Any) -> Begun:
    return studio.sessions.begin(NewSession.model_validate({**new_session(), **wish}))


def act(studio: Studio, begun: Begun, body: dict[str, Any]) -> Any:
    return studio.sessions.act(begun.session_id, begun.write_token, NewAction.model_validate(body))


def evidence(studio: Studio, begun: Begun) -> list[dict[str, Any]]:
    return list(studio.sessions.evidence(begun.session_id))


@pytest.mark.parametrize("look", [Look(), Look(scale=2), Look(grid=True), LARGE])
def test_the_pictures_decode_to_what_was_shown_and_their_digests_to_them(studio: Studio, look: Look) -> None:
    begun = begin(studio)
    act(studio, begun, paint("one", 1))
    seen = studio.sessions.observe(begun.session_id, look)
    reference, canvas = png.decode(seen.reference), png.decode(seen.canvas)
    assert (reference == show(begun.task.reference, look)).all()
    assert (canvas == show(png.decode(studio.sessions.canvas(begun.session_id)), look)).all()
    assert [picture.model_dump() for picture in seen.shown] == [
        {"picture": name, "step": 1, "scale": look.scale, "grid": GRID if look.grid else None, "sha256": digest(pixels)}
        for name, pixels in (("reference", reference), ("canvas", canvas))
    ]
    assert (seen.step, seen.steps_left, seen.status) == (1, 31, "open")


def test_it_tells_what_became_of_the_last_action(studio: Studio) -> None:
    begun = begin(studio)
    assert studio.sessions.observe(begun.session_id, Look()).last is None
    answers = [act(studio, begun, paint("one", 1)), act(studio, begun, {"request_id": "u", "action": {"kind": "undo"}})]
    act(studio, begun, paint("one", 1))  # a retry is no action
    assert studio.sessions.observe(begun.session_id, Look()).last == answers[-1]
    for _ in range(9):  # crowd it out of memory
        begin(studio)
    assert studio.sessions.observe(begun.session_id, Look()).last == answers[-1]


def test_only_the_players_look_is_on_record(studio: Studio) -> None:
    begun = begin(studio, shared=True)
    guest = studio.sessions.join(begun.session_id, NewGuest(name="Ada")).guest_token
    studio.sessions.observe(begun.session_id, LARGE)
    studio.sessions.observe(begun.session_id, LARGE, guest)
    with pytest.raises(Forbidden):
        studio.sessions.observe(begun.session_id, LARGE, "stranger")
    assert evidence(studio, begun) == []
    seen = studio.sessions.observe(begun.session_id, LARGE, begun.write_token)
    found = evidence(studio, begun)
    assert [(e["type"], e["session_id"], e["seq"]) for e in found] == [("observation", begun.session_id, 0)]
    assert found[0]["shown"] == [picture.model_dump() for picture in seen.shown]


def test_looking_twice_at_the_same_is_on_record_once(studio: Studio) -> None:
    begun = begin(studio)

    def look(how: Look = LARGE) -> None:
        for _ in range(3):
            studio.sessions.observe(begun.session_id, how, begun.write_token)

    for _ in range(2):
        look()
        look(Look())
    act(studio, begun, paint("one", 1))
    look(Look())
    act(studio, begun, {"request_id": "two", "action": {"kind": "invalid", "reason": "Nothing was said."}})
    look(Look())  # the same pixels, a step later
    act(studio, begun, {"request_id": "three", "action": {"kind": "submit"}})
    look(Look())
    assert [(e["seq"], e["shown"][0]["step"], e["shown"][0]["scale"]) for e in evidence(studio, begun)] == [
        (0, 0, 4), (0, 0, 1), (1, 1, 1), (2, 2, 1), (3, 2, 1),
    ]  # fmt: skip


def test_looking_changes_nothing_else(studio: Studio) -> None:
    begun = begin(studio)
    act(studio, begun, paint("one", 1))
    before = studio.sessions.view(begun.session_id)
    studio.sessions.observe(begun.session_id, LARGE, begun.write_token)
    assert studio.sessions.view(begun.session_id) == before


def test_evidence_survives_a_restart(settings: Settings) -> None:
    studio = Studio(settings)
    begun = begin(studio)
    studio.sessions.observe(begun.session_id, LARGE, begun.write_token)
    before = evidence(studio, begun)
    studio.close()
    studio = Studio(settings)
    assert evidence(studio, begun) == before
    studio.close()


def test_a_large_own_picture_is_not_enlarged_beyond_measure(studio: Studio) -> None:
    file = png.encode(np.random.default_rng(0).integers(0, 256, (512, 512, 3), np.uint8))
    begun = begin(studio, task_id=studio.tasks.add_own(file, 512, None).id)
    assert len(png.decode(studio.sessions.observe(begun.session_id, LARGE).canvas)) == 2048
    with pytest.raises(Invalid, match="too wide") as caught:
        studio.sessions.observe(begun.session_id, Look(scale=8), begun.write_token)
    assert caught.value.field == "scale"
    assert evidence(studio, begun) == []


def test_what_does_not_exist_cannot_be_looked_at(studio: Studio) -> None:
    for look in (lambda: studio.sessions.observe("nothing", Look()), lambda: studio.sessions.evidence("nothing")):
        with pytest.raises(NotFound):
            look()
