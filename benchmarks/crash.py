"""Thirty rounds of kill -9 under load. Run: python -m benchmarks.crash [--quick]."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.crash.test_kill import PAINTERS, kill_rounds


def main() -> bool:
    """Kill the server at random moments; an acknowledged action that is lost fails an assertion."""
    rounds = 5 if "--quick" in sys.argv else 30
    with tempfile.TemporaryDirectory() as folder:
        total = kill_rounds(Path(folder), rounds, seed=1)
    print(f"\nkill -9: {rounds} rounds, {PAINTERS} painters, {total} acknowledged actions, 0 lost, logs contiguous,")
    print("canvas digests after replay equal, integrity_check ok")
    return True


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
