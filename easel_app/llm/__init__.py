"""One client for OpenAI-compatible endpoints: retries, limits, structured output, and a key that stays inside."""

from easel_app.llm.client import Client
from easel_app.llm.endpoint import Endpoint
from easel_app.llm.problems import BudgetSpent, EndpointError, EndpointRefused, EndpointUnreachable, Unreadable
from easel_app.llm.records import Reply, Request, Retry, ToolCall, Usage
from easel_app.llm.spending import Budget
from easel_app.llm.structured import Structured, ask

__all__ = [
    "Budget",
    "BudgetSpent",
    "Client",
    "Endpoint",
    "EndpointError",
    "EndpointRefused",
    "EndpointUnreachable",
    "Reply",
    "Request",
    "Retry",
    "Structured",
    "ToolCall",
    "Unreadable",
    "Usage",
    "ask",
]
