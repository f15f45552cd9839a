"""Data sets of the Hugging Face hub, at the user's request only: which files there are, and these files, one by one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from huggingface_hub import HfApi
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils.tqdm import disable_progress_bars

from easel_app.rubrics.reading.source import RubricSource
from easel_app.sources.found import SourceUnusable, Stopped

SPLITS: Final = ("test", "validation", "train")
"""Of which the first is taken that there is: the present revision has a test split, earlier ones have train."""


_REASONS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (HFValidationError, "that is no name of a data set; it must look like NAME/REPO"),
    (GatedRepoError, "one has to ask for access to it on its page first, and to log in by `hf auth login`"),
    (RevisionNotFoundError, "it has no such revision; correct --revision or leave it out"),
    (
        RepositoryNotFoundError,
        "the hub has no such data set, or does not show it without a token (`hf auth login`); correct the name",
    ),
    (OfflineModeIsEnabled, "HF_HUB_OFFLINE is set; unset it, or give the path of its parquet files on disk"),
)


def from_hub(
    repo_id: str,
    revision: str | None = None,
    *,
    told: Callable[[int, int], None] = lambda done, total: None,
    stopping: Callable[[], bool] = lambda: False,
    endpoint: str | None = None,
    cache: Path | None = None,
    **how: Any,
) -> RubricSource:
    """A data set of the hub as a source, once its parquet files are here.

    They come one by one into the cache of the hub's library (`HF_HOME`), which goes on with a file that was cut off and
    fetches none twice.

    Args:
        repo_id: NAME/REPO.
        revision: branch, tag or commit; None: the newest.
        told: called with the bytes that are here and those of all files, after each file.
        stopping: asked before each file whether nobody waits any more.
        endpoint: address of another hub.
        cache: another folder for the files.
        how: what `RubricSource` takes.

    Raises:
        SourceUnusable: the hub or the network does not give it, or it has no parquet files.
        Stopped: nobody waits any more.
    """
    disable_progress_bars()
    api = HfApi(endpoint=endpoint)
    try:
        found = api.dataset_info(repo_id, revision=revision, files_metadata=True)
        sizes = {each.rfilename: each.size or 0 for each in found.siblings or []}
        files = of_split(list(sizes))
        if not files:
            raise SourceUnusable(f"The data set {repo_id} has no parquet files; import it from disk instead.")
        paths, total = [], sum(sizes[name] for name in files)
        for at, name in enumerate(files):
            told(sum(sizes[each] for each in files[:at]), total)
            if stopping():
                raise Stopped
            # the commit, not the branch: all files are of one moment, whatever is pushed meanwhile
            paths.append(
                Path(api.hf_hub_download(repo_id, name, repo_type="dataset", revision=found.sha, cache_dir=cache))
            )
        told(total, total)
    except (SourceUnusable, Stopped):
        raise
    except Exception as error:  # of whatever HTTP client the hub's library brings
        # the errors' own words may hold addresses and headers: what is told is made here
        shown = "".join(c if c.isprintable() else "�" for c in repo_id[:120])
        raise SourceUnusable(f"The data set {shown} was not fetched: {_why(error)}.") from None
    return RubricSource(paths, f"{repo_id}@{str(found.sha)[:12]}", title=repo_id.rpartition("/")[2], **how)


def of_split(names: list[str]) -> list[str]:
    """The parquet files of the split that is graded, in order; all of them where none names a split."""
    files = sorted(name for name in names if name.endswith(".parquet") and ".." not in name and name[0] != "/")
    for split in SPLITS:
        chosen = [name for name in files if re.search(rf"(?:^|[/_-]){split}(?:[/_.-]|$)", name)]
        if chosen:
            return chosen
    return files


def _why(error: Exception) -> str:
    for kind, why in _REASONS:
        if isinstance(error, kind):
            return why
    if isinstance(error, HfHubHTTPError):
        return f"the hub answered {error.response.status_code}; try again later, for what is here already is kept"
    return f"the hub cannot be reached ({type(error).__name__}); check the network, or give a path on disk"
