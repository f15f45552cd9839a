"""The MCP server: tools, task references as resources, the prompt that explains the game."""

from __future__ import annotations

import re
from base64 import b64encode
from typing import Any
from urllib.parse import unquote

import mcp_types as types
from mcp.server import CacheHint, Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import TypeAdapter
from starlette.concurrency import run_in_threadpool

from easel_app import __version__
from easel_app.painting.tasks import Task
from easel_app.services.problems import NotFound
from easel_app.services.studio import Studio
from easel_app.web.mcp import guide
from easel_app.web.mcp.schemas import TaskRow
from easel_app.web.mcp.tools import SPECS, Hands, call, row_of

TASKS = "easel://tasks"
REFERENCE = "easel://tasks/{task_id}/reference.png"
_REFERENCE = re.compile(r"easel://tasks/([^/]{1,200})/reference\.png")
MOST_COMPLETIONS = 100
"""Values that one completion may carry (MCP)."""
Context = ServerRequestContext[Any, Any]
ROWS = TypeAdapter(list[TaskRow])


def create_server(studio: Studio) -> Server[Any]:
    """The server for a studio; it keeps nothing between two requests.

    It is the SDK's low-level server: the high-level one words errors itself and sets up the process's logging.
    """
    tools = [spec.described() for spec in SPECS]
    schemas = {tool.name: tool.input_schema for tool in tools}

    async def list_tools(_: Context, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        site = str(context.request.base_url).rstrip("/") if context.request else ""
        return await run_in_threadpool(call, Hands(studio, site), params.name, params.arguments)

    async def list_resources(_: Context, __: Any) -> types.ListResourcesResult:
        listed = types.Resource(
            uri=TASKS,
            name="tasks",
            title="All tasks",
            description="What can be painted, as JSON: the rows of list_tasks.",
            mime_type="application/json",
        )
        return types.ListResourcesResult(resources=[listed])

    async def list_templates(_: Context, __: Any) -> types.ListResourceTemplatesResult:
        reference = types.ResourceTemplate(
            uri_template=REFERENCE,
            name="reference",
            title="Reference of a task",
            description="The picture to paint.",
            mime_type="image/png",
        )
        return types.ListResourceTemplatesResult(resource_templates=[reference])

    async def read_resource(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        if uri == TASKS:
            rows = [row_of(task) for task in studio.tasks.list()]
            text = ROWS.dump_json(rows).decode()
            listed = types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
            return types.ReadResourceResult(contents=[listed])
        found = _REFERENCE.fullmatch(uri)
        if not found:
            message = f"There is no such resource; {TASKS} lists the tasks, {REFERENCE} is the picture of one."
            raise MCPError(types.INVALID_PARAMS, message, {"uri": uri[:300]})
        task = await run_in_threadpool(_task, studio, unquote(found[1]))
        picture = types.BlobResourceContents(uri=uri, mime_type="image/png", blob=b64encode(task.png).decode())
        return types.ReadResourceResult(contents=[picture])

    async def list_prompts(_: Context, __: Any) -> types.ListPromptsResult:
        task_id = types.PromptArgument(name="task_id", description="Which task to paint.", required=True)
        prompt = types.Prompt(
            name="paint",
            title="Paint a task",
            description="Explains the game and how to paint one task.",
            arguments=[task_id],
        )
        return types.ListPromptsResult(prompts=[prompt])

    async def get_prompt(_: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        task_id = (params.arguments or {}).get("task_id")
        if params.name != "paint" or not task_id:
            raise MCPError(types.INVALID_PARAMS, "There is one prompt, `paint`; it needs the argument task_id.")
        task = await run_in_threadpool(_task, studio, task_id)
        message = types.PromptMessage(role="user", content=types.TextContent(text=guide.paint(task)))
        return types.GetPromptResult(description=f"Paint {task.title}", messages=[message])

    async def complete(_: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        typed = params.argument.value
        ids = [task.id for task in studio.tasks.list() if task.id.startswith(typed)]
        fitting = ids if params.argument.name == "task_id" else []
        return types.CompleteResult(
            completion=types.Completion(
                values=fitting[:MOST_COMPLETIONS], total=len(fitting), has_more=len(fitting) > MOST_COMPLETIONS
            )
        )

    fixed = CacheHint(ttl_ms=600_000, scope="public")
    return Server(
        "easel-studio",
        title="Easel Studio",
        version=__version__,
        instructions=guide.INSTRUCTIONS,
        cache_hints={
            "tools/list": fixed,
            "prompts/list": fixed,
            "resources/list": fixed,
            "resources/templates/list": fixed,
        },
        get_tool_input_schema=schemas.get,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_completion=complete,
    )


def _task(studio: Studio, task_id: str) -> Task:
    try:
        return studio.tasks.get(task_id)
    except (NotFound, UnicodeEncodeError) as fault:  # half a character of JSON is in no id either
        message = f"There is no task of that id; {TASKS} and list_tasks name them all."
        raise MCPError(types.INVALID_PARAMS, message) from fault
