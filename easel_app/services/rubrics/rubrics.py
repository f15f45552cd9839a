"""The rubrics of a studio: its services put together."""

from __future__ import annotations

from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.panel import PanelService
from easel_app.services.rubrics.queues import QueueService
from easel_app.services.rubrics.reviewers import Reviewers
from easel_app.services.rubrics.scores import ScoreService
from easel_app.services.rubrics.views import RubricSet
from easel_app.services.rubrics.votes import VoteService
from easel_app.settings import Settings
from easel_app.store.database import Database
from easel_app.store.files import PictureFiles
from easel_app.store.judgings import JudgingStore
from easel_app.store.reviews import ReviewStore
from easel_app.store.rubrics import RubricStore


class Rubrics:
    """Everything that callers may do with rubrics."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.store, self.judgings, self.reviews = RubricStore(database), JudgingStore(database), ReviewStore(database)
        self.pictures = PictureFiles(settings.data_dir / "pictures")
        self.library = RubricLibrary(self.store, self.judgings, self.pictures)
        self.reviewers = Reviewers(self.reviews)
        self.queues = QueueService(self.library, self.reviews)
        self.votes = VoteService(self.library, self.reviews, self.queues)
        self.panel = PanelService(self.library, self.reviews, self.queues)
        self.scores = ScoreService(self.library, self.reviews)

    def sets(self) -> list[RubricSet]:
        """All sets with their queues, oldest first."""
        return [self.set(record.id) for record in self.library.sets()]

    def set(self, set_id: str) -> RubricSet:
        """A set with its queues.

        Raises:
            NotFound: there is none of that id.
        """
        view = self.library.view(self.library.set(set_id))
        return view.model_copy(update={"queues": self.queues.of_set(set_id)})
