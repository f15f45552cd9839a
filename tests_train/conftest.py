"""Shared by all: no network, no cache of the user's, and one tiny base model."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_HOME = tempfile.TemporaryDirectory(prefix="easel-train-")
os.environ.update(HF_HOME=_HOME.name, HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", TQDM_DISABLE="1")
# matrices are small here: more threads would spend most of their time waiting for each other
os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")


def pytest_configure(config: pytest.Config) -> None:
    # the libraries warn of each other's next versions, which is not ours to mend
    config.addinivalue_line("filterwarnings", "default")


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folder of the tiny base model."""
    from tests_train.tiny import tiny_base

    yield tiny_base(tmp_path_factory.mktemp("base"))
