"""The plans of a studio: its services put together."""

from __future__ import annotations

from easel_app.services.plans.library import PlanLibrary
from easel_app.services.reviewers import Reviewers
from easel_app.settings import Settings
from easel_app.store.database import Database
from easel_app.store.files import PictureFiles
from easel_app.store.inspections import InspectionStore
from easel_app.store.plan_votes import PlanVoteStore
from easel_app.store.plans import PlanStore
from easel_app.store.reviewers import ReviewerStore

SAMPLE = "Sample: twenty-four questions"


class Plans:
    """Everything that callers may do with plans."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.store, self.inspections = PlanStore(database), InspectionStore(database)
        self.ballots = PlanVoteStore(database)
        self.pictures = PictureFiles(settings.data_dir / "pictures")
        self.library = PlanLibrary(self.store, self.inspections, self.pictures)
        self.reviewers = Reviewers(ReviewerStore(database))
