"""Ask a scripted judge for one verdict."""

from __future__ import annotations

from easel_app.llm import Reply, Request
from easel_app.rubrics.judge import Judgement, Material, judge
from tests.endpoint import Body, Script, endpoint
from tests.llm.conftest import client, run

Heard = list[tuple[Request, Reply]]


def verdict_of(
    script: Script, material: Material, criterion: str = 'Says "zebra".', heard: Heard | None = None
) -> tuple[Judgement, list[Body]]:
    """What the judge says, and the requests that it got. Raises as `judge` does."""
    kept: Heard = [] if heard is None else heard

    async def go() -> Judgement:
        async with client(running, spare=("temperature",)) as asked:
            return await judge(asked, material, criterion, 0.0, lambda request, reply: kept.append((request, reply)))

    with endpoint(script) as running:
        found = run(go())
    return found, [request.body for request in running.requests]
