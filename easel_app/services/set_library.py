"""The sets of one kind: which there are, who judges them, and their pictures."""

from __future__ import annotations

import re

from easel_app.services.first_look import FirstLook
from easel_app.services.problems import NotFound
from easel_app.services.wings import Wing
from easel_app.sources.pictures import NoPicture, identify
from easel_app.store.files import PictureFiles
from easel_app.store.judges import JudgeStore
from easel_app.store.sets import SetRecord, SetStore


class SetLibrary:
    """Finds sets, their judges and their pictures."""

    def __init__(self, wing: Wing, sets: SetStore, judges: JudgeStore, pictures: PictureFiles) -> None:
        self.wing, self.pictures = wing, pictures
        self.first_look = FirstLook(f"the sample set of {wing.name}")
        self._sets, self._judges = sets, judges

    def sets(self) -> list[SetRecord]:
        """All sets, oldest first."""
        self.first_look()
        return self._sets.sets()

    def names(self) -> dict[str, str]:
        """Names of all sets by id, oldest first."""
        return {record.id: record.name for record in self.sets()}

    def set(self, set_id: str) -> SetRecord:
        """The set of that id.

        Raises:
            NotFound: there is none.
        """
        self.first_look()
        found = self._sets.set(set_id)
        if found is None:
            message = f"There is no {self.wing.one} of that id; GET /api/{self.wing.name}/sets lists them."
            raise NotFound("no_such_set", message, "set_id")
        return found

    def judging(self, set_id: str, wanted: str | None) -> str | None:
        """The judge's work on a set that is asked for, or the first one there is; None when there is none.

        Raises:
            NotFound: the set has no such work.
        """
        found, what = [record.id for record in self._judges.judgings(set_id)], self.wing.judging
        if wanted is None:
            return found[0] if found else None
        if wanted not in found:
            message = f"The set has no such {what}; GET /api/{self.wing.name}/sets names those that it has."
            raise NotFound(f"no_such_{what}", message, what)
        return wanted

    def picture(self, digest: str) -> tuple[bytes, str]:
        """The bytes of a picture and its media type, told from the bytes.

        Raises:
            NotFound: there is none of that digest, or its file is damaged.
        """
        content = self.pictures.get(digest) if re.fullmatch(r"[0-9a-f]{64}", digest) else None
        try:
            if content is not None:
                return content, f"image/{identify(content).format}"
        except NoPicture:  # its file was damaged
            pass
        message = "There is no picture of that digest; its file may have been taken away from the data folder."
        raise NotFound("no_such_picture", message, "digest")
