"""The rubrics of a studio: its services put together."""

from __future__ import annotations

import logging

from easel_app.rubrics.reading import from_disk
from easel_app.services.reviewers import Reviewers
from easel_app.services.rubrics.analyses import Analyses
from easel_app.services.rubrics.drafting import DraftService
from easel_app.services.rubrics.intake import RubricIntake
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.panel import PanelService
from easel_app.services.rubrics.queues import QueueService
from easel_app.services.rubrics.scores import ScoreService
from easel_app.services.rubrics.tool_figures import FigureService
from easel_app.services.rubrics.verdicts_by import VerdictsBy
from easel_app.services.rubrics.views import NewQueue, RubricSet
from easel_app.services.rubrics.votes import VoteService
from easel_app.services.rubrics.waiting import WaitingService
from easel_app.services.taking_in.intake import set_id_of
from easel_app.settings import Settings, data_folder
from easel_app.store.database import Database
from easel_app.store.files import PictureFiles
from easel_app.store.judgings import JudgingStore
from easel_app.store.reviewers import ReviewerStore
from easel_app.store.reviews import ReviewStore
from easel_app.store.rubrics import RubricStore

SAMPLE = "Sample: studio pictures"
SAMPLE_QUEUE, SAMPLE_REVIEWERS = "All sample answers", 2
log = logging.getLogger(__name__)


class Rubrics:
    """Everything that callers may do with rubrics."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.store, self.judgings, self.reviews = RubricStore(database), JudgingStore(database), ReviewStore(database)
        self.pictures = PictureFiles(settings.data_dir / "pictures")
        self.library = RubricLibrary(self.store, self.judgings, self.pictures)
        self.reviewers = Reviewers(ReviewerStore(database))
        self.queues = QueueService(self.library, self.reviews)
        self.votes = VoteService(self.library, self.reviews, self.queues)
        self.intake = RubricIntake(self.store, self.judgings, self.pictures, self.votes)
        self.library.first_look.job = self._bring_sample
        self.verdicts, figures = VerdictsBy(self.library, self.reviews), FigureService(self.library)
        waiting = WaitingService(self.reviews, self.queues)
        self.panel = PanelService(self.library, self.reviews, self.queues, waiting)
        self.scores = ScoreService(self.library, self.reviews, self.verdicts, figures)
        self.analyses = Analyses(database, self.library, self.reviews, self.verdicts, figures, waiting)
        self.drafts = DraftService(self.library)

    def _bring_sample(self) -> None:
        """Have the sample set with a queue, so that there is something to look at from the first moment on.

        Whatever was cut off before goes on; who has imported the same set by hand has it already.
        """
        set_id = set_id_of(SAMPLE)
        events = self.store.imports(set_id)
        if not events or events[-1].name == "begun":
            source = from_disk(data_folder() / "rubrics" / "sample.jsonl", root=data_folder())
            report = self.intake.take_in(source, name=SAMPLE)
            if report.state != "imported":
                log.error("the sample set is not as it should be: %s", report.sentence())
                return
        if not self.reviews.queues(set_id):
            self.queues.make(NewQueue(set_id=set_id, name=SAMPLE_QUEUE, required=SAMPLE_REVIEWERS))

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
