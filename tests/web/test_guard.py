"""Foreign pages and anonymous calls of Gradio's handlers are turned away before anything is read."""

from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import Server, new_session

GRADIO = ("upload", "queue/join", "component_server", "process_recording", "call/x", "run/predict")


@pytest.fixture
def whole(server: Server) -> Iterator[httpx.Client]:
    """The whole application, page included."""
    with httpx.Client(base_url=server.url) as client:
        yield client


@pytest.mark.parametrize("verb", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
@pytest.mark.parametrize("path", ["/login", "/", "/healthz", *(f"/gradio_api/{name}" for name in GRADIO)])
def test_nothing_outside_the_api_takes_more_than_a_look(whole: httpx.Client, verb: str, path: str) -> None:
    answer = whole.request(verb, path, content=b"x" * 100_000)
    assert answer.status_code == 404
    assert "access-control-allow-origin" not in answer.headers


def test_the_page_itself_is_there(whole: httpx.Client) -> None:
    page = whole.get("/")
    assert page.status_code == 200 and "Easel Studio" in page.text
    assert "default-src 'self'" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
     {"Sec-Fetch-Site": "same-site"}, {"Origin": "http://127.0.0.1:81"}, {"Origin": "http://["}],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/api/sessions", "/api/tasks/own", "/api/sessions/x/actions"])
def test_a_foreign_page_cannot_act(whole: httpx.Client, path: str, headers: dict[str, str]) -> None:
    answer = whole.post(path, json=new_session(), headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign_origin")


@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": "http://HOST"}, {"Origin": "https://HOST"}, {"Sec-Fetch-Site": "same-origin"},
     {"Sec-Fetch-Site": "none"}],
)  # fmt: skip
def test_our_own_page_and_plain_clients_can(whole: httpx.Client, headers: dict[str, str]) -> None:
    host = whole.base_url.netloc.decode()
    headers = {name: value.replace("HOST", host) for name, value in headers.items()}
    assert whole.post("/api/sessions", json=new_session(), headers=headers).status_code == 201


@pytest.mark.parametrize("verb", ["OPTIONS", "HEAD", "PUT", "DELETE"])
def test_other_methods_of_the_api_have_the_one_error_shape(whole: httpx.Client, verb: str) -> None:
    answer = whole.request(verb, "/api/sessions")
    assert answer.status_code == 404
    assert verb == "HEAD" or set(answer.json()["error"]) == {"code", "message", "field"}


def test_the_data_folder_cannot_be_read_through_the_page(whole: httpx.Client, server: Server) -> None:
    for path in (server.data_dir / "easel.db", "/etc/passwd", "../../etc/passwd"):
        assert whole.get(f"/gradio_api/file={path}").status_code in (403, 404)
