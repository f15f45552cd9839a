"""The plans of a studio: its services put together."""

from __future__ import annotations

import logging

from easel_app.plans.reading import from_disk
from easel_app.services.plans.agreement import AgreementService
from easel_app.services.plans.backends import Backends
from easel_app.services.plans.execution import Executions
from easel_app.services.plans.intake import PlanIntake
from easel_app.services.plans.library import PlanLibrary
from easel_app.services.plans.listing import ListService
from easel_app.services.plans.scores import ScoreService
from easel_app.services.plans.searching import Searcher
from easel_app.services.plans.viewing import ViewService
from easel_app.services.plans.voting import VoteService
from easel_app.services.reviewers import Reviewers
from easel_app.services.taking_in.intake import set_id_of
from easel_app.settings import Settings, data_folder
from easel_app.store.database import Database
from easel_app.store.files import PictureFiles
from easel_app.store.inspections import InspectionStore
from easel_app.store.plan_executions import PlanExecutionStore
from easel_app.store.plan_votes import PlanVoteStore
from easel_app.store.plans import PlanStore
from easel_app.store.reviewers import ReviewerStore

SAMPLE = "Sample: twenty-four questions"
log = logging.getLogger(__name__)


class Plans:
    """Everything that callers may do with plans."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.store, self.inspections = PlanStore(database), InspectionStore(database)
        self.ballots = PlanVoteStore(database)
        self.pictures = PictureFiles(settings.data_dir / "pictures")
        self.library = PlanLibrary(self.store, self.inspections, self.ballots, self.pictures)
        self.intake = PlanIntake(self.store, self.inspections, self.ballots, self.pictures)
        self.library.first_look.job = self._bring_sample
        self.views = ViewService(self.library)
        self.lists = ListService(self.library, Searcher(self.library))
        self.votes = VoteService(self.library, self.views)
        self.scores = ScoreService(self.library, self.ballots)
        self.agreement = AgreementService(self.library, self.ballots)
        self.executions = Executions(self.library, PlanExecutionStore(database), Backends(settings, self.pictures))
        self.reviewers = Reviewers(ReviewerStore(database))

    def _bring_sample(self) -> None:
        """Have the sample set, so that there is something to look at from the first moment on.

        Whatever was cut off before goes on; who has imported the same set by hand has it already.
        """
        folder = data_folder() / "plans" / "sample"
        events = self.store.imports(set_id_of(SAMPLE))
        if (events and events[-1].name == "ended") or not any(folder.glob("*.jsonl")):
            return
        report = self.intake.take_in(from_disk(folder, root=data_folder()), name=SAMPLE)
        if report.state != "imported":
            log.error("the sample set is not as it should be: %s", report.sentence())
