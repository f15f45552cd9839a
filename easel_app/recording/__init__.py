"""Recording episodes of the Gymnasium environment as sessions."""

from easel_app.recording.books import RecordingError
from easel_app.recording.recorded import Recorded

__all__ = ["Recorded", "RecordingError"]
