"""The studio: store and services put together for one process."""

from __future__ import annotations

from easel_app.painting.env import catalogue
from easel_app.services.credit import CreditService
from easel_app.services.imports import ImportService
from easel_app.services.painters import PainterService
from easel_app.services.plans.plans import Plans
from easel_app.services.results import ResultService
from easel_app.services.rubrics.rubrics import Rubrics
from easel_app.services.sessions import SessionService
from easel_app.services.tasks import TaskService
from easel_app.settings import Settings
from easel_app.store.database import Database
from easel_app.store.figures import FigureStore
from easel_app.store.records import PictureStore, SessionStore
from easel_app.store.runs import RunStore


class Studio:
    """Everything a caller may use; one object a process."""

    def __init__(self, settings: Settings) -> None:
        """Open the store in the settings' data folder.

        Raises:
            easel_app.store.database.StoreUnusable: another process has it open, or it cannot be read or written.
        """
        self._database = Database(settings.data_dir)
        self.tasks = TaskService(catalogue(), PictureStore(self._database))
        self.runs = RunStore(self._database)
        store = SessionStore(self._database)
        self.sessions = SessionService(store, self.tasks, settings.open_sessions)
        self.results = ResultService(FigureStore(self._database), store, self.tasks)
        self.painters = PainterService(self.sessions, self.tasks)
        self.credit = CreditService(self.sessions)
        self.imports = ImportService(store, self.tasks, PictureStore(self._database))
        self.rubrics = Rubrics(self._database, settings)
        self.plans = Plans(self._database, settings)

    def announce(self, address: str) -> None:
        """Tell other processes that find the data folder in use where this one serves."""
        self._database.announce(address)

    def close(self) -> None:
        """Stop the painters, end the event streams and close the store; safe to call twice."""
        self.painters.close()
        self.credit.close()
        self.sessions.live.close()
        self._database.close()
