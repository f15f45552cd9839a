"""An offline reader of handwriting that does not know the word it should find."""

from easel_app.handwriting.reading import VERSION, Reading, read, reader_name, warm

__all__ = ["VERSION", "Reading", "read", "reader_name", "warm"]
