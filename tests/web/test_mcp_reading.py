"""What a client can read by MCP before it plays: resources, the prompt, completions, schemas."""

import base64
import json
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference, Tool

from easel_app.painting.stroke import LOOK_FIELDS, PATH_FIELDS, STROKE_FIELDS
from tests.conftest import Server, stroke
from tests.web.agent import MODES, Agent, play


def test_resources_are_the_tasks_and_their_references(server: Server) -> None:
    async def scene(agent: Agent) -> list[Any]:
        listed = (await agent.client.list_resources()).resources
        assert [entry.uri for entry in listed] == ["easel://tasks"]
        templates = (await agent.client.list_resource_templates()).resource_templates
        assert [entry.uri_template for entry in templates] == ["easel://tasks/{task_id}/reference.png"]
        tasks = (await agent.client.read_resource("easel://tasks")).contents[0]
        png = (await agent.client.read_resource("easel://tasks/natural-02/reference.png")).contents[0]
        return [tasks.model_dump(), png.model_dump()]

    tasks, png = play(server.url, scene)
    assert len(json.loads(tasks["text"])) == 115 and tasks["mime_type"] == "application/json"
    assert png["mime_type"] == "image/png"
    blob = httpx.get(f"{server.url}/api/tasks/natural-02/reference.png").content
    assert base64.b64decode(png["blob"]) == blob


def test_the_prompt_explains_the_game_for_its_task(server: Server) -> None:
    async def scene(agent: Agent) -> str:
        prompt = (await agent.client.list_prompts()).prompts[0]
        assert prompt.name == "paint" and prompt.arguments and prompt.arguments[0].required
        answer = await agent.client.get_prompt("paint", {"task_id": "natural-01"})
        return answer.messages[0].content.text  # type: ignore[union-attr]

    words = play(server.url, scene)
    for word in ("natural-01", "128 steps", "start_session", "observe", "brush_stroke", "benchmark", *stroke(0)):
        assert word in words


def test_task_ids_are_completed_as_they_are_typed(server: Server) -> None:
    async def scene(agent: Agent) -> list[list[str]]:
        refs = (PromptReference(name="paint"), ResourceTemplateReference(uri="easel://tasks/{task_id}/reference.png"))
        typed = {"name": "task_id", "value": "abstract-1"}
        return [(await agent.client.complete(ref, typed)).completion.values for ref in refs]

    assert play(server.url, scene) == [[f"abstract-1{k}" for k in range(6)]] * 2


@pytest.mark.parametrize("era", MODES)
@pytest.mark.parametrize(
    "uri",
    [
        "easel://tasks/none/reference.png", "easel://tasks/..%2f..%2fetc/reference.png", "easel://tasks//reference.png",
        "easel://tasks/natural-01", "file:///etc/passwd", "easel://tasks/" + "x" * 5000, "easel://tasks/%00/reference.png",
        "easel://tasks/natural-01/reference.png/", "",
    ],
)  # fmt: skip
def test_what_is_no_resource_is_an_error_of_the_protocol(server: Server, era: str, uri: str) -> None:
    async def scene(agent: Agent) -> tuple[int, str]:
        with pytest.raises(MCPError) as refused:
            await agent.client.read_resource(uri)
        return refused.value.code, refused.value.message

    code, message = play(server.url, scene, MODES[era])
    assert code == -32602 and "There is no" in message


@pytest.mark.parametrize("era", MODES)
@pytest.mark.parametrize(
    "name, arguments", [("paint", None), ("paint", {"task_id": "none"}), ("other", {"task_id": "natural-01"})]
)
def test_a_prompt_without_its_task_is_an_error_of_the_protocol(
    server: Server, era: str, name: str, arguments: dict[str, str] | None
) -> None:
    async def scene(agent: Agent) -> int:
        with pytest.raises(MCPError) as refused:
            await agent.client.get_prompt(name, arguments)
        return refused.value.code

    assert play(server.url, scene, MODES[era]) == -32602


@pytest.fixture(scope="module")
def tools(server: Server) -> dict[str, Tool]:
    async def scene(agent: Agent) -> list[Tool]:
        return list((await agent.client.list_tools()).tools)

    return {tool.name: tool for tool in play(server.url, scene)}


def test_the_tools_are_those_of_the_contract(tools: dict[str, Tool]) -> None:
    begin, act = ["start_session", "continue_session"], ["brush_stroke", "undo", "submit"]
    assert list(tools) == ["list_tasks", *begin, "observe", *act, "get_scores"]
    assert all(tool.title and tool.description and tool.annotations for tool in tools.values())


def test_the_strokes_schema_is_that_of_rest(tools: dict[str, Tool], client: TestClient) -> None:
    description = client.get("/api/openapi.json").json()
    rest: dict[str, Any] = description["components"]["schemas"]["Stroke"]["properties"]
    schema = tools["brush_stroke"].input_schema
    for name in STROKE_FIELDS:
        want = {key: value for key, value in rest[name].items() if key != "title"}
        if name in LOOK_FIELDS:
            want["description"] += " Needed in a reconstruction; left out in a semantic task."
        assert schema["properties"][name] == want
        assert {"minimum", "maximum", "description", "examples"} <= set(want)
    assert set(PATH_FIELDS) < set(schema["required"]) and not set(LOOK_FIELDS) & set(schema["required"])
    assert schema["additionalProperties"] is False


def nodes(schema: Any) -> list[dict[str, Any]]:
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else []
    found = [node for entry in inner for node in nodes(entry)]
    return [schema, *found] if isinstance(schema, dict) else found


def test_schemas_can_be_read_by_any_client(tools: dict[str, Tool]) -> None:
    for tool in tools.values():
        for schema in (tool.input_schema, tool.output_schema or {}):
            assert all("$ref" not in node and "$defs" not in node for node in nodes(schema))
            assert all("pattern" not in node for node in nodes(schema)), (
                "ours know Unicode classes, JavaScript's do not"
            )
        assert all(entry.get("description") for entry in tool.input_schema["properties"].values())
        assert tool.input_schema["type"] == "object"


def test_only_the_tool_that_shows_pictures_has_no_structured_output(tools: dict[str, Tool]) -> None:
    assert [name for name, tool in tools.items() if not tool.output_schema] == ["observe"]


def test_the_hints_say_what_the_tools_do(tools: dict[str, Tool]) -> None:
    hints = {name: tool.annotations for name, tool in tools.items() if tool.annotations}
    assert [name for name, hint in hints.items() if hint.read_only_hint] == ["list_tasks", "get_scores"]
    assert [name for name, hint in hints.items() if hint.destructive_hint] == ["undo"]
    repeatable = {name for name, hint in hints.items() if hint.idempotent_hint}
    assert repeatable == {"list_tasks", "observe", "submit", "get_scores"}
    assert not any(hint.open_world_hint for hint in hints.values())
