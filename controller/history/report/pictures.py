# SPDX-License-Identifier: MIT
"""
The stored pictures of a game, as far as they still exist.

A report embeds the exact bytes of the digest, so its reader can compare them with the journal.
A picture that is gone or changed is never replaced by a similar one.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller.base.languages.message import message
from controller.journal.hashchain import Entry
from controller.journal.picture_refs import is_digest, list_deleted
from controller.journal.picture_store import PictureStore, compute_digest
from controller.verify.untrusted_files import read_limited
from vision.picture_headers import read_jpeg_size


@dataclass(frozen=True, slots=True)
class ReportPicture:
    """A picture, or the reason why it cannot be shown."""

    digest: str  # Its SHA-256 in the journal; empty if there is none.
    said: str  # Why it cannot be shown; empty if it is shown.
    uri: str  # The picture as a `data:` address; empty if it cannot be shown.
    width_px: int  # Its width, or the journalled width; 0 if unknown.
    height_px: int  # The same, downwards.


MOST_BYTES = 1 << 29
"""All pictures of a report together; the longest games of a table need a twentieth of that."""

NO_PICTURE = ReportPicture("", message("No picture was journalled."), "", 0, 0)


class ReportPictures:
    """The pictures of one data folder, as a report shows them: each once, in limited room."""

    def __init__(
        self, evidence: PictureStore, deleted: Mapping[str, str], *, most_bytes: int = MOST_BYTES
    ) -> None:
        self._room_bytes = most_bytes
        self._evidence = evidence
        self._deleted = deleted
        self._shown: set[str] = set()
        self.counts = {"shown": 0, "left out": 0, "deleted": 0, "missing": 0, "changed": 0}

    def picture(self, digest: str, size_px: tuple[int, int]) -> ReportPicture:
        """Return a picture by its digest, or why it cannot be shown; a size of 0 is unknown."""
        if not digest:
            return NO_PICTURE
        if not is_digest(digest):
            self.counts["missing"] += 1
            return ReportPicture(
                digest, message("What the journal names is no picture's name."), "", *size_px
            )
        if digest in self._shown:
            return ReportPicture(digest, message("This picture is shown above."), "", *size_px)
        try:
            data = read_limited(self._evidence.picture_path(digest))
        except OSError as error:
            return ReportPicture(digest, self._why_gone(digest, error), "", *size_px)
        if compute_digest(data) != digest:
            self.counts["changed"] += 1
            said = message("The stored picture is not the one that was journalled.")
            return ReportPicture(digest, said, "", *size_px)
        if len(data) > self._room_bytes:
            self.counts["left out"] += 1
            said = message("The pictures above fill the report; this one is in the data folder.")
            return ReportPicture(digest, said, "", *size_px)
        self._room_bytes -= len(data)
        self._shown.add(digest)
        self.counts["shown"] += 1
        uri = f"data:image/jpeg;base64,{base64.b64encode(data).decode('ascii')}"
        return ReportPicture(digest, "", uri, *(read_jpeg_size(data) or size_px))

    def clip_note(self, digest: str) -> str:
        """Return why a clip is unavailable; empty if it is available or there is none."""
        if not digest:
            return ""
        if not is_digest(digest):
            return message("missing")
        try:
            data = read_limited(self._evidence.clip_path(digest))
        except OSError:
            day = self._deleted.get(digest)
            return message("deleted on {day}", day=day) if day else message("missing")
        is_same = compute_digest(data) == digest
        return "" if is_same else message("not the one that was journalled")

    def _why_gone(self, digest: str, error: OSError) -> str:
        if day := self._deleted.get(digest):
            self.counts["deleted"] += 1
            return message("Picture deleted on {day}.", day=day)
        self.counts["missing"] += 1
        if isinstance(error, FileNotFoundError):
            return message("The picture is missing.")
        return message("The picture cannot be read: {reason}", reason=error.strerror or str(error))


def find_deletion_days(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the day of deletion of each deleted picture, by digest."""
    deleted: dict[str, str] = {}
    for entry in entries:
        deleted.update(dict.fromkeys(list_deleted(entry), str(entry.body.get("on"))))
    return deleted
