"""How long a warm server takes to answer, and that it compiles nothing. Run: python -m benchmarks.startup."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import httpx

from tests.conftest import Session, serving

LIMIT = 10.0
"""Seconds from the command to the first answer."""


def main() -> bool:
    """Start the server three times on one folder; time the first answer and the first stroke."""
    print(f"\nServer from a warm cache (s; limit {LIMIT:.0f})")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):
            start = time.perf_counter()
            with serving(Path(folder)) as server, httpx.Client(base_url=server.url) as client:
                assert client.get("/").status_code == 200
                ready = time.perf_counter() - start
                session = Session(client, task_id="natural-01")
                start = time.perf_counter()
                session.paint(1)
                stroke = (time.perf_counter() - start) * 1e3
                print(f"page after {ready:.2f}; first stroke of a new process {stroke:.1f} ms")
                good &= ready <= LIMIT
    return good


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
