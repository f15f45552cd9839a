"""What is brought in before anyone looks, such as a sample set."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)


class FirstLook:
    """Does a job once, when somebody looks for the first time; where it fails, the next look tries again."""

    def __init__(self, what: str) -> None:
        """`what` names the job in the log."""
        self.job: Callable[[], None] = lambda: None
        self._what = what
        self._done = self._at_it = False
        self._lock = threading.RLock()

    def __call__(self) -> None:
        """Do it unless it is done; whoever else looks meanwhile waits, the job itself does not."""
        with self._lock:
            if self._done or self._at_it:
                return
            self._at_it = True
            try:
                self.job()
                self._done = True
            except Exception:
                log.exception("%s could not be brought in; the next look tries again", self._what)
            finally:
                self._at_it = False
