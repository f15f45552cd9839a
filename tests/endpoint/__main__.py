"""The scripted endpoint as a process; prints its address when it answers."""

from __future__ import annotations

import argparse
from typing import Any

import uvicorn

from tests.endpoint.app import App, Script, configuration
from tests.endpoint.faults import rule, with_faults
from tests.endpoint.inspector import inspector
from tests.endpoint.judge import grader
from tests.endpoint.painter import painter
from tests.endpoint.planner import planner
from tests.endpoint.tool_user import sample_judge, tool_user

SCRIPTS: dict[str, Script] = {
    "painter": painter,
    "judge": grader,
    "inspector": inspector,
    "planner": planner,
    "tool-user": tool_user(),
    "sample-judge": sample_judge,
}


class Server(uvicorn.Server):
    """Tells where it answers."""

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            print(f"http://127.0.0.1:{self.servers[0].sockets[0].getsockname()[1]}/v1", flush=True)


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes any free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds from a request's arrival to its answer")
    parser.add_argument("--script", choices=SCRIPTS, default="painter")
    parser.add_argument("--fault", type=rule, action="append", default=[], help="NAME[:once|:every=N|:share=P[,first]]")
    given = parser.parse_args()
    app = App(with_faults(SCRIPTS[given.script], *given.fault), given.latency, keep=False)
    Server(configuration(app, given.port)).run()


if __name__ == "__main__":
    main()
