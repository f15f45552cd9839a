"""Painters that follow a script: they know what a semantic task is scored against."""
