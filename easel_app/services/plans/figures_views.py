"""What callers see of scores of plans, of agreement on them, and of what is published."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, computed_field

from easel_app.plans.reports import Inspector
from easel_app.scoring.gap_pairing import Pairing
from easel_app.scoring.judge_agreement import JudgeAgreement, Slice
from easel_app.scoring.number_agreement import NumberAgreement
from easel_app.scoring.plan import Aggregation, Gap, Policy
from easel_app.scoring.plan_table import Overlap, Rate
from easel_app.scoring.rank_correlation import RankCorrelation
from easel_app.scoring.tier_agreement import TierAgreement
from easel_app.scoring.uncertainty import Estimate, wilson_ends

Verdict = Literal["accept", "revise", "reject"]
Metric = Literal["fs", "sr", "mi", "tool_f1"]
Grouping = Literal["tool", "category", "planner", "status"]
PEOPLE = "people"
"""What stands for all people where an inspection's id stands for a judge."""


class Warn(BaseModel):
    """Something to say beside figures."""

    code: str = Field(description="Names the warning.")
    text: str = Field(description="One or two sentences.")


class Rater(BaseModel):
    """Whose word a row of figures is."""

    by: str = Field(description="An inspection's id, or `people`.")
    judge: str = Field(description="How to show it; no two are alike. `People (3 reviewers)` for people.")
    kind: Literal["judge", "people"] = Field(description="A judge, or people.")
    origin: Literal["run", "imported", "people"] = Field(description="Asked here, imported with data, or people.")
    models: dict[Inspector, str] = Field(description="Of a judge, as far as known.")
    one_model: bool = Field(description="Whether one model has all three roles.")
    plans: dict[Inspector, int] = Field(
        description="Plans with a report of each inspector; of people: whose calls, gaps or FS somebody gave."
    )


class ScoreRow(BaseModel):
    """What one judge, or people, make of one planner."""

    planner: str = Field(description="Who planned.")
    by: str = Field(description="As in `raters`.")
    category: str | None = Field(description="Null for all queries.")
    plans: int = Field(description="Plans; of people: those of which somebody said something.")
    verdicts: int = Field(
        description="What the figures are taken over: of a judge its plans; of people one for each person and plan, so "
        "a plan that three people scored has three in the means."
    )
    queries: int = Field(description="Queries that these plans answer.")
    open: int = Field(description="Queries that stay out of SR since a call of theirs has no verdict.")
    without_calls: int = Field(description="Queries that say nothing of SR since their plans have no call.")
    sr: dict[Policy, dict[Aggregation, Rate]] = Field(description="`strict` and `no_fail`, [0, 1].")
    partial_credit: dict[Aggregation, Rate] = Field(description="[0, 1]; never called SR.")
    mi: Estimate = Field(description="Gaps per plan with a report; lower is better.")
    gaps: dict[Gap, Estimate] = Field(description="The same of each kind.")
    fs: Estimate = Field(description="Mean final score, [0, 100].")
    tiers: dict[str, int] = Field(description="Plans by tier, the best first.")


class PlainRow(BaseModel):
    """What can be said of one planner without any judge."""

    planner: str = Field(description="Who planned.")
    category: str | None = Field(description="Null for all queries.")
    plans: int = Field(description="Answers that are plans.")
    queries: int = Field(description="Queries that they answer.")
    no_output: int = Field(description="Answers that are none, such as after a time-out; they are in no other number.")
    without_calls: int = Field(description="Plans that call no tool.")
    adoption: dict[str, Estimate] = Field(description="Percent of the plans that use each tool, [0, 100].")
    tool_sets: Overlap = Field(description="Tools used, against those of the reference answer, [0, 1].")
    image_sets: Overlap = Field(description="Images cited, against those of the reference answer, [0, 1].")
    image_order: Estimate = Field(description="[0, 1]; 1 is the reference's order.")
    out_of_range: Estimate = Field(description="Citations beyond the pool, per plan.")
    duplicates: Estimate = Field(description="Citations of an image cited before, per plan.")
    invalid_rate: Estimate = Field(description="Share of the calls that could not be read, [0, 1].")


class Series(BaseModel):
    """A list of numbers, one for each planner or plan."""

    by: str | None = Field(description="As in `raters`; null for what needs no judge (`tool_f1`).")
    metric: Metric = Field(description="`sr` is strict and micro.")
    negated: bool = Field(default=False, description="Whether it is turned round, as MI is beside what is better high.")


class Ranks(BaseModel):
    """How alike two lists order the same things."""

    over: Literal["planners", "plans"] = Field(description="What is put in order.")
    first: Series = Field(description="One list.")
    second: Series = Field(description="The other.")
    ranks: RankCorrelation = Field(description="Spearman's rho, Kendall's tau-b.")


class PlanScores(BaseModel):
    """What the planners of a set score, by each judge and by people, and how alike these order them."""

    set_id: str = Field(description="The set.")
    sample: bool = Field(description="Whether the set was made up, so that no figure of it means anything.")
    version: str = Field(description="Of the definitions.")
    raters: list[Rater] = Field(description="Judges with a report, the oldest first, then people if anybody voted.")
    categories: list[str] = Field(description="Of the queries, in alphabetical order.")
    planners: list[str] = Field(description="In alphabetical order.")
    rows: list[ScoreRow] = Field(description="By planner and rater; that of all queries first, then by category.")
    plain: list[PlainRow] = Field(description="By planner; that of all queries first, then by category.")
    ranks: list[Ranks] = Field(
        description="Of people only what they said blind. Over planners within each judge and between each two; over "
        "plans between each two."
    )
    warnings: list[Warn] = Field(description="What to keep in mind.")


class Share(BaseModel):
    """A share with Wilson's 95 % interval."""

    k: int = Field(description="How many.")
    n: int = Field(description="Of how many.")
    value: float | None = Field(description="Null without any.")
    low: float | None = Field(description="Lower end of the interval.")
    high: float | None = Field(description="Upper end.")


class WorstCall(BaseModel):
    """A call on whose success people differ from the judge."""

    answer: int = Field(description="The plan.")
    query_id: str = Field(description="Its query.")
    planner: str = Field(description="Who planned.")
    attempt: int = Field(description="Which answer of theirs.")
    call: int = Field(description="Number of the call.")
    tool: str | None = Field(description="Of the registry; null for none.")
    judge: bool = Field(description="Whether it succeeds by the judge; by those who differ it does the opposite.")
    votes: int = Field(description="Blind words on it.")
    differing: int = Field(description="Those that differ.")
    surely: float = Field(description="Lower end of Wilson's 95 % interval of the share that differs; sorted by it.")


class WeakGroup(BaseModel):
    """Calls on which the judge agrees less with people than on all calls together."""

    grouping: Grouping = Field(description="What the calls have in common.")
    label: str = Field(description="Which of these.")
    n: int = Field(description="Verdicts of people beside one of the judge.")
    percent: float = Field(description="Share of them that are the same, [0, 1].")
    kappa: float = Field(description="Cohen's.")
    surely: bool = Field(description="Whether its 95 % interval, too, lies below the kappa of all calls.")


class PrecisionAgreement(BaseModel):
    """Calls: the Precision Inspector beside people's blind verdicts. What is Met is a call that succeeds."""

    success: JudgeAgreement = Field(
        description="Policy strict. A row is a call, its cluster the query. Groups: `tool`, `category`, `planner`, and "
        "`status` (of plans that somebody voted on)."
    )
    parts: dict[str, Slice] = Field(
        description="`necessary`, `boundary_ok`; then `placement`, `coherence`, `parameters`, `format`, each whether "
        "the score is 2."
    )
    worst: list[WorstCall] = Field(description="Calls on which people differ, the surest first.")
    weakest: list[WeakGroup] = Field(
        description="On what to trust the judge least: of all groups with 20 verdicts or more whose kappa lies below "
        "that of all calls, the three with the lowest; those among them that lie there `surely` are no chance of a few "
        "calls, though of many groups one in forty or so does so by chance."
    )


class Upheld(BaseModel):
    """What people say of the judge's own gaps, by their present words."""

    votes: Share = Field(description="Words that uphold a gap, of all words.")
    gaps: Share = Field(description="Gaps that more uphold than not, of the gaps with a word; half each does not.")
    by_type: dict[Gap, Share] = Field(description="Words, by the gap's kind.")
    by_severity: dict[Literal["minor", "major"], Share] = Field(description="Words, by the gap's severity.")
    reported: int = Field(description="All gaps of the judge.")


class RecallAgreement(BaseModel):
    """Gaps: the Recall Inspector beside people's blind lists. What is Met is a place with a gap."""

    places: JudgeAgreement = Field(
        description="A row is a place of a plan (before its first block, or after one), its cluster the query. Groups: "
        "`category`, `planner`."
    )
    judge_person: list[Pairing] = Field(description="Gaps paired exactly (tolerance 0), then one block apart.")
    person_person: list[Pairing] = Field(description="The ceiling, each two lists entered both ways.")
    upheld: Upheld = Field(description="What people say of the judge's gaps once they see them.")
    mi: NumberAgreement = Field(description="Gaps per plan.")


class PlanVerdicts(BaseModel):
    """What people say blind of whole plans, beside the judge's final scores."""

    verdicts: list[Verdict] = Field(description="Names of the rows.")
    tiers: list[str] = Field(description="The lowest first.")
    table: list[list[int]] = Field(description="Rows verdicts, columns the judge's tiers.")
    mean_fs: list[float | None] = Field(description="The judge's mean final score by verdict.")
    unjudged: int = Field(description="Verdicts on plans without a final score of the judge.")


class ChiefAgreement(BaseModel):
    """Final scores: the Chief Judge beside people's blind ones."""

    fs: NumberAgreement = Field(description="Final scores as numbers.")
    good: JudgeAgreement = Field(
        description="Whether FS is 60 or above, which is Met. A row is a plan, its cluster the query. Groups: "
        "`category`, `planner`."
    )
    judge_person: TierAgreement = Field(description="By tiers.")
    person_person: TierAgreement = Field(description="The ceiling, each two scores entered both ways.")
    plans: PlanVerdicts = Field(description="Verdicts on whole plans.")


class PublishedAgreement(BaseModel):
    """What is published of an inspector's agreement with people."""

    inspector: Inspector = Field(description="Which one.")
    percent: float = Field(description="As it is printed.")
    n: int = Field(description="Queries; what was compared on each is not stated.")

    @computed_field(description="Wilson's 95 % interval in percent; ours, as if each query were one verdict.")  # type: ignore[prop-decorator]
    @property
    def interval(self) -> tuple[float, float]:
        """Its ends."""
        low, high = wilson_ends(self.percent / 100 * self.n, self.n)
        return 100 * float(low), 100 * float(high)


class LeftOut(BaseModel):
    """What became of people's words that are not in the agreement."""

    after_reveal: int = Field(description="Present words that are not the blind ones.")
    withdrawn: int = Field(description="Blind words that were taken back.")


class Agreement(BaseModel):
    """How far to trust three inspectors: each number with n and a 95 % interval by resampling queries."""

    set_id: str = Field(description="The set.")
    sample: bool = Field(description="Whether the set was made up.")
    inspection_id: str | None = Field(description="Null when the set has no judge.")
    judge: str | None = Field(description="Its name.")
    models: dict[Inspector, str] = Field(description="The model in each role, as far as known.")
    version: str = Field(description="Of the definitions.")
    resamples: int = Field(description="Of the queries.")
    reviewers: list[str] = Field(description="People with blind words, in the order of every list by reviewer.")
    precision: PrecisionAgreement = Field(description="On calls.")
    recall: RecallAgreement = Field(description="On gaps.")
    chief: ChiefAgreement = Field(description="On final scores.")
    published: list[PublishedAgreement] = Field(description="As published, for comparison only.")
    standing: LeftOut = Field(description="Words that are not among these.")
    hidden: int = Field(description="Calls that wait for your blind word; `worst` leaves them out.")
    warnings: list[Warn] = Field(description="What to keep in mind.")


class PublishedPlanner(BaseModel):
    """A planner's published averages."""

    planner: str = Field(description="The model.")
    fs: float = Field(description="Mean final score, [0, 100].")
    sr_percent: float = Field(description="SR in percent; its policy is not stated.")
    mi: float = Field(description="Gaps per answer.")


class PublishedCell(BaseModel):
    """A published number of one planner under some condition."""

    planner: str = Field(description="The model.")
    under: str = Field(description="The condition.")
    metric: Literal["fs", "sr_percent", "mi"] = Field(description="Which number.")
    value: float = Field(description="As printed.")


class PublishedShots(BaseModel):
    """A planner's published averages with and without examples in the prompt."""

    planner: str = Field(description="The model.")
    setting: str = Field(description="Such as `3-shot`.")
    fs: float = Field(description="Mean final score, [0, 100].")
    sr_percent: float = Field(description="SR in percent.")
    mi: float = Field(description="Gaps per answer.")


class PublishedTable(BaseModel):
    """Published numbers with the conditions that they hold under."""

    title: str = Field(description="As we call it.")
    n: int = Field(description="Queries.")
    conditions: str = Field(description="What it holds under.")
    warning: str = Field(description="Empty when there is none.")
    missing: str = Field(description="What of the table no source gives.")


class FullTable(PublishedTable):
    """Averages over the whole benchmark."""

    rows: list[PublishedPlanner] = Field(description="Best first.")
    cells: list[PublishedCell] = Field(description="The only cells by category; `under` is the category.")


class ShotsTable(PublishedTable):
    """The ablation of examples in the prompt."""

    rows: list[PublishedShots] = Field(description="As published.")


class JudgesTable(PublishedTable):
    """One planner under two judges."""

    rows: list[PublishedCell] = Field(description="`under` is the judge.")


class PublishedRanks(BaseModel):
    """A published rank correlation over planners."""

    first: str = Field(description="One metric.")
    second: str = Field(description="The other.")
    rho: float = Field(description="Spearman's.")
    p: str | None = Field(description="As it is printed.")


class PublishedPlans(BaseModel):
    """The benchmark's published results, for reference: never in one table with ours."""

    title: str = Field(description="Of the paper.")
    source: str = Field(description="Where it stands.")
    url: str = Field(description="Of the paper.")
    status: str = Field(description="How the values were taken over.")
    warning: str = Field(description="Why they are not comparable with ours.")
    licence: str = Field(description="What is known of it.")
    full: FullTable = Field(description="Averages over all queries.")
    ablation: ShotsTable = Field(description="Of 800 queries with its own baselines: never mixed with `full`.")
    judges: JudgesTable = Field(description="How much the judge matters.")
    ranks: list[PublishedRanks] = Field(description="Between metrics, over planners.")
    agreement: list[PublishedAgreement] = Field(description="Of each inspector with people.")
    notes: list[str] = Field(description="What else to keep in mind.")
