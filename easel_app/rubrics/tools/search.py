"""Web search by a service that answers as SearXNG does: `GET …/search?q=…&format=json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from easel_app.rubrics.tools.asking import NoAnswer, ask, rows
from easel_app.rubrics.tools.observation import Observation
from easel_app.rubrics.tools.payloads import failure, one_line
from easel_app.scoring.tool_schemas import BY_NAME

DEFAULT_RESULTS: int = BY_NAME["google_search"].params["num_results"]["default"]
MOST_QUERY = 400
"""Characters that are searched for."""
MOST_TITLE, MOST_SNIPPET, MOST_URL = 200, 500, 1000
"""Characters of each part of a hit."""


class Search:
    """The tool, on a service of the host's."""

    backend = "service"

    def __init__(self, address: str) -> None:
        """Ask this service; `/search` is added unless the address ends in it."""
        base = address.rstrip("/")
        self._address = base if base.endswith("/search") else f"{base}/search"

    async def __call__(self, arguments: Mapping[str, Any]) -> Observation:
        """`results` of title, snippet, url and display_link, `query`, `status`, `total_results`; or `error`."""
        query = one_line(arguments["query"], MOST_QUERY)
        if not query:
            return failure("There is nothing to search for: the query is blank.", query=query)
        try:
            answer = await ask("search", self._address, {"q": query, "format": "json"})
        except NoAnswer as error:
            return failure(str(error), query=query)
        hits = [hit for row in rows(answer.get("results")) if (hit := _hit(row))]
        most = int(arguments.get("num_results", DEFAULT_RESULTS))
        return Observation({"results": hits[:most], "query": query, "status": "success", "total_results": len(hits)})


def _hit(row: Mapping[str, Any]) -> dict[str, str] | None:
    """One hit; None for what leads to no page."""
    url = one_line(row.get("url"), MOST_URL + 1)
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host or len(url) > MOST_URL:
        return None
    title, snippet = one_line(row.get("title"), MOST_TITLE), one_line(row.get("content"), MOST_SNIPPET)
    return {"title": title, "snippet": snippet, "url": url, "display_link": host}
