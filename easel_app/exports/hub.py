"""A data set to the Hugging Face hub, on request only."""

from __future__ import annotations

from pathlib import Path

from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalTokenNotFoundError
from huggingface_hub.utils.tqdm import disable_progress_bars
from pydantic import SecretStr

from easel_app.services.problems import Refusal

REASONS = {
    401: "the token is missing or not valid; log in by `hf auth login`, or set HF_TOKEN",
    403: "the token may not write there; take one with write access, or another name",
    404: "there is no such account, or the token does not see it; correct the name",
    409: "something of that name is there already; choose another name",
    413: "it is too large; export less of it",
    429: "there were too many requests; try again later",
}


def push(
    folder: Path,
    repo_id: str,
    token: SecretStr | None = None,
    *,
    private: bool = False,
    endpoint: str | None = None,
    what: str = "Sessions",
) -> str:
    """Upload a data set; the repository is made if it is not there. Returns its address.

    Args:
        folder: the data set.
        repo_id: NAME/REPO.
        token: None takes HF_TOKEN, or the one that `hf auth login` stored. It is never shown.
        private: whether a repository that is made now is private.
        endpoint: address of another hub.
        what: what it is, for the history of the repository.

    Raises:
        Refusal: the hub, or the network, did not take it; what was written to the folder stays.
    """
    disable_progress_bars()
    try:
        api = HfApi(endpoint=endpoint, token=token.get_secret_value() if token else None)
        made = api.create_repo(repo_id, repo_type="dataset", private=private, exist_ok=True)
        api.upload_folder(
            repo_id=made.repo_id, folder_path=folder, repo_type="dataset", commit_message=f"{what} of Easel Studio"
        )
    # the errors' own words may hold addresses and headers: what is told is made here
    except HFValidationError:
        raise _failed(f"{repo_id!r} is no name of a repository; it must look like NAME/REPO") from None
    except LocalTokenNotFoundError:
        raise _failed(REASONS[401]) from None
    except HfHubHTTPError as error:
        status = error.response.status_code
        raise _failed(REASONS.get(status, f"the hub answered {status}; try again later")) from None
    except Exception as error:  # of whatever HTTP client the hub's library brings
        raise _failed(f"the hub cannot be reached ({type(error).__name__}); check the network and try again") from None
    return str(made)


def _failed(why: str) -> Refusal:
    return Refusal("not_pushed", f"The data set was written, but not pushed: {why}.")
