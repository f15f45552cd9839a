"""A chat is what a run asks, and its answer is read as the very stroke."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.llm import Reply, Usage
from easel_app.painting import png
from easel_app.painting.env import catalogue
from easel_app.painting.showing import Look
from easel_app.painting.stroke import STROKE_FIELDS, BrushStroke
from easel_app.runs.prompts import Message
from easel_app.runs.reading import Form, read
from easel_app.runs.service import Runs
from easel_app.runs.settings import NewRun
from easel_app.services.studio import Studio
from easel_app.settings import Settings
from easel_app.trajectories.reading import Sample
from easel_app.trajectories.training.layout import answer_of, chat_of, question
from tests.endpoint.app import Body, endpoint
from tests.endpoint.painter import painter
from tests.runs.conftest import finish

ACTIONS = st.lists(st.integers(0, 1000), min_size=13, max_size=13)
STRICT = Form(("brush_stroke",), "integer", by_tools=False, reading="strict")


def reply(text: str) -> Reply:
    return Reply(text, (), None, "stop", Usage(), {}, 0.0)


def sample(reference: bytes, canvas: bytes, strokes: int = 32) -> Sample:
    return Sample("0" * 16, "geometry", "C1", 3, strokes, tuple(range(13)), 0.1, 0.2, reference, canvas)


@given(ACTIONS, st.none() | st.text(st.characters(codec="utf-8", exclude_characters="<"), max_size=80))
def test_an_answer_is_read_as_its_stroke_even_strictly(action: list[int], thought: str | None) -> None:
    found = read(reply(answer_of(action, thought)), STRICT)
    assert found.notes == ()
    assert isinstance(found.action, BrushStroke)
    assert [getattr(found.action.stroke, name) for name in STROKE_FIELDS] == [each / 1000 for each in action]


def test_a_thought_stands_before_the_answer_and_an_empty_one_nowhere() -> None:
    assert answer_of(range(13), " The sky is white. ").startswith("<think>\nThe sky is white.\n</think>\n\n{")
    assert answer_of(range(13), "  ") == answer_of(range(13)) == answer_of(range(13), None)


@pytest.mark.parametrize("look", [Look(), Look(scale=3, grid=True)])
def test_a_chat_is_word_for_word_what_a_run_asks_with_the_same_pictures(look: Look, tmp_path: Path) -> None:
    task = next(each for each in catalogue() if not each.kind.semantic)
    with endpoint(painter) as model:
        wish = NewRun(
            base_url=model.url,
            model="m",
            tasks=(task.id,),
            coordinates="integer",
            calling="text",
            scale=look.scale,
            grid=look.grid,
        )
        studio = Studio(Settings(data_dir=tmp_path))
        runs = Runs(studio, wait=0.001)
        try:
            finish(runs, wish)
        finally:
            runs.close()
            studio.close()
    first = model.requests[0].body
    white = png.encode(np.full((task.width, task.width, 3), 255, np.uint8))
    chat = chat_of(sample(task.png, white, task.budget), None, look)
    assert _asked(first) == chat.prompt
    for ours, theirs in zip(chat.images, _pictures(first), strict=True):
        assert np.array_equal(png.decode(ours), png.decode(theirs))


def _asked(body: Body) -> list[Message]:
    """The messages of a request, with texts as parts and pictures as places."""
    messages = []
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        places = [part if part["type"] == "text" else {"type": "image"} for part in parts]
        messages.append({"role": message["role"], "content": places})
    return messages


def _pictures(body: Body) -> list[bytes]:
    parts = [part for message in body["messages"] for part in message["content"] if isinstance(part, dict)]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


def test_pictures_too_large_to_be_enlarged_are_refused() -> None:
    large = png.encode(np.zeros((512, 512, 3), np.uint8))
    with pytest.raises(ValueError, match="too wide"):
        chat_of(sample(large, large), None, Look(scale=8))


def test_a_question_can_be_changed_without_changing_the_next() -> None:
    question(64, 32)[0]["content"].clear()
    assert question(64, 32)[0]["content"]
