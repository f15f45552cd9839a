"""Link previews: what a link to a painting says of it before anyone opens it."""

from __future__ import annotations

import html
import re

import httpx
import pytest

from easel_app.services.studio import Studio
from easel_app.services.views import NewAction, NewSession
from easel_app.ui.card import PLAIN, card_of, tags
from tests.conftest import Server, new_session, paint

HOSTILE = '"><script>alert(1)</script>'


def played(studio: Studio, name: str = "Ada", steps: int = 2, task_id: str = "programmatic-01") -> str:
    wish = NewSession.model_validate({**new_session(task_id), "player": {"kind": "human", "name": name}})
    session_id = studio.sessions.begin(wish).session_id
    for seed in range(steps):
        studio.sessions.play(session_id, NewAction.model_validate(paint(f"r{seed}", seed)))
    return session_id


def test_a_link_to_a_step_shows_that_step(studio: Studio) -> None:
    session_id = played(studio)
    card = card_of(studio, {"tab": "watch", "session": session_id, "step": "1"})
    title = studio.tasks.get("programmatic-01").title
    score = studio.sessions.view(session_id).score
    assert card.title == f"{title}, painted by Ada"
    assert f"2 steps, similarity {score:.3f} so far" in card.description
    assert card.picture == f"api/sessions/{session_id}/canvas.png?step=1&scale=8"


@pytest.mark.parametrize("step", ["", "3", "-1", "1e9", "²", "٣", "9" * 5000])
def test_a_step_that_is_not_there_shows_the_newest(studio: Studio, step: str) -> None:
    session_id = played(studio)
    assert "step=" not in card_of(studio, {"session": session_id, "step": step}).picture


def test_a_comparison_names_its_players(studio: Studio) -> None:
    ids = [played(studio, name) for name in ("Ada", "Bob")]
    card = card_of(studio, {"compare": ",".join(ids)})
    assert "Ada (" in card.description and "Bob (" in card.description and "side by side" in card.title


@pytest.mark.parametrize("query", [{}, {"session": ""}, {"session": "nothing"}, {"compare": ",,"}, {"compare": "a,b"}])
def test_a_link_that_leads_nowhere_says_nothing_of_anyone(studio: Studio, query: dict[str, str]) -> None:
    assert card_of(studio, query) == PLAIN


def test_a_hostile_name_stays_text(studio: Studio) -> None:
    markup = tags(card_of(studio, {"session": played(studio, HOSTILE)}), "http://here/")
    assert "<script" not in markup
    assert HOSTILE in html.unescape(markup)
    assert re.fullmatch(r'(<meta (property|name)="[a-z:_]+" content="[^"<>]*">)+', markup)


def test_the_page_carries_the_card_with_whole_addresses(server: Server) -> None:
    begun = httpx.post(f"{server.url}/api/sessions", json=new_session()).json()
    page = httpx.get(f"{server.url}/", params={"tab": "watch", "session": begun["session_id"]}).text
    (picture,) = re.findall(r'<meta property="og:image" content="([^"]*)">', page)
    assert httpx.get(html.unescape(picture)).headers["content-type"] == "image/png"
    assert html.unescape(picture).startswith(f"{server.url}/api/sessions/{begun['session_id']}/canvas.png")
    assert len(re.findall("og:title", page)) == 1
