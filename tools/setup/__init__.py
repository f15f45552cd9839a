"""Sets the project up on a machine: finds a Python, fills `.venv`, finds a browser, pins versions.

Runs before anything is installed, hence on the standard library alone.
"""
