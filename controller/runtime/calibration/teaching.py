# SPDX-License-Identifier: MIT
"""
Learn a table from stored pictures whose dice were confirmed.

The table, the owner's page and `dicebell verify` learn by this code and from the same bytes, so
everybody gets the same model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.runtime.calibration.active import ActiveCalibration
from vision.decoding.errors import PictureError
from vision.table_model.confirmed import ConfirmedThrow, Lesson, Lessons
from vision.table_model.model import VERSION, learn_table
from vision.table_model.model_text import StoredModel, encode_model

ReadPicture = Callable[[str], bytes | None]
"""Returns the stored picture with a digest; `None` if it is gone."""


class Teacher:
    """Learns at one calibration; looks at each picture once. For one thread."""

    def __init__(self, live: ActiveCalibration, read_picture: ReadPicture) -> None:
        self._live = live
        self._read_picture = read_picture
        self._seen: dict[str, ConfirmedThrow | None] = {}

    def find_throw(self, lesson: Lesson) -> ConfirmedThrow | None:
        """Return the throw of a lesson; `None` if its picture is gone or shows other dice."""
        if lesson.picture not in self._seen:
            self._seen[lesson.picture] = self._confirm(lesson)
        return self._seen[lesson.picture]

    def learn(self, lessons: Lessons, *, version: int = VERSION) -> StoredModel | None:
        """
        Return what lessons teach; `None` if one that was taught can't be seen any more.

        Rolls of play that can't be seen are left out. Throws of other lessons are forgotten.
        `version` is that of `learn_table`.
        """
        seen = (one for one in lessons.played if self.find_throw(one) is not None)
        used = Lessons(lessons.taught, tuple(seen))
        taught, played = self._find_throws(used.taught), self._find_throws(used.played)
        self._seen = {one.picture: self._seen[one.picture] for one in (*used.taught, *used.played)}
        tray = self._live.tray_for(used.taught[0].frame_wh) if used.taught else None
        if tray is None or len(taught) < len(used.taught):
            return None
        model = learn_table(taught, tray, played=played, version=version)
        return encode_model(model, used) if model else None

    def _find_throws(self, lessons: Sequence[Lesson]) -> list[ConfirmedThrow]:
        return [throw for one in lessons if (throw := self.find_throw(one)) is not None]

    def _confirm(self, lesson: Lesson) -> ConfirmedThrow | None:
        content = self._read_picture(lesson.picture)
        if content is None or self._live.tray_for(lesson.frame_wh) is None:
            return None
        try:
            return lesson.confirm(content, self._live.confirm)
        except (PictureError, ValueError):
            return None
