"""What has to be set before any test imports numpy."""

import os

# tests multiply small matrices side by side: more threads would spend most of their time waiting for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
