"""What has to be set before any test imports numpy, and before a test starts a process."""

import os
import sys

# tests multiply small matrices side by side: more threads would spend most of their time waiting for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# where Python keeps no compiled modules, each of the processes that tests start compiles the whole studio anew
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
