"""How models use their tools: the services that tell it, put together."""

from __future__ import annotations

from easel_app.services.rubrics.analysis import AnalysisService
from easel_app.services.rubrics.comparing import ComparingService
from easel_app.services.rubrics.library import RubricLibrary
from easel_app.services.rubrics.tool_figures import FigureService
from easel_app.services.rubrics.trace_search import TraceSearch
from easel_app.services.rubrics.traces import TraceService
from easel_app.services.rubrics.verdicts_by import VerdictsBy
from easel_app.services.rubrics.waiting import WaitingService
from easel_app.store.database import Database
from easel_app.store.reviews import ReviewStore
from easel_app.store.rubric_texts import RubricTexts


class Analyses:
    """Everything that callers may ask of how models did with their tools."""

    def __init__(
        self,
        database: Database,
        library: RubricLibrary,
        reviews: ReviewStore,
        verdicts: VerdictsBy,
        figures: FigureService,
        waiting: WaitingService,
    ) -> None:
        self.waiting = waiting
        self.analysis = AnalysisService(library, reviews, verdicts, figures)
        self.comparing = ComparingService(library, verdicts, figures, waiting)
        self.traces = TraceService(library, verdicts, figures, waiting)
        self.search = TraceSearch(library, RubricTexts(database))
