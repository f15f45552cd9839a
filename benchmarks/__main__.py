"""Run all benchmarks; exit code 1 when a number that we promise does not hold."""

from __future__ import annotations

import os
import platform
import sys

import benchmarks.handwriting.__main__ as handwriting
from benchmarks import agents, browser, crash, llm, maze, mcp, outline, painters, runs, session, startup, step


def main() -> int:
    """Print the machine, then each benchmark."""
    print(f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores")
    modules = (step, painters, maze, outline, handwriting, session, mcp, agents, llm, runs, startup, crash, browser)
    held = {module.__name__: module.main() for module in modules}
    print()
    for name, good in held.items():
        print(f"{name}: {'holds' if good else 'DOES NOT HOLD'}")
    return 0 if all(held.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
