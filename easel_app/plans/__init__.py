"""Interleaved tool plans: read, lint, judge and inspect them.

Plans and scores are those of ATP-Bench (arXiv 2603.29902), with the call format of its closest published relative,
LLM-I (arXiv 2509.13642), read too.
"""

from easel_app.plans.parser import guess_index_base, parse_plan
from easel_app.plans.records import Block, Call, Plan, Problem, Segment, Severity, Span, Status

__all__ = [
    "Block",
    "Call",
    "Plan",
    "Problem",
    "Segment",
    "Severity",
    "Span",
    "Status",
    "guess_index_base",
    "parse_plan",
]
