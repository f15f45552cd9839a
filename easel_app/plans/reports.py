"""What the three inspectors of a plan report: Precision, Recall and Chief, as data that is whole in itself.

The roles, gates, criteria, kinds of gaps and tiers are those of ATP-Bench (arXiv 2603.29902, its judge MAM). The
benchmark's own JSON could not be read, so these shapes are ours. Whether a report fits its plan is another matter: see
`plans.checking`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field, StringConstraints, model_validator

from easel_app.scoring.plan import TIERS, Gap, call_credit, fs_tier
from easel_app.sources.fields import Record, Words

INSPECTORS: Final = ("precision", "recall", "chief")
Inspector = Literal["precision", "recall", "chief"]
Tool = Literal["reference", "diffusion", "search", "code", "edit"]
MOST_SAID = 20_000
"""Characters of a reason, a summary or a quote."""
MOST_GAPS = 200
Said = Annotated[Words, StringConstraints(max_length=MOST_SAID)]
Score = Annotated[int, Field(ge=0, le=2, strict=True)]


class CallScores(Record):
    """How good a call is by each criterion: 0 wrong, 1 with a fault, 2 right."""

    placement: Score = Field(description="Semantic placement: it stands after the paragraph that it belongs to.")
    coherence: Score = Field(description="Structural coherence: it fits the flow of the document, without redundancy.")
    parameters: Score = Field(description="Parameter accuracy: index, prompt, query, data say what is needed.")
    format: Score = Field(description="Format correctness.")


class CallVerdict(Record):
    """What is said of one call: two gates and four scores."""

    necessary: bool = Field(strict=True, description="Gate 1: the picture adds value to the document.")
    boundary_ok: bool = Field(strict=True, description="Gate 2: the tool is the right one for this need.")
    scores: CallScores = Field(description="By criterion.")

    @property
    def success(self) -> bool:
        """Whether it succeeds under the policy `strict`: both gates pass and all scores are 2."""
        return call_credit(self.model_dump()).strict == 1


class CallReport(CallVerdict):
    """What the Precision Inspector says of one call."""

    call_id: int = Field(ge=1, strict=True, description="Calls are numbered from 1 in the order of the text.")
    reason: Said = Field(description="In one to three sentences.")
    suggested_tool: Tool | None = Field(default=None, description="The right tool, where another one was called for.")


class PrecisionReport(Record):
    """What the Precision Inspector says of a plan's calls."""

    calls: tuple[CallReport, ...] = Field(max_length=5000, description="Each call of the plan once.")
    summary: Said = Field(description="Of all calls.")


class GapReport(Record):
    """A place where a picture is missing."""

    gap_id: int = Field(ge=1, strict=True, description="Numbered from 1.")
    type: Gap = Field(description="Its kind.")
    anchor_quote: Said = Field(description="The passage of the plan that needs a picture, word for word.")
    after_block: int = Field(ge=0, strict=True, description="The block after which it is missing; 0: before the first.")
    suggested_tool: Tool = Field(description="That would fill it.")
    severity: Literal["minor", "major"] = Field(description="How much the document lacks.")
    reason: Said = Field(description="In one to three sentences.")


class RecallReport(Record):
    """What the Recall Inspector says of a plan."""

    gaps: tuple[GapReport, ...] = Field(max_length=MOST_GAPS, description="None if no picture is missing.")
    mi: int = Field(ge=0, strict=True, description="Missed images: the number of gaps.")
    summary: Said = Field(description="Of all gaps.")


class ChiefReport(Record):
    """What the Chief Judge says of a plan, both other reports read."""

    fs: int = Field(ge=0, le=100, strict=True, description="Final score.")
    tier: Literal["0-20", "20-40", "40-60", "60-80", "80-100"] = Field(description="Half open; 100 is in the highest.")
    reason: Said = Field(description="In one to three sentences.")
    decisive_calls: tuple[int, ...] = Field(
        default=(), max_length=5000, description="Numbers of the calls that decided it."
    )
    decisive_gaps: tuple[int, ...] = Field(
        default=(), max_length=MOST_GAPS, description="Numbers of the gaps that decided it."
    )

    @model_validator(mode="after")
    def _in_its_tier(self) -> ChiefReport:
        if fs_tier(self.fs).label != self.tier:
            raise ValueError(f"fs {self.fs} lies in the tier {fs_tier(self.fs).label}, not in {self.tier}")
        return self


Report = PrecisionReport | RecallReport | ChiefReport
MODELS: Final[dict[Inspector, type[Report]]] = {
    "precision": PrecisionReport,
    "recall": RecallReport,
    "chief": ChiefReport,
}
TIER_LABELS: Final = tuple(tier.label for tier in TIERS)


def report_of(inspector: Inspector, content: Any) -> Report:
    """The report that stored or imported data are.

    Raises:
        pydantic.ValidationError: they are none of that inspector.
    """
    return MODELS[inspector].model_validate(content)
