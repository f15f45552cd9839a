"""Run all benchmarks, or those that are named (python -m benchmarks results).

Exit code 1 when a number that we promise does not hold.
"""

from __future__ import annotations

import os
import platform
import sys

import benchmarks.handwriting.__main__ as handwriting
from benchmarks import (
    agents,
    agreement,
    browser,
    crash,
    credit,
    exports,
    llm,
    maze,
    mcp,
    outline,
    painters,
    panel,
    plan_metrics,
    plans,
    references,
    results,
    review,
    reward,
    rubric_import,
    runs,
    sandbox,
    session,
    startup,
    step,
    tool_analysis,
    tool_runs,
    trajectories,
    watch,
)


def main() -> int:
    """Print the machine, then each benchmark."""
    print(f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores")
    modules = (
        step,
        painters,
        references,
        trajectories,
        reward,
        maze,
        outline,
        credit,
        handwriting,
        session,
        mcp,
        agents,
        llm,
        runs,
        sandbox,
        tool_runs,
        results,
        agreement,
        panel,
        tool_analysis,
        plans,
        plan_metrics,
        exports,
        rubric_import,
        startup,
        crash,
        browser,
        watch,
        review,
    )
    named = {f"benchmarks.{name}" for name in sys.argv[1:] if not name.startswith("-")}
    chosen = [module for module in modules if not named or module.__name__.removesuffix(".__main__") in named]
    held = {module.__name__: module.main() for module in chosen}
    print()
    for name, good in held.items():
        print(f"{name}: {'holds' if good else 'DOES NOT HOLD'}")
    return 0 if all(held.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
