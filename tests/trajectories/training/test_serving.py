"""The endpoint over a model of ours: what it takes, what it refuses, what it says."""

from __future__ import annotations

import base64
import io
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient

from easel_app.trajectories.training.serving import MOST_BODY, NAME, Answer, Asked, serve

PATH = "/v1/chat/completions"


class Scripted:
    """A model whose answers are written down."""

    def __init__(self, answer: Callable[[Asked], Answer]) -> None:
        self._answer = answer
        self.asked: list[Asked] = []
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()

    def answer(self, asked: Asked) -> Answer:
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        self.asked.append(asked)
        try:
            return self._answer(asked)
        finally:
            with self._lock:
                self.at_once -= 1


def says(text: str, whole: bool = True) -> Scripted:
    return Scripted(lambda asked: Answer(text, 11, 7, whole))


def url(image: Image.Image | bytes, kind: str = "png") -> str:
    data = io.BytesIO()
    if isinstance(image, bytes):
        data.write(image)
    else:
        image.save(data, kind)
    return f"data:image/{kind};base64,{base64.b64encode(data.getvalue()).decode()}"


def body(*parts: Any, **more: Any) -> dict[str, Any]:
    content = list(parts) or "Paint."
    return {"model": NAME, "messages": [{"role": "user", "content": content}], **more}


def picture(address: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": address}}


def test_an_answer_is_a_chat_completion() -> None:
    reply = TestClient(serve(says('{"action": "brush_stroke"}'))).post(PATH, json=body()).json()
    assert reply["object"] == "chat.completion" and reply["model"] == NAME
    assert reply["choices"] == [
        {"index": 0, "message": {"role": "assistant", "content": '{"action": "brush_stroke"}'}, "finish_reason": "stop"}
    ]
    assert reply["usage"] == {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


@pytest.mark.parametrize(
    ("text", "content", "thought"),
    [
        ("\n</think>\n\n{}", "{}", None),
        ("The sky is white.\n</think>\n\n{}", "{}", "The sky is white."),
        ("<think>\nA thought.\n</think>\n\n{}", "{}", "A thought."),
        ("{}", "{}", None),
    ],
)
def test_what_was_thought_stands_apart(text: str, content: str, thought: str | None) -> None:
    message = TestClient(serve(says(text))).post(PATH, json=body()).json()["choices"][0]["message"]
    assert (message["content"], message.get("reasoning_content")) == (content, thought)


def test_an_answer_that_was_cut_off_says_so() -> None:
    reply = TestClient(serve(says('{"action', whole=False))).post(PATH, json=body()).json()
    assert reply["choices"][0]["finish_reason"] == "length"


def test_messages_and_pictures_reach_the_model_in_their_order() -> None:
    model = says("{}")
    red, blue = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    parts = [
        {"type": "text", "text": "a"},
        picture(url(red)),
        {"type": "text", "text": "b"},
        picture(url(blue, "webp")),
    ]
    wish = body(*parts, temperature=0.5, max_tokens=9, seed=3)
    wish["messages"].insert(0, {"role": "system", "content": "Rules."})
    assert TestClient(serve(model)).post(PATH, json=wish).status_code == 200
    (asked,) = model.asked
    assert asked.messages == [
        {"role": "system", "content": [{"type": "text", "text": "Rules."}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "a"},
                {"type": "image"},
                {"type": "text", "text": "b"},
                {"type": "image"},
            ],
        },
    ]
    assert [image.getpixel((0, 0))[0] > 200 for image in asked.images] == [True, False]  # type: ignore[index]
    assert (asked.temperature, asked.max_tokens, asked.seed) == (0.5, 9, 3)


def test_without_a_temperature_the_likeliest_answer_is_given() -> None:
    model = says("{}")
    TestClient(serve(model)).post(PATH, json=body())
    assert model.asked[0].temperature == 0.0 and model.asked[0].max_tokens == 1024


WHITE = Image.new("RGB", (8, 8), "white")
REFUSED: dict[str, tuple[Any, int, str]] = {
    "no model": ({"messages": [{"role": "user", "content": "x"}]}, 400, "model is missing"),
    "another model": ({**body(), "model": "gpt"}, 404, f"There is no model 'gpt' here, only {NAME}"),
    "no messages": ({"model": NAME, "messages": []}, 400, "messages"),
    "a role of none": ({"model": NAME, "messages": [{"role": "painter", "content": "x"}]}, 400, "role"),
    "tools": (body(tools=[{"type": "function"}]), 400, "knows no tools"),
    "a stream": (body(stream=True), 400, "stream"),
    "two answers": (body(n=2), 400, "n is 2"),
    "too hot": (body(temperature=9), 400, "temperature is 9"),
    "no tokens": (body(max_tokens=0), 400, "max_tokens is 0"),
    "a picture elsewhere": (body(picture("http://127.0.0.1/a.png")), 400, "must be a data URL"),
    "a file": (body(picture("file:///etc/passwd")), 400, "must be a data URL"),
    "no base64": (body(picture("data:image/png;base64,%%%")), 400, "in base64, or is damaged"),
    "no picture": (body(picture(url(b"<svg/>"))), 400, "in base64, or is damaged"),
    "half a picture": (body(picture(url(WHITE)[:-40])), 400, "in base64, or is damaged"),
    "a gif": (body(picture(url(WHITE, "gif"))), 400, "is no PNG, JPEG or WebP"),
    "a wide picture": (body(picture(url(Image.new("1", (5000, 1))))), 400, "5000 × 1 px; 4096 is the most"),
    "a list": ([], 400, "must be an object"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_answered_is_refused_in_a_sentence(case: str) -> None:
    wish, status, words = REFUSED[case]
    model = says("{}")
    reply = TestClient(serve(model)).post(PATH, json=wish)
    assert (reply.status_code, model.asked) == (status, [])
    assert words in reply.json()["error"]["message"]


def test_a_body_that_is_no_json_too_large_or_from_another_site_is_refused() -> None:
    client = TestClient(serve(says("{}")))
    json = {"content-type": "application/json"}
    assert client.post(PATH, content=b"{", headers=json).status_code == 400
    assert client.post(PATH, content=b" " * (MOST_BODY + 1), headers=json).status_code == 413
    assert client.post(PATH, content=b"{}", headers={"content-type": "text/plain"}).status_code == 415


def test_what_the_model_cannot_take_is_told() -> None:
    def refuse(asked: Asked) -> Answer:
        raise ValueError("the template takes no system message")

    reply = TestClient(serve(Scripted(refuse))).post(PATH, json=body())
    assert reply.status_code == 400 and "takes no system message" in reply.json()["error"]["message"]


def test_many_callers_are_answered_one_after_the_other() -> None:
    release = threading.Event()

    def slow(asked: Asked) -> Answer:
        release.wait(5)
        return Answer("{}", 1, 1, True)

    model = Scripted(slow)
    with TestClient(serve(model)) as client, ThreadPoolExecutor(4) as pool:
        replies = [pool.submit(client.post, PATH, json=body()) for _ in range(4)]
        release.set()
        assert [reply.result().status_code for reply in replies] == [200] * 4
    assert (len(model.asked), model.most_at_once) == (4, 1)


def test_the_endpoint_says_what_it_serves() -> None:
    client = TestClient(serve(says("{}"), "mine"))
    assert [each["id"] for each in client.get("/v1/models").json()["data"]] == ["mine"]
    assert client.get("/healthz").json() == {"status": "ok"}
