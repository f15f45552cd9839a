"""A sitting of an inspection: plans side by side, three inspectors on each, each report stored as it comes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pydantic import SecretStr

from easel_app.llm import Client
from easel_app.plans.inspecting_prompts import NAMES
from easel_app.plans.inspectors import VERSIONS, Finding, Material, inspect, unsendable
from easel_app.plans.reports import INSPECTORS, Inspector, Report, report_of
from easel_app.runs.asking import MOST_REASON, Asking, Unsendable
from easel_app.runs.exchanges import Exchanges
from easel_app.runs.inspection_settings import InspectionPlan, InspectionSettings
from easel_app.runs.sitting import budget_of, connect
from easel_app.services.ledger import now
from easel_app.services.plans.plans import Plans
from easel_app.sources.pictures import NoPicture
from easel_app.sources.showing import Picture, shown
from easel_app.store.inspections import ReportRow

Keys = Mapping[Inspector, SecretStr | None]
AHEAD = 2
"""Plans whose first two inspectors are asked before the Chief Judge of a plan, at least, lest he wait for them."""


class Wanted(NamedTuple):
    """One report on one plan."""

    answer: int
    """The answer's row id."""
    inspector: Inspector


class Inspecting(Asking[Wanted, Finding]):
    """One sitting of an inspection."""

    work, item, brings = "inspection", "report", "report"

    def __init__(
        self,
        plans: Plans,
        settings: InspectionSettings,
        plan: InspectionPlan,
        answers: Sequence[int],
        keys: Keys,
        wait: float = 1.0,
    ) -> None:
        """Prepare to ask for those reports on the answers that are not there yet; `play` does it.

        Waits between tries of a call are multiplied by `wait`.

        Raises:
            ValueError: the plan has a money limit without prices.
        """
        self.settings, self.inspection_id, self._plans = settings, settings.inspection_id, plans
        rows = {Wanted(r.answer, _role(r.inspector)): r for r in plans.inspections.reports(self.inspection_id)}
        self._last = {wanted: row.unscored for wanted, row in rows.items()}
        self._reports: dict[int, dict[Inspector, Report]] = defaultdict(dict)
        chosen = set(answers)
        for wanted, row in rows.items():
            if row.report is not None and wanted.answer in chosen:
                self._reports[wanted.answer][wanted.inspector] = report_of(wanted.inspector, row.report)
        super().__init__(self._order(answers, plan.concurrency), 3 * len(answers), plan.concurrency, VERSIONS)
        self._settled = {wanted: asyncio.Event() for wanted in self._left if wanted.inspector != "chief"}
        self._material = lru_cache(maxsize=4 + plan.concurrency)(self._read)
        self._clients = self._connect(plan, keys, wait)

    def _order(self, answers: Sequence[int], concurrency: int) -> list[Wanted]:
        """What is left to do: Chief after the two others, and plans that were tried in vain after all others.

        A report waits for others only if they stand before it, so that some report can always be worked at.
        """
        by_plan = [
            [Wanted(answer, each) for each in INSPECTORS if each not in self._reports.get(answer, {})]
            for answer in answers
        ]
        by_plan.sort(key=lambda of_plan: any(wanted in self._last for wanted in of_plan))
        lag = AHEAD + concurrency // 2
        placed = [
            (place + (lag if wanted.inspector == "chief" else 0), wanted)
            for place, of_plan in enumerate(by_plan)
            for wanted in of_plan
        ]
        return [wanted for _, wanted in sorted(placed, key=lambda each: each[0])]

    def _connect(self, plan: InspectionPlan, keys: Keys, wait: float) -> Mapping[Inspector, Client]:
        """A client for each role; roles of the same model at the same endpoint share one, and all share the budget."""
        budget = budget_of(plan, self._plans.inspections.spent(self.inspection_id))
        made: dict[object, Client] = {}
        found: dict[Inspector, Client] = {}
        for inspector in INSPECTORS:
            role, key, prices = self.settings.role(inspector), keys.get(inspector), plan.prices.get(inspector)
            limits = plan.model_copy(update=prices.model_dump()) if prices else plan
            same = (role.base_url, role.model, key.get_secret_value() if key else None, prices)
            if same not in made:
                spare = ("temperature",)
                made[same] = connect(role.base_url, role.model, key, limits, budget, wait, spare=spare)
            found[inspector] = made[same]
        return found

    @property
    def clients(self) -> Sequence[Client]:
        """Whom it asks, each once."""
        return list(dict.fromkeys(self._clients.values()))

    async def _try(self, wanted: Wanted) -> None:
        try:
            await super()._try(wanted)
        finally:
            if settled := self._settled.get(wanted):
                settled.set()

    async def _find(self, wanted: Wanted, exchanges: Exchanges) -> Finding:
        answer, inspector = wanted
        material = await asyncio.to_thread(self._material, answer)
        if inspector == "chief":
            await self._both(answer)
        exchanges.pictures = material.shown
        temperature, others = self.settings.role(inspector).temperature, self._reports[answer]
        return await inspect(self._clients[inspector], inspector, material, others, temperature, exchanges.hear)

    async def _both(self, answer: int) -> None:
        """Wait for the two reports that Chief reads.

        Raises:
            Unsendable: one of them is missing.
        """
        before: tuple[Inspector, ...] = ("precision", "recall")
        for inspector in before:
            if settled := self._settled.get(Wanted(answer, inspector)):
                await settled.wait()
        missing = [f"the {NAMES[inspector]}" for inspector in before if inspector not in self._reports[answer]]
        if missing:
            raise Unsendable(f"The {NAMES['chief']} reads both reports, and there is none of {' and '.join(missing)}.")

    async def _keep(self, wanted: Wanted, found: Finding | str, exchanges: Exchanges) -> None:
        if isinstance(found, str) and not exchanges.made and self.stopping and wanted.inspector == "chief":
            return  # the others' reports were not asked for any more, so nothing is known of Chief's
        await super()._keep(wanted, found, exchanges)
        if not isinstance(found, str):
            self._reports[wanted.answer][wanted.inspector] = found.report

    def _store(self, wanted: Wanted, found: Finding | str, exchanges: Exchanges) -> None:
        used, finding = exchanges.usage, None if isinstance(found, str) else found
        unscored = found[:MOST_REASON] if isinstance(found, str) else ""
        if not exchanges.made and unscored and self._last.get(wanted) == unscored:
            return  # nothing was asked, and nothing is new
        row = ReportRow(
            inspection_id=self.inspection_id,
            answer=wanted.answer,
            inspector=wanted.inspector,
            report=finding.report.model_dump(mode="json") if finding else None,
            unscored=unscored,
            how=finding.how if finding else "",
            exchange=exchanges.dump(),
            prompt_tokens=used.prompt_tokens,
            completion_tokens=used.completion_tokens,
            cost=used.cost,
            latency=exchanges.latency,
            at=now(),
        )
        self._plans.inspections.add([row])

    def _told(self, wanted: Wanted) -> str:
        return f"{self.inspection_id}, {wanted.inspector} on answer {wanted.answer}"

    def _read(self, answer: int) -> Material:
        """What inspectors are shown of an answer.

        Raises:
            Unsendable: it cannot be shown.
        """
        read = self._plans.library.read(answer)
        material = Material(read.query, read.plan, read.answer.index_base)
        pool = enumerate(read.query.pool if self.settings.pictures == "pool" else ())
        there = {place: image.picture for place, image in pool if image.picture}
        if reason := unsendable(material, len(there)):
            raise Unsendable(reason)
        return material._replace(pictures={place: self._picture(place, each.digest) for place, each in there.items()})

    def _picture(self, place: int, digest: str) -> Picture:
        try:
            content = self._plans.pictures.get(digest)
            if content is None:
                raise NoPicture("its file is gone")
            return Picture(digest, shown(content))
        except NoPicture as fault:
            message = f"Picture {place + 1} of the pool cannot be shown to the inspectors: {fault}."
            raise Unsendable(message) from None


def _role(name: str) -> Inspector:
    return next(each for each in INSPECTORS if each == name)
