"""A scripted OpenAI-compatible endpoint: it paints, and it has every fault that endpoints and models have.

In a test: `with endpoint(faulty("429-seconds", once())) as running: ... running.url ... running.requests`.
As a process: `python -m tests.endpoint --port 8000 --latency 0.05 --script painter --fault strings:share=0.1`.
"""

from tests.endpoint.app import Answer, Body, Headers, Recorded, Running, Script, endpoint
from tests.endpoint.faults import FAULTS, always, every, faulty, once, redirect, share, with_faults
from tests.endpoint.painter import completion, digest, painter, say, stroke

__all__ = [
    "FAULTS",
    "Answer",
    "Body",
    "Headers",
    "Recorded",
    "Running",
    "Script",
    "always",
    "completion",
    "digest",
    "endpoint",
    "every",
    "faulty",
    "once",
    "painter",
    "redirect",
    "say",
    "share",
    "stroke",
    "with_faults",
]
